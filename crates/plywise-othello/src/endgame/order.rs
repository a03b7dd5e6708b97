//! The order in which the solver tries moves, where it is worth sorting them.
//!
//! First come the moves that the table remembers, then those that leave the opponent the fewest replies: they fail high
//! as often as others and have the smallest trees (fastest first). What else counts are small things: corners, parity,
//! empty squares beside discs, and the kind of the square.

use super::parity::Parity;
use super::table::Known;
use crate::flips::{flips, mobility_inline};
use plywise_game::for_each_level;

/// A move, what it leads to, and how early to try it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The discs of the side that is to move after it.
    pub(super) own: u64,
    /// The discs of the side that makes it.
    pub(super) enemy: u64,
    pub(super) square: u8,
    /// Higher ranks are tried first.
    pub(super) rank: i32,
}

impl Candidate {
    /// The move to the square with this number.
    #[inline(always)]
    pub(super) fn new(own: u64, enemy: u64, square: u32) -> Candidate {
        let flips = flips(square as usize, own, enemy);
        Candidate { own: enemy ^ flips, enemy: own ^ flips ^ 1 << (square % 64), square: square as u8, rank: 0 }
    }
}

/// The rank of a move that leaves the opponent no disc, and those of the moves that the table remembers: above all
/// others.
pub(super) const CERTAIN: i32 = 1 << 20;

/// The corners.
const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The squares beside corners, along the rim.
const BESIDE_CORNERS: u64 = 0x4281_0000_0000_8142;

/// What a reply of the opponent costs, and how much more one in a corner does.
const REPLY: i32 = 16;
const CORNER_REPLY: i32 = 32;

/// What an empty square costs beside a disc of one's own, where the opponent may play some day, and what one beside a
/// disc of the opponent is worth.
const OPEN_OWN: i32 = 6;
const OPEN_ENEMY: i32 = 2;

/// What an own corner is worth, and an own disc beside it.
const CORNER_DISC: i32 = 8;

/// What playing in an odd quarter is worth.
const ODD_QUARTER: i32 = 8;

/// What each kind of square is worth, by row and file from the nearest corner.
const SQUARES: [[i32; 4]; 4] = [[8, 2, 6, 5], [2, 0, 3, 4], [6, 3, 5, 4], [5, 4, 4, 4]];

for_each_level! {
    /// Adds the moves to these squares.
    pub(super) fn list(moves: &mut Vec<Candidate>, own: u64, enemy: u64, squares: u64) {
        let mut rest = squares;
        while rest != 0 {
            moves.push(Candidate::new(own, enemy, rest.trailing_zeros()));
            rest &= rest - 1;
        }
    }
}

for_each_level! {
    /// Ranks the moves of a position with these empty squares.
    pub(super) fn rank(moves: &mut [Candidate], empty: u64, known: &Known) {
        if moves.len() < 2 {
            return;
        }
        let odd = Parity::of(empty).odd_squares();
        for mv in moves {
            mv.rank = if mv.own == 0 {
                CERTAIN + 2
            } else if mv.square == known.squares[0] {
                CERTAIN + 1
            } else if mv.square == known.squares[1] {
                CERTAIN
            } else {
                prospects(mv) + if odd >> mv.square & 1 != 0 { ODD_QUARTER } else { 0 }
            };
        }
    }
}

/// How good a move looks, apart from parity.
#[inline(always)]
fn prospects(mv: &Candidate) -> i32 {
    let count = |squares: u64| squares.count_ones() as i32;
    let empty = !(mv.own | mv.enemy);
    let replies = mobility_inline(mv.own, mv.enemy);
    let corners = mv.enemy & CORNERS;
    let beside = (corners << 1 | corners >> 1 | corners << 8 | corners >> 8) & BESIDE_CORNERS & mv.enemy;
    let (file, row) = (mv.square % 8, mv.square / 8 % 8);
    SQUARES[usize::from(row.min(7 - row))][usize::from(file.min(7 - file))]
        + CORNER_DISC * count(corners | beside)
        + OPEN_ENEMY * count(around(mv.own) & empty)
        - OPEN_OWN * count(around(mv.enemy) & empty)
        - REPLY * count(replies)
        - CORNER_REPLY * count(replies & CORNERS)
}

/// These squares and all those beside them.
#[inline(always)]
fn around(squares: u64) -> u64 {
    const NOT_FIRST_FILE: u64 = 0xfefe_fefe_fefe_fefe;
    let files = squares | squares << 8 | squares >> 8;
    files | files << 1 & NOT_FIRST_FILE | (files & NOT_FIRST_FILE) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_game::bitboard::{Square, squares};

    #[test]
    fn the_squares_around_are_those_one_step_away() {
        for square in squares(!0) {
            let near = |&other: &Square| square.distance(other) <= 1;
            let expected = squares(!0).filter(near).fold(0, |union, other| union | other.bit());
            assert_eq!(around(square.bit()), expected, "{square}");
        }
    }
}
