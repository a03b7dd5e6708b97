//! Discs that can never be turned over again.

/// The four rims of the board, as 8 bits each, and the squares within.
const TOP: u64 = 0x0000_0000_0000_00ff;
const LEFT: u64 = 0x0101_0101_0101_0101;
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;

/// Tells which discs on a rim are safe whatever is played there.
///
/// Most discs on a rim depend on that rim alone, so a table knows all patterns of own, enemy and no discs on eight
/// squares: three to the power of eight.
#[derive(Clone, Debug)]
pub(super) struct RimTable {
    stable: Vec<u8>,
    /// A pattern of bits read as digits to the base of three.
    ternary: [u16; 256],
}

impl RimTable {
    pub(super) fn new() -> RimTable {
        let ternary = std::array::from_fn(|bits| (0..8).rev().fold(0, |sum, i| 3 * sum + (bits as u16 >> i & 1)));
        let mut table = RimTable { stable: vec![0; 3usize.pow(8)], ternary };
        // A pattern depends on those with one disc more.
        for discs in (0..=8).rev() {
            for occupied in (0..=255u8).filter(|occupied| occupied.count_ones() == discs) {
                for own in (0..=255).filter(|own| own & !occupied == 0) {
                    let enemy = occupied & !own;
                    let index = table.index(own, enemy);
                    table.stable[index] = table.find(own, enemy);
                }
            }
        }
        table
    }

    #[inline]
    fn index(&self, own: u8, enemy: u8) -> usize {
        (self.ternary[usize::from(own)] + 2 * self.ternary[usize::from(enemy)]) as usize
    }

    /// The own discs on a rim that stay own whatever is played there.
    #[inline]
    fn stable(&self, own: u8, enemy: u8) -> u8 {
        self.stable[self.index(own, enemy)]
    }

    /// The same from the patterns that can follow: either side puts a disc anywhere, since other lines may allow it.
    fn find(&self, own: u8, enemy: u8) -> u8 {
        let mut stable = own;
        for square in (0..8).filter(|square| (own | enemy) >> square & 1 == 0) {
            let gained = rim_flips(square, own, enemy);
            stable &= self.stable(own | gained | 1 << square, enemy & !gained);
            let lost = rim_flips(square, enemy, own);
            stable &= self.stable(own & !lost, enemy | lost | 1 << square);
        }
        stable
    }
}

/// The discs on a rim that a disc on this square turns over.
fn rim_flips(square: u32, own: u8, enemy: u8) -> u8 {
    let towards = |step: i32| {
        let mut line = 0;
        let mut at = square as i32 + step;
        while (0..8).contains(&at) && enemy >> at & 1 != 0 {
            line |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && own >> at & 1 != 0 { line } else { 0 }
    };
    towards(1) | towards(-1)
}

/// Discs of `own` that can never be turned over: all that a look at rims, full lines and stable neighbours finds.
#[inline]
pub(super) fn stable_discs(rims: &RimTable, own: u64, enemy: u64) -> u64 {
    let full = full_lines(own | enemy);
    let inner = own & INNER;
    let mut stable = stable_on_rims(rims, own, enemy) | inner & full[0] & full[1] & full[2] & full[3];
    if stable == 0 {
        return 0;
    }
    loop {
        // An inner disc is safe on a line that is full, or beside a safe disc of its own colour.
        let mut safe = inner;
        for (step, full) in [1, 7, 8, 9].into_iter().zip(full) {
            safe &= stable << step | stable >> step | full;
        }
        if safe & !stable == 0 {
            return stable;
        }
        stable |= safe;
    }
}

fn stable_on_rims(rims: &RimTable, own: u64, enemy: u64) -> u64 {
    let row = |shift: u32| u64::from(rims.stable((own >> shift & TOP) as u8, (enemy >> shift & TOP) as u8)) << shift;
    let file = |shift: u32| {
        let stable = rims.stable(packed(own >> shift & LEFT), packed(enemy >> shift & LEFT));
        unpacked(stable) << shift
    };
    row(0) | row(56) | file(0) | file(7)
}

/// The first file as a byte, a1 lowest.
#[inline]
fn packed(file: u64) -> u8 {
    (file.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// A byte as the first file, the inverse of [`packed`]. Eight bits at once would carry into each other, seven do not.
#[inline]
fn unpacked(bits: u8) -> u64 {
    (u64::from(bits & 0x7f) * 0x0002_0408_1020_4081) & LEFT | u64::from(bits >> 7) << 56
}

/// The squares on lines without an empty square: rows, falling diagonals to the left, files, diagonals to the right.
#[inline]
fn full_lines(occupied: u64) -> [u64; 4] {
    let mut rows = occupied & occupied >> 1;
    rows &= rows >> 2;
    rows &= rows >> 4;
    let rows = (rows & LEFT) * TOP;
    let mut files = occupied & occupied.rotate_left(8);
    files &= files.rotate_left(16);
    files &= files.rotate_left(32);
    [rows, full_diagonals(occupied, 7), files, full_diagonals(occupied, 9)]
}

/// The squares on full diagonals, where a step is by 7 or by 9 squares: those that have only discs up to the rim both
/// ways. Each round doubles the distance that was looked at.
#[inline]
fn full_diagonals(occupied: u64, step: u32) -> u64 {
    /// The squares from which one, two and four steps down the board lead off it, to the left and to the right; upwards
    /// it is the other way round.
    const OFF_LEFT: [u64; 3] = [0xff01_0101_0101_0101, 0xffff_0303_0303_0303, 0xffff_ffff_0f0f_0f0f];
    const OFF_RIGHT: [u64; 3] = [0xff80_8080_8080_8080, 0xffff_c0c0_c0c0_c0c0, 0xffff_ffff_f0f0_f0f0];
    let off_down = if step == 7 { OFF_LEFT } else { OFF_RIGHT };
    let (mut down, mut up) = (occupied, occupied);
    for (round, off) in off_down.into_iter().enumerate() {
        let distance = step << round;
        down &= off | down >> distance;
        // Half a turn makes the way down the way up.
        up &= off.reverse_bits() | up << distance;
    }
    down & up
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Othello, Position};
    use plywise_game::{Game, Notation, Side};
    use proptest::prelude::*;

    #[test]
    fn rims_are_judged_whatever_is_played_there() {
        let rims = RimTable::new();
        let stable = |pattern: &str| {
            let discs = |disc: char| pattern.chars().rev().fold(0, |bits, c| bits << 1 | u8::from(c == disc));
            let stable = rims.stable(discs('X'), discs('O'));
            (0..8).map(|square| if stable >> square & 1 != 0 { 'X' } else { '.' }).collect::<String>()
        };
        assert_eq!(stable("XXX--OOO"), "XXX.....");
        assert_eq!(stable("OXX-----"), "........");
        assert_eq!(stable("-XXXXXX-"), "........");
        assert_eq!(stable("XOXXOOXO"), "X.XX..X.", "a full rim is over");
        assert_eq!(stable("OXXO-XX-"), "........");
        assert_eq!(stable("OXX--XXX"), ".....XXX");
    }

    #[test]
    fn files_are_packed_and_unpacked() {
        for bits in 0..=255 {
            let file = (0..8).filter(|row| bits >> row & 1 != 0).fold(0, |file, row| file | 1 << (8 * row));
            assert_eq!((unpacked(bits), packed(file)), (file, bits));
        }
    }

    /// The squares that lie on lines without an empty square, by looking at each.
    fn full_by_walking(occupied: u64, (files, rows): (i32, i32)) -> u64 {
        let on_board = |file: i32, row: i32| (0..8).contains(&file) && (0..8).contains(&row);
        let is_full = |square: i32| {
            (-7..8).all(|steps| {
                let (file, row) = (square % 8 + files * steps, square / 8 + rows * steps);
                !on_board(file, row) || occupied >> (row * 8 + file) & 1 != 0
            })
        };
        (0..64).filter(|&square| is_full(square)).fold(0, |full, square| full | 1 << square)
    }

    proptest! {
        #[test]
        fn full_lines_are_those_of_the_walk(a: u64, b: u64, c: u64, d: u64) {
            for occupied in [a, a | b, a | b | c, a | b | c | d, !(a & b & c & d & 0x0018_3c7e_7e3c_1800)] {
                let walked = [(1, 0), (-1, 1), (0, 1), (1, 1)].map(|line| full_by_walking(occupied, line));
                prop_assert_eq!(full_lines(occupied), walked);
            }
        }

        /// What is called stable survives any game that goes on from there.
        #[test]
        fn stable_discs_stay(plies in 20..60_usize, choices: [u8; 64]) {
            let rims = RimTable::new();
            let mut stable = [0; 2];
            let mut position = Othello::start();
            for (ply, choice) in choices.into_iter().enumerate() {
                let [black, white] = [Side::First, Side::Second].map(|side| position.discs(side));
                prop_assert_eq!([stable[0] & !black, stable[1] & !white], [0, 0], "{}", Othello::draw(&position));
                if ply >= plies {
                    stable = [stable_discs(&rims, black, white), stable_discs(&rims, white, black)];
                }
                let moves = Othello::legal_moves(&position);
                let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
                position = Othello::play(&position, mv);
            }
        }
    }

    #[test]
    fn a_full_board_is_stable() {
        let position = Position::new(0x1234_5678_9abc_def0, !0, Side::First);
        assert_eq!(stable_discs(&RimTable::new(), position.own(), position.enemy()), position.own());
    }
}
