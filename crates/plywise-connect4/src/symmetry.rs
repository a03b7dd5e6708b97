//! The one symmetry of the board: left and right can be exchanged.

use crate::board::{BOARD, COLUMNS, HEIGHT, Position};

/// The position seen in a mirror.
pub const fn mirrored(position: &Position) -> Position {
    Position::new(mirrored_bits(position.own()), mirrored_bits(position.enemy()))
}

/// Where a set of places goes.
const fn mirrored_bits(bits: u64) -> u64 {
    const COLUMN: u64 = (1 << HEIGHT) - 1;
    let (mut mirrored, mut column) = (0, 0);
    while column < COLUMNS {
        mirrored |= (bits >> (HEIGHT * column) & COLUMN) << (HEIGHT * (COLUMNS - 1 - column));
        column += 1;
    }
    mirrored & BOARD
}

/// The one of a position and its mirror image that stands for both.
///
/// ```
/// use plywise_connect4::{Connect4, canonical};
/// use plywise_game::Notation;
///
/// let after = |columns| canonical(&Connect4::parse_position(columns).unwrap());
/// assert_eq!(after("435"), after("453"));
/// assert_ne!(after("43"), after("44"));
/// ```
pub fn canonical(position: &Position) -> Position {
    let mirrored = mirrored(position);
    if mirrored.key() < position.key() { mirrored } else { *position }
}
