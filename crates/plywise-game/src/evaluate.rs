use crate::{Depth, Game, Score, Window};

/// Scores positions of a game. A value carries its weights, and may carry a cache: each thread clones its own.
pub trait Evaluate<G: Game>: Clone + Send {
    /// The value of `position` for the side to move, within ±[`EVAL_LIMIT`](crate::score::EVAL_LIMIT).
    ///
    /// It depends on the position alone: the same position has the same value on every call.
    fn evaluate(&mut self, position: &G::Position) -> Score;

    /// The value of `position` under perfect play, where there is a faster way to it than searching on: an endgame
    /// solver, a table of endings. `depth` is what the search would spend on the position otherwise.
    ///
    /// A value inside `window` is exact; one outside is a bound on that side, as alpha-beta gives. Wins and losses are
    /// scored as seen from `position` itself.
    ///
    /// Work is accounted for by calling `spend`, first of all and then every few thousand nodes, with the number of nodes
    /// visited since the last call. It answers how many may be visited before it is called again. Once that is none, the
    /// budget is spent: give up and answer `None`.
    fn solve(
        &mut self,
        _position: &G::Position,
        _depth: Depth,
        _window: Window,
        _spend: &mut dyn FnMut(u64) -> u64,
    ) -> Option<Score> {
        None
    }

    /// Drops what was cached: the next search does not depend on earlier ones.
    fn forget(&mut self) {}
}

/// No opinion: every position is worth 0. Enough for a game that is searched to its end.
impl<G: Game> Evaluate<G> for () {
    fn evaluate(&mut self, _position: &G::Position) -> Score {
        0
    }
}
