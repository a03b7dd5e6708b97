//! Quiet positions of recorded games, for tuners of evaluations.

use crate::fit::Examples;
use plywise_game::pgn::Record;
use plywise_game::{Game, Linear, Side};

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
        .enumerate()
        .take(end)
        .skip(selection.skip)
        .filter(|(_, (position, mv))| is_quiet::<G>(position, **mv));
    let mut added = 0;
    for (ply, (position, _)) in quiet.step_by(selection.every.max(1)) {
        let side = G::side_to_move(&position);
        let Some(points) = record.result.points(side) else { return added };
        let score = record.comments.get(&(ply + 1)).and_then(|comment| recorded_score(comment));
        let for_side = score.map(|score| if side == Side::First { score } else { -score });
        examples.push(W::amounts(&position), points, for_side);
        added += 1;
    }
    added
}

/// The score in the comment on a move, for the side that began the game and in the evaluation's unit: `[%eval 0.35,12]`.
/// Forced wins have none.
fn recorded_score(comment: &str) -> Option<f64> {
    let (_, after) = comment.split_once("[%eval ")?;
    let number = after.split([',', ']']).next()?;
    number.parse::<f64>().ok().map(|pawns| pawns * 100.0)
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

#[cfg(test)]
mod tests {
    use super::recorded_score;

    #[test]
    fn scores_are_read_from_comments() {
        assert_eq!(recorded_score("[%eval -0.06,5] [%emt 0:00:00.002]"), Some(-6.0));
        assert_eq!(recorded_score("a good move [%eval 1.5]"), Some(150.0));
        assert_eq!(recorded_score("[%eval #3,5]"), None);
        assert_eq!(recorded_score("a good move"), None);
    }
}
