//! How fast networks are: evaluating positions as a search meets them, and training.
//!
//! Run with `cargo bench -p plywise-net`. The items are positions.

use divan::Bencher;
use divan::counter::ItemsCount;
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::random::Random;
use plywise_game::{BoardGame, Evaluate};
use plywise_loa::Loa;
use plywise_net::data::{GameResult, PackedGame, Ply};
use plywise_net::{Filter, FloatNetwork, Network, NetworkEvaluation, Role, Samples, Settings, Trainer};
use plywise_othello::Othello;
use plywise_search::Signal;
use std::sync::Arc;

fn main() {
    divan::main();
}

fn network<G: BoardGame>(width: usize) -> Network {
    FloatNetwork::new(G::FEATURES, width, Role::Replace, 400.0, 1).quantise(G::NAME, "random weights")
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

/// Samples of random games.
fn samples<G: BoardGame>() -> Samples {
    let filter = Filter { skip_tactical: false, ..Filter::default() };
    let mut samples = Samples::new::<G>();
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut position = G::start();
        let mut plies = Vec::new();
        while let Some(mv) = random.legal_move::<G>(&position).filter(|_| plies.len() < 100) {
            plies.push(Ply::new(G::move_code(mv), Some(random.below(400) as i32 - 200)));
            position = G::play(&position, mv);
        }
        let start = G::write_position(&G::start());
        let game = PackedGame { start, plies, result: GameResult::Draw, interior: Vec::new() };
        samples.add_game::<G>(&game, &filter, |_| 0).expect("the moves are legal");
    }
    samples
}

#[divan::bench(types = [Chess, Loa, Abalone], args = [1, 2], sample_count = 5, sample_size = 1)]
fn train_128<G: BoardGame>(bencher: Bencher, threads: usize) {
    let samples = samples::<G>();
    let settings = Settings { width: 128, threads, ..Settings::default() };
    let mut trainer = Trainer::new(settings, G::FEATURES).expect("the settings are right");
    let stop = Signal::new();
    bencher.counter(ItemsCount::new(samples.len())).bench_local(|| trainer.epoch(&samples, &stop));
}
