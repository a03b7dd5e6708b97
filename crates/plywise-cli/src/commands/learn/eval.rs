//! `plywise learn eval`: the weights of an evaluation, from the results of games.

use crate::engine::setup_for;
use crate::games;
use crate::network;
use crate::plots::{Curve, Plot};
use crate::progress::JobMeter;
use crate::run_summary::{self, RunSummary};
use crate::runs::RunArgs;
use crate::table::{DataArgs, write_csv};
use crate::{Failure, Result, document, files, sources};
use clap::Args;
use plywise_game::parameters::Parameters;
use plywise_host::{Setup, WrittenSetup};
use plywise_learn::examples::Selection;
use plywise_learn::{LearnEvaluation, LearnEvaluationEvent, LearnableGame, LearnedEvaluation, Losses};
use plywise_run::Job;
use plywise_search::{Signal, write_groups, write_profile};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Fit the weights of a game's evaluation to the results of recorded games
///
/// It learns from quiet positions only: no check, no capture that wins material. Whole games are held back as a
/// validation set; the weights of the epoch that explains it best become the profile.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  plywise forge games chess --games 2000 --nodes 2000 -o games.pgn
  plywise learn eval chess --pgn games.pgn --scores 0.7 --epochs 30 --run runs/eval -o tuned.toml")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// Files of games with results; repeatable
    #[arg(long, value_name = "FILE", required = true)]
    pub pgn: Vec<PathBuf>,
    /// How many times to go through all positions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub epochs: u64,
    /// The most games to read from all files together
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub games: u64,
    /// Plies to skip at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub skip: usize,
    /// Plies to skip at the end of each game
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub leave: usize,
    /// Take one quiet position in N
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub every: u64,
    /// Hold one game in N back for validation
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..=1000))]
    pub validation: u64,
    /// How far a weight may move in one step
    #[arg(long, value_name = "X", default_value_t = 0.5, value_parser = parse_positive)]
    pub rate: f64,
    /// Positions in one step
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub batch: u64,
    /// How strongly weights are pulled back to where they began
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = parse_not_negative)]
    pub anchor: f64,
    /// How much of each result is replaced by the score recorded with the move, from 0 to 1, where there is one
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = parse_share)]
    pub scores: f64,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The profile whose weights are the beginning
    #[arg(long, value_name = "NAME|FILE", default_value = crate::arguments::DEFAULT_PROFILE)]
    pub profile: String,
    /// The profile to write
    #[arg(short, long, value_name = "PROFILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

fn parse_positive(text: &str) -> Result<f64, String> {
    parse_not_negative(text).and_then(|x| if x > 0.0 { Ok(x) } else { Err("it must be more than 0".into()) })
}

fn parse_not_negative(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().map_err(|_| "it must be a number".to_string())?;
    if number.is_finite() && number >= 0.0 { Ok(number) } else { Err("it must be 0 or more".into()) }
}

fn parse_share(text: &str) -> Result<f64, String> {
    parse_not_negative(text).and_then(|x| if x <= 1.0 { Ok(x) } else { Err("it must be 1 or less".into()) })
}

/// Reads the games, fits the weights, and writes those that explain the validation set best.
pub(crate) fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    if game.weights().is_empty() {
        return Err(Failure::input(format!("the evaluation of {} has no weights", game.title())));
    }
    files::check_writable(&args.output)?;
    let setup = setup_for(&**game, &args.profile, &Default::default())?;
    let job = args.job(&**game, &setup)?;
    let meter = JobMeter::default();
    let watch = |event| match event {
        LearnEvaluationEvent::Begun(epochs) => meter.begin(epochs, "epochs"),
        LearnEvaluationEvent::Epoch(_) => meter.advance(),
    };
    let learned = job.run(game, &args.run.workplace(1, &[], stop), &watch);
    meter.finish();
    let learned = learned?;
    files::write(&args.output, &profile_text(&**game, args, setup, &learned), out)?;
    args.run.derive("losses.svg", &losses(&learned.epochs).to_svg()?)?;
    report(args, &learned, out)
}

impl Arguments {
    fn job(&self, game: &dyn LearnableGame, setup: &Setup) -> Result<LearnEvaluation> {
        Ok(LearnEvaluation {
            game: game.name().to_owned(),
            epochs: self.epochs,
            player: WrittenSetup::of(game, setup),
            pgn: sources::recorded(&self.pgn, &self.run)?,
            games: self.games,
            selection: Selection { skip: self.skip, leave: self.leave, every: self.every as usize },
            validation: self.validation,
            rate: self.rate,
            batch: self.batch as usize,
            anchor: self.anchor,
            scores: self.scores,
            seed: self.seed,
        })
    }
}

fn losses(epochs: &[Losses]) -> Plot {
    let training = Curve::new("training", epochs.iter().map(|epoch| epoch.training_loss));
    let validation = Curve::new("validation", epochs.iter().map(|epoch| epoch.validation_loss));
    Plot::new("epoch", "loss in bits", vec![training, validation])
}

/// What a run directory of this command shows.
pub fn summary(path: &Path) -> Result<RunSummary> {
    let (_, _, epochs) = run_summary::read::<Value, Losses>(path)?;
    let best = epochs.iter().min_by(|a, b| a.validation_loss.total_cmp(&b.validation_loss));
    let told = |epoch: &Losses| {
        ("Best epoch".into(), format!("{}, validation loss {:.5}", epoch.epoch, epoch.validation_loss))
    };
    Ok(RunSummary {
        facts: best.map(told).into_iter().collect(),
        plots: vec![losses(&epochs)],
        ..RunSummary::default()
    })
}

/// The profile with the learned weights.
fn profile_text(game: &dyn LearnableGame, args: &Arguments, setup: Setup, learned: &LearnedEvaluation) -> String {
    let (base, LearnedEvaluation { games, best, .. }) = (&args.profile, learned);
    let description =
        format!("{base} with weights learned from {games} games, epoch {}, seed {}", best.epoch, args.seed);
    let mut weights = setup.weights;
    weights.set_values(&learned.weights);
    // Weights that a network replaces would do nothing.
    let groups =
        network::profile_lines(game, None) + &write_groups(&format!("game.{}.evaluation", game.name()), &weights);
    // A base must be built in. The weights are written in full, and only the search could differ.
    let base = if plywise_search::Profile::named(base).is_ok() { base } else { crate::arguments::DEFAULT_PROFILE };
    write_profile(&description, Some(base), &groups)
}

fn report(args: &Arguments, learned: &LearnedEvaluation, out: &mut dyn Write) -> Result {
    let losses = learned.epochs.iter().map(|losses| json!(losses));
    if args.data.csv {
        return write_csv(out, losses);
    }
    let LearnedEvaluation { games, broken, training, validation, scale, best, .. } = learned;
    if args.data.json {
        let results = json!({
            "game": args.game,
            "games": games,
            "training_positions": training,
            "validation_positions": validation,
            "scale": scale,
            "epochs": losses.collect::<Vec<_>>(),
            "best_epoch": best.epoch,
            "file": args.output,
        });
        return document::write(out, LearnEvaluation::NAME, Some(args.seed), results);
    }
    writeln!(
        out,
        "{games} games ({broken} broken ones skipped), {training} positions to learn from, {validation} to validate; \
         scale {scale:.1}"
    )?;
    for Losses { epoch, training_loss, validation_loss } in &learned.epochs {
        writeln!(out, "epoch {epoch:>4}  training {training_loss:.6}  validation {validation_loss:.6}")?;
    }
    Ok(writeln!(out, "the weights of epoch {} are in {}", best.epoch, args.output.display())?)
}
