//! `plywise learn`: weights, search control and networks that are learned by gradient descent.

pub mod chances;
pub mod eval;
pub mod extensions;
pub mod generations;
pub mod net;
pub mod prices;
pub mod spsa;
pub mod tunables;

use crate::Result;
use crate::games::Games;
use clap::{Args, Subcommand};
use plywise_search::Signal;
use std::io::Write;

/// Learn from games and from positions with known answers
#[derive(Debug, Args)]
#[command(after_help = "Example: plywise learn eval loa --pgn games.pgn -o tuned.toml")]
pub struct Arguments {
    #[command(subcommand)]
    pub what: What,
}

/// What to learn.
#[derive(Debug, Subcommand)]
pub enum What {
    /// The weights of an evaluation, from the results of games
    Eval(Box<eval::Arguments>),
    Chances(Box<chances::Arguments>),
    Extensions(Box<extensions::Arguments>),
    Net(Box<net::Arguments>),
    Prices(Box<prices::Arguments>),
    Loop(Box<generations::Arguments>),
    Spsa(Box<spsa::Arguments>),
}

/// Learns what the arguments ask for.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    match &args.what {
        What::Eval(args) => eval::run(&games.learnable(&args.game)?, args, out, stop),
        What::Chances(args) => chances::run(&games.learnable(&args.game)?, args, out, stop),
        What::Spsa(args) => spsa::run(&games.learnable(&args.game)?, args, out, stop),
        What::Prices(args) => prices::run(&games.learnable(&args.game)?, args, out, stop),
        What::Net(args) => net::run(&games.learnable(&args.game)?, args, out, stop),
        What::Loop(args) => generations::run(&games.learnable(&args.game)?, args, out, stop),
        What::Extensions(args) => extensions::run(&games.learnable(&args.game)?, args, out, stop),
    }
}
