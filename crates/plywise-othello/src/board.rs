//! The position.

use crate::flips::{flips, mobility};
use plywise_game::bitboard::Square;
use plywise_game::{Side, zobrist};
use std::fmt;

/// A position: the discs of both sides, and whose turn it is. Bit 0 is a1, bit 1 is b1, bit 63 is h8; row 1 is the top
/// one.
///
/// Black is [`Side::First`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    own: u64,
    enemy: u64,
    side: Side,
}

impl Position {
    /// The position in which games begin: white on d4 and e5, black on e4 and d5.
    pub const START: Position = Position::new(0x0000_0008_1000_0000, 0x0000_0010_0800_0000, Side::First);

    /// A position from the discs of the side to move and those of the other. A square that both claim belongs to the
    /// side to move.
    pub const fn new(own: u64, enemy: u64, side: Side) -> Position {
        Position { own, enemy: enemy & !own, side }
    }

    /// The discs of the side to move.
    #[inline]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// The discs of the other side.
    #[inline]
    pub const fn enemy(&self) -> u64 {
        self.enemy
    }

    /// The discs of a side.
    pub const fn discs(&self, side: Side) -> u64 {
        if side as u8 == self.side as u8 { self.own } else { self.enemy }
    }

    /// The squares with a disc.
    #[inline]
    pub const fn occupied(&self) -> u64 {
        self.own | self.enemy
    }

    /// The squares without a disc.
    #[inline]
    pub const fn empty(&self) -> u64 {
        !self.occupied()
    }

    /// Whose turn it is.
    #[inline]
    pub const fn side_to_move(&self) -> Side {
        self.side
    }

    /// The squares where the side to move can put a disc.
    #[inline]
    pub fn mobility(&self) -> u64 {
        mobility(self.own, self.enemy)
    }

    /// The squares where the other side could put a disc if it were to move.
    #[inline]
    pub fn enemy_mobility(&self) -> u64 {
        mobility(self.enemy, self.own)
    }

    /// The discs of the enemy that turn over when the side to move puts a disc on an empty square; none where it may
    /// not.
    #[inline]
    pub fn flips(&self, square: Square) -> u64 {
        flips(square.index(), self.own, self.enemy)
    }

    /// The difference in discs for the side to move, as if the game were over: the winner gets the empty squares.
    pub const fn final_score(&self) -> i32 {
        final_score(self.own, self.enemy)
    }

    /// The same discs with the other side to move.
    #[inline]
    pub(crate) fn with_turn_passed(self) -> Position {
        Position { own: self.enemy, enemy: self.own, side: !self.side }
    }

    /// The position after a disc was put on a square and others were turned over.
    #[inline]
    pub(crate) fn with_disc_placed(self, square: Square, flips: u64) -> Position {
        Position { own: self.enemy ^ flips, enemy: self.own ^ flips ^ square.bit(), side: !self.side }
    }

    /// A number that tells positions apart. Mixing both bitboards each time is faster than keeping a Zobrist hash up to
    /// date, because a move changes many squares.
    ///
    /// Each step is a bijection of its word, so two positions that differ in one bitboard only never share a hash.
    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        let side = match self.side {
            Side::First => 0,
            Side::Second => SIDE_KEY,
        };
        mixed(mixed(self.own ^ side) ^ self.enemy)
    }
}

/// The difference in discs for the owner of `own` when the game is over: the winner gets the empty squares.
#[inline]
pub(crate) const fn final_score(own: u64, enemy: u64) -> i32 {
    let (own, enemy) = (own.count_ones() as i32, enemy.count_ones() as i32);
    let empty = 64 - own - enemy;
    let difference = own - enemy;
    difference + empty * difference.signum()
}

/// The finishing step of the generator of Steele, Lea & Flood, "Fast splittable pseudorandom number generators" (2014),
/// which [`zobrist::key`] uses as well.
#[inline]
pub(crate) const fn mixed(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// What White's turn does to the hash.
const SIDE_KEY: u64 = zobrist::key(0);

impl fmt::Debug for Position {
    /// The one-line notation, which says more than bitboards.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&crate::notation::write_position(self))
    }
}
