//! Whether all pieces of a side form one group.

/// All squares next to a square of `bits`, its own only where another one is beside it.
#[inline(always)]
pub(crate) const fn neighbours(bits: u64) -> u64 {
    const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let beside = (bits << 1) & NOT_FILE_A | (bits >> 1) & NOT_FILE_H;
    let rows = beside | bits;
    beside | rows << 8 | rows >> 8
}

/// Whether all squares of `bits` are connected, diagonals included. One piece is; none are too.
#[inline]
pub(crate) const fn is_connected(bits: u64) -> bool {
    // Most positions have a piece that stands alone, which is cheaper to see than the extent of a group.
    if bits & !neighbours(bits) != 0 {
        return bits & bits.wrapping_sub(1) == 0;
    }
    let mut group = bits & bits.wrapping_neg();
    loop {
        let grown = (group | neighbours(group)) & bits;
        if grown == group {
            return group == bits;
        }
        group = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bitboard from a drawing, rank 8 first.
    fn drawn(rows: [&str; 8]) -> u64 {
        let mut bits = 0;
        for (rank, row) in rows.iter().rev().enumerate() {
            for (file, square) in row.bytes().enumerate() {
                bits |= u64::from(square != b'.') << (rank * 8 + file);
            }
        }
        bits
    }

    #[test]
    fn a_winding_chain_is_connected_until_a_link_is_taken_out() {
        let chain = drawn([
            "xxxxxxxx", //
            ".......x", "xxxxxxx.", "x.......", ".xxxxxxx", ".......x", "x.....x.", ".xxxxx..",
        ]);
        assert!(is_connected(chain));
        assert!(!is_connected(chain & !(1 << 27)), "without d4");
    }

    #[test]
    fn the_edges_of_the_board_do_not_touch() {
        assert!(!is_connected(0x0000_0000_0000_8001));
        assert!(!is_connected(0x0000_0000_0000_0180));
        assert!(!is_connected(0x0100_0000_0000_0080));
        assert!(is_connected(0x0000_0000_0000_4080));
    }

    #[test]
    fn one_piece_is_connected() {
        assert!((0..64).all(|square| is_connected(1 << square)));
    }
}
