//! The cells of the board, numbered so that a step in any direction is a rotation of bits.
//!
//! Copies of a hexagon of 61 cells tile the plane, and with the right numbers modulo 61 they tile it so that one step
//! east adds 1 to a cell's number, wherever it is, one step north-east 14 and one north-west 13. Sixty degrees are a
//! multiplication by 14, whose sixth power is 1 modulo 61. So the whole board fits into a 64-bit word, and moving every
//! marble one step is a rotation by a constant within 61 bits. A marble that leaves the board would come back on the
//! opposite rim, in the next tile: one mask for each direction takes it away.

use std::fmt;

/// The number of cells.
pub const CELLS: usize = 61;

/// All cells as a bitboard.
pub const BOARD: u64 = (1 << CELLS) - 1;

/// The number of the middle row and of the middle diagonal, counted from 0.
const MIDDLE: i8 = 4;

/// A cell of the board, named as players do: rows a to i from the bottom, diagonals 1 to 9 from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell in this row (0 is a) and diagonal (0 is the first), or `None` off the board.
    pub const fn at(row: u8, diagonal: u8) -> Option<Cell> {
        if row > 8 || diagonal > 8 || row.abs_diff(diagonal) > MIDDLE as u8 {
            return None;
        }
        let (up, right) = (row as i32 - MIDDLE as i32, diagonal as i32 - MIDDLE as i32);
        let number = right * Direction::East.step() as i32 + up * Direction::NorthWest.step() as i32;
        Some(Cell(number.rem_euclid(CELLS as i32) as u8))
    }

    /// The cell with this number, taken modulo 61.
    pub const fn from_index(index: u32) -> Cell {
        Cell((index % CELLS as u32) as u8)
    }

    /// Its number, below 61: its bit on a bitboard. The middle of the board is 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its row: 0 is a, the lowest.
    pub const fn row(self) -> u8 {
        PLACES[self.0 as usize].0
    }

    /// Its diagonal: 0 is the first.
    pub const fn diagonal(self) -> u8 {
        PLACES[self.0 as usize].1
    }

    /// The number of steps to the middle of the board, 4 at most.
    pub const fn ring(self) -> u8 {
        RINGS[self.0 as usize]
    }

    /// The bitboard with this cell alone.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The neighbour in a direction, unless that is off the board.
    pub const fn neighbour(self, direction: Direction) -> Option<Cell> {
        if direction.rim() & self.bit() != 0 { None } else { Some(self.ahead(direction, 1)) }
    }

    /// The cell this many steps ahead. Beyond the rim it comes back on the other side of the board.
    #[inline(always)]
    pub(crate) const fn ahead(self, direction: Direction, steps: usize) -> Cell {
        let number = self.0 + STEPS[direction as usize][steps];
        Cell(if number < CELLS as u8 { number } else { number - CELLS as u8 })
    }

    /// The direction in which a neighbour lies, if it is one.
    pub(crate) fn direction_to(self, other: Cell) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| self.neighbour(direction) == Some(other))
    }
}

impl fmt::Display for Cell {
    /// Row and diagonal, such as `e5`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.row()), char::from(b'1' + self.diagonal()))
    }
}

/// Calls `each` for every cell of a bitboard, the lowest bit first.
#[inline(always)]
pub(crate) fn for_each_cell(mut bits: u64, mut each: impl FnMut(Cell)) {
    while bits != 0 {
        each(Cell(bits.trailing_zeros() as u8));
        bits &= bits - 1;
    }
}

/// One of the six directions, counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The next diagonal in the same row.
    East,
    /// The next diagonal in the next row.
    NorthEast,
    /// The same diagonal in the next row.
    NorthWest,
    /// The opposite of east.
    West,
    /// The opposite of north-east.
    SouthWest,
    /// The opposite of north-west.
    SouthEast,
}

impl Direction {
    /// All directions, counter-clockwise from east.
    pub const ALL: [Direction; 6] = [
        Direction::East,
        Direction::NorthEast,
        Direction::NorthWest,
        Direction::West,
        Direction::SouthWest,
        Direction::SouthEast,
    ];

    /// One direction of each of the three axes.
    pub(crate) const AXES: [Direction; 3] = [Direction::East, Direction::NorthEast, Direction::NorthWest];

    /// The direction this many times sixty degrees further, counter-clockwise.
    pub const fn turned(self, times: usize) -> Direction {
        Direction::ALL[(self as usize + times) % 6]
    }

    /// The direction back.
    pub const fn opposite(self) -> Direction {
        self.turned(3)
    }

    /// The number that a step adds to that of the cell, modulo 61.
    pub(crate) const fn step(self) -> u32 {
        match self {
            Direction::East => 1,
            Direction::NorthEast => 14,
            Direction::NorthWest => 13,
            Direction::West => 60,
            Direction::SouthWest => 47,
            Direction::SouthEast => 48,
        }
    }

    /// The cells from which a step in this direction leaves the board.
    pub(crate) const fn rim(self) -> u64 {
        RIMS[self as usize]
    }

    /// All cells moved one step; those that leave the board are gone.
    #[inline(always)]
    pub(crate) const fn shift(self, bits: u64) -> u64 {
        let step = self.step();
        (bits << step | bits >> (CELLS as u32 - step)) & BOARD & !self.opposite().rim()
    }

    /// The cells from which one step in this direction leads to one of `bits`.
    #[inline(always)]
    pub(crate) const fn before(self, bits: u64) -> u64 {
        self.opposite().shift(bits)
    }
}

/// Runs a block for each of the six directions. The direction is a constant, so every rotation and mask is one
/// too.
macro_rules! for_each_direction {
    (|$direction:ident| $body:block) => {
        for_each_direction!(@each [East NorthEast NorthWest West SouthWest SouthEast], $direction, $body);
    };
    (@each [$($Name:ident)*], $direction:ident, $body:block) => {
        $({
            const $direction: $crate::cells::Direction = $crate::cells::Direction::$Name;
            $body
        })*
    };
}
pub(crate) use for_each_direction;

/// The cells that are this many steps away from the middle.
pub(crate) const fn ring_cells(ring: u8) -> u64 {
    let (mut cells, mut i) = (0, 0);
    while i < CELLS {
        if RINGS[i] == ring {
            cells |= 1 << i;
        }
        i += 1;
    }
    cells
}

/// The six corners: a marble there can be pushed off in three directions, elsewhere on the rim in two.
pub(crate) const CORNERS: u64 = {
    let (mut corners, mut i) = (0, 0);
    while i < 6 {
        corners |= RIMS[i] & RIMS[(i + 1) % 6] & RIMS[(i + 2) % 6];
        i += 1;
    }
    corners
};

/// Row and diagonal of each cell.
const PLACES: [(u8, u8); CELLS] = {
    let mut places = [(0, 0); CELLS];
    let mut i = 0;
    while i < 81 {
        if let Some(cell) = Cell::at(i / 9, i % 9) {
            places[cell.index()] = (i / 9, i % 9);
        }
        i += 1;
    }
    places
};

const RINGS: [u8; CELLS] = {
    let mut rings = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        let (up, right) = (PLACES[i].0 as i8 - MIDDLE, PLACES[i].1 as i8 - MIDDLE);
        let distances = [up.unsigned_abs(), right.unsigned_abs(), (up - right).unsigned_abs()];
        let mut j = 0;
        while j < 3 {
            if distances[j] > rings[i] {
                rings[i] = distances[j];
            }
            j += 1;
        }
        i += 1;
    }
    rings
};

const RIMS: [u64; 6] = {
    let mut rims = [0; 6];
    let mut i = 0;
    while i < 6 * CELLS {
        let (direction, (row, diagonal)) = (Direction::ALL[i / CELLS], PLACES[i % CELLS]);
        // What wraps below 0 is off the board as well.
        let (row, diagonal) = match direction {
            Direction::East => (row, diagonal + 1),
            Direction::NorthEast => (row + 1, diagonal + 1),
            Direction::NorthWest => (row + 1, diagonal),
            Direction::West => (row, diagonal.wrapping_sub(1)),
            Direction::SouthWest => (row.wrapping_sub(1), diagonal.wrapping_sub(1)),
            Direction::SouthEast => (row.wrapping_sub(1), diagonal),
        };
        if Cell::at(row, diagonal).is_none() {
            rims[i / CELLS] |= 1 << (i % CELLS);
        }
        i += 1;
    }
    rims
};

/// What a number of steps in each direction adds to the number of a cell. Three marbles that push two reach five cells
/// beyond the last of them.
const STEPS: [[u8; 6]; 6] = {
    let mut steps = [[0; 6]; 6];
    let mut i = 0;
    while i < 36 {
        steps[i / 6][i % 6] = (Direction::ALL[i / 6].step() as usize * (i % 6) % CELLS) as u8;
        i += 1;
    }
    steps
};

#[cfg(test)]
mod tests {
    use super::*;

    fn all_cells() -> impl Iterator<Item = Cell> {
        (0..CELLS as u32).map(Cell::from_index)
    }

    #[test]
    fn every_cell_has_a_number_of_its_own() {
        let named: Vec<Cell> = (0..81).filter_map(|i| Cell::at(i / 9, i % 9)).collect();
        assert_eq!(named.len(), CELLS);
        assert_eq!(named.iter().fold(0, |bits, cell| bits | cell.bit()), BOARD);
        for cell in named {
            assert_eq!(Cell::at(cell.row(), cell.diagonal()), Some(cell));
        }
    }

    #[test]
    fn a_step_is_a_rotation_and_a_mask() {
        for direction in Direction::ALL {
            for cell in all_cells() {
                let (rows, diagonals) = match direction {
                    Direction::East => (0, 1),
                    Direction::NorthEast => (1, 1),
                    Direction::NorthWest => (1, 0),
                    Direction::West => (0, -1),
                    Direction::SouthWest => (-1, -1),
                    Direction::SouthEast => (-1, 0),
                };
                let place = (cell.row() as i8 + rows, cell.diagonal() as i8 + diagonals);
                let neighbour = Cell::at(place.0 as u8, place.1 as u8);
                assert_eq!(cell.neighbour(direction), neighbour, "{cell} {direction:?}");
                assert_eq!(direction.shift(cell.bit()), neighbour.map_or(0, Cell::bit), "{cell} {direction:?}");
            }
            assert_eq!(direction.shift(BOARD), BOARD & !direction.opposite().rim());
            assert_eq!(direction.before(BOARD), BOARD & !direction.rim());
            assert_eq!(direction.rim().count_ones(), 9);
        }
    }

    #[test]
    fn rings_and_corners() {
        assert_eq!([0, 1, 2, 3, 4].map(|ring| ring_cells(ring).count_ones()), [1, 6, 12, 18, 24]);
        let corners: Vec<String> =
            all_cells().filter(|cell| CORNERS & cell.bit() != 0).map(|cell| cell.to_string()).collect();
        assert_eq!(corners.len(), 6);
        for name in ["a1", "a5", "e1", "e9", "i5", "i9"] {
            assert!(corners.contains(&name.to_string()), "{name}");
        }
    }
}
