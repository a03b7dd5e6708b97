//! How many positions differ, counted in bounded memory.

use plywise_game::random::number;
use std::collections::HashSet;

/// Counts different hashes. Up to some millions it remembers all of them. Beyond that it remembers half of them, then a
/// quarter, and so on: those whose lots begin with enough zeros (Flajolet, "On adaptive sampling", Computing 43, 1990). Its
/// error is then below a thousandth.
#[derive(Clone, Debug)]
pub(crate) struct Distinct {
    kept: HashSet<u64>,
    /// How many zeros a lot that is kept begins with.
    zeros: u32,
    /// The most hashes that are kept.
    most: usize,
}

impl Distinct {
    /// The hashes that are kept unless somebody says otherwise: some dozens of megabytes.
    const MOST: usize = 1 << 22;

    pub(crate) fn new() -> Distinct {
        Distinct::keeping(Distinct::MOST)
    }

    fn keeping(most: usize) -> Distinct {
        Distinct { kept: HashSet::new(), zeros: 0, most }
    }

    pub(crate) fn add(&mut self, hash: u64) {
        if lot(hash) >= self.zeros && self.kept.insert(hash) && self.kept.len() > self.most {
            self.zeros += 1;
            let zeros = self.zeros;
            self.kept.retain(|&hash| lot(hash) >= zeros);
        }
    }

    /// How many differ: exactly, or about as many.
    pub(crate) fn count(&self) -> u64 {
        (self.kept.len() as u64) << self.zeros.min(40)
    }

    /// Whether all of them were remembered.
    pub(crate) fn is_exact(&self) -> bool {
        self.zeros == 0
    }
}

/// How many zeros the lot of a hash begins with.
fn lot(hash: u64) -> u32 {
    number(hash, 0).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_counted_exactly_and_many_nearly() {
        let mut distinct = Distinct::keeping(4096);
        for round in 0..3 {
            (0..4096).for_each(|hash| distinct.add(hash));
            assert_eq!((distinct.count(), distinct.is_exact()), (4096, true), "{round}");
        }
        // In any order, with or without repeats, the same is kept.
        let mut other = Distinct::keeping(4096);
        (0..500_000).for_each(|hash| distinct.add(hash));
        (0..500_000).rev().for_each(|hash| other.add(hash));
        assert_eq!((distinct.count(), distinct.is_exact()), (other.count(), false));
        assert!(distinct.kept.len() <= 4096);
        assert!((480_000..520_000).contains(&distinct.count()), "{}", distinct.count());
    }
}
