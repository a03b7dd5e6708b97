//! An evaluation in the manner of MIA.
//!
//! The features are those of Winands, van den Herik & Uiterwijk, "An evaluation function for Lines of Action" (2003),
//! and Winands, "Informed Search in Complex Games" (2004): concentration round the centre of mass, centralisation, the
//! centre of mass itself, quads, mobility, walls, connectedness, uniformity, and the side to move. The amounts in
//! which they enter, and the weights, are our own.
//!
//! The value is linear in the [`Weights`]: the sum of weights times amounts, divided by [`UNIT`] once at the end. One
//! code path names each weight and its amount; it either adds up the value or writes the amounts down, so that
//! [`Evaluator::explain`] and tuners cannot disagree with [`evaluate`](plywise_game::Evaluate::evaluate). A hundred
//! points are worth about as much as a pawn in chess: they win about 64 games of a hundred.

mod cache;
mod contact;
mod shape;
mod terms;
mod weights;

use crate::{Loa, Position};
use cache::ShapeCache;
use plywise_game::parameters::{Parameter, Parameters};
use plywise_game::{Evaluate, Linear, Score};
use terms::{Record, Sum};
pub use weights::*;

/// The amounts of the features are in fixed point: this is one.
pub const UNIT: i32 = 128;

/// Evaluates positions of Lines of Action with given weights.
///
/// Most features depend on the pieces of one side alone, and a move changes those of one side, or of both when it
/// captures. What they are worth is therefore kept for each set of pieces in a cache that the evaluator owns.
#[derive(Clone, Debug)]
pub struct Evaluator {
    weights: Weights,
    cache: ShapeCache,
}

/// One weight's part in the value of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The weight that is concerned.
    pub parameter: Parameter,
    /// The weight.
    pub weight: i32,
    /// How much of the feature the side to move has more than its opponent, in parts of [`UNIT`].
    pub amount: i32,
}

impl Term {
    /// What it adds to the value, in points.
    pub fn value(&self) -> f64 {
        f64::from(self.weight) * f64::from(self.amount) / f64::from(UNIT)
    }
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new(Weights::DEFAULT)
    }
}

impl Evaluator {
    /// An evaluator with these weights and a cache of the usual size.
    pub fn new(weights: Weights) -> Evaluator {
        Evaluator { weights, cache: ShapeCache::new() }
    }

    /// An evaluator that computes everything every time. It gives the same values, more slowly.
    pub fn without_cache(weights: Weights) -> Evaluator {
        Evaluator { weights, cache: ShapeCache::disabled() }
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What the value of a position is made of, in the order in which the weights are declared.
    pub fn explain(&self, position: &Position) -> Vec<Term> {
        let mut amounts = amounts(position).into_iter();
        let mut terms = Vec::new();
        self.weights.visit(&mut |parameter, weight| {
            terms.push(Term { parameter: *parameter, weight, amount: amounts.next().unwrap_or(0) });
        });
        terms
    }
}

/// The amount by which each weight is multiplied in the value of a position, in the order of declaration and in parts
/// of [`UNIT`]: what a tuner needs.
pub fn amounts(position: &Position) -> Vec<i32> {
    let mut record = Record::new();
    shape::add(position.own(), 1, &mut record);
    shape::add(position.enemy(), -1, &mut record);
    contact::add(position, &mut record);
    record.amounts()
}

impl Linear<Loa> for Weights {
    fn amounts(position: &Position) -> Vec<(usize, f64)> {
        let all = amounts(position).into_iter().enumerate().filter(|&(_, amount)| amount != 0);
        all.map(|(place, amount)| (place, f64::from(amount) / f64::from(UNIT))).collect()
    }
}

impl Evaluate<Loa> for Evaluator {
    fn evaluate(&mut self, position: &Position) -> Score {
        let Evaluator { weights, cache } = self;
        let mut shape = |pieces| {
            cache.get_or_insert_with(pieces, || {
                let mut sum = Sum::new(weights);
                shape::add(pieces, 1, &mut sum);
                sum.total()
            })
        };
        let shapes = shape(position.own()) - shape(position.enemy());
        let mut sum = Sum::new(weights);
        contact::add(position, &mut sum);
        // Division truncates towards zero, so that the value changes nothing but its sign with the colours.
        (shapes + sum.total()) / UNIT
    }
}
