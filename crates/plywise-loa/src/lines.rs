//! The eight directions, and how many pieces stand on each line.
//!
//! Everything here works on whole bitboards at once. The number of pieces on the line through a square is kept in bit
//! slices, one bitboard for each binary digit: the counts of all 64 squares are added with a handful of instructions.

/// The directions a piece moves in; each is followed by its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    East,
    West,
    NorthEast,
    SouthWest,
    North,
    South,
    NorthWest,
    SouthEast,
}

impl Direction {
    pub(crate) const ALL: [Direction; 8] = [
        Direction::East,
        Direction::West,
        Direction::NorthEast,
        Direction::SouthWest,
        Direction::North,
        Direction::South,
        Direction::NorthWest,
        Direction::SouthEast,
    ];

    /// The difference in square numbers that one step makes.
    pub(crate) const fn delta(self) -> i32 {
        self.files() + 8 * self.ranks()
    }

    const fn files(self) -> i32 {
        match self {
            Direction::East | Direction::NorthEast | Direction::SouthEast => 1,
            Direction::West | Direction::NorthWest | Direction::SouthWest => -1,
            Direction::North | Direction::South => 0,
        }
    }

    const fn ranks(self) -> i32 {
        match self {
            Direction::North | Direction::NorthEast | Direction::NorthWest => 1,
            Direction::South | Direction::SouthEast | Direction::SouthWest => -1,
            Direction::East | Direction::West => 0,
        }
    }

    /// The direction of a step of this many files and ranks, each -1, 0 or 1 and not both 0.
    pub(crate) fn from_step(files: i32, ranks: i32) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.files() == files && direction.ranks() == ranks)
    }

    pub(crate) const fn opposite(self) -> Direction {
        Direction::ALL[self as usize ^ 1]
    }

    /// All squares moved `steps` squares in this direction; those that leave the board are gone.
    #[inline(always)]
    pub(crate) const fn shift(self, bits: u64, steps: u32) -> u64 {
        let distance = self.delta().unsigned_abs() * steps;
        if distance > 63 {
            return 0;
        }
        let moved = if self.delta() > 0 { bits << distance } else { bits >> distance };
        moved & self.within_files(steps)
    }

    /// The files that can be reached by this many steps. What lies outside has wrapped round the board's side.
    const fn within_files(self, steps: u32) -> u64 {
        const FILE_A: u64 = 0x0101_0101_0101_0101;
        let lost = FILE_A * ((1 << steps) - 1);
        match self.files() {
            0 => !0,
            1 => !lost,
            _ => !(lost << (8 - steps)),
        }
    }
}

/// The squares from each square onwards in each direction, without the square itself.
pub(crate) const RAYS: [[u64; 64]; 8] = {
    let mut rays = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut square = 0;
        while square < 64 {
            let mut steps = 1;
            while steps < 8 {
                rays[direction][square] |= Direction::ALL[direction].shift(1 << square, steps);
                steps += 1;
            }
            square += 1;
        }
        direction += 1;
    }
    rays
};

/// A number from 0 to 7 for every square, one bitboard for each binary digit.
#[derive(Clone, Copy)]
pub(crate) struct Counts {
    ones: u64,
    twos: u64,
    fours: u64,
}

impl Counts {
    /// For every square, the number of `occupied` squares on the line through it along `direction`, modulo 8. A full
    /// line thus counts zero, which does no harm: a move of eight squares leaves the board like one of none.
    #[inline(always)]
    pub(crate) fn along(direction: Direction, occupied: u64) -> Counts {
        // Sums over stretches of doubling length: in the end each square knows what lies behind it, itself included,
        // so the last square of a line knows the whole line, and tells the others.
        let single = Counts { ones: occupied, twos: 0, fours: 0 };
        let pairs = single.plus(single.shifted(direction, 1));
        let fours = pairs.plus(pairs.shifted(direction, 2));
        let lines = fours.plus(fours.shifted(direction, 4));
        lines.spread_from_ends(direction)
    }

    #[inline(always)]
    fn shifted(self, direction: Direction, steps: u32) -> Counts {
        Counts {
            ones: direction.shift(self.ones, steps),
            twos: direction.shift(self.twos, steps),
            fours: direction.shift(self.fours, steps),
        }
    }

    #[inline(always)]
    fn plus(self, other: Counts) -> Counts {
        let carry_to_twos = self.ones & other.ones;
        let twos = self.twos ^ other.twos;
        let carry_to_fours = (self.twos & other.twos) | (twos & carry_to_twos);
        Counts {
            ones: self.ones ^ other.ones,
            twos: twos ^ carry_to_twos,
            fours: self.fours ^ other.fours ^ carry_to_fours,
        }
    }

    #[inline(always)]
    fn spread_from_ends(self, direction: Direction) -> Counts {
        let back = direction.opposite();
        let ends = !back.shift(!0, 1);
        let spread = |bits: u64| {
            let mut bits = bits & ends;
            bits |= back.shift(bits, 1);
            bits |= back.shift(bits, 2);
            bits | back.shift(bits, 4)
        };
        Counts { ones: spread(self.ones), twos: spread(self.twos), fours: spread(self.fours) }
    }

    /// The squares whose number is `n`, which is below 8.
    #[inline(always)]
    pub(crate) const fn equal_to(self, n: u32) -> u64 {
        let ones = if n & 1 != 0 { self.ones } else { !self.ones };
        let twos = if n & 2 != 0 { self.twos } else { !self.twos };
        let fours = if n & 4 != 0 { self.fours } else { !self.fours };
        ones & twos & fours
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_the_rays() {
        let mut occupied = 0x7e81_8181_8181_817e_u64;
        for _ in 0..100 {
            for direction in Direction::ALL {
                let counts = Counts::along(direction, occupied);
                let rays = |direction: Direction| RAYS[direction as usize].into_iter();
                for (square, (forth, back)) in rays(direction).zip(rays(direction.opposite())).enumerate() {
                    let line = forth | back | 1 << square;
                    let expected = (occupied & line).count_ones() % 8;
                    let counted = (0..8).find(|&n| counts.equal_to(n) >> square & 1 != 0);
                    assert_eq!(counted, Some(expected), "{direction:?} through {square} on {occupied:#x}");
                }
            }
            occupied = occupied.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
    }

    #[test]
    fn rays_of_a_corner() {
        assert_eq!(RAYS.map(|rays| rays[0].count_ones()), [7, 0, 7, 0, 7, 0, 0, 0]);
    }
}
