//! Connect Four as a whole.

mod conformance;
mod data;
mod evaluation;
mod notation;
mod rules;
mod solver;

use plywise_connect4::{Connect4, Position};
use plywise_game::Game;
use plywise_game::random::Random;

/// The position that a text describes.
#[track_caller]
fn position(text: &str) -> Position {
    plywise_game::conformance::position::<Connect4>(text)
}

/// The position after some moves.
#[track_caller]
fn after(position: &Position, moves: &str) -> Position {
    plywise_game::conformance::after::<Connect4>(position, moves)
}

/// The positions of one random game, the start and the end included.
fn random_game(seed: u64) -> Vec<Position> {
    Random::new(seed).game::<Connect4>(Connect4::start(), 42)
}
