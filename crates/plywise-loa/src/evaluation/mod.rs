//! An evaluation like MIA's.
//!
//! The features are those of Winands, van den Herik & Uiterwijk, "An evaluation function for Lines of Action" (2003),
//! and Winands, "Informed Search in Complex Games" (2004): concentration round the centre of mass, centralisation, the
//! centre of mass itself, quads, mobility, walls, connectedness, uniformity, and the side to move. The amounts in
//! which they enter, and the weights, are our own.
//!
//! The value is linear in the [`Weights`]: the sum of weights times amounts, divided by [`UNIT`] once at the end. One
//! code path names each weight and its amount; it either adds up the value or writes the amounts down, so that
//! explanations ([`Linear`]) and tuners cannot disagree with [`evaluate`](plywise_game::Evaluate::evaluate). A hundred
//! points are worth about as much as a pawn in chess: they win about 64 games of a hundred.

mod cache;
mod contact;
mod shape;
mod weights;

use crate::{Loa, Position};
use cache::ShapeCache;
use plywise_game::linear::{Owner, Sum, Terms};
use plywise_game::{Evaluate, Linear, Score};
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
}

impl Linear<Loa> for Weights {
    const UNIT: i32 = UNIT;

    fn add_terms(position: &Position, terms: &mut impl Terms<Weights>) {
        shape::add(position.own(), Owner::Mover, terms);
        shape::add(position.enemy(), Owner::Opponent, terms);
        contact::add(position, terms);
    }
}

impl Evaluate<Loa> for Evaluator {
    #[inline(always)]
    fn evaluate(&mut self, position: &Position) -> Score {
        let Evaluator { weights, cache } = self;
        let mut shape = |pieces| {
            cache.get_or_insert_with(pieces, || {
                let mut sum = Sum::new(weights);
                shape::add(pieces, Owner::Mover, &mut sum);
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
