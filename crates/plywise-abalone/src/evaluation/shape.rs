//! Features that depend on the marbles of one side alone, and can be counted.

use super::UNIT;
use super::Weights;
use crate::cells::{CORNERS, Direction, ring_cells};
use plywise_game::linear::{Owner, Terms};

/// The parts of the board that marbles are counted in, from the outside in.
const PLACES: [u64; 6] =
    [CORNERS, ring_cells(4) & !CORNERS, ring_cells(3), ring_cells(2), ring_cells(1), ring_cells(0)];

/// Adds the terms of one side's marbles.
#[inline(always)]
pub(super) fn add(marbles: u64, owner: Owner, terms: &mut impl Terms<Weights>) {
    for (i, place) in PLACES.into_iter().enumerate() {
        terms.add(owner, |w| &mut w.place.rings[i], UNIT * (marbles & place).count_ones() as i32);
    }
    terms.add(owner, |w| &mut w.cohesion.pairs, UNIT * pairs(marbles));
}

/// The number of pairs of neighbours.
#[inline(always)]
fn pairs(marbles: u64) -> i32 {
    let mut pairs = 0;
    for axis in Direction::AXES {
        pairs += (marbles & axis.before(marbles)).count_ones() as i32;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use plywise_game::Side;

    #[test]
    fn a_flower_has_twelve_pairs() {
        assert_eq!(pairs(Position::BELGIAN_DAISY.marbles(Side::First)), 2 * 12);
    }

    #[test]
    fn places_partition_the_board() {
        assert_eq!(PLACES.iter().fold(0, |union, place| union | place), crate::BOARD);
        assert_eq!(PLACES.map(u64::count_ones), [6, 18, 18, 12, 6, 1]);
    }
}
