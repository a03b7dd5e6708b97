//! The eight symmetries of the board.

use crate::board::{Position, Square};
use crate::moves::Move;
use plywise_game::Side;

/// A symmetry of the board: a rotation or a reflection. The rules do not tell symmetric positions apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    transpose: bool,
    flip_files: bool,
    flip_ranks: bool,
}

/// All eight symmetries, the identity first.
pub const SYMMETRIES: [Symmetry; 8] = {
    let mut all = [Symmetry { transpose: false, flip_files: false, flip_ranks: false }; 8];
    let mut i = 0;
    while i < 8 {
        all[i] = Symmetry { transpose: i & 1 != 0, flip_files: i & 2 != 0, flip_ranks: i & 4 != 0 };
        i += 1;
    }
    all
};

impl Symmetry {
    /// Where a square goes.
    pub const fn square(self, square: Square) -> Square {
        let (mut file, mut rank) = (square.file(), square.rank());
        if self.transpose {
            (file, rank) = (rank, file);
        }
        if self.flip_files {
            file = 7 - file;
        }
        if self.flip_ranks {
            rank = 7 - rank;
        }
        Square::from_index(rank as u32 * 8 + file as u32)
    }

    /// Where a set of squares goes.
    pub const fn bitboard(self, mut bits: u64) -> u64 {
        if self.transpose {
            bits = transposed(bits);
        }
        if self.flip_files {
            bits = bits.reverse_bits().swap_bytes();
        }
        if self.flip_ranks {
            bits = bits.swap_bytes();
        }
        bits
    }

    /// The symmetric twin of a position.
    pub const fn position(self, position: &Position) -> Position {
        Position::new(
            self.bitboard(position.pieces(Side::First)),
            self.bitboard(position.pieces(Side::Second)),
            position.side_to_move(),
        )
    }

    /// The twin of a move, legal in the twin of its position.
    pub const fn mv(self, mv: Move) -> Move {
        if mv.is_pass() { mv } else { Move::new(self.square(mv.from()), self.square(mv.to()), mv.captures()) }
    }
}

/// The one among the symmetric twins of a position that stands for all of them: two positions are symmetric exactly
/// when their canonical forms are equal.
///
/// ```
/// use plywise_game::{Game, Notation};
/// use plywise_loa::{Loa, canonical};
///
/// let start = Loa::start();
/// let after = |mv| Loa::play(&start, Loa::parse_move(&start, mv).unwrap());
/// assert_eq!(canonical(&after("b8-b6")), canonical(&after("g1-g3")));
/// assert_ne!(canonical(&after("b8-b6")), canonical(&after("b8-h8")));
/// ```
pub fn canonical(position: &Position) -> Position {
    let pieces = |twin: &Position| (twin.pieces(Side::First), twin.pieces(Side::Second));
    let twins = SYMMETRIES.map(|symmetry| symmetry.position(position));
    twins.into_iter().min_by_key(pieces).unwrap_or(*position)
}

/// The board mirrored in the diagonal from a1 to h8, by swapping ever larger blocks.
const fn transposed(mut bits: u64) -> u64 {
    let swap = (bits ^ bits >> 7) & 0x00aa_00aa_00aa_00aa;
    bits ^= swap | swap << 7;
    let swap = (bits ^ bits >> 14) & 0x0000_cccc_0000_cccc;
    bits ^= swap | swap << 14;
    let swap = (bits ^ bits >> 28) & 0x0000_0000_f0f0_f0f0;
    bits ^ swap ^ swap << 28
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_game::Game;
    use std::collections::HashSet;

    #[test]
    fn squares_and_bitboards_move_alike() {
        for symmetry in SYMMETRIES {
            for square in crate::board::squares(!0) {
                assert_eq!(symmetry.bitboard(square.bit()), symmetry.square(square).bit(), "{symmetry:?} {square}");
            }
        }
    }

    #[test]
    fn the_symmetries_differ() {
        let images: HashSet<u64> = SYMMETRIES.iter().map(|symmetry| symmetry.bitboard(0x0000_0000_0000_0204)).collect();
        assert_eq!(images.len(), 8);
    }

    #[test]
    fn twins_of_moves_are_the_moves_of_twins() {
        let start = crate::Loa::start();
        for symmetry in SYMMETRIES {
            let mut twins: Vec<u16> =
                crate::Loa::legal_moves(&start).into_iter().map(|mv| symmetry.mv(mv).code()).collect();
            let mut moves: Vec<u16> =
                crate::Loa::legal_moves(&symmetry.position(&start)).into_iter().map(Move::code).collect();
            twins.sort_unstable();
            moves.sort_unstable();
            assert_eq!(twins, moves, "{symmetry:?}");
        }
    }
}
