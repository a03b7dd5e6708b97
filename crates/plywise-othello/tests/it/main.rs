//! Othello as a whole.

mod conformance;
mod endgame;
mod evaluation;
mod notation;
mod rules;

use plywise_game::{Game, Notation};
use plywise_othello::{Othello, Position};

/// The position that a text describes.
fn position(text: &str) -> Position {
    Othello::parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The position after a move.
fn after(position: &Position, mv: &str) -> Position {
    match Othello::parse_move(position, mv) {
        Ok(mv) => Othello::play(position, mv),
        Err(error) => panic!("{error}"),
    }
}

/// The positions of one random game, the start and the end included.
fn random_game(mut seed: u64) -> Vec<Position> {
    let mut line = vec![Othello::start()];
    while let Some(last) = line.last() {
        let moves = Othello::legal_moves(last);
        // The generator of Lehmer: good enough to pick moves, and the same everywhere.
        seed = seed.wrapping_mul(0xda94_2042_e4dd_58b5).wrapping_add(1);
        let Some(&mv) = moves.get((seed >> 33) as usize % moves.len().max(1)) else { break };
        line.push(Othello::play(last, mv));
    }
    line
}
