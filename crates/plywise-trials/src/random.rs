//! What a case is made from.

use plywise_game::random;
use std::ops::{Deref, DerefMut};

/// The random numbers of one case.
#[derive(Clone, Debug)]
pub struct Random {
    numbers: random::Random,
    case: u64,
}

impl Random {
    /// The source of one case: another for every name, seed and number.
    pub fn of_case(name: &str, seed: u64, case: u64) -> Random {
        let seed = name.bytes().fold(seed, |seed, byte| random::number(seed, byte.into()));
        Random { numbers: random::Random::stream(seed, case), case }
    }

    /// The number of the case, for trials that go through a list.
    pub fn case(&self) -> u64 {
        self.case
    }

    /// Whether something happens that does so once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of several texts.
    pub fn word<'a>(&mut self, list: &[&'a str]) -> &'a str {
        self.pick(list).copied().unwrap_or_default()
    }
}

impl Deref for Random {
    type Target = random::Random;

    fn deref(&self) -> &random::Random {
        &self.numbers
    }
}

impl DerefMut for Random {
    fn deref_mut(&mut self) -> &mut random::Random {
        &mut self.numbers
    }
}
