//! The games that the program knows: the one place where a name becomes a type.
//!
//! A new game is a name in the list below; its crate implements [`BoardGame`].

pub(crate) use plywise_abalone::Abalone;
pub(crate) use plywise_chess::Chess;
pub(crate) use plywise_loa::Loa;
pub(crate) use plywise_othello::Othello;

pub use plywise_game::BoardGame;

use crate::{Failure, Outcome};
use plywise_game::Notation;
use plywise_game::notation::excerpt;
use plywise_game::parameters::nearest_name;

/// Declares the games: their names, and `with_game!`, which runs an expression with the type that a name stands for.
///
/// The first argument is a dollar sign, without which a macro cannot write another one's parameters.
macro_rules! games {
    ($dollar:tt $($Game:ident),*) => {
        /// The names of all games.
        pub const NAMES: &[&str] = &[$(<$Game as Notation>::NAME),*];

        /// `with_game!(name, G => expression)` evaluates the expression, a `Result`, with `G` as the game of this name.
        macro_rules! with_game {
            ($dollar name:expr, $dollar G:ident => $dollar body:expr) => {
                match $dollar name {
                    $(
                        name if name == <$crate::games::$Game as plywise_game::Notation>::NAME => {
                            type $dollar G = $crate::games::$Game;
                            $dollar body
                        }
                    )*
                    unknown => Err($crate::games::unknown_game(unknown).into()),
                }
            };
        }
    };
}

games!($ Chess, Loa, Othello, Abalone);

pub(crate) use with_game;

/// What the help says about an argument that names a game.
pub(crate) fn help() -> String {
    format!("The game: {}", NAMES.join(", "))
}

/// Says that there is no such game, and which one may have been meant.
pub(crate) fn unknown_game(name: &str) -> Failure {
    let name = excerpt(name);
    match nearest_name(&name, NAMES.iter().map(|name| name.to_string())) {
        Some(nearest) => Failure::input(format!("unknown game '{name}'; the nearest is '{nearest}'")),
        None => Failure::input(format!("unknown game '{name}'; there are {}", NAMES.join(", "))),
    }
}

/// Reads a position, where `startpos` and nothing at all mean the start.
pub(crate) fn parse_position<G: Notation>(text: &str) -> Outcome<G::Position> {
    match text.trim() {
        "" | "startpos" => Ok(G::start()),
        text => Ok(G::parse_position(text)?),
    }
}
