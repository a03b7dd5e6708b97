//! How the games of a tournament are played.

use crate::Result;
use crate::commands::matches::openings::OpeningArgs;
use clap::Args;
use plywise_arena::openings;
use plywise_host::AnyGame;
use plywise_learn::evolution::Games;

/// How games are played.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub struct GameArgs {
    /// How many games each plays against each other in a generation
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub games: u64,
    /// A game is a draw after this many moves of each player
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_moves: u32,
    #[command(flatten)]
    pub openings: OpeningArgs,
}

impl GameArgs {
    /// The games that the arguments ask for.
    pub fn read(&self, game: &dyn AnyGame) -> Result<Games> {
        let openings = self.openings.read(game)?.iter().map(openings::write).collect();
        Ok(Games { count: self.games, max_moves: self.max_moves, openings })
    }
}
