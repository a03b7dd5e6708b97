use plywise_game::random::Random;
use plywise_host::AnyPosition;

/// A random opening of `plies` plies: the one with this `number` among those that `seed` gives. A game that ends on the
/// way begins again.
///
/// In a game in which random moves always end it early, there is none.
pub fn random(start: &AnyPosition, plies: usize, seed: u64, number: u64) -> Option<AnyPosition> {
    start.random_opening(&mut Random::stream(seed, number), plies)
}
