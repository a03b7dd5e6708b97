//! The evaluation: a tapered sum of counted features, linear in the declared [`Weights`].
//!
//! Every feature of a position is counted once for each side and has two weights, for the middlegame and for the
//! endgame; the material that is left decides how the two are mixed, and how much of the endgame's counts at all. The
//! code that looks at the board (`scan.rs`) hands its counts to a `TermSink`. One sink names
//! them as terms of a linear evaluation ([`Linear`]), for explanations and tuners. The search has one of its own, which
//! adds both stages up at once and remembers pawn structures: the general one takes 2.2 times as many instructions.

mod endings;
mod optional;
mod pawns;
mod scan;
mod sink;
mod squares;
mod weights;

pub use weights::*;

use crate::Chess;
use cozy_chess::{Board, Color, Piece};
use endings::FULL_SCALE;
use pawns::PawnTable;
use plywise_game::linear::Terms;
use plywise_game::{Evaluate, Linear, Score};
use sink::{Pair, Sum, Tapered, WeightTable};

/// The amounts of the features are in fixed point: this is one.
pub const UNIT: i32 = FULL_PHASE * FULL_SCALE;

/// The material phase with all pieces on the board.
pub(crate) const FULL_PHASE: i32 = 24;

/// How much of the material that makes a middlegame is left, from 0 to [`FULL_PHASE`].
#[inline]
pub(crate) fn material_phase(board: &Board) -> i32 {
    let count = |piece| board.pieces(piece).len() as i32;
    let phase = count(Piece::Knight) + count(Piece::Bishop) + 2 * count(Piece::Rook) + 4 * count(Piece::Queen);
    phase.min(FULL_PHASE)
}

/// How the values of the two stages are mixed in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mixture {
    /// How much of the material that makes a middlegame is left, from 0 to [`FULL_PHASE`].
    phase: i32,
    /// How much of the endgame's value counts, from 0 to [`FULL_SCALE`].
    scale: i32,
}

impl Mixture {
    #[inline]
    fn of(board: &Board) -> Mixture {
        Mixture { phase: material_phase(board), scale: endings::scale(board) }
    }

    /// How much of the middlegame's and of the endgame's value counts, in parts of [`UNIT`].
    #[inline]
    fn shares(&self) -> [i32; 2] {
        [self.phase * FULL_SCALE, (FULL_PHASE - self.phase) * self.scale]
    }

    /// The mixed value. Division truncates towards zero, so that the colours stay symmetric.
    #[inline]
    fn mix(&self, values: Pair) -> Score {
        let [middlegame, endgame] = self.shares();
        (values.middlegame * middlegame + values.endgame * endgame) / UNIT
    }
}

/// Evaluates chess positions with given weights, and remembers the pawn structures that it has seen.
#[derive(Clone)]
pub struct Evaluator {
    weights: Weights,
    table: Box<WeightTable>,
    pawns: PawnTable,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new(Weights::DEFAULT)
    }
}

impl Evaluator {
    /// An evaluator with these weights.
    pub fn new(weights: Weights) -> Evaluator {
        Evaluator { table: Box::new(WeightTable::new(&weights)), weights, pawns: PawnTable::new() }
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

impl Linear<Chess> for Weights {
    const UNIT: i32 = UNIT;

    #[inline(always)]
    fn add_terms(board: &Board, terms: &mut impl Terms<Weights>) {
        let mut sink = Tapered::new(board, terms);
        let passed = pawns::scan(board, &mut sink);
        scan::scan(board, passed, &mut sink);
    }
}

impl Evaluate<Chess> for Evaluator {
    #[inline(always)]
    fn evaluate(&mut self, board: &Board) -> Score {
        let pawns = self.pawns.look_up(board, &self.table);
        let mut sum = Sum::new(&self.table);
        scan::scan(board, pawns.passed, &mut sum);
        let value = Mixture::of(board).mix((sum.total() + pawns.sum).unpack());
        if board.side_to_move() == Color::White { value } else { -value }
    }
}
