//! What it costs to count along what altered prices would cost.
//!
//! Run with `cargo bench -p plywise-learn`, and compare the two rows: the same search, unwatched and counted.

use divan::Bencher;
use divan::counter::ItemsCount;
use plywise_chess::{Chess, Evaluator};
use plywise_game::Notation;
use plywise_learn::control::{GrowthCounter, Slots};
use plywise_search::{Limits, Observer, Profile, ProfiledGame, Request, Searcher, Signal};

fn main() {
    divan::main();
}

const POSITION: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

fn bench(bencher: Bencher, mut observer: impl Observer<Chess> + Sync + Send) {
    let mut params = Profile::named("classic")
        .and_then(|profile| profile.params(ProfiledGame::of::<Chess>()))
        .expect("it is built in");
    Slots::BY_CLASS.write(&[0.3, 0.7, 0.8, 0.9], &mut params).expect("the weights lie within their bounds");
    let mut searcher = Searcher::<Chess, _>::new(params, Evaluator::default(), 16).expect("a small table");
    let request = Request::new(Chess::parse_position(POSITION).expect("a position"));
    let mut search = || {
        searcher.forget();
        searcher.search(&request, &Limits::depth(5), &Signal::new(), &mut observer).nodes
    };
    let nodes = search();
    bencher.counter(ItemsCount::new(nodes)).bench_local(search);
}

#[divan::bench]
fn unwatched(bencher: Bencher) {
    bench(bencher, ());
}

#[divan::bench]
fn counted_by_class(bencher: Bencher) {
    bench(bencher, GrowthCounter::new(Slots::BY_CLASS, 10));
}

#[divan::bench]
fn counted_by_class_and_phase(bencher: Bencher) {
    bench(bencher, GrowthCounter::new(Slots::BY_CLASS_AND_PHASE, 10));
}
