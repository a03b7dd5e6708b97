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
    group_of_lowest(bits) == bits
}

/// Whether the squares of `bits` form at most `most` groups.
pub(crate) const fn has_few_groups(mut bits: u64, most: usize) -> bool {
    let mut groups = 0;
    while bits != 0 && groups < most {
        bits ^= group_of_lowest(bits);
        groups += 1;
    }
    bits == 0
}

/// The group of the lowest square of `bits`.
#[inline(always)]
const fn group_of_lowest(bits: u64) -> u64 {
    let mut group = bits & bits.wrapping_neg();
    loop {
        let grown = (group | neighbours(group)) & bits;
        if grown == group {
            return group;
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

    #[test]
    fn groups_are_counted_up_to_a_number() {
        let four_groups = drawn([
            "xx......", //
            "..x.....", "........", "x...xx..", "x...x...", "........", ".....x..", "....xx..",
        ]);
        let five_groups = four_groups
            | drawn(["........", "........", "........", "........", "........", "........", "........", "x......."]);
        assert!(has_few_groups(0, 0) && !has_few_groups(1, 0));
        assert_eq!([1, 2, 3, 4, 5].map(|most| has_few_groups(five_groups, most)), [false, false, false, false, true]);
        assert_eq!([2, 3, 4].map(|most| has_few_groups(four_groups, most)), [false, false, true]);
    }

    #[test]
    fn one_group_is_connected() {
        let mut random = plywise_game::random::Random::new(1);
        for _ in 0..10_000 {
            let bits = random.bits() & random.bits() & random.bits();
            assert_eq!(has_few_groups(bits, 1), is_connected(bits), "{bits:#x}");
        }
    }
}
