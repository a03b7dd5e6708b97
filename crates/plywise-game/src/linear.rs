//! Evaluations that are linear in declared weights: one code path that serves the search, explanations and tuners.
//!
//! The code that looks at a position names each weight and its amount to [`Terms`]. A [`Sum`] adds up the value, a
//! [`Record`] writes the amounts down; so what people and tuners are told cannot disagree with what the search sees.
//!
//! ```
//! use plywise_game::linear::{Record, Sum, Terms};
//! use plywise_game::parameters::Parameters;
//!
//! plywise_game::parameters! {
//!     /// Weights.
//!     pub struct Weights;
//!     /// Discs on the board.
//!     discs: Discs {
//!         /// Each own disc.
//!         own: 0..=100 = 7;
//!         /// Each disc in the middle.
//!         central: 0..=100 = 3;
//!     }
//! }
//! fn look(terms: &mut impl Terms<Weights>) {
//!     terms.add(|weights| &mut weights.discs.own, 5);
//!     terms.add(|weights| &mut weights.discs.central, -1);
//! }
//! let mut weights = Weights::DEFAULT;
//! let mut sum = Sum::new(&mut weights);
//! look(&mut sum);
//! assert_eq!(sum.total(), 5 * 7 - 3);
//! let mut record = Record::new();
//! look(&mut record);
//! assert_eq!(record.amounts(), [5, -1]);
//! ```

use crate::Game;
use crate::parameters::{Parameter, Parameters};

/// The weights of an evaluation that is linear in them.
pub trait Linear<G: Game>: Parameters {
    /// What the value of `position` is made of: the nonzero amounts, each with the place of its weight in the order of
    /// declaration. The value for the side to move is the sum of weights times amounts, before it is rounded.
    fn amounts(position: &G::Position) -> Vec<(usize, f64)>;

    /// The value of a position term by term, in the order of declaration.
    fn explain(&self, position: &G::Position) -> Vec<Term> {
        let (declared, values) = (Self::declared(), self.values());
        let term = |(place, amount)| Term { parameter: declared[place], weight: values[place], amount };
        Self::amounts(position).into_iter().map(term).collect()
    }
}

/// One weight's part in the value of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The weight that is concerned.
    pub parameter: Parameter,
    /// The weight.
    pub weight: i32,
    /// How much of the feature the side to move has more than its opponent.
    pub amount: f64,
}

impl Term {
    /// What it adds to the value.
    pub fn value(&self) -> f64 {
        f64::from(self.weight) * self.amount
    }
}

/// Receives the terms of an evaluation.
pub trait Terms<W> {
    /// Takes note of one term: `pick` points out the weight. Amounts may be in fixed point.
    fn add(&mut self, pick: impl FnOnce(&mut W) -> &mut i32, amount: i32);
}

/// Adds the terms up.
#[derive(Debug)]
pub struct Sum<'a, W> {
    // Borrowed as mutable because the same `pick` serves `Record`, which writes. Nothing here does.
    weights: &'a mut W,
    total: i32,
}

impl<'a, W> Sum<'a, W> {
    /// Nothing so far.
    pub fn new(weights: &'a mut W) -> Sum<'a, W> {
        Sum { weights, total: 0 }
    }

    /// The sum of weights times amounts.
    pub fn total(&self) -> i32 {
        self.total
    }
}

impl<W> Terms<W> for Sum<'_, W> {
    #[inline(always)]
    fn add(&mut self, pick: impl FnOnce(&mut W) -> &mut i32, amount: i32) {
        self.total += *pick(self.weights) * amount;
    }
}

/// Writes the amounts down, each in the place of its weight.
#[derive(Debug)]
pub struct Record<W> {
    amounts: W,
}

impl<W: Parameters> Record<W> {
    /// Nothing so far.
    pub fn new() -> Record<W> {
        let mut amounts = W::default();
        amounts.visit_mut(&mut |_, amount| *amount = 0);
        Record { amounts }
    }

    /// The amounts, in the order of declaration.
    pub fn amounts(&self) -> Vec<i32> {
        self.amounts.values()
    }

    /// The nonzero amounts and the places of their weights, where `unit` stands for one: what [`Linear::amounts`] asks.
    pub fn nonzero(&self, unit: i32) -> Vec<(usize, f64)> {
        let all = self.amounts().into_iter().enumerate().filter(|&(_, amount)| amount != 0);
        all.map(|(place, amount)| (place, f64::from(amount) / f64::from(unit))).collect()
    }
}

impl<W: Parameters> Default for Record<W> {
    fn default() -> Record<W> {
        Record::new()
    }
}

impl<W> Terms<W> for Record<W> {
    fn add(&mut self, pick: impl FnOnce(&mut W) -> &mut i32, amount: i32) {
        *pick(&mut self.amounts) += amount;
    }
}
