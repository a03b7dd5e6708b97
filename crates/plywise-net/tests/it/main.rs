//! Networks of real games: evaluated, kept in files.

mod evaluation;
mod file;

use plywise_game::BoardGame;
use plywise_game::features::Sight;
use plywise_game::random::Random;
use plywise_net::{FloatWeights, Network, Role, Shape};

/// A network with random weights, one bucket and one output.
fn network<G: BoardGame>(width: usize, role: Role, seed: u64) -> Network {
    shaped_network::<G>([width, 1, 1], role, seed)
}

/// A network with random weights, of this width and with these numbers of buckets and outputs.
fn shaped_network<G: BoardGame>([width, buckets, outputs]: [usize; 3], role: Role, seed: u64) -> Network {
    let shape = Shape::new(&Sight::of::<G>(), width, buckets, outputs).unwrap();
    let mut random = Random::new(seed);
    let mut between = |low: f64, high: f64| (low + (high - low) * random.fraction()) as f32;
    let mut weights: Vec<f32> = (0..shape.bias_place()).map(|_| between(-0.1, 0.1)).collect();
    weights.extend((0..width).map(|_| between(0.0, 0.5)));
    weights.extend((0..2 * width * outputs).map(|_| between(-0.1, 0.1)));
    weights.extend((0..outputs).map(|output| output as f32 / 10.0));
    FloatWeights { shape: &shape, role, scale: 400.0, weights: &weights }.quantise(G::NAME, "random weights")
}

/// The positions of a random game.
fn random_line<G: BoardGame>(seed: u64) -> Vec<G::Position> {
    Random::new(seed).game::<G>(G::start(), 120)
}
