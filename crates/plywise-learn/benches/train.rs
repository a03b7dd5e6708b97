//! How fast networks are trained.
//!
//! Run with `cargo bench -p plywise-learn --bench train`. The items are positions.

use divan::Bencher;
use divan::counter::ItemsCount;
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::features::Sight;
use plywise_game::pgn::GameResult;
use plywise_game::random::Random;
use plywise_game::{BoardGame, GameInfo};
use plywise_learn::data::{PackedGame, Ply};
use plywise_learn::{Filter, Samples, Settings, Split, Trainer};
use plywise_loa::Loa;
use plywise_search::Signal;

fn main() {
    divan::main();
}

/// Samples of random games.
fn samples<G: BoardGame>() -> Samples {
    let filter = Filter { skip_tactical: false, ..Filter::default() };
    let mut samples = Samples::new::<G>(Split { share: 0.0, seed: 1 }, None).expect("memory is always there");
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
        samples.add_game(&GameInfo::<G>::of_type(), &game, &filter, |_| 0).expect("the moves are legal");
    }
    samples
}

#[divan::bench(types = [Chess, Loa, Abalone], args = [1, 2], sample_count = 5, sample_size = 1)]
fn train_128<G: BoardGame>(bencher: Bencher, threads: usize) {
    train::<G>(bencher, Settings { width: 128, threads, ..Settings::default() });
}

#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn train_256(bencher: Bencher, threads: usize) {
    train::<Chess>(bencher, Settings { width: 256, threads, ..Settings::default() });
}

#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn train_256_in_8_buckets(bencher: Bencher, threads: usize) {
    train::<Chess>(bencher, Settings { width: 256, buckets: 8, outputs: 8, threads, ..Settings::default() });
}

fn train<G: BoardGame>(bencher: Bencher, settings: Settings) {
    let samples = samples::<G>();
    let mut trainer = Trainer::new(settings, &Sight::of::<G>()).expect("the settings are right");
    let stop = Signal::new();
    bencher.counter(ItemsCount::new(samples.len())).bench_local(|| trainer.epoch(&samples, &stop));
}
