//! Abalone as a whole.

mod conformance;
mod evaluation;
mod notation;
mod rules;

use plywise_abalone::{Abalone, Position};
use plywise_game::Game;
use plywise_game::random::Random;

/// The position that a text describes.
#[track_caller]
fn position(text: &str) -> Position {
    plywise_game::conformance::position::<Abalone>(text)
}

/// The position after some moves.
#[track_caller]
fn after(position: &Position, moves: &str) -> Position {
    plywise_game::conformance::after::<Abalone>(position, moves)
}

/// The positions of one random game, the start and the end included. Ejections are taken where there are any, so that
/// games come to an end.
fn random_game(seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let starts = [Position::STANDARD, Position::BELGIAN_DAISY, Position::GERMAN_DAISY];
    let mut line: Vec<Position> = random.pick(&starts).copied().into_iter().collect();
    while let Some(last) = line.last().filter(|_| line.len() < 300) {
        let mut ejections = Vec::new();
        Abalone::tactical_moves(last, |mv| ejections.push(mv));
        let Some(mv) = random.pick(&ejections).copied().or_else(|| random.legal_move::<Abalone>(last)) else { break };
        line.push(Abalone::play(last, mv));
    }
    line
}
