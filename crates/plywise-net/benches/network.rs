//! How fast networks are: evaluating positions as a search meets them.
//!
//! Run with `cargo bench -p plywise-net`. The items are positions.

use divan::Bencher;
use divan::counter::ItemsCount;
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::features::Sight;
use plywise_game::random::Random;
use plywise_game::{BoardGame, Evaluate};
use plywise_loa::Loa;
use plywise_net::{FloatWeights, Network, NetworkEvaluation, Role, Shape};
use plywise_othello::Othello;
use std::sync::Arc;

fn main() {
    divan::main();
}

fn network<G: BoardGame>(width: usize) -> Network {
    let shape = Shape::new(&Sight::of::<G>(), width, 1, 1).expect("every game here has a network");
    let mut random = Random::new(1);
    let mut between = |low: f64, high: f64| (low + (high - low) * random.fraction()) as f32;
    let mut weights: Vec<f32> = (0..shape.bias_place()).map(|_| between(-0.1, 0.1)).collect();
    weights.extend((0..width).map(|_| between(0.0, 0.5)));
    weights.extend((0..2 * width).map(|_| between(-0.1, 0.1)));
    weights.push(0.0);
    FloatWeights { shape: &shape, role: Role::Replace, scale: 400.0, weights: &weights }
        .quantise(G::NAME, "random weights")
}

/// Random games with a few successors of each position: a depth-first search in small.
fn positions<G: BoardGame>() -> Vec<G::Position> {
    let mut positions = Vec::new();
    for seed in 0..20 {
        for position in Random::new(seed).game::<G>(G::start(), 60) {
            let moves = G::legal_moves(&position);
            positions.push(position.clone());
            positions.extend(moves.iter().take(8).map(|&mv| G::play(&position, mv)));
        }
    }
    positions
}

fn bench<G: BoardGame>(bencher: Bencher, mut evaluate: impl FnMut(&G::Position) -> i32) {
    let positions = positions::<G>();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        positions.iter().map(|position| evaluate(divan::black_box(position))).fold(0, i32::wrapping_add)
    });
}

#[divan::bench(types = [Chess, Loa, Othello, Abalone])]
fn linear<G: BoardGame>(bencher: Bencher) {
    let mut evaluation = G::evaluation(G::Weights::default());
    bench::<G>(bencher, |position| evaluation.evaluate(position));
}

#[divan::bench(types = [Chess, Loa, Othello, Abalone], args = [32, 128, 256])]
fn updated<G: BoardGame>(bencher: Bencher, width: usize) {
    let network = Arc::new(network::<G>(width));
    let mut evaluation = NetworkEvaluation::<G>::new(G::evaluation(G::Weights::default()), Some(network));
    bench::<G>(bencher, |position| evaluation.evaluate(position));
}

#[divan::bench(types = [Chess, Loa, Othello, Abalone], args = [32, 128])]
fn refreshed<G: BoardGame>(bencher: Bencher, width: usize) {
    let network = network::<G>(width);
    bench::<G>(bencher, |position| network.evaluate::<G>(position));
}
