//! Multi-cut pruning: at an expected cut-node, if several of the first moves reach beta in shallow searches, one of them
//! will reach it in a deep one.
//!
//! Björnsson & Marsland, "Multi-cut alpha-beta pruning", 1999; Björnsson, "Selective depth-first game-tree search", 2002,
//! chapter 5. In the thesis' symbols, `moves` is e, `cutoffs_required` c and `reduction` r. Its conditions (section 5.2):
//! only at expected cut-nodes, not near the horizon, not in check, not where one of the last three moves was extended,
//! and not in the endgame.
//!
//! Where a cut would save more, more may be asked for it (`caution`): section 5.6 proposes c, e and r that vary.
//! David-Tabibi, Koppel & Netanyahu (2010) ask for a cut that the table remembers (`remembered`).
//!
//! Winands, van den Herik, Uiterwijk & van der Werf, "Enhanced forward pruning", 2005, try it at expected all-nodes too
//! (`all_nodes`): where several moves reach beta there, the node is none, and the move that led to it is worth less than
//! it seemed. Nodes of the principal variation are never cut, and a move that surprises there is searched again as one
//! of them.
//!
//! Where exactly one of the searched moves reached beta, that move stands alone: the singular extension takes it from
//! here without a search of its own (section 8.2 of the thesis proposes to share the cost).

use crate::limits::Stopped;
use crate::search::{Expect, Node, NodeRequest, Scout, Value};
use crate::worker::Worker;
use crate::{Arrival, Bound, Policy, Purpose, Technique};
use plywise_game::{Depth, Evaluate, Game, Phase, Window, score};

/// Extensions within this many plies above the node forbid the cut: such lines are forced.
const QUIET_PLIES: usize = 3;

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Cuts with beta where enough of the first moves reach it in shallow searches.
    pub(crate) fn multi_cut(&mut self, node: &mut Node<G>) -> Result<Option<Value>, Stopped> {
        let params = self.params().multi_cut.clone();
        if !params.on()
            || node.verifying
            || node.in_check
            || !(node.expect == Expect::Cut || node.expect == Expect::All && params.all_nodes)
            || node.depth < Depth::plies(params.least_depth.max(params.reduction))
            || score::is_decided(node.window.beta)
            || (!params.in_endgame && G::phase(node.position) == Phase::Endgame)
            || (params.remembered && node.entry.is_none_or(|entry| entry.bound != Bound::Lower))
            || self.was_extended_lately(node.ply)
        {
            return Ok(None);
        }
        self.counters.tried(Technique::MultiCut);
        self.generate(node);
        let more = node.depth.whole_plies().checked_div(params.caution).unwrap_or(0);
        let (required, mut cutoffs) = (params.cutoffs_required + more, 0);
        for number in 1..=params.moves {
            let Some(candidate) = self.next_move(node) else { break };
            if required == 0 {
                return Ok(self.may_multi_cut(node, params.layered));
            }
            let after = G::play(node.position, candidate.mv);
            self.depart(node.position, node.ply, candidate.mv, &after);
            let price = Depth::plies(1 + params.reduction);
            let request = NodeRequest {
                depth: node.depth - price,
                window: -Window::reaching(node.window.beta),
                ply: node.ply + 1,
                expect: node.expect.child(),
                verifying: false,
            };
            let (purpose, number, phase) = (Purpose::MultiCut, number as usize, Some(candidate.phase));
            self.announce(node.ply + 1, Arrival { purpose, price, full: price, number, phase, likelihood: None });
            let value = -self.search::<Scout>(&after, request)?;
            if value.score >= node.window.beta {
                cutoffs += 1;
                node.singular_move = (cutoffs == 1).then_some(candidate.mv);
                if cutoffs == required {
                    return Ok(self.may_multi_cut(node, params.layered));
                }
            }
        }
        node.cursor.rewind();
        Ok(None)
    }

    /// A layered multi-cut only marks the node, unless a node above is marked already.
    fn may_multi_cut(&mut self, node: &mut Node<G>, layered: bool) -> Option<Value> {
        let marked_above = self.frames[..node.ply].iter().any(|frame| frame.multi_cut_holds);
        if !layered || marked_above {
            return Some(Value::certain(node.window.beta));
        }
        self.frames[node.ply].multi_cut_holds = true;
        node.cursor.rewind();
        None
    }

    fn was_extended_lately(&self, ply: usize) -> bool {
        self.frames[(ply + 1).saturating_sub(QUIET_PLIES)..=ply].iter().any(|frame| frame.extended)
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    /// Asks whether a node reaches 50 in four plies: two of the first three moves have to, in one ply.
    fn ask(values: [Score; 4]) -> Ask {
        let here = position(0, values.map(quiet));
        Ask::cut(here, 4, 50).with("multi_cut").with("multi_cut.moves=3").with("multi_cut.cutoffs_required=2")
    }

    const GOOD: [Score; 4] = [0, 60, 60, 0];

    #[test]
    fn enough_moves_that_reach_beta_cut() {
        let seen = ask(GOOD).search();
        assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::MultiCut), 50));
        assert_eq!(
            seen.of(Purpose::MultiCut).iter().map(|probe| probe.mv).collect::<Vec<_>>(),
            [Some(0), Some(1), Some(2)]
        );
        assert!(seen.searches.iter().all(|probe| probe.depth == Depth::plies(1)));
    }

    #[test]
    fn too_few_of_them_do_not() {
        for values in [[0, 60, 0, 60], [0, 49, 60, 0]] {
            let seen = ask(values).search();
            assert_eq!(seen.end, End::Moves, "{values:?}");
            assert_eq!(seen.moves()[0], 0, "the moves are searched from the first");
        }
        assert_eq!(ask(GOOD).with("multi_cut.caution=4").search().end, End::Moves, "deep nodes ask for one more");
    }

    #[test]
    fn other_nodes_are_not_even_looked_at() {
        let changed = |change: fn(&mut Position)| {
            let mut ask = ask(GOOD);
            change(&mut ask.position);
            ask
        };
        for (why, ask) in [
            ("not expected to be cut", Ask { expect: Expect::All, ..ask(GOOD) }),
            ("on the principal variation", Ask { expect: Expect::Pv, ..ask(GOOD) }),
            ("at the root", Ask { ply: 0, ..ask(GOOD) }),
            ("verifying", Ask { verifying: true, ..ask(GOOD) }),
            ("in check", changed(|position| position.in_check = true)),
            ("the endgame", changed(|position| position.phase = Phase::Endgame)),
            ("near the horizon", ask(GOOD).with("multi_cut.least_depth=5")),
            ("the reduction leaves nothing", ask(GOOD).with("multi_cut.reduction=5")),
            ("beta is a loss", Ask { window: Window::reaching(score::loss_in(20)), ..ask(GOOD) }),
            ("the table remembers no cut", ask(GOOD).with("multi_cut.remembered=on")),
        ] {
            assert!(ask.search().of(Purpose::MultiCut).is_empty(), "{why}");
        }
        let extended = ask(GOOD).search_after(|worker| worker.frames[PLY].extended = true);
        assert!(extended.of(Purpose::MultiCut).is_empty(), "the last move was extended");
        let endgame = changed(|position| position.phase = Phase::Endgame).with("multi_cut.in_endgame=on");
        assert_eq!(endgame.search().cut_by(), Some(Technique::MultiCut));
    }

    #[test]
    fn all_nodes_are_cut_too_if_asked_to() {
        let all = |values| Ask { expect: Expect::All, ..ask(values) }.with("multi_cut.all_nodes=on");
        let seen = all(GOOD).search();
        assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::MultiCut), 50));
        assert!(seen.of(Purpose::MultiCut).iter().all(|probe| probe.kind == crate::NodeKind::Cut));
        let seen = all([0, 60, 0, 0]).search();
        assert_eq!((seen.end, seen.of(Purpose::MultiCut).len()), (End::Moves, 3), "one of three is not enough");
        let pv = Ask { expect: Expect::Pv, ..ask(GOOD) }.with("multi_cut.all_nodes=on").search();
        assert!(pv.of(Purpose::MultiCut).is_empty(), "never on the principal variation");
    }

    #[test]
    fn a_layered_cut_needs_another_one_above() {
        let layered = || ask(GOOD).with("multi_cut.layered=on");
        assert_eq!(layered().search().end, End::Moves);
        let below = layered().search_after(|worker| worker.frames[0].multi_cut_holds = true);
        assert_eq!(below.cut_by(), Some(Technique::MultiCut));
    }
}
