//! Moves.

use plywise_game::bitboard::Square;

/// A move: the square where a disc is put, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u8);

impl Move {
    /// The move of a player who has no other.
    pub const PASS: Move = Move(64);

    /// The move that puts a disc on a square.
    #[inline]
    pub const fn to(square: Square) -> Move {
        Move(square.index() as u8)
    }

    /// The square where the disc is put; `None` for the pass.
    #[inline]
    pub const fn square(self) -> Option<Square> {
        if self.is_pass() { None } else { Some(Square::from_index(self.0 as u32)) }
    }

    /// Whether this is the pass.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.0 == Move::PASS.0
    }

    /// Its number: that of the square, or 64 for the pass.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// A number of its own for each move, never 0.
    #[inline]
    pub(crate) const fn code(self) -> u16 {
        self.0 as u16 + 1
    }

    /// The move that has this code, legal or not.
    pub(crate) const fn from_code(code: u16) -> Option<Move> {
        if 1 <= code && code <= Move::PASS.code() { Some(Move((code - 1) as u8)) } else { None }
    }
}

impl std::fmt::Debug for Move {
    /// As players write it.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&crate::notation::write_move(*self))
    }
}
