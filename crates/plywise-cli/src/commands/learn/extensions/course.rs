//! What a learner has been through: its iterations, and what is made of them.

use super::Arguments;
use crate::commands::learn::tunables;
use crate::document::{self, describe};
use crate::engine::Setup;
use crate::plots::{Curve, Plot};
use crate::run_summary::{self, RunSummary};
use crate::table::{Format, Sheet, write_csv};
use crate::text::show_count;
use crate::{Failure, Result, files};
use plywise_host::AnyGame;
use plywise_learn::control::Tunable;
use plywise_learn::extensions::{Iteration, LearnExtensions, LearnedExtensions};
use plywise_run::{Job, Numbered};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// What a run directory says about its work.
#[derive(Deserialize)]
struct ExtensionManifest {
    tunables: Vec<Tunable>,
    /// The positions; none in play.
    #[serde(default)]
    suite: Vec<Value>,
}

/// A unit of a journal, of any way of learning.
#[derive(Deserialize)]
#[serde(untagged)]
enum Unit {
    Examined(Numbered<Attempt>),
    Played { nodes: u64, lessons: Vec<String>, weights: Vec<f64> },
}

#[derive(Deserialize)]
struct Attempt {
    nodes: Nodes,
    solved: bool,
    #[serde(default)]
    weights: Vec<f64>,
}

/// Off-line, the nodes with the weights as they are stand before those with each of them altered.
#[derive(Deserialize)]
#[serde(untagged)]
enum Nodes {
    One(u64),
    Many(Vec<u64>),
}

/// What a run directory of this command shows.
pub fn summary(path: &Path) -> Result<RunSummary> {
    let (work, _, units) = run_summary::read::<ExtensionManifest, Unit>(path)?;
    let (is_play, count) = (work.suite.is_empty(), work.suite.len().max(1));
    let mut passes: BTreeMap<usize, (usize, Iteration)> = BTreeMap::new();
    for (place, unit) in units.into_iter().enumerate() {
        let (place, nodes, solved, weights) = match unit {
            Unit::Played { nodes, lessons, weights } => (place, nodes, lessons.len(), weights),
            Unit::Examined(Numbered { number, result: Attempt { nodes, solved, weights } }) => {
                let nodes = match nodes {
                    Nodes::One(nodes) => nodes,
                    Nodes::Many(nodes) => nodes.first().copied().unwrap_or(0),
                };
                (number as usize / count, nodes, usize::from(solved), weights)
            }
        };
        let none = || (0, Iteration { nodes: 0, solved: 0, weights: Vec::new(), gradient: 0.0 });
        let (done, pass) = passes.entry(place).or_insert_with(none);
        *done += 1;
        pass.nodes += nodes;
        pass.solved += solved;
        if !weights.is_empty() {
            pass.weights = weights;
        }
    }
    let whole: Vec<Iteration> = passes.into_values().filter(|(done, _)| *done == count).map(|(_, pass)| pass).collect();
    let across = if is_play { "game" } else { "iteration" };
    let curve =
        |name: &str, of: fn(&Iteration) -> f64| Plot::new(across, name, vec![Curve::new(name, whole.iter().map(of))]);
    let solved = if is_play { "lessons" } else { "solved" };
    let mut plots = vec![curve("nodes", |each| each.nodes as f64), curve(solved, |each| each.solved as f64)];
    // Journals of older versions do not name the weights.
    let weight = |i: usize| whole.iter().filter_map(move |each| each.weights.get(i).copied());
    let weights = work.tunables.iter().enumerate().map(|(i, tunable)| Curve::new(&tunable.name, weight(i)));
    if whole.iter().any(|each| !each.weights.is_empty()) {
        plots.push(Plot::new(across, "weight", weights.collect()));
    }
    let best = whole.iter().enumerate().min_by_key(|(_, each)| each.nodes);
    let told =
        |(i, each): (usize, &Iteration)| ("Fewest nodes".into(), format!("{} in {across} {i}", show_count(each.nodes)));
    Ok(RunSummary { facts: best.map(told).into_iter().collect(), plots, ..RunSummary::default() })
}

/// What was learned, and how.
pub(super) struct Course<'a> {
    pub(super) args: &'a Arguments,
    pub(super) job: &'a LearnExtensions,
    pub(super) learned: LearnedExtensions,
}

impl Course<'_> {
    /// Writes the profile, what belongs into the run directory, and the results.
    pub(super) fn finish(self, game: &dyn AnyGame, setup: &Setup, out: &mut dyn Write) -> Result {
        let text = match &self.args.options {
            Some(file) => tunables::OptionFile::read(file)?.with(&self.learned.learned)?,
            None => self.profile(game, setup)?,
        };
        files::write(&self.args.output, &text, out)?;
        if self.args.run.run.is_some() {
            self.write_derived()?;
        }
        self.report(out)?;
        match self.learned.fault {
            None => Ok(()),
            Some(fault) => Err(Failure::Failed(format!("{fault}; what was learned until then is kept"))),
        }
    }

    fn profile(&self, game: &dyn AnyGame, setup: &Setup) -> Result<String> {
        let Course { args, job, learned } = self;
        let mut setup = setup.clone();
        job.apply(&learned.learned, &mut setup.params)?;
        let description = match args.play {
            Some(_) => {
                let count = learned.iterations.len();
                format!("{} with weights learned in {count} games against {}", setup.name, args.against)
            }
            None => {
                let way = if args.offline { "off-line" } else { "on-line" };
                format!("{} with weights learned {way} from {} positions", setup.name, learned.positions)
            }
        };
        Ok(tunables::to_profile(game, &description, &args.profile, &setup))
    }

    fn write_derived(&self) -> Result {
        let Course { args, job, learned } = self;
        let across = if args.play.is_some() { "game" } else { "iteration" };
        let values = |of: fn(&Iteration) -> f64| learned.iterations.iter().map(of).collect::<Vec<f64>>();
        let plot =
            |name: &str, upwards: &str, curves| args.run.derive(name, &Plot::new(across, upwards, curves).to_svg()?);
        if args.play.is_none() {
            plot("nodes.svg", "nodes", vec![Curve::new("nodes", values(|each| each.nodes as f64))])?;
            plot("solved.svg", "solved", vec![Curve::new("solved", values(|each| each.solved as f64))])?;
        } else {
            args.run.derive("lessons.txt", &learned.log)?;
            plot("lessons.svg", "lessons", vec![Curve::new("lessons", values(|each| each.solved as f64))])?;
        }
        plot("gradient.svg", "norm of the gradient", vec![Curve::new("norm", values(|each| each.gradient))])?;
        let weight = |(i, tunable): (usize, &Tunable)| {
            Curve::new(&tunable.name, learned.iterations.iter().map(|iteration| iteration.weights[i]))
        };
        plot("weights.svg", "weight", job.tunables.iter().enumerate().map(weight).collect())?;
        args.run.derive("report.md", &self.markdown())
    }

    fn markdown(&self) -> String {
        let args = self.args;
        let format = Format { markdown: true, ..Format::default() };
        let mut text = format!("# Learning search control in {}\n\n{}", args.game, self.sheet().show(&format));
        let pictures: &[&str] = if args.play.is_some() {
            &["lessons", "weights", "gradient"]
        } else {
            &["nodes", "solved", "weights", "gradient"]
        };
        for picture in pictures {
            let _ = write!(text, "\n![{picture}]({picture}.svg)\n");
        }
        text
    }

    fn sheet(&self) -> Sheet {
        let Course { args, job, learned } = self;
        let (pass, solved) = if args.play.is_some() { ("game", "lessons") } else { ("iteration", "solved") };
        let names = job.tunables.iter().map(|tunable| tunable.name.as_str());
        let columns: Vec<&str> =
            [pass, "nodes", "nodes %", solved].into_iter().chain(names).chain(["gradient"]).collect();
        let mut sheet = Sheet::new(&columns, &[]);
        let first = learned.iterations.first().map_or(1.0, |iteration| iteration.nodes.max(1) as f64);
        for (i, iteration) in learned.iterations.iter().enumerate() {
            let share = format!("{:.1}", 100.0 * iteration.nodes as f64 / first);
            let weights = iteration.weights.iter().map(|weight| format!("{weight:.2}"));
            let cells = [i.to_string(), show_count(iteration.nodes), share, iteration.solved.to_string()];
            sheet.add(cells.into_iter().chain(weights).chain([format!("{:.4}", iteration.gradient)]).collect());
        }
        sheet
    }

    fn report(&self, out: &mut dyn Write) -> Result {
        let Course { args, job, learned } = self;
        if args.data.csv {
            return write_csv(out, learned.iterations.iter().map(describe));
        }
        if args.data.json {
            let names: Vec<&str> = job.tunables.iter().map(|tunable| tunable.name.as_str()).collect();
            let results = json!({
                "game": args.game,
                "positions": learned.positions,
                "names": names,
                "iterations": learned.iterations,
                "best_iteration": learned.best,
                "learned": learned.learned,
                "file": args.output,
            });
            return document::write(out, LearnExtensions::NAME, Some(args.seed), results);
        }
        write!(out, "{}", self.sheet().show(&Format::default()))?;
        let which = match learned.best {
            Some(best) => format!("the weights of iteration {best}, which had the fewest nodes,"),
            None => "the weights after the last game".to_owned(),
        };
        Ok(writeln!(out, "\n{which} are in {}", args.output.display())?)
    }
}
