//! Regions of the board, and the position.

use plywise_game::bitboard::Square;
use plywise_game::{Side, zobrist};
use std::fmt;

/// The most pieces that one side can have.
pub(crate) const MAX_PIECES: u32 = 12;

/// The five parts of the board that MIA tells apart (Winands & Björnsson 2008, section 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Region {
    /// The four corners.
    Corner,
    /// The rim of the board, without its corners.
    Edge,
    /// The rim of the inner 6×6 board.
    Middle,
    /// The rim of the inner 4×4 board.
    Inner,
    /// The central 2×2 board.
    Centre,
}

impl Region {
    /// All regions, from the outside in.
    pub const ALL: [Region; 5] = [Region::Corner, Region::Edge, Region::Middle, Region::Inner, Region::Centre];

    /// The part of the board that a square belongs to.
    pub const fn of(square: Square) -> Region {
        const REGIONS: [Region; 64] = {
            let mut regions = [Region::Corner; 64];
            let mut i = 0;
            while i < 64 * Region::ALL.len() {
                if Region::ALL[i / 64].squares() >> (i % 64) & 1 != 0 {
                    regions[i % 64] = Region::ALL[i / 64];
                }
                i += 1;
            }
            regions
        };
        REGIONS[square.index()]
    }

    /// The squares of the region as a bitboard.
    pub const fn squares(self) -> u64 {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        const WITHIN_6: u64 = 0x007e_7e7e_7e7e_7e00;
        const WITHIN_4: u64 = 0x0000_3c3c_3c3c_0000;
        const WITHIN_2: u64 = 0x0000_0018_1800_0000;
        match self {
            Region::Corner => CORNERS,
            Region::Edge => !WITHIN_6 & !CORNERS,
            Region::Middle => WITHIN_6 & !WITHIN_4,
            Region::Inner => WITHIN_4 & !WITHIN_2,
            Region::Centre => WITHIN_2,
        }
    }
}

/// A position: the pieces of both sides, whose turn it is, and the hash of all that.
///
/// Black is [`Side::First`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pieces: [u64; 2],
    hash: u64,
    side: Side,
}

impl Position {
    /// The position in which games begin: Black on the first and last rank, White on the outer files, no corners.
    pub const START: Position = Position::new(0x7e00_0000_0000_007e, 0x0081_8181_8181_8100, Side::First);

    /// A position from the bitboards of both sides. A square that both claim is Black's.
    pub(crate) const fn new(black: u64, white: u64, side: Side) -> Position {
        let position = Position { pieces: [black, white & !black], hash: 0, side };
        Position { hash: position.hash_afresh(), ..position }
    }

    /// The pieces of a side as a bitboard: bit 0 is a1, bit 1 is b1, bit 63 is h8.
    #[inline]
    pub const fn pieces(&self, side: Side) -> u64 {
        self.pieces[side as usize]
    }

    /// The pieces of the side to move.
    #[inline]
    pub const fn own(&self) -> u64 {
        self.side.own_first(self.pieces)[0]
    }

    /// The pieces of the other side.
    #[inline]
    pub const fn enemy(&self) -> u64 {
        self.side.own_first(self.pieces)[1]
    }

    /// The pieces of both sides.
    pub const fn occupied(&self) -> u64 {
        self.pieces[0] | self.pieces[1]
    }

    /// Whose turn it is.
    pub const fn side_to_move(&self) -> Side {
        self.side
    }

    /// The hash, kept up to date move by move.
    pub(crate) const fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash computed from the board alone.
    pub(crate) const fn hash_afresh(&self) -> u64 {
        let mut hash = match self.side {
            Side::First => 0,
            Side::Second => SIDE_KEY,
        };
        let mut square = 0;
        while square < 64 {
            if self.pieces[0] >> square & 1 != 0 {
                hash ^= PIECE_KEYS[0][square];
            }
            if self.pieces[1] >> square & 1 != 0 {
                hash ^= PIECE_KEYS[1][square];
            }
            square += 1;
        }
        hash
    }

    /// The same pieces with the other side to move.
    #[inline]
    pub(crate) fn with_turn_passed(self) -> Position {
        Position { hash: self.hash ^ SIDE_KEY, side: !self.side, ..self }
    }

    /// The position after the piece on `from` has moved to `to`, capturing what the enemy has there.
    #[inline]
    pub(crate) fn with_piece_moved(&self, from: Square, to: Square) -> Position {
        let (own, enemy) = (self.own(), self.enemy());
        let [own_keys, enemy_keys] = self.side.own_first([&PIECE_KEYS[0], &PIECE_KEYS[1]]);
        // Multiplying by 0 or 1 keeps the hash free of a branch that no predictor gets right.
        let captured = enemy >> to.index() & 1;
        let change = own_keys[from.index()] ^ own_keys[to.index()] ^ enemy_keys[to.index()].wrapping_mul(captured);
        Position {
            pieces: self.side.own_first([own ^ (from.bit() | to.bit()), enemy & !to.bit()]),
            hash: self.hash ^ change ^ SIDE_KEY,
            side: !self.side,
        }
    }

    /// The pieces of both sides exchanged and the turn with them: the same position seen by the other colour.
    pub fn colours_swapped(&self) -> Position {
        Position::new(self.pieces[1], self.pieces[0], !self.side)
    }
}

/// Zobrist keys of each side's pieces.
static PIECE_KEYS: [[u64; 64]; 2] = {
    let mut keys = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        keys[i / 64][i % 64] = zobrist::key(i as u64 + 1);
        i += 1;
    }
    keys
};

/// The Zobrist key of White's turn.
const SIDE_KEY: u64 = zobrist::key(0);

impl fmt::Debug for Position {
    /// The one-line notation, which says more than bitboards.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&crate::notation::write_position(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_game::bitboard::squares;

    #[test]
    fn regions_partition_the_board() {
        assert_eq!(Region::ALL.map(|region| region.squares().count_ones()), [4, 24, 20, 12, 4]);
        assert_eq!(Region::ALL.iter().fold(0, |union, region| union | region.squares()), !0);
        for square in squares(!0) {
            assert_ne!(Region::of(square).squares() & square.bit(), 0, "{square}");
        }
    }

    #[test]
    fn a_position_is_small() {
        assert_eq!(size_of::<Position>(), 32);
    }
}
