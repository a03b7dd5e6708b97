//! Generations as people see them: tables, curves, documents and reports.

use crate::document::describe;
use crate::plots::{Curve, Plot};
use crate::progress::JobMeter;
use crate::runs::RunArgs;
use crate::table::{Format, Sheet};
use crate::{Failure, Result, files};
use plywise_learn::evolution::{Event, GeneState, Generation, Lineage, Standing, mean_and_spread};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// Shows how far an evolution has come.
pub fn show_progress(meter: &JobMeter, event: Event) {
    match event {
        Event::Scoring { positions } => meter.begin(positions, "positions scored"),
        Event::Trying { trials } => meter.begin(trials, "trials"),
        Event::Scored | Event::Tried => meter.advance(),
        Event::Finished(Standing { generation, best, mean, diversity, measure }) => meter.tell(&format!(
            "generation {generation:>4}  best {best:>8.2}  mean {mean:>8.2}  diversity {diversity:.3}  ({})",
            measure.unit()
        )),
    }
}

/// The course of the generations.
pub fn curve(lineage: &Lineage) -> Vec<Value> {
    lineage.standings().iter().map(describe).collect()
}

/// The course of the generations in about twenty rows.
pub fn sheet(lineage: &Lineage) -> Sheet {
    const ROWS: usize = 20;
    let best = format!("best, {}", lineage.plan.measure.unit());
    let mut sheet = Sheet::new(&["generation", &best, "mean", "diversity"], &[]);
    let standings = lineage.standings();
    let every = standings.len().div_ceil(ROWS).max(1);
    for Standing { generation, best, mean, diversity, .. } in &standings {
        if generation % every == 0 || generation + 1 == standings.len() {
            let numbers = [format!("{best:.2}"), format!("{mean:.2}"), format!("{diversity:.3}")];
            sheet.add([generation.to_string()].into_iter().chain(numbers).collect());
        }
    }
    sheet
}

/// The genes of the best organism as a table.
pub fn gene_sheet(lineage: &Lineage) -> Sheet {
    let mut sheet = Sheet::new(&["gene", "best", "mean", "spread", "of its range %"], &[0]);
    for GeneState { name, value, mean, spread, range } in lineage.genes() {
        let share = if range == 0 { "–".to_owned() } else { format!("{:.0}", 100.0 * spread / f64::from(range)) };
        sheet.add(vec![name, value.to_string(), format!("{mean:.1}"), format!("{spread:.1}"), share]);
    }
    sheet
}

/// What evolved, as it is kept.
pub struct EvolvedReport<'a> {
    /// The profile, or the options of an engine.
    pub text: &'a str,
    /// The title of the report.
    pub title: &'a str,
    /// What the report says first.
    pub words: &'a str,
}

/// Writes what evolved to its file, and with a report and pictures into the run directory, if there is one.
pub fn keep(lineage: &Lineage, kept: &EvolvedReport, output: &Path, run: &RunArgs, out: &mut dyn Write) -> Result {
    files::write(output, kept.text, out)?;
    if run.run.is_none() {
        return Ok(());
    }
    run.derive("best.toml", kept.text)?;
    let markdown = Format { markdown: true, ..Format::default() };
    let mut report = format!("# {}\n\n{}\n\n{}", kept.title, kept.words, sheet(lineage).show(&markdown));
    run.derive("fitness.svg", &fitness_plot(lineage).to_svg()?)?;
    report += "\n![fitness](fitness.svg)\n\n";
    report += &gene_sheet(lineage).show(&markdown);
    for (place, gene) in lineage.plan.genes.iter().enumerate().filter(|(_, gene)| gene.bits > 0) {
        let file = format!("gene-{place:02}.svg");
        run.derive(&file, &gene_plot(lineage, place).to_svg()?)?;
        let _ = write!(report, "\n![{}]({file})\n", gene.name);
    }
    run.derive("report.md", &report)
}

/// Says what ended it early, if anything did.
pub fn end(lineage: &Lineage) -> Result {
    match &lineage.fault {
        None => Ok(()),
        Some(fault) => Err(Failure::Failed(format!("{fault}; what evolved until then is kept"))),
    }
}

/// What the best organism and all of them came to, over the generations.
pub fn fitness_plot(lineage: &Lineage) -> Plot {
    let curves = vec![
        Curve::new("best", lineage.generations.iter().map(Generation::best_mark)),
        Curve::new("mean", lineage.generations.iter().map(Generation::mean_mark)),
    ];
    Plot::new("generation", lineage.plan.measure.unit(), curves)
}

/// The mean of a gene over the generations with its spread, and its value in the best organism.
pub fn gene_plot(lineage: &Lineage, place: usize) -> Plot {
    let genes = &lineage.plan.genes;
    let values = |generation: &Generation| -> Vec<f64> {
        generation.organisms.iter().map(|organism| f64::from(organism.decode(genes)[place])).collect()
    };
    let all: Vec<(f64, f64)> = lineage.generations.iter().map(|each| mean_and_spread(&values(each))).collect();
    let best = lineage.generations.iter().map(|each| values(each)[each.best()]);
    let mean = Curve::new("mean", all.iter().map(|(mean, _)| *mean));
    let band = all.iter().map(|(_, spread)| *spread).collect();
    let curves = vec![Curve { band, ..mean }, Curve::new("best", best)];
    Plot::new("generation", &genes[place].name, curves)
}

/// What every document about a lineage tells.
pub fn to_json(lineage: &Lineage) -> Value {
    json!({
        "generations": lineage.generations.len().saturating_sub(1),
        "population": lineage.plan.breeder.population,
        "curve": curve(lineage),
        "chromosome": lineage.best(),
        "genes": lineage.genes().iter().map(describe).collect::<Vec<_>>(),
    })
}
