//! Lines of Action as a whole.

mod conformance;
mod evaluation;
mod notation;
mod rules;

use plywise_game::Game;
use plywise_game::random::Random;
use plywise_loa::{Loa, Position};

/// The position that a text describes.
#[track_caller]
fn position(text: &str) -> Position {
    plywise_game::conformance::position::<Loa>(text)
}

/// The position after some moves.
#[track_caller]
fn after(position: &Position, moves: &str) -> Position {
    plywise_game::conformance::after::<Loa>(position, moves)
}

/// The positions of one random game, the start and the end included.
fn random_game(seed: u64) -> Vec<Position> {
    Random::new(seed).game::<Loa>(Loa::start(), 200)
}
