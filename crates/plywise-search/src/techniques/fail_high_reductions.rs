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

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    fn ask(evaluation: Score) -> Ask {
        Ask::cut(position(evaluation, [quiet(0)]), 4, 50).with("fail_high_reductions")
    }

    /// The plies that the node spends on its move.
    fn plies(ask: Ask) -> i32 {
        ask.search().of(Purpose::Move)[0].depth.whole_plies()
    }

    #[test]
    fn a_node_that_promises_to_fail_high_gets_less_depth() {
        assert_eq!(plies(ask(150)), 2, "beta and the margin of 100");
        assert_eq!(plies(ask(149)), 3, "just below");
    }

    #[test]
    fn other_nodes_keep_their_depth() {
        let in_check = Position { in_check: true, ..ask(150).position };
        let lost_window = Window::reaching(score::loss_in(20));
        for (why, ask) in [
            ("not expected to fail high", Ask { expect: Expect::All, ..ask(150) }),
            ("on the principal variation", Ask { expect: Expect::Pv, ..ask(150) }),
            ("verifying", Ask { verifying: true, ..ask(150) }),
            ("near the horizon", ask(150).with("fail_high_reductions.least_depth=5")),
            ("beta is a loss", Ask { window: lost_window, ..ask(150) }),
            ("in check", Ask { position: in_check, window: Window::reaching(-200), ..ask(150) }),
        ] {
            assert_eq!(plies(ask), 3, "{why}");
        }
    }
}
