//! Features that people look at: mobility, stability, corners, the turn.

use super::Weights;
use super::{FINE, Moves};
use crate::board::Position;
use plywise_game::linear::Terms;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = 0x8080_8080_8080_8080;
const RIM_ROWS: u64 = 0xff00_0000_0000_00ff;
const RIM: u64 = A_FILE | H_FILE | RIM_ROWS;

/// Adds the terms of a position in which the sides have these moves.
#[inline(always)]
pub(super) fn add(position: &Position, moves: Moves, terms: &mut impl Terms<Weights>) {
    let (own, enemy, empty) = (position.own(), position.enemy(), position.empty());
    let part = Part::of(position.occupied().count_ones() as i32);
    let mut add = |pick: fn(&mut Weights) -> &mut [i32; 3], amounts: [i32; 2]| {
        terms.add_both(|w| &mut pick(w)[part.knot], FINE - part.beyond, amounts);
        terms.add_both(|w| &mut pick(w)[part.knot + 1], part.beyond, amounts);
    };
    let count = |bits: u64| bits.count_ones() as i32;
    let discs_on = |squares: u64| [count(own & squares), count(enemy & squares)];

    add(|w| &mut w.mobility.moves, [count(moves.own), count(moves.enemy)]);
    add(|w| &mut w.mobility.potential, [count(neighbours(enemy) & empty), count(neighbours(own) & empty)]);
    add(|w| &mut w.stability.discs, [count(stable(own)), count(stable(enemy))]);
    let beside = beside_corners(empty & CORNERS);
    add(|w| &mut w.corners.taken, discs_on(CORNERS));
    add(|w| &mut w.corners.diagonal, discs_on(beside & !RIM));
    add(|w| &mut w.corners.rim, discs_on(beside & RIM));
    add(|w| &mut w.turn.bonus, [1, 0]);
    add(|w| &mut w.turn.parity, if count(empty) % 2 == 0 { [0, 1] } else { [1, 0] });
}

/// Where in the game a position lies.
struct Part {
    /// The knot before it.
    knot: usize,
    /// How far beyond, in parts of [`FINE`].
    beyond: i32,
}

impl Part {
    /// The part of a game with this many discs on the board.
    fn of(discs: i32) -> Part {
        /// The discs at the first knot, and from one knot to the next.
        const FIRST: i32 = 12;
        const WIDTH: i32 = 22;
        let discs = (discs - FIRST).clamp(0, 2 * WIDTH);
        let knot = (discs / WIDTH).min(1);
        Part { knot: knot as usize, beyond: (discs - knot * WIDTH) * FINE / WIDTH }
    }
}

/// The squares next to these.
fn neighbours(squares: u64) -> u64 {
    let rows = squares | (squares & !H_FILE) << 1 | (squares & !A_FILE) >> 1;
    rows | rows << 8 | rows >> 8
}

/// The squares next to these corners.
fn beside_corners(corners: u64) -> u64 {
    neighbours(corners) & !corners
}

/// The discs of one side that a corner protects: along each line, one of the two neighbours is off the board or such a
/// disc itself. There are more stable discs than these, on full lines, but these are the ones that matter early.
fn stable(discs: u64) -> u64 {
    let mut stable = discs & CORNERS;
    if stable == 0 {
        return 0;
    }
    loop {
        let east = (stable & !H_FILE) << 1;
        let west = (stable & !A_FILE) >> 1;
        let row = A_FILE | H_FILE | east | west;
        let file = RIM_ROWS | stable << 8 | stable >> 8;
        let rising = RIM | east << 8 | west >> 8;
        let falling = RIM | west << 8 | east >> 8;
        let grown = discs & row & file & rising & falling;
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stability_grows_from_corners() {
        assert_eq!(stable(0x7e), 0);
        assert_eq!(stable(0x0f), 0x0f);
        assert_eq!(stable(0xef), 0xef);
        assert_eq!(stable(0x030f), 0x030f);
        assert_eq!(stable(0x0701), 0x0101, "b2 lacks a neighbour on its file");
        assert_eq!(stable(!0), !0);
    }

    #[test]
    fn squares_beside_corners() {
        assert_eq!(beside_corners(1), 0x0302);
        assert_eq!(beside_corners(1 << 63), 0x40c0_0000_0000_0000);
    }

    #[test]
    fn parts_of_the_game_change_evenly() {
        let at = |discs| {
            let Part { knot, beyond } = Part::of(discs);
            knot as i32 * FINE + beyond
        };
        assert_eq!([at(4), at(12), at(34), at(56), at(64)], [0, 0, FINE, 2 * FINE, 2 * FINE]);
        assert!((4..64).all(|discs| at(discs) <= at(discs + 1)));
    }
}
