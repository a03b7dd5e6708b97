//! Where the centres of mass lie, and how far the enemy's marbles are from them.
//!
//! Distances are those of geometry, with neighbouring cells one apart: a step of `right` diagonals and `up` rows leads
//! right² − right·up + up² away, squared. Sums over all marbles need no loop: a number that each cell has is cut into
//! its binary digits, each digit is a mask, and counting the marbles on every mask adds all of them up.

use super::UNIT;
use super::Weights;
use crate::board::MARBLES;
use crate::cells::{CELLS, Cell, Direction};
use plywise_game::linear::Terms;

/// Adds the terms of both sides' masses.
#[inline(always)]
pub(super) fn add(own: u64, enemy: u64, terms: &mut impl Terms<Weights>) {
    let (own_mass, enemy_mass) = (Mass::of(own), Mass::of(enemy));
    terms.add_both(|w| &mut w.mass.approach, 1, [enemy_mass.distance_of(own), own_mass.distance_of(enemy)]);
    terms.add_both(|w| &mut w.mass.offset, 1, [own_mass.offset(), enemy_mass.offset()]);
}

/// The number of marbles, and the sums of their coordinates, measured from the middle of the board: the exact centre
/// of mass, without a fraction.
struct Mass {
    count: i32,
    right: i32,
    up: i32,
}

impl Mass {
    #[inline(always)]
    fn of(marbles: u64) -> Mass {
        let count = (marbles.count_ones() as i32).max(1);
        let right = sum(marbles, &DIAGONAL_DIGITS) - MIDDLE * count;
        let up = sum(marbles, &ROW_DIGITS) - MIDDLE * count;
        Mass { count, right, up }
    }

    /// The distances of these marbles from the centre, in parts of [`UNIT`]: their mean, times the marbles of a whole
    /// side, so that losing a marble does not count as coming closer.
    ///
    /// The centre lies in a triangle of three cells. The distances from those are known, and what they amount to in the
    /// centre is interpolated between them.
    #[inline(always)]
    fn distance_of(&self, marbles: u64) -> i32 {
        let (right, up) = (self.right.div_euclid(self.count), self.up.div_euclid(self.count));
        let (rest_right, rest_up) = (self.right.rem_euclid(self.count), self.up.rem_euclid(self.count));
        // A corner that the centre has no part in may lie off the board. It is counted as another cell, but not at all.
        let corner = Cell::from_index((CELLS as i32 * MIDDLE + right + NORTH_WEST * up) as u32);
        let side = if rest_right > rest_up { Direction::East } else { Direction::NorthWest };
        let distance_from = |cell: Cell| sum(marbles, &DISTANCE_DIGITS[cell.index()]);
        let (less, more) = (rest_right.min(rest_up), rest_right.max(rest_up));
        let distance = (self.count - more) * distance_from(corner)
            + (more - less) * distance_from(corner.ahead(side, 1))
            + less * distance_from(corner.ahead(Direction::NorthEast, 1));
        let sum = distance * (UNIT / DISTANCE_UNIT) / self.count;
        sum * MARBLES as i32 / (marbles.count_ones() as i32).max(1)
    }

    /// The square of the distance of the centre from the middle of the board, in parts of [`UNIT`].
    #[inline(always)]
    fn offset(&self) -> i32 {
        square(self.right, self.up) * UNIT / (self.count * self.count)
    }
}

/// The square of a distance.
const fn square(right: i32, up: i32) -> i32 {
    right * right - right * up + up * up
}

/// The sum of a number of each cell over all marbles, from the masks of its binary digits.
#[inline(always)]
fn sum<const DIGITS: usize>(marbles: u64, digits: &[u64; DIGITS]) -> i32 {
    digits.iter().rev().fold(0, |sum, digit| 2 * sum + (marbles & digit).count_ones() as i32)
}

/// The middle row and the middle diagonal.
const MIDDLE: i32 = 4;

/// What a step to the next row adds to the number of a cell.
const NORTH_WEST: i32 = Direction::NorthWest.step() as i32;

const ROW_DIGITS: [u64; 4] = {
    let mut rows = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        rows[i] = Cell::from_index(i as u32).row() as u32;
        i += 1;
    }
    digits(&rows)
};

const DIAGONAL_DIGITS: [u64; 4] = {
    let mut diagonals = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        diagonals[i] = Cell::from_index(i as u32).diagonal() as u32;
        i += 1;
    }
    digits(&diagonals)
};

/// Distances between cells are rounded to parts of this.
const DISTANCE_UNIT: i32 = 8;

/// The distances of all cells from each: at most 8, so seven digits do.
static DISTANCE_DIGITS: [[u64; 7]; CELLS] = {
    let mut all = [[0; 7]; CELLS];
    let mut from = 0;
    while from < CELLS {
        let mut distances = [0; CELLS];
        let mut to = 0;
        while to < CELLS {
            distances[to] = rounded_distance(Cell::from_index(from as u32), Cell::from_index(to as u32));
            to += 1;
        }
        all[from] = digits(&distances);
        from += 1;
    }
    all
};

const fn rounded_distance(from: Cell, to: Cell) -> u32 {
    let right = to.diagonal() as i32 - from.diagonal() as i32;
    let up = to.row() as i32 - from.row() as i32;
    let doubled = (square(right, up) * (2 * DISTANCE_UNIT) * (2 * DISTANCE_UNIT)) as u32;
    doubled.isqrt().div_ceil(2)
}

/// The masks of the binary digits of a number that each cell has, the lowest first.
const fn digits<const DIGITS: usize>(numbers: &[u32; CELLS]) -> [u64; DIGITS] {
    let mut masks = [0; DIGITS];
    let mut i = 0;
    while i < CELLS * DIGITS {
        if numbers[i / DIGITS] >> (i % DIGITS) & 1 != 0 {
            masks[i % DIGITS] |= 1 << (i / DIGITS);
        }
        i += 1;
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::cells::{BOARD, for_each_cell};
    use plywise_game::Side;

    fn bits(names: &[(u8, u8)]) -> u64 {
        names.iter().fold(0, |bits, &(row, diagonal)| bits | Cell::at(row, diagonal).unwrap().bit())
    }

    #[test]
    fn digits_add_up_to_the_numbers() {
        for_each_cell(BOARD, |cell| {
            assert_eq!(sum(cell.bit(), &ROW_DIGITS), i32::from(cell.row()));
            assert_eq!(sum(cell.bit(), &DIAGONAL_DIGITS), i32::from(cell.diagonal()));
            for_each_cell(BOARD, |other| {
                let right = i32::from(other.diagonal()) - i32::from(cell.diagonal());
                let up = i32::from(other.row()) - i32::from(cell.row());
                let distance = f64::from(square(right, up)).sqrt() * f64::from(DISTANCE_UNIT);
                assert_eq!(sum(other.bit(), &DISTANCE_DIGITS[cell.index()]), distance.round() as i32);
            });
        });
    }

    #[test]
    fn distances_from_a_cell_are_exact_and_interpolated_elsewhere() {
        let e9 = bits(&[(4, 8)]);
        let step = MARBLES as i32 * UNIT;
        assert_eq!(Mass::of(bits(&[(4, 0)])).distance_of(e9), 8 * step, "from e1");
        assert_eq!(Mass::of(bits(&[(4, 4)])).distance_of(e9), 4 * step, "from e5");
        assert_eq!(Mass::of(bits(&[(4, 0), (4, 3)])).distance_of(e9), 13 * step / 2, "from between e2 and e3");
        let corners = bits(&[(0, 0), (0, 4), (4, 8), (8, 8), (8, 4), (4, 0)]);
        assert_eq!(Mass::of(bits(&[(4, 4)])).distance_of(corners), 4 * step, "a mean");
        assert_eq!(Mass::of(e9).distance_of(e9), 0, "on the rim");
    }

    #[test]
    fn the_offset_is_a_square() {
        assert_eq!(Mass::of(bits(&[(4, 0)])).offset(), 16 * UNIT);
        assert_eq!(Mass::of(bits(&[(4, 0), (4, 8)])).offset(), 0);
        // Two steps in directions that are sixty degrees apart.
        assert_eq!(Mass::of(bits(&[(5, 6)])).offset(), 3 * UNIT);
    }

    #[test]
    fn the_sides_of_a_start_are_alike() {
        for start in [Position::STANDARD, Position::BELGIAN_DAISY, Position::GERMAN_DAISY] {
            let marbles = [Side::First, Side::Second].map(|side| start.marbles(side));
            let [black, white] = marbles.map(Mass::of);
            assert_eq!(black.distance_of(marbles[1]), white.distance_of(marbles[0]));
            assert_eq!(black.offset(), white.offset());
        }
    }
}
