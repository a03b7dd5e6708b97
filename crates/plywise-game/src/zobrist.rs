//! Keys for Zobrist hashing (Zobrist, "A new hashing method with application for game playing", 1970).

/// The `n`-th key: the `n`-th number of the generator of Steele, Lea & Flood, "Fast splittable pseudorandom number generators" (2014),
/// seeded with zero.
pub const fn key(n: u64) -> u64 {
    let mut z = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
