//! Near the horizon, quiet moves are left out together. That they come too late, or cannot lift the evaluation to alpha,
//! is true of the node and of all its remaining moves, so these need no ranking. Late-move pruning (`late_moves.rs`) and
//! futility (`futility.rs`) decide.

use crate::search::Node;
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Evaluate, Game, Score};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Leaves out the quiet moves to come, but for checks; says whether there were any. What they could have reached,
    /// where that is known, bounds the node.
    pub(super) fn leave_out_quiets(&mut self, node: &mut Node<G>, technique: Technique, hope: Option<Score>) -> bool {
        let (tried, left_out) = self.moves.retain_quiets(&mut node.cursor, |mv| G::gives_check(node.position, mv));
        self.counters.many(technique, tried, left_out);
        self.tell_left_out(technique, left_out);
        if left_out > 0 {
            node.tally.bound_by(hope);
        }
        left_out > 0
    }
}
