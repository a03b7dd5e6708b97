//! The squares that bishops and rooks attack.
//!
//! The tables of cozy-chess behind them take 0.7 MB, and every crate into which a look at them is inlined gets its own. So,
//! like the generator of moves in `lists.rs`, they are compiled here and nowhere else.

use cozy_chess::{BitBoard, Square, get_bishop_moves, get_rook_moves};

/// The squares that a bishop attacks.
#[inline(never)]
pub(crate) fn bishop_moves(square: Square, occupied: BitBoard) -> BitBoard {
    get_bishop_moves(square, occupied)
}

/// The squares that a rook attacks.
#[inline(never)]
pub(crate) fn rook_moves(square: Square, occupied: BitBoard) -> BitBoard {
    get_rook_moves(square, occupied)
}
