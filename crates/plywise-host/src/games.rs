//! The games that come with plywise.
//!
//! Their searches and perft are compiled here, with all optimisation: a function that is not generic is compiled where it
//! stands.

use crate::Playable;
use plywise_game::{Game, Notation, perft};
use plywise_net::NetworkEvaluation;
use plywise_search::{Limits, Observer, Report, Request, SearchFn, Searcher, Signal};

pub use plywise_abalone::Abalone;
pub use plywise_chess::Chess;
pub use plywise_connect4::Connect4;
pub use plywise_loa::Loa;
pub use plywise_othello::Othello;

/// Calls a macro with the types of all games that come with plywise, the default first. This is their one list.
#[macro_export]
macro_rules! for_each_built_in_game {
    ($each:ident) => {
        $each! {
            $crate::games::Chess,
            $crate::games::Loa,
            $crate::games::Othello,
            $crate::games::Abalone,
            $crate::games::Connect4,
        }
    };
}

macro_rules! compile {
    ($($Game:ty),* $(,)?) => {
        $(
            const _: () = {
                fn search(
                    searcher: &mut Searcher<$Game, NetworkEvaluation<$Game>>,
                    request: &Request<$Game>,
                    limits: &Limits,
                    signal: &Signal,
                    observer: &mut dyn Observer<$Game>,
                ) -> Report<<$Game as Game>::Move> {
                    searcher.search_generic(request, limits, signal, observer)
                }

                fn count_paths(position: &<$Game as Game>::Position, depth: u32) -> u64 {
                    perft::<$Game>(position, depth)
                }

                impl Playable for $Game {
                    const SEARCH: SearchFn<$Game, NetworkEvaluation<$Game>> = SearchFn::from_fn(search);
                    const PERFT: fn(&Self::Position, u32) -> u64 = count_paths;
                }
            };
        )*
    };
}

for_each_built_in_game!(compile);

macro_rules! names {
    ($($Game:ty),* $(,)?) => {
        &[$(<$Game as Notation>::NAME),*]
    };
}

/// Their names.
pub const NAMES: &[&str] = for_each_built_in_game!(names);
