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

#[cfg(feature = "games")]
mod built_in {
    use super::Playable;
    use plywise_game::{Game, perft};
    use plywise_net::NetworkEvaluation;
    use plywise_search::{Limits, Observer, Report, Request, SearchFn, Searcher, Signal};

    /// Compiles the search of a game here: a function that is not generic is compiled where it stands.
    macro_rules! compile {
        ($search:ident, $perft:ident, $game:ty) => {
            fn $search(
                searcher: &mut Searcher<$game, NetworkEvaluation<$game>>,
                request: &Request<$game>,
                limits: &Limits,
                signal: &Signal,
                observer: &mut dyn Observer<$game>,
            ) -> Report<<$game as Game>::Move> {
                searcher.search_generic(request, limits, signal, observer)
            }

            fn $perft(position: &<$game as Game>::Position, depth: u32) -> u64 {
                perft::<$game>(position, depth)
            }

            impl Playable for $game {
                const SEARCH: SearchFn<$game, NetworkEvaluation<$game>> = SearchFn::from_fn($search);
                const PERFT: fn(&Self::Position, u32) -> u64 = $perft;
            }
        };
    }

    compile!(search_abalone, perft_abalone, plywise_abalone::Abalone);
    compile!(search_chess, perft_chess, plywise_chess::Chess);
    compile!(search_loa, perft_loa, plywise_loa::Loa);
    compile!(search_othello, perft_othello, plywise_othello::Othello);
}
