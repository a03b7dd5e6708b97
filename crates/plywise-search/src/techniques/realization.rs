//! Realization probability search: a move costs the more, the less likely moves of its class are to be played, and a
//! move that turns out good is confirmed at the least price.
//!
//! Tsuruoka, Yokoyama & Chikayama, "Game-tree search algorithm based on realization probability", 2002; Winands &
//! Björnsson, "Enhanced realization probability search", 2008. The price is FP = log P / log C, clipped. The paper's
//! symbols: `constant` is C, `least` is minFP, and in the enhancements `moves` is m, `most` is t and `delta` is delta.

use crate::knowledge::ClassTable;
use crate::ordering::Candidate;
use crate::params::Realization;
use crate::search::{Node, Price};
use crate::worker::Worker;
use crate::{Observer, Policy, Technique};
use plywise_game::{Depth, Evaluate, Game};

impl<G: Game, E: Evaluate<G>, O: Observer<G>, P: Policy> Worker<'_, G, E, O, P> {
    /// Prices a move by the probability of its class. An extension that makes it cheaper still holds.
    pub(crate) fn realization(&mut self, node: &Node<G>, candidate: &Candidate<G::Move>, price: &mut Price) {
        let params = self.policy.params();
        if !params.realization.on() || self.class_prices.is_empty() {
            return;
        }
        let class_price = self.class_prices[G::move_class(node.position, candidate.mv)];
        self.counters.tried(Technique::Realization);
        if class_price != Depth::PLY {
            self.counters.cut(Technique::Realization);
        }
        let full = Depth::hundredths(params.realization.least).min(price.full);
        let mut reduced = if price.full < Depth::PLY { class_price.min(price.full) } else { class_price };
        let cap = &params.realization_cap;
        if cap.on() && node.tally.searched < cap.moves as usize && reduced > Depth::hundredths(cap.most) {
            self.counters.cut(Technique::RealizationCap);
            reduced = Depth::hundredths(cap.most);
        }
        reduced = reduced.max(full);
        let between = Depth::hundredths((reduced + full).in_hundredths() / 2);
        let steps = &params.realization_steps;
        let middle = (steps.on() && between > Depth::hundredths(steps.delta)).then_some(between);
        if middle.is_some() {
            self.counters.cut(Technique::RealizationSteps);
        }
        *price = Price { reduced, middle, full };
    }
}

impl ClassTable {
    /// The price of each class: FP = log P / log C, clipped.
    pub(crate) fn prices(&self, params: &Realization) -> Vec<Depth> {
        let constant = (f64::from(params.constant) / 100.0).ln();
        self.classes
            .iter()
            .map(|counts| {
                // A class that was never seen says nothing about its moves.
                if counts.available == 0 {
                    return Depth::PLY;
                }
                let probability = (counts.played as f64 + 0.5) / (counts.available as f64 + 1.0);
                let price = (100.0 * probability.ln() / constant).round() as i32;
                Depth::hundredths(price.clamp(params.least, params.most))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::knowledge::ClassCounts;

    #[test]
    fn prices_follow_the_paper() {
        let counts = |played, available| ClassCounts { played, available };
        let classes =
            vec![counts(1_000_000, 4_000_000), counts(500_000, 1_000_000), counts(1, 1_000_000), counts(0, 0)];
        let table = ClassTable { classes };
        let prices = table.prices(&Params::DEFAULT.realization);
        // C = 0.25: a quarter costs one ply, a half costs half a ply, hardly ever costs the most, unknown costs one.
        assert_eq!(prices.iter().map(|price| price.in_hundredths()).collect::<Vec<_>>(), [100, 50, 400, 100]);
    }
}
