//! A linear evaluation.
//!
//! What counts is what writers on the game agree on (Aichholzer, Aurenhammer & Werner, "Algorithmic Fun: Abalone",
//! 2002): marbles pushed off, the middle of the board, marbles that hold together; and what they threaten, which keeps
//! the horizon from hiding it. The amounts in which they enter, and the weights, are our own.
//!
//! The value is linear in the [`Weights`]: the sum of weights times amounts, brought to points once at the end. One
//! code path names each weight and its amount; it either adds up the value or writes the amounts down, so that
//! explanations ([`Linear`]) and tuners cannot disagree with [`evaluate`](plywise_game::Evaluate::evaluate). A hundred
//! points are about one marble.

mod contact;
mod mass;
mod shape;
mod weights;

use crate::{Abalone, Position};
use plywise_game::linear::{Owner, Sum, Terms};
use plywise_game::{Evaluate, Linear, Score};
pub use weights::*;

/// The amounts of the features are in fixed point: this is one.
pub const UNIT: i32 = 128;

/// The weights are in fixed point: this is one point.
pub const POINT: i32 = 10;

/// Evaluates positions of Abalone with given weights.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    weights: Weights,
}

impl Evaluator {
    /// An evaluator with these weights.
    pub fn new(weights: Weights) -> Evaluator {
        Evaluator { weights }
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

impl Linear<Abalone> for Weights {
    const UNIT: i32 = UNIT * POINT;

    #[inline(always)]
    fn add_terms(position: &Position, terms: &mut impl Terms<Weights>) {
        shape::add(position.own(), Owner::Mover, terms);
        shape::add(position.enemy(), Owner::Opponent, terms);
        mass::add(position.own(), position.enemy(), terms);
        contact::add(position, terms);
    }
}

impl Evaluate<Abalone> for Evaluator {
    #[inline(always)]
    fn evaluate(&mut self, position: &Position) -> Score {
        let mut sum = Sum::new(&mut self.weights);
        Weights::add_terms(position, &mut sum);
        // Division truncates towards zero, so that the value changes nothing but its sign with the colours.
        sum.total() / (UNIT * POINT)
    }
}
