//! Boards of eight by eight squares as sets of bits, for games that are played on one.

use std::fmt;

/// A square of the board, a1 = 0, b1 = 1, …, h8 = 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in this file (0 is a) and rank (0 is the first), or `None` off the board.
    pub const fn at(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 { Some(Square(rank * 8 + file)) } else { None }
    }

    /// The square with this number, taken modulo 64.
    pub const fn from_index(index: u32) -> Square {
        Square((index % 64) as u8)
    }

    /// Its number, below 64.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its file: 0 is a.
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// Its rank: 0 is the first.
    pub const fn rank(self) -> u8 {
        self.0 / 8
    }

    /// The number of king's steps to another square.
    pub const fn distance(self, other: Square) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }

    /// The bitboard with this square alone.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    /// File and rank, such as `d3`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), char::from(b'1' + self.rank()))
    }
}

/// The squares of a bitboard, a1 first.
pub fn squares(mut bits: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let square = Square::from_index(bits.trailing_zeros());
            bits &= bits - 1;
            square
        })
    })
}

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
    use std::collections::HashSet;

    #[test]
    fn squares_and_bitboards_move_alike() {
        for symmetry in SYMMETRIES {
            for square in squares(!0) {
                assert_eq!(symmetry.bitboard(square.bit()), symmetry.square(square).bit(), "{symmetry:?} {square}");
            }
        }
    }

    #[test]
    fn the_symmetries_differ() {
        let images: HashSet<u64> = SYMMETRIES.iter().map(|symmetry| symmetry.bitboard(0x0000_0000_0000_0204)).collect();
        assert_eq!(images.len(), 8);
    }
}
