use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A search depth in hundredths of a ply.
///
/// Extensions, reductions and realization probabilities are all prices of moves, so a depth is a fraction of a ply, in
/// fixed point.
///
/// ```
/// use plywise_game::Depth;
/// let depth = Depth::plies(3) - Depth::hundredths(50);
/// assert_eq!(depth.to_string(), "2.50");
/// assert_eq!(depth.whole_plies(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Depth(i32);

impl Depth {
    /// No depth left: the horizon.
    pub const ZERO: Depth = Depth(0);
    /// One ordinary move.
    pub const PLY: Depth = Depth(100);
    /// The greatest depth that a search accepts.
    pub const MAX: Depth = Depth::plies(128);

    /// A depth of `n` ordinary moves.
    pub const fn plies(n: i32) -> Depth {
        Depth(n * 100)
    }

    /// A depth of `n` hundredths of a ply.
    pub const fn hundredths(n: i32) -> Depth {
        Depth(n)
    }

    /// The depth in hundredths of a ply.
    pub const fn in_hundredths(self) -> i32 {
        self.0
    }

    /// The whole plies in this depth, the fraction dropped.
    pub const fn whole_plies(self) -> i32 {
        self.0.div_euclid(100)
    }

    /// Whether nothing is left to search.
    pub const fn is_exhausted(self) -> bool {
        self.0 <= 0
    }
}

impl Add for Depth {
    type Output = Depth;
    fn add(self, other: Depth) -> Depth {
        Depth(self.0 + other.0)
    }
}

impl Sub for Depth {
    type Output = Depth;
    fn sub(self, other: Depth) -> Depth {
        Depth(self.0 - other.0)
    }
}

impl Mul<i32> for Depth {
    type Output = Depth;
    fn mul(self, factor: i32) -> Depth {
        Depth(self.0 * factor)
    }
}

impl AddAssign for Depth {
    fn add_assign(&mut self, other: Depth) {
        self.0 += other.0;
    }
}

impl SubAssign for Depth {
    fn sub_assign(&mut self, other: Depth) {
        self.0 -= other.0;
    }
}

impl fmt::Display for Depth {
    /// Whole depths as an integer, others with two decimals.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0 % 100 == 0 { write!(f, "{}", self.0 / 100) } else { write!(f, "{:.2}", f64::from(self.0) / 100.0) }
    }
}
