//! Places of the board, and the position.

use plywise_game::{Side, zobrist};
use std::fmt;

/// The number of columns.
pub const COLUMNS: u8 = 7;
/// The number of rows.
pub const ROWS: u8 = 6;
/// The number of places.
pub(crate) const PLACES: u32 = COLUMNS as u32 * ROWS as u32;

/// The bits from the bottom of one column to the bottom of the next. One bit above each column stays empty, so that no
/// line runs from one column into the next.
pub(crate) const HEIGHT: u8 = ROWS + 1;
/// The lowest place of each column.
pub(crate) const BOTTOM: u64 = {
    let (mut bits, mut column) = (0, 0);
    while column < COLUMNS {
        bits |= 1 << (HEIGHT * column);
        column += 1;
    }
    bits
};
/// All places.
pub(crate) const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);

/// A place of the board, and the move that puts a disc there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place(u8);

impl Place {
    /// The place in this column (0 is a) and row (0 is the lowest), or `None` off the board.
    pub const fn at(column: u8, row: u8) -> Option<Place> {
        if column < COLUMNS && row < ROWS { Some(Place(HEIGHT * column + row)) } else { None }
    }

    /// The place of a bit, one of those of the board.
    #[inline]
    pub(crate) const fn of_bit(bit: u64) -> Place {
        Place(bit.trailing_zeros() as u8)
    }

    /// The bitboard with this place alone.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Its column: 0 is a.
    pub const fn column(self) -> u8 {
        self.0 / HEIGHT
    }

    /// Its row: 0 is the lowest.
    pub const fn row(self) -> u8 {
        self.0 % HEIGHT
    }

    /// Its number, below 42: column by column, upwards.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 - self.column()) as usize
    }

    /// A number of its own for each place, never 0.
    #[inline]
    pub(crate) const fn code(self) -> u16 {
        self.0 as u16 + 1
    }

    /// The bit of the place that has this code, on the board or not.
    #[inline]
    pub(crate) const fn bit_of_code(code: u16) -> u64 {
        match code {
            1..=64 => 1 << (code - 1),
            _ => 0,
        }
    }
}

impl fmt::Display for Place {
    /// Column and row, such as `d1`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The places of a bitboard, column by column, upwards.
pub(crate) fn places(mut bits: u64) -> impl Iterator<Item = Place> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let place = Place::of_bit(bits);
            bits &= bits - 1;
            place
        })
    })
}

/// A position: the discs of the side to move and those of the other. Bit 7c + r is row r of column c, the layout of
/// Tromp's Fhourstones benchmark.
///
/// Red is [`Side::First`]. Whose turn it is follows from the number of discs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    own: u64,
    enemy: u64,
}

impl Position {
    /// The empty board.
    pub const START: Position = Position { own: 0, enemy: 0 };

    /// A position from the discs of the side to move and those of the other.
    pub(crate) const fn new(own: u64, enemy: u64) -> Position {
        Position { own, enemy }
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
        self.side_to_move().own_first([self.own, self.enemy])[side as usize]
    }

    /// The places with a disc.
    #[inline]
    pub const fn occupied(&self) -> u64 {
        self.own | self.enemy
    }

    /// The number of discs.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.occupied().count_ones()
    }

    /// Whose turn it is.
    #[inline]
    pub const fn side_to_move(&self) -> Side {
        if self.count().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// The places that a disc can fall to now: the lowest free one of each column that is not full.
    #[inline]
    pub const fn reachable(&self) -> u64 {
        reachable(self.occupied())
    }

    /// The position after a disc of the side to move was put on a place.
    #[inline]
    pub(crate) const fn with_disc_on(self, bit: u64) -> Position {
        Position { own: self.enemy, enemy: self.own | bit }
    }

    /// A number of its own for each position: in a column of n discs, 2ⁿ - 1 for the column and the own discs, which
    /// are less than 2ⁿ, never have the same sum.
    #[inline]
    pub(crate) const fn key(&self) -> u64 {
        self.own + self.occupied()
    }

    /// The key, with all bits mixed. Mixing is a bijection, so no two positions share a hash.
    #[inline]
    pub(crate) const fn hash(&self) -> u64 {
        zobrist::key(self.key())
    }
}

/// The places that a disc can fall to where these have one.
#[inline]
pub(crate) const fn reachable(occupied: u64) -> u64 {
    (occupied + BOTTOM) & BOARD
}

impl fmt::Debug for Position {
    /// The one-line notation, which says more than bitboards.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&crate::notation::write_position(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_names_and_numbers() {
        let all: Vec<Place> = places(BOARD).collect();
        assert_eq!(all.len(), PLACES as usize);
        for (number, place) in all.iter().enumerate() {
            assert_eq!(place.index(), number);
            assert_eq!(Place::at(place.column(), place.row()), Some(*place));
            assert_eq!(Place::bit_of_code(place.code()), place.bit());
        }
        assert_eq!([all[0], all[5], all[6], all[41]].map(|place| place.to_string()), ["a1", "a6", "b1", "g6"]);
        assert_eq!((Place::at(7, 0), Place::at(0, 6)), (None, None));
    }

    #[test]
    fn a_position_is_small() {
        assert_eq!(size_of::<Position>(), 16);
    }
}
