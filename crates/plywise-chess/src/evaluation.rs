//! The evaluation: a tapered sum of counted features, linear in the declared [`Weights`].
//!
//! Every feature of a position is counted once for each side and has two weights, for the middlegame and for the
//! endgame; the material that is left decides how the two are mixed, and how much of the endgame's counts at all. The code that looks at the board
//! ([`scan`](scan::scan)) hands its counts to a [`Tally`](tally::Tally). One tally sums weight times count and is what the
//! search calls, another records the counts, and from that come explanations and the gradients of a tuner.

mod endings;
mod explain;
mod pawns;
mod scan;
mod squares;
mod tally;
pub mod weights;

pub use explain::{Explanation, Row, Stages};
pub use tally::{Trace, trace};
pub use weights::{FEATURES, Term, Weights};

use crate::Chess;
use cozy_chess::{Board, Color, Piece};
use endings::FULL_SCALE;
use pawns::PawnTable;
use plywise_game::{Evaluate, Linear, Score};
use tally::{Pair, Sum, WeightTable};

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

    /// The mixed value. Division truncates towards zero, so that the colours stay symmetric.
    #[inline]
    fn mix(&self, middlegame: i32, endgame: i32) -> Score {
        let middlegame = middlegame * self.phase * FULL_SCALE;
        (middlegame + endgame * (FULL_PHASE - self.phase) * self.scale) / (FULL_PHASE * FULL_SCALE)
    }

    /// What a unit of the middlegame's and one of the endgame's value add.
    fn shares(&self) -> [f64; 2] {
        let middlegame = f64::from(self.phase) / f64::from(FULL_PHASE);
        [middlegame, (1.0 - middlegame) * f64::from(self.scale) / f64::from(FULL_SCALE)]
    }
}

/// The evaluation of chess positions, with its weights and a table of pawn structures seen.
#[derive(Clone)]
pub struct ChessEval {
    weights: Weights,
    table: Box<WeightTable>,
    pawns: PawnTable,
}

impl ChessEval {
    /// An evaluation with these weights.
    pub fn new(weights: Weights) -> ChessEval {
        ChessEval { table: Box::new(WeightTable::new(&weights)), weights, pawns: PawnTable::new() }
    }

    /// The weights it was made with.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The value of a position term by term.
    pub fn explain(&self, board: &Board) -> Explanation {
        Explanation::new(&trace(board), &self.weights)
    }
}

impl Default for ChessEval {
    fn default() -> ChessEval {
        ChessEval::new(Weights::DEFAULT)
    }
}

impl Linear<Chess> for Weights {
    fn amounts(board: &Board) -> Vec<(usize, f64)> {
        let trace = trace(board);
        let sign = if trace.side_to_move() == Color::White { 1.0 } else { -1.0 };
        trace.coefficients().into_iter().map(|(parameter, amount)| (parameter, sign * amount)).collect()
    }
}

impl Evaluate<Chess> for ChessEval {
    fn evaluate(&mut self, board: &Board) -> Score {
        let pawns = self.pawns.look_up(board, &self.table);
        let mut sum = Sum::new(&self.table);
        scan::scan(board, pawns.passed, &mut sum);
        let Pair { middlegame, endgame } = (sum.total() + pawns.sum).unpack();
        let value = Mixture::of(board).mix(middlegame, endgame);
        if board.side_to_move() == Color::White { value } else { -value }
    }
}
