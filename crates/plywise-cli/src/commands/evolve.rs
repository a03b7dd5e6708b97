//! `plywise evolve`: evaluations and searches that a genetic algorithm finds.

pub mod coeval;
pub mod eval;
mod genes;
pub(crate) mod lineage;
pub mod search;
pub mod show;
mod tournament;

use crate::games::Games;
use crate::{Failure, Result};
use clap::{Args, Subcommand};
use plywise_learn::evolution::{Breeder, Breeding, Selection};
use plywise_search::Signal;
use std::io::Write;

/// Let evaluations and searches evolve, by a genetic algorithm
#[derive(Debug, Args)]
#[command(
    after_help = "Example: plywise evolve eval chess --pgn masters.pgn --positions 2000 --generations 40 -o evolved.toml"
)]
pub struct Arguments {
    #[command(subcommand)]
    pub what: What,
}

/// What evolves.
#[derive(Debug, Subcommand)]
pub enum What {
    Eval(Box<eval::Arguments>),
    Coeval(Box<coeval::Arguments>),
    Search(Box<search::Arguments>),
    Show(show::Arguments),
}

/// Lets evolve what the arguments ask for.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    match &args.what {
        What::Eval(args) => eval::run(&games.learnable(&args.game)?, args, out, stop),
        What::Coeval(args) => coeval::run(&games.learnable(&args.game)?, args, out, stop),
        What::Search(args) => search::run(&games.learnable(&args.game)?, args, out, stop),
        What::Show(args) => show::run(&*games.game(&show::game(args)?)?, args, out),
    }
}

/// How generations follow each other.
#[derive(Debug, Args)]
#[command(next_help_heading = "Breeding")]
pub struct BreedArgs {
    /// How many generations follow the first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub generations: Option<u64>,
    /// How many organisms a generation has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=10_000))]
    pub population: Option<u16>,
    /// The probability that two parents are crossed, rather than copied
    #[arg(long, value_name = "P", default_value_t = Breeding::CROSSOVER, value_parser = parse_probability)]
    pub crossover: f64,
    /// The probability that a bit is turned
    #[arg(long, value_name = "P", value_parser = parse_probability)]
    pub mutation: Option<f64>,
    /// How many of the best live on unchanged
    #[arg(long, value_name = "N", default_value_t = Breeding::ELITE)]
    pub elite: u16,
    /// How parents are chosen: in proportion to their fitness, or to their rank
    #[arg(long, value_name = "proportional|rank", value_parser = parse_selection)]
    pub selection: Option<Selection>,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl BreedArgs {
    fn breeder(&self, defaults: Breeding) -> Result<Breeder> {
        let population = self.population.unwrap_or(defaults.population);
        if self.elite >= population {
            return Err(Failure::input(format!("--elite must be less than the population, which is {population}")));
        }
        Ok(Breeder {
            population: population.into(),
            selection: self.selection.unwrap_or(defaults.selection),
            crossover: self.crossover,
            mutation: self.mutation.unwrap_or(defaults.mutation),
            elite: self.elite.into(),
            seed: self.seed,
        })
    }

    fn generations(&self, defaults: Breeding) -> u64 {
        self.generations.unwrap_or(defaults.generations)
    }
}

fn parse_probability(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "it must be a number from 0 to 1".to_string())
}

fn parse_selection(text: &str) -> Result<Selection, String> {
    match text {
        "proportional" => Ok(Selection::Proportional),
        "rank" => Ok(Selection::Rank),
        _ => Err("it is either 'proportional' or 'rank'".to_string()),
    }
}
