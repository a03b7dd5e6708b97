//! Othello as a whole.

mod conformance;
mod endgame;
mod evaluation;
mod notation;
mod rules;

use plywise_game::Game;
use plywise_game::random::Random;
use plywise_othello::{Othello, Position};

/// The position that a text describes.
#[track_caller]
fn position(text: &str) -> Position {
    plywise_game::conformance::position::<Othello>(text)
}

/// The position after some moves.
#[track_caller]
fn after(position: &Position, moves: &str) -> Position {
    plywise_game::conformance::after::<Othello>(position, moves)
}

/// The positions of one random game, the start and the end included.
fn random_game(seed: u64) -> Vec<Position> {
    Random::new(seed).game::<Othello>(Othello::start(), 200)
}
