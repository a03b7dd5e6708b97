use crate::player::Opening;
use plywise_game::Notation;
use plywise_game::random::Random;

/// A random opening of `plies` plies: the one with this `number` among those that `seed` gives. A game that ends on the
/// way begins again.
///
/// In a game in which random moves always end it early, there is none.
pub fn random<G: Notation>(start: &G::Position, plies: usize, seed: u64, number: u64) -> Option<Opening<G>> {
    let moves = Random::stream(seed, number).opening::<G>(start, plies)?;
    Some(Opening { start: start.clone(), moves })
}
