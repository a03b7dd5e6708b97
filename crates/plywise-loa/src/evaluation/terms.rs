//! What becomes of a weight and its amount: a sum, or a record.

use super::weights::Weights;
use plywise_game::parameters::Parameters;

/// Receives the terms of an evaluation.
pub(super) trait Terms {
    /// Takes note of one term. `pick` points out the weight, `amount` is in parts of [`UNIT`](super::UNIT).
    fn add(&mut self, pick: impl FnOnce(&mut Weights) -> &mut i32, amount: i32);
}

/// Adds the terms up.
pub(super) struct Sum<'a> {
    // Borrowed as mutable because the same `pick` serves `Record`, which writes. Nothing here does.
    weights: &'a mut Weights,
    total: i32,
}

impl<'a> Sum<'a> {
    pub(super) fn new(weights: &'a mut Weights) -> Sum<'a> {
        Sum { weights, total: 0 }
    }

    pub(super) fn total(&self) -> i32 {
        self.total
    }
}

impl Terms for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, pick: impl FnOnce(&mut Weights) -> &mut i32, amount: i32) {
        self.total += *pick(self.weights) * amount;
    }
}

/// Writes the amounts down, each in the place of its weight.
pub(super) struct Record {
    amounts: Weights,
}

impl Record {
    pub(super) fn new() -> Record {
        let mut amounts = Weights::DEFAULT;
        amounts.visit_mut(&mut |_, amount| *amount = 0);
        Record { amounts }
    }

    pub(super) fn amounts(&self) -> Vec<i32> {
        self.amounts.values()
    }
}

impl Terms for Record {
    fn add(&mut self, pick: impl FnOnce(&mut Weights) -> &mut i32, amount: i32) {
        *pick(&mut self.amounts) += amount;
    }
}
