//! Numbers, moves and games at random: the same from the same seed, on every machine and in every version.
//!
//! The generator is SplitMix64 (Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators", 2014). It is
//! written out here because openings, samples and golden play-throughs must outlive any library's generator.
//!
//! ```
//! use plywise_game::random::Random;
//!
//! let mut random = Random::new(7);
//! assert!(random.below(6) < 6);
//! assert_eq!(Random::new(7).shuffled(0..9), Random::new(7).shuffled(0..9));
//! ```

use crate::Game;
use std::hash::{BuildHasher, RandomState};

/// What the state of the generator grows by with each number: an odd number close to 2⁶⁴ divided by the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number at this place, counted from 0, among those that a seed gives. Numbers of different seeds or places look
/// independent, so this also makes keys for hashing and seeds from seeds.
#[inline]
pub const fn number(seed: u64, place: u64) -> u64 {
    let state = seed.wrapping_add(place.wrapping_add(1).wrapping_mul(STEP));
    let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// An unpredictable seed, for another game each time.
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one(0)
}

/// A generator of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator that this seed stands for.
    pub const fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// One of many independent generators that a seed stands for: one for each game of a run, say, so that no game
    /// depends on the others.
    pub const fn stream(seed: u64, stream: u64) -> Random {
        Random { state: number(seed, stream) }
    }

    /// The next number: any of 64 bits.
    pub const fn bits(&mut self) -> u64 {
        let bits = number(self.state, 0);
        self.state = self.state.wrapping_add(STEP);
        bits
    }

    /// A number below `limit`; 0 where that is 0.
    pub const fn below(&mut self, limit: usize) -> usize {
        ((self.bits() as u128 * limit as u128) >> 64) as usize
    }

    /// Whether something happens that does so once in `n` times.
    pub const fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A number from 0 to 1, which is never reached.
    pub fn fraction(&mut self) -> f64 {
        // As many bits as the number can hold, so that nothing is rounded.
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of these things, if there is any.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Brings things into any order, each as likely as any other (Fisher & Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// Things in any order.
    pub fn shuffled<T>(&mut self, items: impl IntoIterator<Item = T>) -> Vec<T> {
        let mut items: Vec<T> = items.into_iter().collect();
        self.shuffle(&mut items);
        items
    }

    /// A legal move, if there is any.
    pub fn legal_move<G: Game>(&mut self, position: &G::Position) -> Option<G::Move> {
        self.pick(&G::legal_moves(position)).copied()
    }

    /// The positions of a game of random moves, the first and the last included. It stops where the game is over, or
    /// after `plies` plies.
    pub fn game<G: Game>(&mut self, start: G::Position, plies: usize) -> Vec<G::Position> {
        let mut line = vec![start];
        while line.len() <= plies
            && let Some(last) = line.last()
            && let Some(mv) = self.legal_move::<G>(last)
        {
            line.push(G::play(last, mv));
        }
        line
    }

    /// Random moves that make an opening of `plies` plies: the game is not over after them. A game that ends on the way
    /// starts over; there is none where it always ends.
    pub fn opening<G: Game>(&mut self, start: &G::Position, plies: usize) -> Option<Vec<G::Move>> {
        const ATTEMPTS: usize = 1000;
        (0..ATTEMPTS).find_map(|_| {
            let mut position = start.clone();
            let mut moves = Vec::with_capacity(plies);
            for _ in 0..plies {
                let mv = self.legal_move::<G>(&position)?;
                position = G::play(&position, mv);
                moves.push(mv);
            }
            G::outcome(&position).is_none().then_some(moves)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference implementation's first numbers: golden play-throughs depend on them.
    #[test]
    fn numbers_are_those_of_splitmix64() {
        let expected = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        let mut random = Random::new(1234567);
        assert_eq!([(); 3].map(|()| random.bits()), expected);
        assert_eq!([0, 1, 2].map(|place| number(1234567, place)), expected);
    }

    #[test]
    fn streams_differ_and_repeat() {
        let first = |stream| Random::stream(1, stream).bits();
        assert_eq!(first(5), first(5));
        assert_ne!(first(5), first(6));
    }

    #[test]
    fn every_order_is_about_equally_likely() {
        let mut random = Random::new(3);
        let mut counts = std::collections::HashMap::new();
        for _ in 0..6000 {
            *counts.entry(random.shuffled([0, 1, 2])).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        // A thousand each, give or take four standard deviations.
        assert!(counts.values().all(|count| (880..=1120).contains(count)), "{counts:?}");
    }

    #[test]
    fn nothing_can_be_picked_from_nothing() {
        assert_eq!(Random::new(1).pick::<u8>(&[]), None);
        assert_eq!(Random::new(1).below(0), 0);
    }

    #[test]
    fn fractions_fill_their_range() {
        let mut random = Random::new(4);
        let fractions: Vec<f64> = (0..1000).map(|_| random.fraction()).collect();
        assert!(fractions.iter().all(|fraction| (0.0..1.0).contains(fraction)));
        let mean = fractions.iter().sum::<f64>() / 1000.0;
        assert!((mean - 0.5).abs() < 0.04, "{mean}");
    }

    #[test]
    fn fresh_seeds_differ() {
        assert_ne!(fresh_seed(), fresh_seed());
    }
}
