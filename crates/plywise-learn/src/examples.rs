//! Quiet positions of recorded games, for tuners of evaluations.

use crate::fit::Examples;
use plywise_game::{Game, Linear, Side, pgn};
use plywise_host::{Playable, Record};
use serde::{Deserialize, Serialize};

/// Which positions of a game are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// The first plies are opening knowledge, not play.
    pub skip: usize,
    /// The last plies may have been adjudicated or resigned.
    pub leave: usize,
    /// One quiet position in this many is taken: neighbours teach nearly the same.
    pub every: usize,
}

/// Adds the quiet positions of a game that are selected. A game without a result has none.
pub(crate) fn add_game<G: Playable>(examples: &mut Examples, record: &Record, selection: &Selection) {
    let Some(game) = record.position.typed::<G>() else { return };
    let end = game.moves().len().saturating_sub(selection.leave);
    let quiet = game
        .steps()
        .enumerate()
        .take(end)
        .skip(selection.skip)
        .filter(|(_, (position, mv))| is_quiet::<G>(position, *mv));
    for (ply, (position, _)) in quiet.step_by(selection.every.max(1)) {
        let side = G::side_to_move(position);
        let Some(points) = record.result.points(side) else { return };
        let score = pgn::read_eval(&record.remarks.comment(ply + 1));
        let for_side = score.map(|score| if side == Side::First { score } else { -score });
        examples.push(<G::Weights as Linear<G>>::amounts(position), points, for_side);
    }
}

/// Whether an evaluation can be held responsible for a position: no side is in check, no exchange wins anything, and
/// the move that was played is none either.
fn is_quiet<G: Game>(position: &G::Position, played: G::Move) -> bool {
    if G::in_check(position) || G::tactical_value(position, played).is_some() {
        return false;
    }
    let mut quiet = true;
    G::tactical_moves(position, |mv| quiet &= G::exchange_value(position, mv) <= 0);
    quiet
}
