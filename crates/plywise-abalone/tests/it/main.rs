//! Abalone as a whole.

mod conformance;
mod evaluation;
mod notation;
mod rules;

use plywise_abalone::{Abalone, Position};
use plywise_game::{Game, Notation};

/// The position that a text describes.
fn position(text: &str) -> Position {
    Abalone::parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The position after a move.
fn after(position: &Position, mv: &str) -> Position {
    match Abalone::parse_move(position, mv) {
        Ok(mv) => Abalone::play(position, mv),
        Err(error) => panic!("{error}"),
    }
}

/// The positions of one random game, the start and the end included. Ejections are taken where there are any, so that
/// games come to an end.
fn random_game(mut seed: u64) -> Vec<Position> {
    let start = [Position::STANDARD, Position::BELGIAN_DAISY, Position::GERMAN_DAISY][(seed % 3) as usize];
    let mut line = vec![start];
    while let Some(last) = line.last().filter(|_| line.len() < 300) {
        let mut moves = Vec::new();
        Abalone::tactical_moves(last, |mv| moves.push(mv));
        if moves.is_empty() {
            moves = Abalone::legal_moves(last);
        }
        // The generator of Lehmer: good enough to pick moves, and the same everywhere.
        seed = seed.wrapping_mul(0xda94_2042_e4dd_58b5).wrapping_add(1);
        let Some(&mv) = moves.get((seed >> 33) as usize % moves.len().max(1)) else { break };
        line.push(Abalone::play(last, mv));
    }
    line
}
