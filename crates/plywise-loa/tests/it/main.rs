//! Lines of Action as a whole.

mod conformance;
mod evaluation;
mod notation;
mod rules;

use plywise_game::{Game, Notation};
use plywise_loa::{Loa, Position};

/// The position that a text describes.
fn position(text: &str) -> Position {
    Loa::parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The position after a move.
fn after(position: &Position, mv: &str) -> Position {
    match Loa::parse_move(position, mv) {
        Ok(mv) => Loa::play(position, mv),
        Err(error) => panic!("{error}"),
    }
}

/// The positions of one random game, the start and the end included.
fn random_game(mut seed: u64) -> Vec<Position> {
    let mut line = vec![Loa::start()];
    while let Some(last) = line.last().filter(|_| line.len() < 200) {
        let moves = Loa::legal_moves(last);
        // The generator of Lehmer: good enough to pick moves, and the same everywhere.
        seed = seed.wrapping_mul(0xda94_2042_e4dd_58b5).wrapping_add(1);
        let Some(&mv) = moves.get((seed >> 33) as usize % moves.len().max(1)) else { break };
        line.push(Loa::play(last, mv));
    }
    line
}
