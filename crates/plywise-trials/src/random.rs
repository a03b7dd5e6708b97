//! What a case is made from.

use plywise_game::random::{Random, number};

/// The random numbers of one case: others for every name, seed and number.
pub(crate) fn of_case(name: &str, seed: u64, case: u64) -> Random {
    let seed = name.bytes().fold(seed, |seed, byte| number(seed, byte.into()));
    Random::stream(seed, case)
}

/// One of several texts.
pub(crate) fn word<'a>(random: &mut Random, list: &[&'a str]) -> &'a str {
    random.pick(list).copied().unwrap_or_default()
}
