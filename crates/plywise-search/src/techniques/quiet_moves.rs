//! Near the horizon, quiet moves are left out together: that they come too late, or that they cannot lift the evaluation
//! to alpha, is said of the node and stays true for all of its moves to come. So they need no place in the order.
//!
//! Which verdict: late-move pruning in `late_moves.rs`, futility in `futility.rs`.

use crate::search::Node;
use crate::worker::Worker;
use crate::{Observer, Policy, Technique};
use plywise_game::{Evaluate, Game};

impl<G: Game, E: Evaluate<G>, O: Observer<G>, P: Policy> Worker<'_, G, E, O, P> {
    /// Leaves out the quiet moves to come, but for checks, where a technique says so. What they could have reached
    /// bounds the node.
    pub(crate) fn leave_out_quiets(&mut self, node: &mut Node<G>) {
        if !node.spares_quiets || node.in_check || !node.tally.may_leave_out() {
            return;
        }
        let (technique, hope) = match self.futile_hope(node) {
            _ if self.is_late(node) => (Technique::LateMovePruning, None),
            Some(hope) => (Technique::Futility, Some(hope)),
            None => return,
        };
        node.spares_quiets = false; // Nothing but checks will be left.
        let (tried, left_out) = self.moves.retain_quiets(&mut node.cursor, |mv| G::gives_check(node.position, mv));
        self.counters.many(technique, tried, left_out);
        if left_out > 0 {
            self.estimated = true;
            node.tally.bound_by(hope);
        }
    }
}
