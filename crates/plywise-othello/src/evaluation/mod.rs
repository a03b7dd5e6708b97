//! An evaluation that predicts by how many discs the side to move will win.
//!
//! Most of what it knows it has learned: the weights of [`patterns`] of discs, which come with the crate in a file. Beside
//! them stand the features that people look at, mobility, stability, corners and the turn, with declared [`Weights`];
//! without the patterns these alone make a sensible, if weaker, evaluation. The patterns were learned to say what the
//! features leave unsaid, so the value is the sum of both.
//!
//! The value is linear in the [`Weights`]: the sum of weights times amounts, divided by [`UNIT`] and rounded once at the
//! end. One code path names each weight and its amount; it either adds up the value or writes the amounts down, so that
//! explanations ([`Linear`]) and tuners cannot disagree with [`evaluate`](plywise_game::Evaluate::evaluate).

mod features;
pub mod patterns;
mod weights;

use crate::endgame::Solver;
use crate::flips::mobility_inline;
use crate::{Othello, Position};
use patterns::Patterns;
use plywise_game::linear::{Owner, Record, Sum, Terms};
use plywise_game::{Depth, Evaluate, Linear, Score, Window};
use std::sync::Arc;
pub use weights::*;

/// The amounts of the features are in fixed point: this is one.
pub const FINE: i32 = 128;

/// What the sum of weights times amounts is divided by: weights are in hundredths, amounts in parts of [`FINE`].
pub const UNIT: i32 = 100 * FINE;

/// The most discs that a side can win by.
const MOST: Score = 64;

/// The solver is asked where a search would come within this many plies of the end of the game: it is faster then. Eight
/// positions with 20 empty squares took 0.64 s each with 6, 0.31 s with 8, 0.26 s with 10 and 0.29 s with 12; with 14 and
/// 18 empty squares, 8 to 10 made no difference.
const SOLVER_LEAD: i32 = 9;

/// The size of the solver's table.
const SOLVER_MEGABYTES: usize = 8;

/// Evaluates positions of Othello with given weights, and solves them where few squares are empty.
#[derive(Clone, Debug)]
pub struct Evaluator {
    weights: Weights,
    patterns: Arc<Patterns>,
    /// Made when it is first needed: an evaluator that is never asked to solve stays small.
    solver: Option<Solver>,
}

/// The squares where each side could move if it were its turn.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    /// The side to move.
    pub own: u64,
    /// The other side.
    pub enemy: u64,
}

impl Moves {
    /// The moves in a position.
    #[inline(always)]
    pub fn of(position: &Position) -> Moves {
        let (own, enemy) = (position.own(), position.enemy());
        Moves { own: mobility_inline(own, enemy), enemy: mobility_inline(enemy, own) }
    }
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new(Weights::DEFAULT)
    }
}

impl Evaluator {
    /// An evaluator with these weights and the built-in patterns.
    pub fn new(weights: Weights) -> Evaluator {
        Evaluator::with_patterns(weights, Patterns::built_in())
    }

    /// An evaluator with these weights and patterns.
    pub fn with_patterns(weights: Weights, patterns: Arc<Patterns>) -> Evaluator {
        Evaluator { weights, patterns, solver: None }
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

/// The amount by which each weight is multiplied in the value of a position, in the order of declaration and in parts
/// of [`FINE`].
pub fn amounts(position: &Position, patterns: &Patterns) -> Vec<i32> {
    let mut record = Record::new();
    add(position, patterns, &mut record);
    record.amounts()
}

/// Adds all terms.
#[inline(always)]
fn add(position: &Position, patterns: &Patterns, terms: &mut impl Terms<Weights>) {
    let moves = Moves::of(position);
    features::add(position, moves, terms);
    terms.add(Owner::Mover, |w| &mut w.patterns.share, patterns.value(position, moves));
}

impl Linear<Othello> for Weights {
    const UNIT: i32 = UNIT;

    fn points(sum: i32) -> Score {
        rounded(sum).clamp(-MOST, MOST)
    }

    fn add_terms(position: &Position, terms: &mut impl Terms<Weights>) {
        add(position, &Patterns::built_in(), terms);
    }
}

impl Evaluate<Othello> for Evaluator {
    #[inline(always)]
    fn evaluate(&mut self, position: &Position) -> Score {
        Weights::points(sum(&mut self.weights, &self.patterns, position))
    }

    fn solve(
        &mut self,
        position: &Position,
        depth: Depth,
        window: Window,
        spend: &mut dyn FnMut(u64) -> u64,
    ) -> Option<Score> {
        let empty = position.empty().count_ones() as i32;
        if empty > depth.whole_plies() + SOLVER_LEAD {
            return None;
        }
        let Evaluator { weights, patterns, solver } = self;
        let mut guide = |position: &Position| sum(weights, patterns, position) / FINE;
        let solver = solver.get_or_insert_with(|| Solver::new(SOLVER_MEGABYTES));
        solver.solve(position, window, &mut guide, spend)
    }

    fn forget(&mut self) {
        if let Some(solver) = &mut self.solver {
            solver.clear();
        }
    }
}

/// The sum of weights times amounts.
#[inline(always)]
fn sum(weights: &mut Weights, patterns: &Patterns, position: &Position) -> i32 {
    let mut sum = Sum::new(weights);
    add(position, patterns, &mut sum);
    sum.total()
}

/// A sum of weights times amounts in whole discs: the nearest, halves away from zero, so that nothing but the sign
/// changes with the sides.
#[inline]
fn rounded(sum: i32) -> Score {
    (sum + sum.signum() * (UNIT / 2)) / UNIT
}
