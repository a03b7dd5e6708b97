//! `plywise learn net`: a network for a game's evaluation, trained on games that `forge data` played.

use crate::engine::setup_for;
use crate::games;
use crate::memory;
use crate::plots::{Curve, Plot};
use crate::progress::JobMeter;
use crate::run_summary::{self, RunSummary};
use crate::runs::RunArgs;
use crate::table::{DataArgs, write_csv};
use crate::text::show_count;
use crate::{Failure, Result, document, files, sources};
use clap::Args;
use plywise_game::{Score, score};
use plywise_host::WrittenSetup;
use plywise_learn::{
    Filter, LearnNetwork, LearnNetworkEvent, LearnableGame, LearnedNetwork, NetworkEpoch, Settings, Trainer,
};
use plywise_net::{Network, Role};
use plywise_run::Job;
use plywise_search::Signal;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// Files of games, or run directories of 'forge data', which may be growing; repeatable
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., required_unless_present_any = ["from_bullet", "to_bullet"])]
    pub data: Vec<PathBuf>,
    /// Take the weights of this file of the trainer bullet ('quantised.bin') instead of training; --width, --buckets,
    /// --outputs, --add and --scale say what it is
    #[arg(long, value_name = "FILE", conflicts_with = "data", requires = "scale")]
    pub from_bullet: Option<PathBuf>,
    /// Write this network as the trainer bullet does instead of training
    #[arg(long, value_name = "FILE", conflicts_with_all = ["data", "from_bullet"])]
    pub to_bullet: Option<PathBuf>,
    /// How many sums the network keeps for each player: a multiple of 16. Ten positions for each weight are a rule of thumb
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub width: usize,
    /// How many sets of weights each feature has. In chess the square of the own king chooses the set (4, 8 or 16)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub buckets: usize,
    /// How many outputs the network has, each for a part of the game: by the number of pieces in chess (up to 32)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub outputs: usize,
    /// A network that is added to the linear evaluation, instead of taking its place
    #[arg(long)]
    pub add: bool,
    /// How many times to go through all positions
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub epochs: u32,
    /// Stop when this many epochs in a row did no better on the games that were held back
    #[arg(long, value_name = "N", default_value_t = PATIENCE, value_parser = clap::value_parser!(u32).range(1..))]
    pub patience: u32,
    /// Positions in one step
    #[arg(long, value_name = "N", default_value_t = BATCH)]
    pub batch: usize,
    /// How far a weight may move in one step at first; it falls to a hundredth
    #[arg(long, value_name = "X", default_value_t = RATE)]
    pub rate: f64,
    /// How strongly weights are pulled towards 0, as a multiple of the rate
    #[arg(long, value_name = "X", default_value_t = 0.01)]
    pub decay: f64,
    /// The weight of the game results against the scores, from 0 (scores only) to 1 (results only)
    #[arg(long, value_name = "X", default_value_t = 0.3)]
    pub result_share: f64,
    /// How many points raise the expected score from 50 to 73 % [default: the number that fits scores and results best]
    #[arg(long, value_name = "POINTS")]
    pub scale: Option<f64>,
    /// Plies to skip at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip: usize,
    /// Leave out positions with scores beyond this
    #[arg(long, value_name = "SCORE", default_value_t = score::EVAL_LIMIT, value_parser = clap::value_parser!(i32).range(1..))]
    pub largest_score: Score,
    /// Also learn from positions in check and from those where a tactical move was played
    #[arg(long)]
    pub all: bool,
    /// Learn from the positions of the games alone, not from those within the searches that 'forge data --interior' kept
    #[arg(long)]
    pub skip_interior: bool,
    /// The share of the games that is held back
    #[arg(long, value_name = "X", default_value_t = VALIDATION)]
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

// How networks are trained unless the arguments say otherwise.
pub(crate) const PATIENCE: u32 = 6;
pub(crate) const BATCH: usize = 4096;
pub(crate) const RATE: f64 = 0.004;
pub(crate) const VALIDATION: f64 = 0.05;

/// Reads the games, trains, and writes the network of the best epoch.
pub(crate) fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let sight = game.sight();
    if sight.features == 0 {
        return Err(Failure::input(format!("{} names no features that a network could look at", game.title())));
    }
    files::check_writable(&args.output)?;
    let settings = args.settings();
    if let Some(path) = &args.to_bullet {
        return to_bullet(&**game, path, &args.output, out);
    }
    if let Some(path) = &args.from_bullet {
        return from_bullet(&**game, &settings, path, &args.output, out);
    }
    // Before anything is read: a wrong setting, or a network that does not fit into memory.
    let shape = settings.shape(&sight).map_err(Failure::input)?;
    memory::check_bytes(Settings::memory(&shape), "a network of this shape")?;
    Trainer::new(settings.clone(), &sight).map_err(Failure::input)?;
    let linear = match settings.role {
        Role::Replace => None,
        Role::Add => Some(WrittenSetup::of(&**game, &setup_for(&**game, &args.profile, &Default::default())?)),
    };
    let job = LearnNetwork {
        game: game.name().to_owned(),
        data: sources::digested_data(&args.data, stop)?,
        settings,
        scale: args.scale,
        filter: args.filter(),
        validation: args.validation,
        patience: args.patience,
        linear,
    };
    let threads = args.threads.unwrap_or_else(|| crate::arguments::jobs(None, 1));
    let learned = train(&job, game, &args.run, threads, stop)?;
    write(&args.output, &learned.network.to_bytes())?;
    report(args, &learned, out)
}

/// Trains a network, and draws its losses into the run directory.
pub(crate) fn train(
    job: &LearnNetwork,
    game: &Arc<dyn LearnableGame>,
    run: &RunArgs,
    threads: usize,
    stop: &Signal,
) -> Result<LearnedNetwork> {
    let meter = JobMeter::default();
    let watch = |event| match event {
        LearnNetworkEvent::Begun(epochs) => meter.begin(epochs.into(), "epochs"),
        LearnNetworkEvent::Epoch(NetworkEpoch { epoch, train, validation }) => {
            meter.tell(&format!("epoch {epoch}: training {train:.6}, validation {validation:.6}"));
            meter.advance();
        }
    };
    let learned = job.run(game, &run.workplace(threads, &[], stop), &watch);
    meter.finish();
    let learned = learned?;
    run.derive("losses.svg", &losses(&learned.epochs).to_svg()?)?;
    Ok(learned)
}

fn write(output: &Path, bytes: &[u8]) -> Result {
    plywise_run::files::write_whole(output, bytes)
        .map_err(|error| Failure::input(format!("cannot write '{}': {error}", output.display())))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let unreadable = |error| Failure::input(format!("cannot read '{}': {error}", path.display()));
    let mut bytes = Vec::new();
    files::open_input(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(unreadable)?;
    Ok(bytes)
}

/// Writes a network as bullet does.
fn to_bullet(game: &dyn LearnableGame, path: &Path, output: &Path, out: &mut dyn Write) -> Result {
    let unusable = |reason: String| Failure::input(format!("'{}': {reason}", path.display()));
    let network =
        Network::read(&read(path)?, game.name(), &game.sight()).map_err(|error| unusable(error.to_string()))?;
    let bytes = network.to_bullet().ok_or_else(|| unusable("an output begins too far from even for bullet".into()))?;
    write(output, &bytes)?;
    let shape = network.shape();
    let (width, buckets, outputs, scale) = (shape.width(), shape.buckets(), shape.outputs(), network.scale());
    Ok(writeln!(out, "width {width}, buckets {buckets}, outputs {outputs}, scale {scale}")?)
}

/// Reads a network as bullet writes it, and writes one of ours.
fn from_bullet(
    game: &dyn LearnableGame,
    settings: &Settings,
    path: &Path,
    output: &Path,
    out: &mut dyn Write,
) -> Result {
    let shape = settings.shape(&game.sight()).map_err(Failure::input)?;
    let record = json!({ "made_by": "bullet", "game": game.name() }).to_string();
    let network = Network::from_bullet(&read(path)?, game.name(), &shape, (settings.role, settings.scale), &record)
        .map_err(|error| Failure::input(format!("'{}': {error}", path.display())))?;
    write(output, &network.to_bytes())?;
    Ok(writeln!(out, "'{}' is network {}", output.display(), network.digest())?)
}

impl Arguments {
    fn settings(&self) -> Settings {
        let default = Settings::default();
        Settings {
            width: self.width,
            buckets: self.buckets,
            outputs: self.outputs,
            role: if self.add { Role::Add } else { Role::Replace },
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            decay: self.decay,
            result_share: self.result_share,
            scale: self.scale.unwrap_or(default.scale),
            seed: self.seed,
            threads: default.threads,
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

fn losses(epochs: &[NetworkEpoch]) -> Plot {
    let curve = |name: &str, value: fn(&NetworkEpoch) -> f64| Curve {
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
pub fn summary(path: &Path) -> Result<RunSummary> {
    let (_, _, epochs) = run_summary::read::<Value, NetworkEpoch>(path)?;
    let best = epochs.iter().min_by(|a, b| a.validation.total_cmp(&b.validation));
    let told = |epoch: &NetworkEpoch| {
        ("Best epoch".into(), format!("{}, validation loss {:.6}", epoch.epoch, epoch.validation))
    };
    let facts = best.map(told).into_iter().collect();
    Ok(RunSummary { facts, plots: vec![losses(&epochs)], ..RunSummary::default() })
}

fn report(args: &Arguments, learned: &LearnedNetwork, out: &mut dyn Write) -> Result {
    let epochs: Vec<Value> = learned.epochs.iter().map(|epoch| json!(epoch)).collect();
    if args.format.csv {
        return write_csv(out, epochs);
    }
    let LearnedNetwork { games, positions, validation_positions, scale, best, quantised_validation, .. } = learned;
    if args.format.json {
        let results = json!({
            "game": args.game,
            "games": games,
            "positions": positions,
            "validation_positions": validation_positions,
            "scale": scale,
            "epochs": epochs,
            "best_epoch": best.epoch,
            "quantised_validation": quantised_validation,
            "digest": learned.network.digest(),
            "file": args.output,
        });
        return document::write(out, LearnNetwork::NAME, Some(args.seed), results);
    }
    let [positions, validation] = [*positions, *validation_positions].map(|count| show_count(count as u64));
    writeln!(out, "{games} games, {positions} positions to learn from, {validation} to validate; scale {scale:.1}")?;
    for NetworkEpoch { epoch, train, validation } in &learned.epochs {
        writeln!(out, "epoch {epoch:>4}  training {train:.6}  validation {validation:.6}")?;
    }
    let (file, NetworkEpoch { epoch, validation, .. }, loss) = (args.output.display(), best, quantised_validation);
    Ok(writeln!(out, "epoch {epoch} is in {file}; in whole numbers its loss is {loss:.6} instead of {validation:.6}")?)
}
