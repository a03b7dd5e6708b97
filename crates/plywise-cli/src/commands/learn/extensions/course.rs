//! What a learner has been through: its iterations, and what is made of them.

use super::{Arguments, COMMAND};
use crate::commands::learn::tunables;
use crate::document::{self, describe};
use crate::engine::{Setup, hosted};
use crate::games::Playable;
use crate::plots::{Curve, Plot};
use crate::runs::derive;
use crate::shown::{self, Numbered, Shown};
use crate::table::{Format, Sheet, write_csv};
use crate::text::show_count;
use crate::{Failure, Result, files};
use plywise_arena::run::Run;
use plywise_game::parameters::Parameters;
use plywise_learn::control::{Slots, Tunable};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// One pass over all positions, or one game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Iteration {
    /// The nodes that all positions took.
    pub(super) nodes: u64,
    /// How many were solved; in play, the lessons of the game.
    pub(super) solved: usize,
    /// The weights with which they were searched.
    pub(super) weights: Vec<f64>,
    /// The length of the gradient that followed from it, relative to the nodes.
    pub(super) gradient: f64,
}

/// What a run directory says about its work.
#[derive(Deserialize)]
struct Work {
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
pub fn shown(path: &Path) -> Result<Shown> {
    let (work, _, units) = shown::read::<Work, Unit>(path)?;
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
    Ok(Shown { facts: best.map(told).into_iter().collect(), plots, ..Shown::default() })
}

/// All iterations that were finished.
pub(super) struct Course {
    pub(super) tunables: Vec<Tunable>,
    /// How many positions there are; none in play.
    pub(super) positions: usize,
    pub(super) iterations: Vec<Iteration>,
    /// What was learned in the end: by default the weights of the iteration with the fewest nodes.
    pub(super) learned: Option<Vec<f64>>,
    /// The prices of extensions that the weights are, unless they are something else.
    pub(super) slots: Option<Slots>,
    /// The log of lessons, in play.
    pub(super) log: String,
    pub(super) run: Option<Run>,
    /// What ended it before its time.
    pub(super) fault: Option<String>,
}

impl Course {
    /// The place of the iteration with the fewest nodes.
    fn best(&self) -> Option<usize> {
        (0..self.iterations.len()).min_by_key(|&i| self.iterations[i].nodes)
    }

    fn learned(&self) -> Option<&[f64]> {
        self.learned.as_deref().or_else(|| self.best().map(|best| &self.iterations[best].weights[..]))
    }

    /// Writes the profile, what belongs into the run directory, and the results.
    pub(super) fn finish<G: Playable>(self, args: &Arguments, setup: &Setup, out: &mut dyn Write) -> Result {
        let Some(learned) = self.learned() else {
            return Err(self.fault.map_or(Failure::Interrupted, Failure::Failed));
        };
        let text = match args.options {
            Some(_) => tunables::to_file(&self.tunables, learned)?,
            None => self.profile::<G>(args, setup, learned)?,
        };
        files::write(&args.output, &text, out)?;
        if let Some(run) = &self.run {
            self.write_derived(args, run)?;
        }
        self.report(args, learned, out)?;
        self.fault.map_or(Ok(()), |fault| Err(Failure::Failed(format!("{fault}; what was learned until then is kept"))))
    }

    fn profile<G: Playable>(&self, args: &Arguments, setup: &Setup, learned: &[f64]) -> Result<String> {
        let mut setup = setup.clone();
        let params = &mut setup.params;
        match &self.slots {
            Some(slots) => slots.write(learned, params)?,
            None => self.tunables.iter().zip(learned).try_for_each(|(tunable, &value)| {
                tunable.paths.iter().try_for_each(|path| params.set(path, &tunable.setting(value).to_string()))
            })?,
        }
        let count = self.iterations.len();
        let description = match args.play {
            Some(_) => format!("{} with weights learned in {count} games against {}", setup.name, args.against),
            None => {
                let way = if args.offline { "off-line" } else { "on-line" };
                format!("{} with weights learned {way} from {} positions", setup.name, self.positions)
            }
        };
        Ok(tunables::to_profile(&*hosted::<G>(), &description, &args.profile, &setup))
    }

    fn write_derived(&self, args: &Arguments, run: &Run) -> Result {
        let across = if args.play.is_some() { "game" } else { "iteration" };
        let values = |of: fn(&Iteration) -> f64| self.iterations.iter().map(of).collect::<Vec<f64>>();
        let plot = |name: &str, upwards: &str, curves| derive(run, name, &Plot::new(across, upwards, curves).to_svg()?);
        if args.play.is_none() {
            plot("nodes.svg", "nodes", vec![Curve::new("nodes", values(|each| each.nodes as f64))])?;
            plot("solved.svg", "solved", vec![Curve::new("solved", values(|each| each.solved as f64))])?;
        } else {
            derive(run, "lessons.txt", &self.log)?;
            plot("lessons.svg", "lessons", vec![Curve::new("lessons", values(|each| each.solved as f64))])?;
        }
        plot("gradient.svg", "norm of the gradient", vec![Curve::new("norm", values(|each| each.gradient))])?;
        let weight = |(i, tunable): (usize, &Tunable)| {
            Curve::new(&tunable.name, self.iterations.iter().map(|iteration| iteration.weights[i]))
        };
        plot("weights.svg", "weight", self.tunables.iter().enumerate().map(weight).collect())?;
        derive(run, "report.md", &self.markdown(args))
    }

    fn markdown(&self, args: &Arguments) -> String {
        let format = Format { markdown: true, ..Format::default() };
        let mut text = format!("# Learning search control in {}\n\n{}", args.game, self.sheet(args).show(&format));
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

    fn sheet(&self, args: &Arguments) -> Sheet {
        let (pass, solved) = if args.play.is_some() { ("game", "lessons") } else { ("iteration", "solved") };
        let names = self.tunables.iter().map(|tunable| tunable.name.as_str());
        let columns: Vec<&str> =
            [pass, "nodes", "nodes %", solved].into_iter().chain(names).chain(["gradient"]).collect();
        let mut sheet = Sheet::new(&columns, &[]);
        let first = self.iterations.first().map_or(1.0, |iteration| iteration.nodes.max(1) as f64);
        for (i, iteration) in self.iterations.iter().enumerate() {
            let share = format!("{:.1}", 100.0 * iteration.nodes as f64 / first);
            let weights = iteration.weights.iter().map(|weight| format!("{weight:.2}"));
            let cells = [i.to_string(), show_count(iteration.nodes), share, iteration.solved.to_string()];
            sheet.add(cells.into_iter().chain(weights).chain([format!("{:.4}", iteration.gradient)]).collect());
        }
        sheet
    }

    fn report(&self, args: &Arguments, learned: &[f64], out: &mut dyn Write) -> Result {
        if args.data.csv {
            return write_csv(out, self.iterations.iter().map(describe));
        }
        if args.data.json {
            let names: Vec<&str> = self.tunables.iter().map(|tunable| tunable.name.as_str()).collect();
            let results = json!({
                "game": args.game,
                "positions": self.positions,
                "names": names,
                "iterations": self.iterations,
                "best_iteration": if self.learned.is_none() { self.best() } else { None },
                "learned": learned,
                "file": args.output,
            });
            return document::write(out, COMMAND, Some(args.seed), results);
        }
        write!(out, "{}", self.sheet(args).show(&Format::default()))?;
        let which = match (&self.learned, self.best()) {
            (None, Some(best)) => format!("the weights of iteration {best}, which had the fewest nodes,"),
            _ => "the weights after the last game".to_owned(),
        };
        Ok(writeln!(out, "\n{which} are in {}", args.output.display())?)
    }
}
