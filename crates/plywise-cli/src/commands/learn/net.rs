//! `plywise learn net`: a network for a game's evaluation, trained on games that `forge data` played.

use crate::commands::forge::data;
use crate::engine::setup_of_profile;
use crate::games::{self, Playable};
use crate::memory;
use crate::plots::{Curve, Plot};
use crate::progress::Meter;
use crate::runs::{RunArgs, Work, derive, digest_input, fail};
use crate::shown::{self, Shown};
use crate::table::{DataArgs, write_csv};
use crate::text::show_count;
use crate::{Failure, Result, document, files};
use clap::Args;
use plywise_arena::run::{Run, WorkError};
use plywise_game::{Evaluate, Score, score};
use plywise_net::{Filter, FloatNetwork, Network, Role, Samples, Settings, Trainer};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

/// Train a network for a game's evaluation on games that 'forge data' played
///
/// It learns what the searches thought of quiet positions and how the games ended. Whole games are held back for
/// validation, and the epoch that does best there becomes the network. The same seed gives the same network, on any number
/// of threads. Scores stay in the unit of the search, so its margins fit.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  plywise forge data loa --games 10000 --nodes 2000 --run runs/data -o loa.data
  plywise learn net loa --data loa.data --width 32 --epochs 20 --run runs/net -o loa.net
  plywise match loa --a name=net,network=loa.net,best --b best --games 200 --tc 5+0.05")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// Files of games; repeatable
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub data: Vec<PathBuf>,
    /// How many sums the network keeps for each player: a multiple of 16. Ten positions for each weight are a rule of thumb
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub width: usize,
    /// A network that is added to the linear evaluation, instead of taking its place
    #[arg(long)]
    pub add: bool,
    /// How many times to go through all positions
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub epochs: u32,
    /// Stop when so many epochs in a row did no better on the games that were held back
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    pub patience: u32,
    /// Positions in one step
    #[arg(long, value_name = "N", default_value_t = 4096)]
    pub batch: usize,
    /// How far a weight may move in one step at first; it falls to a hundredth
    #[arg(long, value_name = "X", default_value_t = 0.004)]
    pub rate: f64,
    /// How strongly weights are drawn to 0, times the rate
    #[arg(long, value_name = "X", default_value_t = 0.01)]
    pub decay: f64,
    /// How much the results of the games count against the scores, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.3)]
    pub result_share: f64,
    /// So many points lift even chances to 73 % [default: what fits scores and results best]
    #[arg(long, value_name = "POINTS")]
    pub scale: Option<f64>,
    /// Plies to skip at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip: usize,
    /// Scores beyond this are left out
    #[arg(long, value_name = "SCORE", default_value_t = score::EVAL_LIMIT, value_parser = clap::value_parser!(i32).range(1..))]
    pub largest_score: Score,
    /// Learn from positions in check and from those where a tactical move was played, too
    #[arg(long)]
    pub all: bool,
    /// Learn from the positions of the games alone, not from those within the searches that 'forge data --interior' kept
    #[arg(long)]
    pub skip_interior: bool,
    /// The share of the games that is held back
    #[arg(long, value_name = "X", default_value_t = 0.05)]
    pub validation: f64,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads; they change nothing but the time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = crate::arguments::parse_threads)]
    pub threads: Option<usize>,
    /// The profile whose linear evaluation a network with --add is added to
    #[arg(long, value_name = "NAME|FILE", default_value = crate::arguments::DEFAULT_PROFILE)]
    pub profile: String,
    /// The file for the network
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub format: DataArgs,
}

/// What documents and run directories call it.
const COMMAND: &str = "learn net";

/// What an epoch came to: a line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Epoch {
    epoch: u32,
    pub(crate) train: f64,
    pub(crate) validation: f64,
}

/// Reads the games, trains, and writes the network of the best epoch.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    if G::FEATURES == 0 {
        return Err(Failure::input(format!("{} names no features that a network could look at", G::TITLE)));
    }
    files::check_writable(&args.output)?;
    let mut settings = args.settings();
    // Before anything is read: a wrong setting, or a network that does not fit into memory.
    memory::check_bytes(settings.memory(G::FEATURES), "a network of this width")?;
    Trainer::new(settings.clone(), G::FEATURES).map_err(Failure::input)?;
    let samples = read_samples::<G>(args)?;
    let games = samples.game_count();
    settings.scale = match args.scale {
        Some(scale) => scale,
        None => samples.fit_scale().map_err(Failure::input)?,
    };
    let (training, validation) = samples.split(args.validation, args.seed);
    if training.is_empty() || validation.is_empty() {
        return Err(Failure::input("the games have too few positions to learn from"));
    }
    let material = Material { training, validation, games };
    let mut course = Course::open::<G>(args, settings, &material)?;
    course.go_on(args, &material, stop)?;
    let Some((best, network)) = course.best(args)? else { return Err(Failure::Interrupted) };
    let record = record::<G>(args, &course, &material, &best)?;
    let quantised = network.quantise(G::NAME, &record);
    let loss = course.trainer.quantised_loss(&quantised, &material.validation);
    plywise_arena::files::write_whole(&args.output, &quantised.to_bytes())
        .map_err(|error| Failure::input(format!("cannot write '{}': {error}", args.output.display())))?;
    report(args, &course, &material, &best, (&quantised, loss), out)
}

/// The positions.
struct Material {
    training: Samples,
    validation: Samples,
    games: usize,
}

impl Arguments {
    fn settings(&self) -> Settings {
        Settings {
            width: self.width,
            role: if self.add { Role::Add } else { Role::Replace },
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            decay: self.decay,
            result_share: self.result_share,
            seed: self.seed,
            threads: self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)),
            ..Settings::default()
        }
    }

    fn filter(&self) -> Filter {
        Filter {
            skip_plies: self.skip,
            skip_checks: !self.all,
            skip_tactical: !self.all,
            skip_interior: self.skip_interior,
            largest_score: self.largest_score,
            ..Filter::default()
        }
    }
}

/// The positions of all files that pass the filter.
fn read_samples<G: Playable>(args: &Arguments) -> Result<Samples> {
    let setup = setup_of_profile::<G>(&args.profile, &Default::default())?;
    let mut linear = G::evaluation(setup.weights.to_typed());
    let (mut samples, filter) = (Samples::new::<G>(), args.filter());
    let mut broken = Ok(());
    for path in &args.data {
        data::read::<G>(path, &mut |game| {
            let value = |position: &G::Position| if args.add { linear.evaluate(position) } else { 0 };
            let added = samples.add_game::<G>(&game, &filter, value);
            if broken.is_ok() {
                broken = added.map_err(|error| Failure::input(format!("'{}': {error}", path.display())));
            }
        })?;
    }
    broken.map(|()| samples)
}

/// A training that goes on where it was stopped.
struct Course {
    trainer: Trainer,
    run: Option<Run>,
    epochs: Vec<Epoch>,
    /// The network of the best epoch in this sitting, where there is no run directory.
    best: Option<FloatNetwork>,
}

impl Course {
    fn open<G: Playable>(args: &Arguments, settings: Settings, material: &Material) -> Result<Course> {
        let files = args.data.iter().map(|path| digest_input(path)).collect::<Result<Vec<_>>>()?;
        let work = json!({
            "command": COMMAND,
            "game": args.game,
            "data": files,
            "settings": Settings { threads: 1, ..settings.clone() },
            "filter": args.filter(),
            "validation": args.validation,
            "positions": material.training.len(),
        });
        let (run, epochs) = args.run.open(Work::new(work, u64::from(args.epochs)), &mut |_: &Epoch| Ok(()))?;
        let trainer = match (&run, epochs.len() as u32) {
            (Some(run), done) if done > 0 => {
                let path = run.path().join(checkpoint(done));
                let bytes = files::read(&path)?;
                Trainer::resume(&bytes, settings, G::FEATURES)
            }
            _ => Trainer::new(settings, G::FEATURES),
        };
        let trainer = trainer.map_err(Failure::input)?;
        trainer.check(&material.training).map_err(Failure::input)?;
        Ok(Course { trainer, run, epochs, best: None })
    }

    /// Goes through the epochs that are left, or until they do no better.
    fn go_on(&mut self, args: &Arguments, material: &Material, stop: &Signal) -> Result {
        let mut meter = Meter::new(u64::from(args.epochs.saturating_sub(self.trainer.epochs())), "epochs");
        while !self.trainer.is_done() && !self.is_over(args.patience) {
            let Some(train) = self.trainer.epoch(&material.training, stop) else { break };
            let validation = self.trainer.loss(&material.validation);
            let epoch = Epoch { epoch: self.trainer.epochs(), train, validation };
            let is_best = self.best_epoch().is_none_or(|best| validation < best.validation);
            self.keep(epoch, is_best)?;
            let (epoch, train, validation) = (self.trainer.epochs(), train, validation);
            meter.tell(&format!("epoch {epoch}: training {train:.6}, validation {validation:.6}"));
            meter.advance();
        }
        meter.finish();
        if let Some(run) = &self.run {
            derive(run, "losses.svg", &losses(&self.epochs).to_svg()?)?;
        }
        Ok(())
    }

    /// What comes of an epoch is on the disk before the journal says so; the one before stays until then.
    fn keep(&mut self, epoch: Epoch, is_best: bool) -> Result {
        if let Some(run) = &mut self.run {
            let bytes = self.trainer.checkpoint();
            let mut written = run.write_derived(&checkpoint(epoch.epoch), &bytes);
            if is_best {
                written = written.and_then(|()| run.write_derived(BEST, &bytes));
            }
            written.and_then(|()| run.append(&epoch)).map_err(|error| fail(WorkError::Journal(error)))?;
        }
        if is_best {
            self.best = Some(self.trainer.network().clone());
        }
        self.epochs.push(epoch);
        Ok(())
    }

    fn best_epoch(&self) -> Option<&Epoch> {
        self.epochs.iter().min_by(|a, b| a.validation.total_cmp(&b.validation))
    }

    fn is_over(&self, patience: u32) -> bool {
        let last = self.epochs.last().map_or(0, |epoch| epoch.epoch);
        self.best_epoch().is_some_and(|best| last - best.epoch >= patience)
    }

    /// The best epoch and its network.
    fn best(&self, args: &Arguments) -> Result<Option<(Epoch, FloatNetwork)>> {
        let Some(epoch) = self.best_epoch().cloned() else { return Ok(None) };
        if let Some(network) = &self.best {
            return Ok(Some((epoch, network.clone())));
        }
        // It was reached in an earlier sitting.
        let Some(run) = &self.run else { return Ok(None) };
        let path = run.path().join(BEST);
        let bytes = files::read(&path)?;
        let settings = Settings { scale: self.trainer.settings().scale, ..args.settings() };
        let best = Trainer::resume(&bytes, settings, self.trainer.network().features()).map_err(Failure::input)?;
        Ok(Some((epoch, best.network().clone())))
    }
}

/// The state after an epoch; that of the epoch before stays.
fn checkpoint(epoch: u32) -> String {
    format!("checkpoint-{}", epoch % 2)
}

/// The state after the best epoch.
const BEST: &str = "checkpoint-best";

fn losses(epochs: &[Epoch]) -> Plot {
    let curve = |name: &str, value: fn(&Epoch) -> f64| Curve {
        name: name.into(),
        points: epochs.iter().map(|epoch| (f64::from(epoch.epoch), value(epoch))).collect(),
        band: Vec::new(),
    };
    Plot::new(
        "epoch",
        "loss",
        vec![curve("training", |epoch| epoch.train), curve("validation", |epoch| epoch.validation)],
    )
}

/// What a run directory of this command shows.
pub fn shown(path: &Path) -> Result<Shown> {
    let (_, _, epochs) = shown::read::<Value, Epoch>(path)?;
    let best = epochs.iter().min_by(|a, b| a.validation.total_cmp(&b.validation));
    let told =
        |epoch: &Epoch| ("Best epoch".into(), format!("{}, validation loss {:.6}", epoch.epoch, epoch.validation));
    let facts = best.map(told).into_iter().collect();
    Ok(Shown { facts, plots: vec![losses(&epochs)], ..Shown::default() })
}

/// How the network was made, as its file says.
fn record<G: Playable>(args: &Arguments, course: &Course, material: &Material, best: &Epoch) -> Result<String> {
    let data = args.data.iter().map(|path| digest_input(path)).collect::<Result<Vec<_>>>()?;
    let record = json!({
        "made_by": concat!("plywise ", env!("CARGO_PKG_VERSION")),
        "game": G::NAME,
        "settings": Settings { threads: 1, ..course.trainer.settings().clone() },
        "filter": args.filter(),
        "data": data,
        "games": material.games,
        "positions": material.training.len(),
        "epoch": best.epoch,
        "train": best.train,
        "validation": best.validation,
    });
    Ok(record.to_string())
}

fn report(
    args: &Arguments,
    course: &Course,
    material: &Material,
    best: &Epoch,
    (network, loss): (&Network, f64),
    out: &mut dyn Write,
) -> Result {
    let epochs: Vec<Value> = course.epochs.iter().map(|epoch| json!(epoch)).collect();
    if args.format.csv {
        return write_csv(out, epochs);
    }
    let (training, validation) = (material.training.len(), material.validation.len());
    let scale = course.trainer.settings().scale;
    if args.format.json {
        let results = json!({
            "game": args.game,
            "games": material.games,
            "positions": training,
            "validation_positions": validation,
            "scale": scale,
            "epochs": epochs,
            "best_epoch": best.epoch,
            "quantised_validation": loss,
            "digest": network.digest(),
            "file": args.output,
        });
        return document::write(out, COMMAND, Some(args.seed), results);
    }
    let (games, training, validation) = (material.games, show_count(training as u64), show_count(validation as u64));
    writeln!(out, "{games} games, {training} positions to learn from, {validation} to validate; scale {scale:.1}")?;
    for Epoch { epoch, train, validation } in &course.epochs {
        writeln!(out, "epoch {epoch:>4}  training {train:.6}  validation {validation:.6}")?;
    }
    let (file, Epoch { epoch, validation, .. }) = (args.output.display(), best);
    Ok(writeln!(out, "epoch {epoch} is in {file}; in whole numbers its loss is {loss:.6} instead of {validation:.6}")?)
}
