//! Generations that follow each other, and what people see of them.

use super::plan::{JournalEntry, Plan, Trial, Verdict};
use crate::document::describe;
use crate::plots::{Curve, Plot};
use crate::progress::Meter;
use crate::runs::{derive, fail};
use crate::table::{Format, Sheet};
use crate::{Failure, Result, files};
use plywise_arena::run::{Run, Units};
use plywise_learn::evolution::{Chromosome, Gene, diversity, ranked};
use plywise_search::Signal;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Where organisms live: it tries them.
///
/// A generation is tried in parts that know nothing of each other, so that they can be done in any order and on any
/// number of threads; each finished one is in the journal.
pub trait Habitat: Sync {
    /// What a thread needs to try organisms.
    type Worker: Send;

    /// A worker for each thread.
    fn workers(&self) -> Result<Vec<Self::Worker>>;

    /// Does a part of a generation. Gives nothing where `stop` interrupts it.
    fn attempt(
        &self,
        worker: &mut Self::Worker,
        generation: &Newborn,
        part: u64,
        stop: &Signal,
    ) -> Result<Option<Trial>, String>;
}

/// A generation that was not tried yet.
pub struct Newborn {
    /// Its number.
    pub number: u64,
    /// The values of the genes of each organism.
    pub values: Vec<Vec<i32>>,
}

/// A generation that was tried.
#[derive(Clone, Debug)]
pub struct Generation {
    pub organisms: Vec<Chromosome>,
    pub trials: Vec<Trial>,
    pub verdicts: Vec<Verdict>,
}

impl Generation {
    /// The place of the fittest organism.
    pub fn best(&self) -> usize {
        ranked(&self.fitness())[0]
    }

    fn fitness(&self) -> Vec<f64> {
        self.verdicts.iter().map(|verdict| verdict.fitness).collect()
    }

    pub fn best_mark(&self) -> f64 {
        self.verdicts[self.best()].mark
    }

    pub fn mean_mark(&self) -> f64 {
        self.verdicts.iter().map(|verdict| verdict.mark).sum::<f64>() / self.verdicts.len().max(1) as f64
    }
}

/// A population through its generations.
pub struct Lineage {
    pub plan: Plan,
    pub generations: Vec<Generation>,
    /// What ended it before its time.
    pub fault: Option<String>,
}

impl Lineage {
    pub fn new(plan: Plan) -> Lineage {
        Lineage { plan, generations: Vec::new(), fault: None }
    }

    /// The organisms that come next.
    pub fn next(&self) -> Vec<Chromosome> {
        match self.generations.last() {
            None => self.plan.first(),
            Some(last) => self.plan.breeder.breed(self.generations.len() as u64, &last.organisms, &last.fitness()),
        }
    }

    /// Takes note of what the next generation came to.
    pub fn add(&mut self, organisms: Vec<Chromosome>, trials: Vec<Trial>) {
        let verdicts = self.plan.judge(&trials);
        self.generations.push(Generation { organisms, trials, verdicts });
    }

    /// Lets so many generations follow the first. There is at least one in the end.
    pub fn evolve<H: Habitat>(
        plan: Plan,
        generations: u64,
        units: &mut Units<JournalEntry>,
        habitat: &H,
        stop: &Signal,
    ) -> Result<Lineage> {
        let already = units.finished().len() as u64;
        let mut meter = Meter::new(plan.total(generations).saturating_sub(already), "trials");
        let mut lineage = Lineage::new(plan);
        for number in 0..=generations {
            let organisms = lineage.next();
            let values = organisms.iter().map(|organism| organism.decode(&lineage.plan.genes)).collect();
            lineage.try_generation(&Newborn { number, values }, &organisms, units, habitat, &mut meter, stop)?;
            let Some(trials) = lineage.finished(units.finished(), &organisms)? else { break };
            lineage.add(organisms, trials);
            meter.tell(&lineage.last_line());
        }
        meter.finish();
        match (lineage.generations.is_empty(), lineage.fault.take()) {
            (true, Some(fault)) => Err(Failure::Failed(fault)),
            (true, None) => Err(Failure::Interrupted),
            (false, fault) => Ok(Lineage { fault, ..lineage }),
        }
    }

    /// Tells a lineage again from its journal.
    pub fn replay(plan: Plan, finished: &BTreeMap<u64, JournalEntry>) -> Result<Lineage> {
        let mut lineage = Lineage::new(plan);
        loop {
            let organisms = lineage.next();
            let Some(trials) = lineage.finished(finished, &organisms)? else { return Ok(lineage) };
            lineage.add(organisms, trials);
        }
    }

    /// What all parts of the next generation came to, if they are finished. The journal must be about these organisms.
    fn finished(&self, finished: &BTreeMap<u64, JournalEntry>, organisms: &[Chromosome]) -> Result<Option<Vec<Trial>>> {
        let (number, parts) = (self.generations.len() as u64, self.plan.parts());
        let kept: Vec<&JournalEntry> =
            finished.range(number * parts..(number + 1) * parts).map(|(_, kept)| kept).collect();
        if kept.iter().filter_map(|kept| kept.organisms.as_ref()).any(|kept| kept != organisms) {
            let sentence = format!("generation {number} of the journal does not follow from the one before");
            return Err(Failure::input(sentence));
        }
        let trials: Vec<Trial> = kept.into_iter().map(|kept| kept.trial.clone()).collect();
        Ok((trials.len() as u64 == parts).then_some(trials))
    }

    /// Does the parts of a generation that are not finished.
    fn try_generation<H: Habitat>(
        &mut self,
        newborn: &Newborn,
        organisms: &[Chromosome],
        units: &mut Units<JournalEntry>,
        habitat: &H,
        meter: &mut Meter,
        stop: &Signal,
    ) -> Result {
        if self.finished(units.finished(), organisms)?.is_some() {
            return Ok(());
        }
        let start = newborn.number * self.plan.parts();
        let already: BTreeSet<u64> = units.finished().range(start..).map(|(&number, _)| number).collect();
        let (broken, fault) = (stop.child(), Mutex::new(None));
        let attempt = |worker: &mut H::Worker, number: u64, stop: &Signal| {
            let tried = habitat.attempt(worker, newborn, number - start, stop).unwrap_or_else(|found| {
                fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(found);
                broken.stop();
                None
            });
            tried.map(|trial| JournalEntry { trial, organisms: (number == start).then(|| organisms.to_vec()) })
        };
        let mut each = |number: u64, _: &JournalEntry| {
            if number >= start && !already.contains(&number) {
                meter.advance();
            }
            ControlFlow::Continue(())
        };
        units.work(start + self.plan.parts(), habitat.workers()?, &broken, attempt, &mut each).map_err(fail)?;
        self.fault = fault.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(())
    }

    /// The best organism of the last generation.
    pub fn best(&self) -> Option<&Chromosome> {
        self.generations.last().map(|last| &last.organisms[last.best()])
    }

    /// The values of its genes.
    pub fn best_values(&self) -> Vec<i32> {
        self.best().map_or(Vec::new(), |best| best.decode(&self.plan.genes))
    }

    fn last_line(&self) -> String {
        let Some(last) = self.generations.last() else { return String::new() };
        format!(
            "generation {:>4}  best {:>8.2}  mean {:>8.2}  diversity {:.3}  ({})",
            self.generations.len() - 1,
            last.best_mark(),
            last.mean_mark(),
            diversity(&last.organisms),
            self.plan.measure.unit()
        )
    }

    /// The course of the generations.
    pub fn curve(&self) -> Vec<Value> {
        let row = |(number, generation): (usize, &Generation)| {
            json!({
                "generation": number,
                "best": generation.best_mark(),
                "mean": generation.mean_mark(),
                "diversity": diversity(&generation.organisms),
            })
        };
        self.generations.iter().enumerate().map(row).collect()
    }

    /// The course of the generations in some score of rows.
    pub fn sheet(&self) -> Sheet {
        const ROWS: usize = 20;
        let best = format!("best, {}", self.plan.measure.unit());
        let mut sheet = Sheet::new(&["generation", &best, "mean", "diversity"], &[]);
        let every = self.generations.len().div_ceil(ROWS).max(1);
        for (number, generation) in self.generations.iter().enumerate() {
            if number % every == 0 || number + 1 == self.generations.len() {
                sheet.add(vec![
                    number.to_string(),
                    format!("{:.2}", generation.best_mark()),
                    format!("{:.2}", generation.mean_mark()),
                    format!("{:.3}", diversity(&generation.organisms)),
                ]);
            }
        }
        sheet
    }

    /// Each gene of the best organism, and how sure it is: how much it differs within the last generations.
    pub fn genes(&self) -> Vec<GeneState> {
        const LAST: usize = 10;
        let genes = &self.plan.genes;
        let late = self.generations.iter().rev().take(LAST).flat_map(|generation| &generation.organisms);
        let late: Vec<Vec<i32>> = late.map(|organism| organism.decode(genes)).collect();
        let state = |(place, value): (usize, i32)| {
            let values: Vec<f64> = late.iter().map(|values| f64::from(values[place])).collect();
            let (mean, spread) = mean_and_spread(&values);
            GeneState { name: genes[place].name.clone(), value, mean, spread, range: range(&genes[place]) }
        };
        self.best_values().into_iter().enumerate().map(state).collect()
    }

    /// The genes as a table.
    pub fn gene_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&["gene", "best", "mean", "spread", "of its range %"], &[0]);
        for GeneState { name, value, mean, spread, range } in self.genes() {
            let share = if range == 0 { "–".to_owned() } else { format!("{:.0}", 100.0 * spread / f64::from(range)) };
            sheet.add(vec![name, value.to_string(), format!("{mean:.1}"), format!("{spread:.1}"), share]);
        }
        sheet
    }

    /// Writes what evolved to its file, and with a report and pictures into the run directory, if there is one.
    pub fn keep(
        &self,
        evolved: &str,
        output: &Path,
        run: Option<&Run>,
        title: &str,
        words: &str,
        out: &mut dyn Write,
    ) -> Result {
        files::write(output, evolved, out)?;
        let Some(run) = run else { return Ok(()) };
        derive(run, "best.toml", evolved)?;
        self.write_derived(run, title, words)
    }

    /// Says what ended it before its time, if anything did.
    pub fn end(self) -> Result {
        let kept = |fault| Failure::Failed(format!("{fault}; what evolved until then is kept"));
        self.fault.map_or(Ok(()), |fault| Err(kept(fault)))
    }

    /// Writes the report and its pictures.
    fn write_derived(&self, run: &Run, title: &str, words: &str) -> Result {
        let markdown = Format { markdown: true, ..Format::default() };
        let mut report = format!("# {title}\n\n{words}\n\n{}", self.sheet().show(&markdown));
        derive(run, "fitness.svg", &self.fitness_plot().to_svg()?)?;
        report += "\n![fitness](fitness.svg)\n\n";
        report += &self.gene_sheet().show(&markdown);
        for (place, gene) in self.plan.genes.iter().enumerate().filter(|(_, gene)| gene.bits > 0) {
            let file = format!("gene-{place:02}.svg");
            derive(run, &file, &self.gene_plot(place).to_svg()?)?;
            let _ = write!(report, "\n![{}]({file})\n", gene.name);
        }
        derive(run, "report.md", &report)
    }

    /// What the best organism and all of them came to, over the generations.
    pub fn fitness_plot(&self) -> Plot {
        let curves = vec![
            Curve::new("best", self.generations.iter().map(Generation::best_mark)),
            Curve::new("mean", self.generations.iter().map(Generation::mean_mark)),
        ];
        Plot::new("generation", self.plan.measure.unit(), curves)
    }

    /// The mean of a gene over the generations with its spread, and its value in the best organism.
    pub fn gene_plot(&self, place: usize) -> Plot {
        let genes = &self.plan.genes;
        let values = |generation: &Generation| -> Vec<f64> {
            generation.organisms.iter().map(|organism| f64::from(organism.decode(genes)[place])).collect()
        };
        let all: Vec<(f64, f64)> = self.generations.iter().map(|each| mean_and_spread(&values(each))).collect();
        let best = self.generations.iter().map(|each| values(each)[each.best()]);
        let mean = Curve::new("mean", all.iter().map(|(mean, _)| *mean));
        let band = all.iter().map(|(_, spread)| *spread).collect();
        let curves = vec![Curve { band, ..mean }, Curve::new("best", best)];
        Plot::new("generation", &genes[place].name, curves)
    }

    /// What every document about a lineage tells.
    pub fn to_json(&self) -> Value {
        json!({
            "generations": self.generations.len().saturating_sub(1),
            "population": self.plan.breeder.population,
            "curve": self.curve(),
            "chromosome": self.best(),
            "genes": self.genes().iter().map(describe).collect::<Vec<_>>(),
        })
    }
}

/// A gene after the generations.
#[derive(Clone, Debug, Serialize)]
pub struct GeneState {
    pub name: String,
    /// In the best organism.
    pub value: i32,
    /// In all organisms of the last generations.
    pub mean: f64,
    /// The standard deviation there.
    pub spread: f64,
    /// From its least to its greatest value.
    pub range: u32,
}

fn range(gene: &Gene) -> u32 {
    gene.value((1 << gene.bits) - 1).abs_diff(gene.value(0))
}

/// The mean of numbers and their standard deviation.
pub fn mean_and_spread(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}
