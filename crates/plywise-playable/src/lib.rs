//! The search, compiled for each game.
//!
//! A search is compiled for every game, and compiling one with all optimisation takes longer than anything else. The
//! commands, which are as many and far larger, need none of that. So the searches of the games that come with plywise are
//! compiled in this crate, and the commands reach them through [`Playable`].

use plywise_game::BoardGame;
use plywise_net::Judge;
use plywise_search::Compiled;

/// A game that the commands can play: one with its search.
///
/// For a game of your own, `impl Playable for MyGame {}` is all: its search is compiled along with your program.
pub trait Playable: BoardGame {
    /// The search of the game.
    const SEARCH: Compiled<Self, Judge<Self>> = Compiled::here();
}

#[cfg(feature = "games")]
mod built_in {
    use super::Playable;
    use plywise_game::Game;
    use plywise_net::Judge;
    use plywise_search::{Compiled, Limits, Observer, Report, Request, Searcher, Signal};

    /// Compiles the search of a game here: a function that is not generic is compiled where it stands.
    macro_rules! compile {
        ($name:ident, $game:ty) => {
            fn $name(
                searcher: &mut Searcher<$game, Judge<$game>>,
                request: &Request<$game>,
                limits: &Limits,
                signal: &Signal,
                observer: &mut dyn Observer<$game>,
            ) -> Report<<$game as Game>::Move> {
                searcher.search_compiled_here(request, limits, signal, observer)
            }

            impl Playable for $game {
                const SEARCH: Compiled<$game, Judge<$game>> = Compiled::elsewhere($name);
            }
        };
    }

    compile!(abalone, plywise_abalone::Abalone);
    compile!(chess, plywise_chess::Chess);
    compile!(loa, plywise_loa::Loa);
    compile!(othello, plywise_othello::Othello);
}
