//! `plywise forge`: material for learners and tests, made by self-play.

pub mod data;
pub mod games;
pub mod suite;

use crate::Result;
use crate::games::Games;
use clap::{Args, Subcommand};
use plywise_search::Signal;
use std::io::Write;

/// Make self-play games, training data, or positions with proven answers
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise forge games loa --games 100 --nodes 5000 -o games.pgn
  plywise forge data loa --games 1000 --nodes 2000 -o loa.data
  plywise forge suite loa --count 300 --run runs/loa-suite -o loa.epd")]
pub struct Arguments {
    #[command(subcommand)]
    pub what: What,
}

/// What to make.
#[derive(Debug, Subcommand)]
pub enum What {
    Data(Box<data::Arguments>),
    /// Self-play games as PGN
    Games(Box<games::Arguments>),
    /// Positions with proven answers as EPD
    Suite(Box<suite::Arguments>),
}

/// Makes what the arguments ask for.
pub(crate) fn run(all: Games, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    match &args.what {
        What::Data(args) => data::run(&all.learnable(&args.game)?, args, out, stop),
        What::Games(args) => games::run(&all.game(&args.game)?, args, out, stop),
        What::Suite(args) => suite::run(&all.game(&args.game)?, args, out, stop),
    }
}
