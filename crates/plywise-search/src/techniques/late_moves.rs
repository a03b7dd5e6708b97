//! Late-move pruning and reductions: quiet moves that come late in the order rarely turn out best.
//!
//! Romstad, "An introduction to late move reductions", 2006. The reduction grows with the logarithms of depth and move
//! number; a good history takes some of it off.

use crate::logarithm::hundred_ln;
use crate::ordering::{Candidate, LARGEST_MERIT, MovePhase};
use crate::search::{Expect, Node, Price};
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Leaves out the quiet moves to come where enough moves have been searched for the depth that is left.
    pub(crate) fn late_move_pruning(&mut self, node: &mut Node<G>) -> bool {
        let params = &self.params().late_move_pruning;
        if !params.on() || node.depth > Depth::plies(params.most_depth) {
            return false;
        }
        let plies = node.depth.whole_plies().max(1);
        let share = if node.rising { 100 } else { params.falling };
        let enough = (params.moves + params.growth * plies * plies / 100) * share;
        node.tally.searched as i32 * 100 >= enough && self.leave_out_quiets(node, Technique::LateMovePruning, None)
    }

    /// Raises the price of a late quiet move, until it surprises.
    pub(crate) fn late_move_reductions(&mut self, node: &Node<G>, candidate: &Candidate<G::Move>, price: &mut Price) {
        let params = &self.params().late_move_reductions;
        if !params.on()
            || node.in_check
            || node.tally.searched < params.moves as usize
            || node.depth < Depth::plies(params.least_depth)
            || candidate.phase < MovePhase::History
            || candidate.phase == MovePhase::Losing
        {
            return;
        }
        let growth = logarithm(node.depth.whole_plies()) * logarithm(node.tally.searched as i32 + 1) / params.divisor;
        let merit = self.merit(node, candidate.mv) * params.history / LARGEST_MERIT;
        let falling = if node.rising { 0 } else { params.falling };
        let cut_node = if node.expect == Expect::Cut { params.cut_node } else { 0 };
        let reduction = Depth::hundredths((params.base + growth - merit + falling + cut_node).max(0));
        // At least one ply is left, so that the reply is searched and not only played out.
        let reduced = (price.reduced + reduction).min(node.depth - Depth::PLY).max(price.reduced);
        self.counters.tried(Technique::LateMoveReductions);
        if reduced > price.reduced {
            self.counters.cut(Technique::LateMoveReductions);
            price.reduced = reduced;
        }
    }
}

/// A hundred times the natural logarithm of a small number.
fn logarithm(n: i32) -> i32 {
    const TABLE: [i32; 64] = {
        let mut table = [0; 64];
        let mut n = 1;
        while n < 64 {
            table[n] = hundred_ln(n as u64);
            n += 1;
        }
        table
    };
    TABLE[n.clamp(1, 63) as usize]
}
