//! The search, compiled for each game.
//!
//! A search is compiled for every game, and compiling one with all optimisation takes longer than anything else. The
//! commands, which are as many and far larger, need none of that. So the searches of the games that come with plywise are
//! compiled in this crate, and the commands reach them through [`Playable`].

use plywise_game::{BoardGame, perft};
use plywise_net::NetworkEvaluation;
use plywise_search::SearchFn;

/// A game that the commands can play: one with its search.
///
/// For a game of your own, `impl Playable for MyGame {}` is all: its search is compiled along with your program.
pub trait Playable: BoardGame {
    /// The search of the game.
    const SEARCH: SearchFn<Self, NetworkEvaluation<Self>> = SearchFn::generic();
    /// The number of move paths of a length: [`perft()`].
    const PERFT: fn(&Self::Position, u32) -> u64 = perft::<Self>;
}
