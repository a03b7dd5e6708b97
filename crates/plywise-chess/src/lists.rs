//! The legal moves of a board, piece by piece.
//!
//! The generator of cozy-chess is generic over who listens, and has tables of close to a megabyte. Here it is compiled once:
//! searches and commands walk through the list that it filled.

use cozy_chess::{BitBoard, Board, Piece, PieceMoves, Square};

/// The most pieces that cozy-chess gives moves for: sixteen, and the two that can take en passant once more.
const MOST: usize = 18;

/// Pieces, each with the squares that it can go to.
pub(crate) struct PieceList {
    moves: [PieceMoves; MOST],
    count: usize,
}

impl PieceList {
    /// The legal moves of some pieces of the side to move.
    pub(crate) fn of(board: &Board, pieces: BitBoard) -> PieceList {
        const NOTHING: PieceMoves = PieceMoves { piece: Piece::Pawn, from: Square::A1, to: BitBoard::EMPTY };
        let mut list = PieceList { moves: [NOTHING; MOST], count: 0 };
        board.generate_moves_for(pieces, |moves| {
            list.moves[list.count] = moves;
            list.count += 1;
            list.count == MOST
        });
        list
    }

    /// Those of all pieces.
    pub(crate) fn of_all(board: &Board) -> PieceList {
        PieceList::of(board, BitBoard::FULL)
    }

    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = PieceMoves> {
        self.moves[..self.count].iter().copied()
    }
}

/// Whether the side to move has a legal move.
pub(crate) fn has_moves(board: &Board) -> bool {
    board.generate_moves(|_| true)
}
