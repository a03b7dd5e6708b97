//! The games that the program knows: the one place where a name becomes a type.
//!
//! A new game is a line in the list below and an implementation of [`BoardGame`].

mod abalone;
mod chess;
mod loa;
mod othello;

pub(crate) use plywise_abalone::Abalone;
pub(crate) use plywise_chess::Chess;
pub(crate) use plywise_loa::Loa;
pub(crate) use plywise_othello::Othello;

use crate::{Failure, Outcome};
use plywise_game::linear::Linear;
use plywise_game::notation::excerpt;
use plywise_game::parameters::nearest_name;
use plywise_game::{Evaluate, Notation, Score, Side};
use std::fmt::Write;

/// What the commands need of a game beyond its rules and notation.
pub trait BoardGame: Notation {
    /// The weights of its evaluation.
    type Weights: Linear<Self> + Send + Sync + 'static;
    /// Its evaluation.
    type Evaluation: Evaluate<Self> + Sync + 'static;

    /// What people call the two players, the one who begins first.
    const PLAYERS: [&'static str; 2];
    /// Positions for `bench`. Changing them changes the signature.
    const BENCH_POSITIONS: &'static [&'static str];
    /// The depth of `bench` in plies.
    const BENCH_DEPTH: i32;
    /// Balanced openings for matches, as EPD.
    const OPENINGS: &'static str;
    /// What decides a game other than a forced win, for `forge suite`: the least score of the best move and its least
    /// distance to the second best, or `none`.
    const DECISIVE_GAIN: &'static str = "none";
    /// Whether `UCI_Chess960` means something.
    const HAS_CHESS960: bool = false;

    /// An evaluation with these weights.
    fn evaluation(weights: Self::Weights) -> Self::Evaluation;

    /// One position for all that symmetries of the board map onto each other.
    fn canonical(position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// A score that is no forced win, for people.
    fn show_score(score: Score) -> String {
        format!("{score:+}")
    }

    /// A forced win (or loss, if negative) in so many plies, for people.
    fn show_win(plies: i32) -> String {
        if plies >= 0 { format!("win in {plies}") } else { format!("loss in {}", -plies) }
    }

    /// A legal move as engine protocols write it.
    fn engine_move(position: &Self::Position, mv: Self::Move, _chess960: bool) -> String {
        Self::write_engine_move(position, mv)
    }

    /// The evaluation of a position term by term, in several lines.
    fn explain(weights: &Self::Weights, position: &Self::Position) -> String {
        let mut text = format!("{:32} {:>8} {:>10} {:>9}\n", "term", "weight", "amount", "value");
        let mut total = 0.0;
        for term in weights.explain(position) {
            let (path, weight, amount, value) = (term.parameter.path(), term.weight, term.amount, term.value());
            total += value;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{path:32} {weight:>8} {amount:>+10.2} {value:>+9.1}");
        }
        let player = Self::player(Self::side_to_move(position));
        let _ = writeln!(text, "value for {player}, who is to move: {total:+.1}");
        text
    }

    /// What people call the player of a side.
    fn player(side: Side) -> &'static str {
        Self::PLAYERS[side as usize]
    }
}

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
