//! Scores, and the part of their range that means a forced win.
//!
//! A score is an `i32` from the view of the side to move. Wins are scored by their distance: a win after `n` plies is
//! [`WIN`]` - n`, so a search prefers the shorter one. Evaluations stay within ±[`EVAL_LIMIT`].

use crate::Outcome;

/// The value of a position for the side to move, in the evaluation's own unit.
pub type Score = i32;

/// The score of a game won here and now.
pub const WIN: Score = 1_000_000;

/// The longest path that a search follows, in plies.
pub const MAX_PLY: usize = 256;

/// Every score above this is a forced win, every score below its negative a forced loss.
pub const WIN_THRESHOLD: Score = WIN - MAX_PLY as Score - 1;

/// Evaluations lie within ± this.
pub const EVAL_LIMIT: Score = 900_000;

/// Greater than every score: the bound of an open window.
pub const INFINITY: Score = WIN + 1;

/// The score of a draw.
pub const DRAW: Score = 0;

/// The score of winning after `ply` more plies.
pub const fn win_in(ply: usize) -> Score {
    WIN - ply as Score
}

/// The score of losing after `ply` more plies.
pub const fn loss_in(ply: usize) -> Score {
    -win_in(ply)
}

/// Whether this score is a forced win or loss rather than an estimate.
pub const fn is_decided(score: Score) -> bool {
    score > WIN_THRESHOLD || score < -WIN_THRESHOLD
}

/// The plies until the end of the game, for a forced win or loss: positive where the side to move wins.
///
/// ```
/// use plywise_game::score;
/// assert_eq!(score::plies_to_end(score::win_in(3)), Some(3));
/// assert_eq!(score::plies_to_end(score::loss_in(4)), Some(-4));
/// assert_eq!(score::plies_to_end(25), None);
/// ```
pub const fn plies_to_end(score: Score) -> Option<i32> {
    if score > WIN_THRESHOLD {
        Some(WIN - score)
    } else if score < -WIN_THRESHOLD {
        Some(-WIN - score)
    } else {
        None
    }
}

/// The score of an outcome, seen by the side to move, `ply` plies from the root.
pub const fn of_outcome(outcome: Outcome, ply: usize) -> Score {
    match outcome {
        Outcome::Win => win_in(ply),
        Outcome::Loss => loss_in(ply),
        Outcome::Draw => DRAW,
        Outcome::Points(points) => points,
    }
}
