//! Keys for Zobrist hashing (Zobrist, "A new hashing method with application for game playing", 1970).

use crate::random;

/// The `n`-th key.
pub const fn key(n: u64) -> u64 {
    random::number(0, n)
}
