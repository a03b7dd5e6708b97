//! Keys for Zobrist hashing (Zobrist, "A new hashing method with application for game playing", 1970).

use crate::random;

/// A number for some boards together, such as those of the pawns of both sides, with as few collisions as 64 bits allow.
/// All its bits are mixed.
///
/// ```
/// use plywise_game::zobrist;
///
/// assert_ne!(zobrist::of_boards([0x18, 0]), zobrist::of_boards([0, 0x18]));
/// ```
#[inline]
pub fn of_boards(boards: impl IntoIterator<Item = u64>) -> u64 {
    // Odd, and about 2⁶⁴ divided by the golden ratio: what multiplies by it spreads over the high bits.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    boards.into_iter().fold(SPREAD, |hash, board| {
        let mixed = (hash ^ board).wrapping_mul(SPREAD);
        (mixed ^ mixed >> 32).wrapping_mul(SPREAD)
    })
}

/// The `n`-th key.
pub const fn key(n: u64) -> u64 {
    random::number(0, n)
}
