//! Lines of four, found for all places of the board at once.

use crate::board::{BOARD, HEIGHT};

/// How far apart in bits the places of a line lie: upright, and level or diagonal.
pub(crate) const STEPS: [u32; 4] = [1, HEIGHT as u32 - 1, HEIGHT as u32, HEIGHT as u32 + 1];

/// Whether four of these discs stand in a row.
#[inline]
pub const fn has_four(discs: u64) -> bool {
    let mut direction = 0;
    while direction < STEPS.len() {
        let step = STEPS[direction];
        let pairs = discs & discs >> step;
        if pairs & pairs >> (2 * step) != 0 {
            return true;
        }
        direction += 1;
    }
    false
}

/// The discs that stand in a row of four.
pub fn fours(discs: u64) -> u64 {
    STEPS.into_iter().fold(0, |found, step| {
        let pairs = discs & discs >> step;
        let first = pairs & pairs >> (2 * step);
        found | first | first << step | first << (2 * step) | first << (3 * step)
    })
}

/// The places, free or not, where one more of these discs makes a row of four. An upright row is completed at its top.
#[inline]
pub const fn completing(discs: u64) -> u64 {
    let mut places = (discs << 1) & (discs << 2) & (discs << 3);
    let mut direction = 1;
    while direction < STEPS.len() {
        let step = STEPS[direction];
        let after = (discs << step) & (discs << (2 * step));
        let before = (discs >> step) & (discs >> (2 * step));
        places |= after & (discs << (3 * step) | discs >> step);
        places |= before & (discs >> (3 * step) | discs << step);
        direction += 1;
    }
    places & BOARD
}

/// How many lines of four hold one, two and three of a player's discs and none of the other's.
#[inline]
pub(crate) fn open_lines(own: u64, enemy: u64) -> [i32; 3] {
    let mut counts = [0; 3];
    for step in STEPS {
        let [a, b, c, d] = [own, own >> step, own >> (2 * step), own >> (3 * step)];
        // All four places are on the board, and none is the enemy's.
        let free = BOARD & !enemy;
        let open = {
            let pairs = free & free >> step;
            pairs & pairs >> (2 * step)
        };
        let (one_left, two_left, one_right, two_right) = (a ^ b, a & b, c ^ d, c & d);
        let (none_left, none_right) = (!(a | b), !(c | d));
        let ones = one_left & none_right | one_right & none_left;
        let twos = two_left & none_right | two_right & none_left | one_left & one_right;
        let threes = two_left & one_right | two_right & one_left;
        for (count, lines) in counts.iter_mut().zip([ones, twos, threes]) {
            *count += (lines & open).count_ones() as i32;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Place, places};
    use plywise_game::random::Random;

    /// All lines of four, place by place.
    fn all_lines() -> Vec<u64> {
        let mut lines = Vec::new();
        for start in places(BOARD) {
            for (columns, rows) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
                let step = |n: i8| {
                    let column = start.column() as i8 + columns * n;
                    let row = start.row() as i8 + rows * n;
                    Place::at(u8::try_from(column).ok()?, u8::try_from(row).ok()?)
                };
                let line: Vec<u64> = (0..4).filter_map(step).map(Place::bit).collect();
                if line.len() == 4 {
                    lines.push(line.into_iter().sum());
                }
            }
        }
        lines
    }

    #[test]
    fn lines_are_those_that_are_counted_one_by_one() {
        let lines = all_lines();
        assert_eq!(lines.len(), 69);
        let mut random = Random::new(1);
        for _ in 0..2000 {
            // Half of the board on average, then a third, so that neither lines nor gaps are rare.
            let own = random.bits() & BOARD & if random.one_in(2) { !0 } else { random.bits() };
            let enemy = random.bits() & random.bits() & BOARD & !own;
            let whole = |line: &&u64| own & **line == **line;
            assert_eq!(has_four(own), lines.iter().any(|line| whole(&line)));
            assert_eq!(fours(own), lines.iter().filter(whole).fold(0, |all, line| all | line));
            let completed = |place: &Place| {
                let with = (own & !place.bit()) | place.bit();
                let is_upright = |line: u64| line >> line.trailing_zeros() == 0b1111;
                let can_be_last = |line: u64| !is_upright(line) || line < place.bit() << 1;
                lines.iter().any(|&line| line & place.bit() != 0 && with & line == line && can_be_last(line))
            };
            let expected = places(BOARD).filter(completed).fold(0, |all, place| all | place.bit());
            assert_eq!(completing(own), expected);
            let open =
                |discs: u32| lines.iter().filter(move |&line| enemy & line == 0 && (own & line).count_ones() == discs);
            assert_eq!(open_lines(own, enemy), [1, 2, 3].map(|discs| open(discs).count() as i32));
        }
    }
}
