//! `plywise evolve show`: what a run of evolution has come to.

use super::lineage;
use crate::commands::learn::tunables;
use crate::document::{self, joined};
use crate::engine::{EVALUATION, setup_for};
use crate::plots::{Curve, Plot};
use crate::run_summary::RunSummary;
use crate::table::{DataArgs, Format, Sheet, write_csv};
use crate::{Failure, Result};
use clap::Args;
use plywise_game::parameters::{Parameter, Parameters};
use plywise_host::{AnyGame, Setup, WrittenSetup};
use plywise_learn::evolution::{EvolveSearch, JournalEntry, Lineage, Plan, diversity, mean_and_spread};
use plywise_run::{Job, Run, Units, shorten};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Show what a run of evolution has come to, finished or not
///
/// It prints the course of the generations, how sure each gene is, and the best organism as a profile; with --against
/// only in what it differs from another profile.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise evolve eval chess --pgn masters.pgn --positions 10000 --run runs/eval -o evolved.toml
  plywise evolve show runs/eval
  plywise evolve show runs/eval --against best")]
pub struct Arguments {
    /// The run directories: the first is shown; with more, how sure a gene is follows from the bests of all
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// A profile to compare the best organism with
    #[arg(long, value_name = "NAME|FILE")]
    pub against: Option<String>,
    #[command(flatten)]
    pub data: DataArgs,
}

/// What documents call it.
const COMMAND: &str = "evolve show";

/// A run directory of evolution.
struct Evolved {
    /// What of its command it needs.
    work: EvolutionManifest,
    lineage: Lineage,
}

/// What a run directory says about its work.
#[derive(Deserialize)]
struct EvolutionManifest {
    command: String,
    game: String,
    plan: Plan,
    #[serde(default)]
    profile: String,
    #[serde(default)]
    player: Value,
}

impl Evolved {
    fn read(path: &Path) -> Result<Evolved> {
        let manifest = Run::glance(path).map_err(Failure::input)?.manifest;
        let Ok(work) = serde_json::from_value::<EvolutionManifest>(Value::Object(manifest.work)) else {
            return Err(Failure::input(format!("'{}' is not a run of evolution", path.display())));
        };
        let (_, finished) = Units::<Value>::look(path, &|_, _| Ok(())).map_err(Failure::input)?;
        let damaged = |problem: String| Failure::input(format!("'{}' is damaged: {problem}", path.display()));
        work.plan.validate().map_err(damaged)?;
        let read = |(number, value): (u64, Value)| {
            let kept: JournalEntry = serde_json::from_value(value).map_err(|error| error.to_string())?;
            work.plan.check(&kept).map(|()| (number, kept))
        };
        let finished = finished.into_iter().map(read).collect::<Result<BTreeMap<_, _>, String>>().map_err(damaged)?;
        let lineage = Lineage::replay(work.plan.clone(), &finished)?;
        match lineage.generations.is_empty() {
            true => Err(Failure::input(format!("no generation is finished in '{}' yet", path.display()))),
            false => Ok(Evolved { work, lineage }),
        }
    }

    /// Whether its genes are options of an engine in another process.
    fn is_engine(&self) -> bool {
        self.work.player.pointer("/who/engine").is_some()
    }
}

impl Evolved {
    /// Whether the run began with the parameters and weights of this setup.
    fn began_with(&self, game: &dyn AnyGame, setup: &Setup) -> bool {
        let mut now = serde_json::to_value(WrittenSetup::of(game, setup)).unwrap_or_default();
        shorten(&mut now);
        let player = &self.work.player;
        player.pointer("/who/setup").unwrap_or(player).get("profile") == now.get("profile")
    }
}

/// What a run directory of evolution shows.
pub fn summary(path: &Path) -> Result<RunSummary> {
    let Evolved { lineage, .. } = Evolved::read(path)?;
    let last = lineage.generations.last().map(|last| (last.best_mark(), diversity(&last.organisms)));
    let mut facts = vec![("Generations".into(), (lineage.generations.len() - 1).to_string())];
    if let Some((best, diversity)) = last {
        facts.push(("Best".into(), format!("{best:.2} {}", lineage.plan.measure.unit())));
        facts.push(("Diversity".into(), format!("{diversity:.3}")));
    }
    let genes = (0..lineage.plan.genes.len()).filter(|&place| lineage.plan.genes[place].bits > 0);
    let diversities = lineage.generations.iter().map(|generation| diversity(&generation.organisms));
    let mut plots = vec![
        lineage::fitness_plot(&lineage),
        Plot::new("generation", "diversity", vec![Curve::new("diversity", diversities)]),
    ];
    plots.extend(genes.map(|place| lineage::gene_plot(&lineage, place)));
    Ok(RunSummary { facts, plots, sheets: vec![("Genes", lineage::gene_sheet(&lineage))], ..RunSummary::default() })
}

/// The game of the first run.
pub fn game(args: &Arguments) -> Result<String> {
    let first = args.runs.first().ok_or_else(|| Failure::input("a run directory is needed"))?;
    Ok(Evolved::read(first)?.work.game)
}

/// Shows a run.
pub fn run(game: &dyn AnyGame, args: &Arguments, out: &mut dyn Write) -> Result {
    let runs = args.runs.iter().map(|path| Evolved::read(path)).collect::<Result<Vec<Evolved>>>()?;
    let shown = &runs[0];
    if let Some(other) = runs.iter().position(|run| run.work.plan.genes != shown.work.plan.genes) {
        let [first, other] = [0, other].map(|place| args.runs[place].display());
        return Err(Failure::input(format!("'{other}' has other genes than '{first}'")));
    }
    if shown.is_engine() && args.against.is_some() {
        return Err(Failure::input("the options of an engine cannot be compared with a profile"));
    }
    let (profile, differences) = match shown.is_engine() {
        true => (options(shown)?, Vec::new()),
        false => profile_and_differences(game, shown, args.against.as_deref())?,
    };
    if args.data.csv {
        return write_csv(out, lineage::curve(&shown.lineage));
    }
    if args.data.json {
        let own = json!({
            "game": shown.work.game,
            "evolved_by": shown.work.command,
            "profile_text": profile,
            "differences": differences.iter().map(Difference::to_json).collect::<Vec<_>>(),
            "bests": runs.iter().map(|run| run.lineage.best_values()).collect::<Vec<_>>(),
        });
        return document::write(
            out,
            COMMAND,
            Some(shown.work.plan.breeder.seed),
            joined(own, lineage::to_json(&shown.lineage)),
        );
    }
    let plain = Format::default();
    writeln!(out, "{}", lineage::sheet(&shown.lineage).show(&plain))?;
    match runs.len() {
        1 => writeln!(out, "{}", lineage::gene_sheet(&shown.lineage).show(&plain))?,
        _ => writeln!(out, "{}", sheet_of_bests(&runs).show(&plain))?,
    }
    match &args.against {
        Some(against) => write!(out, "{}", sheet_of_differences(&differences, against).show(&plain))?,
        None => write!(out, "{profile}")?,
    }
    Ok(())
}

/// The values of an engine's options.
fn options(run: &Evolved) -> Result<String> {
    let values = run.lineage.best_values();
    let named = run.work.plan.genes.iter().zip(values);
    Ok(named.map(|(gene, value)| format!("{} = {value}\n", gene.name)).collect())
}

/// A parameter that is not what it is in another profile.
struct Difference {
    path: String,
    evolved: i32,
    other: i32,
}

impl Difference {
    fn to_json(&self) -> Value {
        json!({"path": self.path, "evolved": self.evolved, "other": self.other})
    }
}

/// The best organism as a profile, and where it differs from another one.
fn profile_and_differences(
    game: &dyn AnyGame,
    run: &Evolved,
    against: Option<&str>,
) -> Result<(String, Vec<Difference>)> {
    let EvolutionManifest { command, plan, profile, .. } = &run.work;
    let mut setup = setup_for(game, profile, &Default::default())?;
    let is_search = command == EvolveSearch::NAME;
    if !is_search {
        setup.network = None;
    }
    if !run.began_with(game, &setup) {
        let sentence = format!("profile '{profile}' is not what it was when the run began; the run has its best.toml");
        return Err(Failure::input(sentence));
    }
    let other = against.map(|name| setup_for(game, name, &Default::default())).transpose()?;
    let values = run.lineage.best_values();
    let damaged = |error| Failure::input(format!("the genes of the run cannot be used: {error}"));
    let differences = if is_search {
        setup.params.set_values(&plan.genome(&setup.params).map_err(damaged)?.settings(&values));
        other.map(|other| differences("", &setup.params, &other.params))
    } else {
        setup.weights.set_values(&plan.genome(&setup.weights).map_err(damaged)?.settings(&values));
        other.map(|other| differences(EVALUATION, &setup.weights, &other.weights))
    };
    let description = format!("{profile}, evolved for {} generations", run.lineage.generations.len() - 1);
    Ok((tunables::to_profile(game, &description, profile, &setup), differences.unwrap_or_default()))
}

fn differences<P: Parameters>(prefix: &str, evolved: &P, other: &P) -> Vec<Difference> {
    let values = evolved.values().into_iter().zip(other.values());
    let compared = evolved.list().into_iter().zip(values).filter(|(_, (evolved, other))| evolved != other);
    let difference = |(parameter, (evolved, other)): (Parameter, (i32, i32))| Difference {
        path: format!("{prefix}{}", parameter.path()),
        evolved,
        other,
    };
    compared.map(difference).collect()
}

fn sheet_of_differences(differences: &[Difference], against: &str) -> Sheet {
    let mut sheet = Sheet::new(&["parameter", "evolved", against], &[0]);
    for Difference { path, evolved, other } in differences {
        sheet.add(vec![path.clone(), evolved.to_string(), other.to_string()]);
    }
    sheet
}

/// Each gene of the bests of several runs: what they agree on is sure.
fn sheet_of_bests(runs: &[Evolved]) -> Sheet {
    let bests: Vec<Vec<i32>> = runs.iter().map(|run| run.lineage.best_values()).collect();
    let mut sheet = Sheet::new(&["gene", "mean of the bests", "spread", "least", "greatest"], &[0]);
    for (place, gene) in runs[0].work.plan.genes.iter().enumerate() {
        let values: Vec<i32> = bests.iter().map(|best| best[place]).collect();
        let (mean, spread) = mean_and_spread(&values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>());
        let [least, greatest] = [values.iter().min(), values.iter().max()].map(|end| end.copied().unwrap_or(0));
        let numbers = [format!("{mean:.1}"), format!("{spread:.1}"), least.to_string(), greatest.to_string()];
        sheet.add([gene.name.clone()].into_iter().chain(numbers).collect());
    }
    sheet
}
