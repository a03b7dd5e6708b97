//! Sets of squares that several files need, all seen from one side: forward is towards the opponent.

use cozy_chess::{BitBoard, Color, File, Rank, Square};

const NOT_A: u64 = !File::A.bitboard().0;
const NOT_H: u64 = !File::H.bitboard().0;

/// The squares one rank forward.
#[inline(always)]
pub(crate) const fn forward(color: Color, set: BitBoard) -> BitBoard {
    match color {
        Color::White => BitBoard(set.0 << 8),
        Color::Black => BitBoard(set.0 >> 8),
    }
}

/// The squares to the left and to the right.
#[inline(always)]
pub(crate) const fn beside(set: BitBoard) -> BitBoard {
    BitBoard((set.0 & NOT_H) << 1 | (set.0 & NOT_A) >> 1)
}

/// The squares that these pawns attack.
#[inline(always)]
pub(crate) const fn pawn_attacks(color: Color, pawns: BitBoard) -> BitBoard {
    beside(forward(color, pawns))
}

/// The set and every square ahead of it.
#[inline(always)]
pub(crate) const fn fill_forward(color: Color, set: BitBoard) -> BitBoard {
    let mut bits = set.0;
    match color {
        Color::White => {
            bits |= bits << 8;
            bits |= bits << 16;
            bits |= bits << 32;
        }
        Color::Black => {
            bits |= bits >> 8;
            bits |= bits >> 16;
            bits |= bits >> 32;
        }
    }
    BitBoard(bits)
}

/// Every square ahead of the set, the set itself left out unless one of it is ahead of another.
#[inline(always)]
pub(crate) const fn ahead(color: Color, set: BitBoard) -> BitBoard {
    fill_forward(color, forward(color, set))
}

/// Every square that shares a file with the set.
#[inline(always)]
pub(crate) const fn fill_files(set: BitBoard) -> BitBoard {
    BitBoard(fill_forward(Color::White, set).0 | fill_forward(Color::Black, set).0)
}

/// Where an enemy pawn would stop a pawn on `square` from being passed: ahead of it on its own file and beside.
#[inline(always)]
pub(crate) const fn passed_span(color: Color, square: Square) -> BitBoard {
    let path = ahead(color, square.bitboard());
    BitBoard(path.0 | beside(path).0)
}

/// The rank as `color` counts it, from 0 at home to 7.
#[inline(always)]
pub(crate) const fn rank_index(color: Color, square: Square) -> usize {
    square.rank().relative_to(color) as usize
}

/// The greatest of the distances along the file and along the rank: the moves that a king needs.
#[inline(always)]
pub(crate) const fn king_distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    if files > ranks { files } else { ranks }
}

/// One rank, counted from the side of `color`.
#[inline(always)]
pub(crate) const fn rank_of(color: Color, rank: Rank) -> BitBoard {
    rank.relative_to(color).bitboard()
}
