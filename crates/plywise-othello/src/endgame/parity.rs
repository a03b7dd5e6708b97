//! Parity: the player who plays last in a part of the board gains there, so a part with an odd number of empty squares
//! is the better one to play in.

/// For each quarter of the board, whether it has an odd number of empty squares: a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parity(u32);

/// The quarters of a1, h1, a8 and h8.
const QUARTERS: [u64; 4] = [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// The quarter of each square, as a bit.
const QUARTER_OF: [u32; 64] = {
    let mut quarters = [0; 64];
    let mut i = 0;
    while i < 4 * 64 {
        if QUARTERS[i / 64] >> (i % 64) & 1 != 0 {
            quarters[i % 64] = 1 << (i / 64);
        }
        i += 1;
    }
    quarters
};

/// The squares of every set of quarters.
const UNIONS: [u64; 16] = {
    let mut unions = [0; 16];
    let mut i = 0;
    while i < 4 * 16 {
        if ((i % 16) >> (i / 16)) & 1 != 0 {
            unions[i % 16] |= QUARTERS[i / 16];
        }
        i += 1;
    }
    unions
};

impl Parity {
    /// The parity of a board with these empty squares.
    #[inline]
    pub(super) fn of(empty: u64) -> Parity {
        let odd = |quarter: usize| ((empty & QUARTERS[quarter]).count_ones() & 1) << quarter;
        Parity(odd(0) | odd(1) | odd(2) | odd(3))
    }

    /// The parity after a disc was put on the square with this number, taken modulo 64.
    #[inline]
    pub(super) fn after(self, square: u32) -> Parity {
        Parity(self.0 ^ QUARTER_OF[square as usize % 64])
    }

    /// All squares of the quarters that have an odd number of empty ones.
    #[inline]
    pub(super) fn odd_squares(self) -> u64 {
        UNIONS[self.0 as usize % 16]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_game::bitboard::squares;

    #[test]
    fn moves_change_the_parity_of_their_quarter() {
        let mut empty: u64 = 0x0123_4567_89ab_cdef;
        let mut parity = Parity::of(empty);
        while let Some(square) = squares(empty).last() {
            empty ^= square.bit();
            parity = parity.after(square.index() as u32);
            assert_eq!(parity, Parity::of(empty));
            for quarter in QUARTERS {
                let is_odd = (empty & quarter).count_ones() % 2 == 1;
                assert_eq!(parity.odd_squares() & quarter, if is_odd { quarter } else { 0 });
            }
        }
    }
}
