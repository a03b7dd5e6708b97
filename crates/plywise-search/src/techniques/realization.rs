//! Realization probability search: a move costs the more, the less likely moves of its class are to be played, and a
//! move that turns out good is confirmed at the least price.
//!
//! Tsuruoka, Yokoyama & Chikayama, "Game-tree search algorithm based on realization probability", 2002; Winands &
//! Björnsson, "Enhanced realization probability search", 2008. The price is FP = log P / log C, clipped. The paper's
//! symbols: `constant` is C; minFP, the price of the search that confirms a good move, is the least of any class; in the
//! enhancements `moves` is m, `most` is t and `delta` is delta. `growth` is the smoother decrease of depth that the paper
//! leaves to future work: the cap does not end with the first moves, but rises with each later one.

use crate::knowledge::{Cells, LearnedTable, Row, rows};
use crate::logarithm::log2;
use crate::ordering::Candidate;
use crate::params::{Realization, RealizationCap};
use crate::search::{Node, Price};
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game};
use serde::{Deserialize, Serialize};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Prices a move by the probability of its class. An extension that makes it cheaper still holds.
    pub(crate) fn realization(&mut self, node: &Node<G>, candidate: &Candidate<G::Move>, price: &mut Price) {
        let params = self.policy.params();
        if !params.realization.on() || self.prepared.class_prices.is_empty() {
            return;
        }
        // A class that the table does not know says nothing about its moves.
        let class_price =
            *self.prepared.class_prices.get(G::move_class(node.position, candidate.mv)).unwrap_or(&Depth::PLY);
        self.counters.tried(Technique::Realization);
        if class_price != Depth::PLY {
            self.counters.cut(Technique::Realization);
        }
        let full = self.prepared.least_price.min(price.full);
        let mut reduced = if price.full < Depth::PLY { class_price.min(price.full) } else { class_price };
        let cap = &params.realization_cap;
        if let Some(most) = cap.of_move(node.so_far.searched) {
            self.counters.tried(Technique::RealizationCap);
            if reduced > most {
                self.counters.cut(Technique::RealizationCap);
                reduced = most;
            }
        }
        reduced = reduced.max(full);
        let between = Depth::hundredths((reduced + full).in_hundredths() / 2);
        let steps = &params.realization_steps;
        let middle = (steps.on() && between > Depth::hundredths(steps.delta)).then_some(between);
        if steps.on() {
            self.counters.many(Technique::RealizationSteps, 1, usize::from(middle.is_some()));
        }
        *price = Price { reduced, middle, full, ..*price };
    }
}

impl RealizationCap {
    /// The most that a move may cost after this many others, if there is a bound.
    fn of_move(&self, searched: usize) -> Option<Depth> {
        let late = (searched as i32 + 1 - self.moves).max(0);
        let is_capped = self.on() && (late == 0 || self.growth > 0);
        is_capped.then(|| Depth::hundredths(self.most + late * self.growth))
    }
}

/// How often moves of a class were available, and how often one was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassCounts {
    /// Positions in which a move of the class was played.
    pub played: u64,
    /// Positions in which one was available.
    pub available: u64,
}

/// Realization probability's table: counts for each move class. `plywise gather realization` counts them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassTable {
    /// By class.
    #[serde(rename = "rows", with = "rows")]
    pub classes: Vec<ClassCounts>,
}

impl ClassTable {
    /// The price of each class: FP = log P / log C, clipped.
    pub fn prices(&self, params: &Realization) -> Vec<Depth> {
        let constant = log2(100) - log2(params.constant as u64);
        let price = |counts: &ClassCounts| {
            // A class that was never seen says nothing about its moves.
            if counts.available == 0 {
                return Depth::PLY;
            }
            // P = (played + 1/2) / (available + 1), both doubled.
            let unlikelihood = log2(2 * counts.available + 2) - log2(2 * counts.played + 1);
            let price = (200 * unlikelihood + constant) / (2 * constant);
            Depth::hundredths(price.clamp(params.least.into(), params.most.into()) as i32)
        };
        self.classes.iter().map(price).collect()
    }
}

impl LearnedTable for ClassTable {
    const KIND: &'static str = "realization";
    const COLUMNS: &'static str = "played available";

    fn check(&self, move_classes: usize) -> Result<(), String> {
        if self.classes.len() != move_classes {
            let rows = self.classes.len();
            return Err(format!("it has {rows} rows, but the game has {move_classes} classes of moves"));
        }
        Ok(())
    }
}

impl Row for ClassCounts {
    fn write(&self) -> String {
        format!("{} {}", self.played, self.available)
    }

    fn read(cells: &mut Cells) -> Option<ClassCounts> {
        let counts = ClassCounts { played: cells.count()?, available: cells.count()? };
        (counts.played <= counts.available).then_some(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::techniques::fixture::*;
    use std::sync::Arc;

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

    /// Five plies, in which class 0 costs a ply, class 1 half a ply and class 2 four plies.
    fn ask<const N: usize>(moves: [(usize, i32); N]) -> Ask {
        let classes = [(1_000_000, 4_000_000), (500_000, 1_000_000), (1, 1_000_000)];
        let classes = classes.map(|(played, available)| ClassCounts { played, available }).into();
        let realization = Some(Arc::new(ClassTable { classes }));
        let moves = moves.map(|(class, value)| Move { class, ..quiet(value) });
        let ask = Ask::all(position(0, moves), 5, 50).with("realization");
        Ask { knowledge: Knowledge { realization, ..Default::default() }, ..ask }
    }

    #[test]
    fn unlikely_moves_cost_more_and_are_confirmed_at_the_least_price() {
        let seen = ask([(0, 1), (1, 2), (2, 60), (3, 3)]).search();
        assert_eq!(seen.prices(), [100, 50, 400]);
        assert_eq!(seen.of(Purpose::FullPrice).iter().map(|again| again.price).collect::<Vec<_>>(), [50]);
        assert_eq!(ask([(3, 1)]).search().prices(), [100], "a class that the table does not know");
    }

    #[test]
    fn without_a_table_every_move_costs_a_ply() {
        let knowledge = Knowledge::default();
        assert_eq!(Ask { knowledge, ..ask([(1, 1), (2, 2)]) }.search().prices(), [100, 100]);
    }

    #[test]
    fn early_moves_are_not_reduced_much_if_asked_to() {
        let seen = ask([(2, 1), (1, 2), (2, 3)]).with("realization_cap").with("realization_cap.moves=2").search();
        assert_eq!(seen.prices(), [100, 50, 400]);
        assert_eq!(seen.counters.cuts(Technique::RealizationCap), 1);
        let smooth = ask([(2, 1), (2, 2), (2, 3), (2, 4), (2, 5)]).with("realization_cap");
        let smooth = smooth.with("realization_cap.moves=2").with("realization_cap.growth=120").search();
        assert_eq!(
            smooth.prices(),
            [100, 100, 220, 340, 400],
            "later moves cost ever more, at most what their class does"
        );
        let unlikely = ClassTable { classes: vec![ClassCounts { played: 1, available: 1_000_000 }] };
        let mut ask = ask([(0, 1)]).with("realization_cap").with("realization_cap.most=50");
        ask.knowledge.realization = Some(Arc::new(unlikely));
        assert_eq!(ask.search().prices(), [100], "never less than the search that confirms");
    }

    #[test]
    fn a_surprise_is_confirmed_in_two_steps_if_asked_to() {
        let steps = |seen: Seen| seen.of(Purpose::Step).iter().map(|step| step.price).collect::<Vec<_>>();
        let ask = |value| ask([(2, value), (1, 0)]).with("realization_steps");
        assert_eq!(steps(ask(60).search()), [225]);
        assert_eq!(steps(ask(0).search()), [0; 0], "no surprise");
        assert_eq!(steps(ask(60).with("realization_steps.delta=225").search()), [0; 0], "not far enough apart");
    }

    #[test]
    fn an_extension_that_makes_a_move_cheaper_holds() {
        let mut ask = ask([(2, 1), (1, 0)]).with("extensions").with("extensions.check.1=30");
        ask.position.moves[0].to.in_check = true;
        assert_eq!(ask.search().prices(), [30, 50]);
    }
}
