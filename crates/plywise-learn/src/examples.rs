//! Quiet positions of recorded games, for tuners of evaluations.

use crate::fit::Examples;
use plywise_game::pgn::Record;
use plywise_game::{Game, Linear};

/// Which positions of a game are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The first plies are opening knowledge, not play.
    pub skip: usize,
    /// The last plies may have been adjudicated or resigned.
    pub leave: usize,
    /// One quiet position in so many is taken: neighbours tell nearly the same.
    pub every: usize,
}

/// Adds the quiet positions of a game that are selected, and returns how many there were. A game without a result has
/// none.
pub fn add_game<G: Game, W: Linear<G>>(examples: &mut Examples, record: &Record<G>, selection: &Selection) -> usize {
    let end = record.moves.len().saturating_sub(selection.leave);
    let quiet = record
        .positions()
        .zip(&record.moves)
        .take(end)
        .skip(selection.skip)
        .filter(|(position, mv)| is_quiet::<G>(position, **mv));
    let mut added = 0;
    for (position, _) in quiet.step_by(selection.every.max(1)) {
        let Some(points) = record.result.points(G::side_to_move(&position)) else { return added };
        examples.push(W::amounts(&position), points);
        added += 1;
    }
    added
}

/// Whether an evaluation can be held responsible for a position: nobody is in check, no exchange wins anything, and
/// the move that was played is none either.
fn is_quiet<G: Game>(position: &G::Position, played: G::Move) -> bool {
    if G::in_check(position) || G::tactical_value(position, played).is_some() {
        return false;
    }
    let mut quiet = true;
    G::tactical_moves(position, |mv| quiet &= G::exchange_value(position, mv) <= 0);
    quiet
}
