//! `plywise learn eval`: the weights of an evaluation, from the results of games.

use crate::engine::{hosted, require_weights, setup_of_profile};
use crate::games::{self, Playable};
use crate::network;
use crate::plots::{Curve, Plot};
use crate::progress::Meter;
use crate::runs::{RunArgs, Work, derive, fail};
use crate::shown::{self, Shown};
use crate::table::{DataArgs, write_csv};
use crate::{Failure, Result, document, files, recorded};
use clap::Args;
use plywise_arena::run::{Run, WorkError};
use plywise_game::parameters::Parameters;
use plywise_learn::examples::{Selection, add_game};
use plywise_learn::fit::{Examples, FitSettings, Fitter};
use plywise_search::{Signal, write_groups, write_profile};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Fit the weights of a game's evaluation to the results of recorded games
///
/// It learns from quiet positions only: nobody in check, no capture that wins material. Whole games are held back as a
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
    /// Take one quiet position in so many
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub every: u64,
    /// Hold one game in so many back for validation
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

/// What documents and run directories call it.
const COMMAND: &str = "learn eval";

/// What an epoch came to: a line of the journal.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Epoch {
    epoch: u64,
    training_loss: f64,
    validation_loss: f64,
    fitter: Fitter,
}

/// The positions, and how many games they come from.
struct Material {
    training: Examples,
    validation: Examples,
    games: u64,
    broken: u64,
}

/// Reads the games, fits the weights, and writes those that explain the validation set best.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    require_weights::<G>()?;
    files::check_writable(&args.output)?;
    let setup = setup_of_profile::<G>(&args.profile, &Default::default())?;
    let mut material = read_games::<G>(args)?;
    if material.training.is_empty() || material.validation.is_empty() {
        return Err(Failure::input("the games have too few quiet positions to learn from"));
    }
    let weights: Vec<f64> = setup.weights.values().into_iter().map(f64::from).collect();
    let scale = material.training.best_scale(&weights);
    material.training.trust_scores(args.scores, scale);
    material.validation.trust_scores(args.scores, scale);
    let settings =
        FitSettings { scale, rate: args.rate, batch: args.batch as usize, anchor: args.anchor, seed: args.seed };
    let (run, epochs) = fit(args, &material, weights, &settings, stop)?;
    let best = epochs.iter().min_by(|a, b| a.validation_loss.total_cmp(&b.validation_loss));
    let Some(best) = best else { return Err(Failure::Interrupted) };
    let mut tuned = setup.weights.to_typed::<G::Weights>();
    let mut found = best.fitter.weights.iter();
    tuned.visit_mut(&mut |parameter, place| {
        if let Some(weight) = found.next() {
            *place = (weight.round() as i32).clamp(parameter.min, parameter.max);
        }
    });
    files::write(&args.output, &profile_text::<G>(args, &material, best, &tuned), out)?;
    if let Some(run) = &run {
        derive(run, "losses.svg", &losses(&epochs).to_svg()?)?;
    }
    report(args, &material, &settings, &epochs, best, out)
}

fn losses(epochs: &[Epoch]) -> Plot {
    let training = Curve::new("training", epochs.iter().map(|epoch| epoch.training_loss));
    let validation = Curve::new("validation", epochs.iter().map(|epoch| epoch.validation_loss));
    Plot::new("epoch", "loss in bits", vec![training, validation])
}

/// What a run directory of this command shows.
pub fn shown(path: &Path) -> Result<Shown> {
    let (_, _, epochs) = shown::read::<Value, Epoch>(path)?;
    let best = epochs.iter().min_by(|a, b| a.validation_loss.total_cmp(&b.validation_loss));
    let told =
        |epoch: &Epoch| ("Best epoch".into(), format!("{}, validation loss {:.5}", epoch.epoch, epoch.validation_loss));
    Ok(Shown { facts: best.map(told).into_iter().collect(), plots: vec![losses(&epochs)], ..Shown::default() })
}

/// Every `validation`th game is held back; broken games are skipped.
fn read_games<G: Playable>(args: &Arguments) -> Result<Material> {
    let selection = Selection { skip: args.skip, leave: args.leave, every: args.every as usize };
    let (mut training, mut validation) = (Examples::new(), Examples::new());
    let read = recorded::read_games::<G>(&args.pgn, args.games, |number, record| {
        let held_back = number % args.validation == args.validation - 1;
        let examples = if held_back { &mut validation } else { &mut training };
        add_game::<G, G::Weights>(examples, record, &selection);
        Ok(())
    })?;
    Ok(Material { training, validation, games: read.games, broken: read.broken })
}

/// Everything that decides what is learned, but for the number of epochs, which may grow.
fn work(args: &Arguments, weights: &[f64], settings: &FitSettings) -> Result<Value> {
    Ok(json!({
        "command": COMMAND,
        "game": args.game,
        "weights": weights,
        "settings": settings,
        "scores": args.scores,
        "pgn": args.pgn.iter().map(|path| args.run.digest(path)).collect::<Result<Vec<_>>>()?,
        "games": args.games,
        "skip": args.skip,
        "leave": args.leave,
        "every": args.every,
        "validation": args.validation,
    }))
}

/// Goes through the epochs that are left; the first one of the journal is the state before any.
fn fit(
    args: &Arguments,
    material: &Material,
    weights: Vec<f64>,
    settings: &FitSettings,
    stop: &Signal,
) -> Result<(Option<Run>, Vec<Epoch>)> {
    let is_fit = |epoch: &Epoch| match epoch.fitter.is_of(weights.len()) {
        true => Ok(()),
        false => Err(format!("the evaluation has {} weights", weights.len())),
    };
    let (mut run, mut epochs) =
        args.run.open(Work::new(work(args, &weights, settings)?, args.epochs + 1), &mut |epoch| is_fit(epoch))?;
    let is_new = epochs.is_empty();
    let mut fitter = epochs.last().map_or_else(|| Fitter::new(weights), |epoch: &Epoch| epoch.fitter.clone());
    let mut meter = Meter::new(args.epochs.saturating_sub(fitter.epochs()), "epochs");
    let mut keep = |epoch: Epoch| -> Result {
        run.as_mut().map_or(Ok(()), |run| run.append(&epoch)).map_err(|error| fail(WorkError::Journal(error)))?;
        epochs.push(epoch);
        Ok(())
    };
    if is_new {
        keep(measure(&fitter, material, settings))?;
    }
    while fitter.epochs() < args.epochs && !stop.is_stopped() {
        fitter.epoch(&material.training, settings);
        keep(measure(&fitter, material, settings))?;
        meter.advance();
    }
    meter.finish();
    Ok((run, epochs))
}

fn measure(fitter: &Fitter, material: &Material, settings: &FitSettings) -> Epoch {
    Epoch {
        epoch: fitter.epochs(),
        training_loss: material.training.loss(&fitter.weights, settings.scale),
        validation_loss: material.validation.loss(&fitter.weights, settings.scale),
        fitter: fitter.clone(),
    }
}

fn profile_text<G: Playable>(args: &Arguments, material: &Material, best: &Epoch, tuned: &G::Weights) -> String {
    let base = &args.profile;
    let description =
        format!("{base} with weights learned from {} games, epoch {}, seed {}", material.games, best.epoch, args.seed);
    // Weights that a network replaces would do nothing.
    let groups =
        network::profile_lines(&*hosted::<G>(), None) + &write_groups(&format!("game.{}.evaluation", G::NAME), tuned);
    // A base must be built in. The weights are written in full, and only the search could differ.
    let base = if plywise_search::Profile::named(base).is_ok() { base } else { crate::arguments::DEFAULT_PROFILE };
    write_profile(&description, Some(base), &groups)
}

fn report(
    args: &Arguments,
    material: &Material,
    settings: &FitSettings,
    epochs: &[Epoch],
    best: &Epoch,
    out: &mut dyn Write,
) -> Result {
    let (training, validation) = (material.training.len(), material.validation.len());
    let losses = epochs
        .iter()
        .map(|e| json!({"epoch": e.epoch, "training_loss": e.training_loss, "validation_loss": e.validation_loss}));
    if args.data.csv {
        return write_csv(out, losses);
    }
    if args.data.json {
        let results = json!({
            "game": args.game,
            "games": material.games,
            "training_positions": training,
            "validation_positions": validation,
            "scale": settings.scale,
            "epochs": losses.collect::<Vec<_>>(),
            "best_epoch": best.epoch,
            "file": args.output,
        });
        return document::write(out, COMMAND, Some(args.seed), results);
    }
    writeln!(
        out,
        "{} games ({} broken ones skipped), {training} positions to learn from, {validation} to validate; scale {:.1}",
        material.games, material.broken, settings.scale
    )?;
    for epoch in epochs {
        writeln!(
            out,
            "epoch {:>4}  training {:.6}  validation {:.6}",
            epoch.epoch, epoch.training_loss, epoch.validation_loss
        )?;
    }
    Ok(writeln!(out, "the weights of epoch {} are in {}", best.epoch, args.output.display())?)
}
