//! Fail-high reductions: a node whose evaluation already reaches beta, with more to spare than a threat is worth, will
//! probably fail high; less depth is spent on finding out.
//!
//! Feldmann, "Fail-high reductions", 1997; named by Björnsson, "Selective depth-first game-tree search", 2002, section
//! 3.4, which found little in it beside null-move pruning.

use crate::search::{Expect, Node};
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game, score};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Takes depth off a node that promises to fail high.
    pub(crate) fn fail_high_reductions(&mut self, node: &mut Node<G>) {
        let params = &self.params().fail_high_reductions;
        if !params.on()
            || node.verifying
            || node.expect != Expect::Cut
            || node.depth < Depth::plies(params.least_depth)
            || score::is_decided(node.window.beta)
        {
            return;
        }
        let (margin, reduction) = (params.margin, Depth::hundredths(params.reduction));
        self.counters.tried(Technique::FailHighReductions);
        if node.evaluation >= node.window.beta + margin {
            self.counters.cut(Technique::FailHighReductions);
            node.depth -= reduction;
        }
    }
}
