//! `plywise stats`: what a number of games says, without playing any.

use crate::document::{self, describe};
use crate::table::{DataArgs, write_csv};
use crate::{Failure, Result};
use clap::{Args, ValueEnum};
use plywise_arena::facts;
use plywise_arena::statistics::{EloModel, Pentanomial, Sprt, Summary, Wdl};
use serde_json::Value;
use std::io::Write;

/// Compute Elo, error, likelihood of superiority and SPRT from counts of games or of pairs of games
///
/// Three counts are games won, drawn and lost. Five are pairs of games from one opening with colours swapped, by the
/// points of the pair: 0, ½, 1, 1½, 2. ± is half of a 95 % interval, which exists for every result. docs/arena.md says
/// what each number means.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise stats 40 74 10
  plywise stats 34 54 63 64 75 --sprt 0,5")]
pub struct Arguments {
    /// Wins, draws and losses, or the five counts of pairs
    #[arg(value_name = "COUNT", required = true, value_parser = clap::value_parser!(u64).range(..=MOST))]
    pub counts: Vec<u64>,
    #[command(flatten)]
    pub sprt: SprtArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

/// The most games whose sums are exact.
const MOST: u64 = 1_000_000_000_000;

/// A sequential test.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sequential test")]
pub struct SprtArgs {
    /// Test whether the Elo difference is the second rather than the first of these two (SPRT)
    #[arg(long, value_name = "E0,E1", value_delimiter = ',', num_args = 1, allow_hyphen_values = true)]
    pub sprt: Vec<f64>,
    /// The probability of accepting E1 where E0 holds
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// The probability of accepting E0 where E1 holds
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// What the bounds mean: Elo's logistic curve, or the advantage in standard deviations of a game
    #[arg(long, value_name = "MODEL", default_value = "normalised")]
    pub elo_model: Model,
}

/// The name of an Elo model on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Model {
    /// Elo's curve.
    Logistic,
    /// Standard deviations of a game.
    Normalised,
}

impl SprtArgs {
    /// The test, if one is asked for.
    pub fn test(&self) -> Result<Option<Sprt>> {
        let model = match self.elo_model {
            Model::Logistic => EloModel::Logistic,
            Model::Normalised => EloModel::Normalised,
        };
        match self.sprt[..] {
            [] => Ok(None),
            [elo0, elo1] => Sprt::new(elo0, elo1, self.alpha, self.beta, model).map(Some).map_err(Failure::input),
            _ => Err(Failure::input("--sprt takes two Elo differences, such as --sprt 0,5")),
        }
    }
}

/// Writes the statistics of the counts.
pub fn run(args: &Arguments, out: &mut dyn Write) -> Result {
    let sprt = args.sprt.test()?;
    let (games, pairs) = match args.counts[..] {
        [wins, draws, losses] => (Wdl { wins, draws, losses }, Pentanomial::default()),
        [a, b, c, d, e] => (Wdl::default(), Pentanomial([a, b, c, d, e])),
        _ => return Err(Failure::input("three counts (W D L) or five (pairs by points 0, ½, 1, 1½, 2) are needed")),
    };
    let only_pairs = args.counts.len() == 5;
    let summary =
        if only_pairs { Summary::of_pairs(&pairs, sprt.as_ref()) } else { Summary::of(&games, &pairs, sprt.as_ref()) };
    if !args.data.is_text() {
        let mut results = describe(&summary);
        if let (true, Value::Object(keys)) = (only_pairs, &mut results) {
            // Whether a pair of one point was two draws cannot be known.
            ["wins", "draws", "losses"].iter().for_each(|key| drop(keys.shift_remove(*key)));
        }
        return if args.data.csv { write_csv(out, [results]) } else { document::write(out, "stats", None, results) };
    }
    write_facts(&facts(&games, &pairs, &summary), out)
}

/// Writes names and values in two columns.
pub fn write_facts(facts: &[(&str, String)], out: &mut dyn Write) -> Result {
    let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in facts {
        writeln!(out, "{name:width$}  {value}")?;
    }
    Ok(())
}
