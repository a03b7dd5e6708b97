//! Late-move pruning and reductions: quiet moves that come late in the order rarely turn out best.
//!
//! Romstad, "An introduction to late move reductions", 2006. The reduction grows with the logarithms of depth and move
//! number; a good history takes some of it off.

use crate::ordering::{Candidate, LARGEST_MERIT, MovePhase};
use crate::search::{Expect, Node, Price};
use crate::worker::Worker;
use crate::{Observer, Policy, Technique};
use plywise_game::{Depth, Evaluate, Game};

impl<G: Game, E: Evaluate<G>, O: Observer<G>, P: Policy> Worker<'_, G, E, O, P> {
    /// Whether quiet moves come too late near the horizon.
    pub(crate) fn is_late(&self, node: &Node<G>) -> bool {
        let params = &self.params().late_move_pruning;
        if !params.on() || node.depth > Depth::plies(params.most_depth) {
            return false;
        }
        let plies = node.depth.whole_plies().max(1);
        let share = if node.rising { 100 } else { params.falling };
        node.tally.searched as i32 * 100 >= (params.moves + params.growth * plies * plies / 100) * share
    }

    /// Raises the price of a late quiet move, until it surprises.
    pub(crate) fn late_move_reduction(&mut self, node: &Node<G>, candidate: &Candidate<G::Move>, price: &mut Price) {
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

/// A hundred times the natural logarithm of a small number, in whole numbers so that every machine agrees.
fn logarithm(n: i32) -> i32 {
    const TABLE: [i32; 64] = {
        // ln(n + 1) = ln n + ln(1 + 1/n), by the series 2 (x + x^3/3 + x^5/5 + ...) with x = 1 / (2n + 1).
        let mut table = [0; 64];
        let mut sum = 0i64;
        let mut n = 1;
        while n + 1 < 64 {
            let d = 2 * n as i64 + 1;
            let unit = 1_000_000_000_000i64;
            sum += 2 * (unit / d + unit / (3 * d * d * d) + unit / (5 * d * d * d * d * d));
            table[n + 1] = ((sum + 5_000_000_000) / 10_000_000_000) as i32;
            n += 1;
        }
        table
    };
    TABLE[n.clamp(1, 63) as usize]
}

#[cfg(test)]
mod tests {
    use super::logarithm;

    #[test]
    fn the_table_is_the_natural_logarithm() {
        for n in 1..64 {
            let expected = 100.0 * f64::from(n).ln();
            assert!((f64::from(logarithm(n)) - expected).abs() <= 0.6, "ln {n}: {} {expected}", logarithm(n));
        }
    }
}
