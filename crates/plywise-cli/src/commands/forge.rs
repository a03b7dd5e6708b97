//! `plywise forge`: material for learners and tests, made by self-play.

pub mod games;
pub mod suite;

use crate::Result;
use crate::games::Games;
use clap::{Args, Subcommand};
use plywise_search::Signal;
use std::io::Write;

/// Make self-play games, or positions with proven answers
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise forge games loa --games 100 --nodes 5000 -o games.pgn
  plywise forge suite loa --count 300 --run runs/loa-suite -o loa.epd")]
pub struct Arguments {
    #[command(subcommand)]
    pub what: What,
}

/// What to make.
#[derive(Debug, Subcommand)]
pub enum What {
    /// Self-play games as PGN
    Games(games::Arguments),
    /// Positions with proven answers as EPD
    Suite(suite::Arguments),
}

/// Makes what the arguments ask for.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    match &args.what {
        What::Games(args) => (games.find(&args.game)?.forge_games)(args, out, stop),
        What::Suite(args) => (games.find(&args.game)?.forge_suite)(args, out, stop),
    }
}
