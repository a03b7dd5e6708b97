//! Near the horizon, quiet moves are left out together: that they come too late, or that they cannot lift the evaluation
//! to alpha, is said of the node and stays true for all of its moves to come. So they need no place in the order.
//!
//! Who says so: late-move pruning in `late_moves.rs`, futility in `futility.rs`.

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
        if left_out > 0 {
            node.tally.bound_by(hope);
        }
        left_out > 0
    }
}
