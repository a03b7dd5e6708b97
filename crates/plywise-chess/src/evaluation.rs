//! The evaluation: a tapered sum of counted features, linear in the declared [`Weights`].
//!
//! Every feature of a position is counted once for each side and has two weights, for the middlegame and for the
//! endgame; the material that is left decides how the two are mixed. The code that looks at the board
//! ([`scan`](scan::scan)) hands its counts to a [`Tally`](tally::Tally). One tally sums weight times count and is what the
//! search calls, another records the counts, and from that come explanations and the gradients of a tuner.

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

/// Mixes the values of the two stages. Division truncates towards zero, so that the colours stay symmetric.
#[inline]
fn taper(middlegame: i32, endgame: i32, phase: i32) -> Score {
    (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
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
        let value = taper(middlegame, endgame, material_phase(board));
        if board.side_to_move() == Color::White { value } else { -value }
    }
}
