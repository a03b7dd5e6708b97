use crate::{Game, Score};

/// Scores positions of a game. A value carries its weights, and may carry a cache: each thread clones its own.
pub trait Evaluate<G: Game>: Clone + Send {
    /// The value of `position` for the side to move, within ±[`EVAL_LIMIT`](crate::score::EVAL_LIMIT).
    ///
    /// It depends on the position alone: the same position has the same value on every call.
    fn evaluate(&mut self, position: &G::Position) -> Score;
}
