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
//! Where exactly one of the searched moves reached beta, that move stands alone: the singular extension takes it from
//! here without a search of its own (section 8.2 of the thesis proposes to share the cost).

use crate::limits::Stopped;
use crate::search::{Expect, Node, Scout, Task, Value};
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
            || node.expect != Expect::Cut
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
            let task = Task {
                depth: node.depth - price,
                window: -Window::reaching(node.window.beta),
                ply: node.ply + 1,
                expect: Expect::All,
                verifying: false,
            };
            let (purpose, number, phase) = (Purpose::MultiCut, number as usize, Some(candidate.phase));
            self.announce(node.ply + 1, Arrival { purpose, price, full: price, number, phase });
            let value = -self.search::<Scout>(&after, task)?;
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
