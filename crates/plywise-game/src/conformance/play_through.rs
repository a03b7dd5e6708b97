//! A random game in text, to be looked at once and kept.

use super::rules::tactical_moves;
use super::{Check, Violation};
use crate::Notation;
use crate::random::Random;

/// A game of at most `plies` random moves as text: for every ply the position, its moves, the tactical ones, and what
/// is played, then the outcome. The same seed gives the same text, on every machine.
///
/// Keep one in a file beside the tests, look at it once with care, and compare it with [`check_play_through`]: a change
/// of rules, order or notation that was not intended then shows as a difference in lines that people can read.
///
/// ```
/// # mod tic_tac_toe { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tic_tac_toe.rs")); }
/// # use tic_tac_toe::TicTacToe;
/// use plywise_game::conformance::play_through;
/// let text = play_through::<TicTacToe>(1, 100);
/// assert!(text.starts_with("game: Tic-tac-toe\n\nply 0: .../.../... x\nmoves: a1 b1 c1 a2 b2 c2 a3 b3 c3\n"));
/// ```
pub fn play_through<G: Notation>(seed: u64, plies: usize) -> String {
    let mut text = format!("game: {}\n", G::TITLE);
    let mut random = Random::new(seed);
    let mut position = G::start();
    for ply in 0.. {
        let moves = G::legal_moves(&position);
        text += &format!("\nply {ply}: {}\n", G::write_position(&position));
        text += &format!("moves:{}\n", list_moves::<G>(&position, &moves));
        text += &format!("tactical:{}\n", list_moves::<G>(&position, &tactical_moves::<G>(&position)));
        if let Some(outcome) = G::outcome(&position) {
            text += &format!("outcome: {outcome:?}\n");
        }
        let Some(&mv) = random.pick(&moves).filter(|_| ply < plies) else { break };
        text += &format!("plays: {}\n", G::write_move(&position, mv));
        position = G::play(&position, mv);
    }
    text
}

fn list_moves<G: Notation>(position: &G::Position, moves: &[G::Move]) -> String {
    moves.iter().map(|&mv| format!(" {}", G::write_move(position, mv))).collect()
}

/// Compares a [`play_through`] with the text of the file where it is kept, and names the first line that differs.
pub fn check_play_through<G: Notation>(golden: &str, seed: u64, plies: usize) -> Result<(), Violation> {
    let text = play_through::<G>(seed, plies);
    let (mut ours, mut theirs) = (text.lines(), golden.lines());
    for number in 1.. {
        let (our, their) = (ours.next(), theirs.next());
        if our != their {
            let show = |line: Option<&str>| line.map_or("at its end".to_string(), |line| format!("'{line}'"));
            let problem = format!("line {number} is {} where the golden one is {}", show(our), show(their));
            return Err(Violation { check: Check::PlayThrough, position: G::write_position(&G::start()), problem });
        }
        if our.is_none() {
            break;
        }
    }
    Ok(())
}
