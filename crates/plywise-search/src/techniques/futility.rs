//! Futility pruning and its relatives: near the horizon, the evaluation already tells how the search will end.
//!
//! Schaeffer, "Experiments in search and knowledge", 1986; Heinz, "Extended futility pruning", 1998, and "AEL pruning",
//! 2000, which adds limited razoring. Reverse futility asks the same question at beta.

use crate::limits::Stopped;
use crate::quiescence::Beyond;
use crate::search::{Node, Value};
use crate::worker::Worker;
use crate::{Arrival, Policy, Purpose, Technique};
use plywise_game::{Depth, Evaluate, Game, Score, score};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Cuts where the evaluation exceeds beta by so much that a shallow search would not bring it down.
    pub(crate) fn reverse_futility(&mut self, node: &Node<G>) -> Option<Value> {
        let params = &self.params().reverse_futility;
        if !params.on() || node.depth > Depth::plies(params.most_depth) || score::is_decided(node.window.beta) {
            return None;
        }
        let rising = if node.rising { Depth::hundredths(params.rising) } else { Depth::ZERO };
        let widened = node.correction.abs() * self.params().correction.widen / 100;
        let margin = scaled(params.margin, (node.depth - rising).max(Depth::ZERO)) + widened;
        self.counters.tried(Technique::ReverseFutility);
        (node.evaluation - margin >= node.window.beta).then_some(Value::certain(node.evaluation - margin))
    }

    /// Cuts where the evaluation is far below alpha and quiescence finds nothing that lifts it.
    pub(crate) fn razoring(&mut self, node: &Node<G>) -> Result<Option<Value>, Stopped> {
        let params = &self.params().razoring;
        if !params.on() || node.depth > Depth::plies(params.most_depth) || score::is_decided(node.window.alpha) {
            return Ok(None);
        }
        if node.evaluation + scaled(params.margin, node.depth) > node.window.alpha {
            return Ok(None);
        }
        self.counters.tried(Technique::Razoring);
        self.announce(node.ply, Arrival::by(Purpose::Razoring));
        let score = self.quiesce(node.position, node.window, node.ply, Beyond::HORIZON)?;
        Ok((score <= node.window.alpha).then_some(Value::certain(score)))
    }

    /// Leaves out the quiet moves to come where none of them can lift the evaluation to alpha.
    pub(crate) fn futility(&mut self, node: &mut Node<G>) -> bool {
        let params = &self.params().futility;
        if !params.on() || node.depth > Depth::plies(params.most_depth) || score::is_decided(node.window.alpha) {
            return false;
        }
        // The depth after the move decides: 0 plies or less is a frontier node.
        let margin = match (node.depth - Depth::PLY).in_hundredths() {
            ..=0 => params.frontier,
            1..=100 => params.pre_frontier,
            101..=200 => params.pre_pre_frontier,
            _ => return false,
        };
        let hope = node.evaluation + margin;
        hope <= node.window.alpha && self.leave_out_quiets(node, Technique::Futility, Some(hope))
    }
}

fn scaled(margin_per_ply: Score, depth: Depth) -> Score {
    margin_per_ply * depth.in_hundredths() / 100
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    /// The same node in check. There it has no evaluation, so the bounds move to where 0 would count as one far away.
    fn in_check(ask: Ask, beta: Score) -> Ask {
        let position = Position { in_check: true, ..ask.position };
        Ask { position, window: Window::reaching(beta), ..ask }
    }

    /// Two plies cost a margin of 180.
    fn reverse(evaluation: Score) -> Ask {
        Ask::cut(position(evaluation, [quiet(0)]), 2, 50).with("reverse_futility")
    }

    #[test]
    fn an_evaluation_far_above_beta_cuts() {
        let seen = reverse(230).search();
        assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::ReverseFutility), 50));
        // Where the evaluation rises, the margin may be that of a ply less.
        let rising = || reverse(140).with("reverse_futility.rising=100");
        assert_eq!(rising().search().cut_by(), Some(Technique::ReverseFutility));
        assert_eq!(rising().search_after(|worker| worker.frames[0].evaluation = 140).cut_by(), None, "it stays");
    }

    #[test]
    fn reverse_futility_spares_other_nodes() {
        for (why, ask) in [
            ("not far enough", reverse(229)),
            ("deep", reverse(230).with("reverse_futility.most_depth=1")),
            ("beta is a loss", Ask { window: Window::reaching(score::loss_in(20)), ..reverse(230) }),
            ("in check", in_check(reverse(230), -200)),
            ("on the principal variation", Ask { expect: Expect::Pv, ..reverse(230) }),
        ] {
            assert_eq!(ask.search().cut_by(), None, "{why}");
        }
    }

    /// A ply costs a margin of 300, and alpha is 49. The quiet move would reach beta.
    fn razor(evaluation: Score, tactical: Score) -> Ask {
        let here = position(evaluation, [quiet(60), capture(tactical, 0)]);
        Ask::all(here, 1, 50).with("razoring").with("quiescence")
    }

    #[test]
    fn an_evaluation_far_below_alpha_cuts_where_quiescence_agrees() {
        let seen = razor(-251, 40).search();
        assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::Razoring), 40));
        let lifted = razor(-251, 55).search();
        assert_eq!((lifted.end, lifted.of(Purpose::Razoring).len()), (End::Moves, 1));
    }

    #[test]
    fn razoring_spares_other_nodes() {
        for (why, ask) in [
            ("not far enough", razor(-250, 40)),
            ("deep", Ask { depth: Depth::plies(2), ..razor(-900, 40).with("razoring.most_depth=1") }),
            ("alpha is a win", Ask { window: Window::reaching(score::win_in(20)), ..razor(-251, 40) }),
            ("in check", in_check(razor(-251, 40), 400)),
            ("on the principal variation", Ask { expect: Expect::Pv, ..razor(-251, 40) }),
        ] {
            assert!(ask.search().of(Purpose::Razoring).is_empty(), "{why}");
        }
    }

    /// Alpha is 49, and the quiet move would reach beta.
    fn futile(evaluation: Score, plies: i32) -> Ask {
        Ask::all(position(evaluation, [capture(10, 0), quiet(60)]), plies, 50).with("futility")
    }

    #[test]
    fn quiet_moves_that_cannot_lift_the_evaluation_to_alpha_are_left_out() {
        // A margin for each depth.
        for (plies, margin) in [(1, 150), (2, 300), (3, 500)] {
            let seen = futile(49 - margin, plies).search();
            assert_eq!((seen.moves(), seen.left_out), (vec![0], vec![(Technique::Futility, 1)]), "{plies} plies");
            assert_eq!(seen.value.score, 49, "what the quiet move could have reached");
            assert_eq!(futile(50 - margin, plies).search().moves(), [0, 1], "{plies} plies, a little better");
        }
    }

    #[test]
    fn futility_spares_other_nodes() {
        for (why, ask) in [
            ("deep", futile(-9000, 4)),
            ("deeper than it may reach", futile(-9000, 2).with("futility.most_depth=1")),
            ("alpha is a win", Ask { window: Window::reaching(score::win_in(20)), ..futile(-9000, 1) }),
            ("in check", in_check(futile(-9000, 1), 400)),
            ("on the principal variation", Ask { expect: Expect::Pv, ..futile(-9000, 1) }),
            ("the first move loses", Ask { position: position(-9000, [losing_capture(), quiet(60)]), ..futile(0, 2) }),
        ] {
            assert_eq!(ask.search().moves(), [0, 1], "{why}");
        }
    }

    /// A tactical move after which the opponent wins.
    fn losing_capture() -> Move {
        Move { is_tactical: true, ..blunder() }
    }
}
