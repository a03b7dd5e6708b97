//! Variety: in the opening, the evaluation is shifted a little at random, so that a player does not repeat its games.
//! The shift follows from the position's hash and a seed: all transpositions and threads agree on it.

use crate::Policy;
use crate::worker::Worker;
use plywise_game::{Evaluate, Game, Phase, Score};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// What is added to the evaluation of a position.
    pub(crate) fn variety(&self, position: &G::Position) -> Score {
        let variety = &self.params().variety;
        if variety.on() && G::phase(position) == Phase::Opening {
            shift(G::hash(position), self.seed, variety.spread)
        } else {
            0
        }
    }
}

/// A number within ±`spread`, each as likely.
fn shift(hash: u64, seed: u64, spread: Score) -> Score {
    // Two rounds of multiplication by odd constants: one bit of either number changes all that are used.
    let mixed = (hash ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32;
    let choices = 2 * u64::from(spread.unsigned_abs()) + 1;
    ((mixed * choices) >> 32) as Score - spread
}

#[cfg(test)]
mod tests {
    use super::shift;

    #[test]
    fn shifts_are_even_and_depend_on_the_seed() {
        let spread = 10;
        let mut seen = [0; 21];
        let mut same = 0;
        for hash in (0..21_000u64).map(|n| n.wrapping_mul(0x2545_f491_4f6c_dd1d)) {
            seen[(shift(hash, 1, spread) + spread) as usize] += 1;
            same += u32::from(shift(hash, 1, spread) == shift(hash, 2, spread));
        }
        assert!(seen.iter().all(|count| (850..1150).contains(count)), "{seen:?}");
        assert!((850..1150).contains(&same), "{same}");
    }
}
