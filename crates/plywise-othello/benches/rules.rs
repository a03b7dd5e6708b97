//! How fast the rules are.
//!
//! Run with `cargo bench -p plywise-othello --bench rules`. The items of perft are nodes, the others are positions.

use divan::Bencher;
use divan::counter::ItemsCount;
use plywise_game::bitboard::squares;
use plywise_game::{Game, perft};
use plywise_othello::{Othello, Position};

fn main() {
    divan::main();
}

/// The last ply is counted, not played.
#[divan::bench]
fn bulk_perft(bencher: Bencher) {
    let start = Othello::start();
    let nodes = perft::<Othello>(&start, 9);
    bencher.counter(ItemsCount::new(nodes)).bench(|| perft::<Othello>(divan::black_box(&start), 9));
}

#[divan::bench]
fn mobility(bencher: Bencher) {
    bench(bencher, |position| position.mobility());
}

#[divan::bench]
fn flips_of_all_moves(bencher: Bencher) {
    bench(bencher, |position| squares(position.mobility()).fold(0, |sum, square| sum ^ position.flips(square)));
}

#[divan::bench]
fn hash(bencher: Bencher) {
    bench(bencher, Othello::hash);
}

/// Measures a function on the positions two plies after each position of a game that follows a fixed pattern.
fn bench(bencher: Bencher, function: impl Fn(&Position) -> u64 + Sync) {
    let mut positions = Vec::new();
    let mut position = Othello::start();
    for ply in 0..50 {
        collect(&position, 2, &mut positions);
        let moves = Othello::legal_moves(&position);
        let Some(&mv) = moves.get(ply * 5 % moves.len().max(1)) else { break };
        position = Othello::play(&position, mv);
    }
    bencher
        .counter(ItemsCount::new(positions.len()))
        .bench(|| positions.iter().map(|position| function(divan::black_box(position))).fold(0, u64::wrapping_add));
}

/// All positions this many plies later.
fn collect(position: &Position, plies: u32, positions: &mut Vec<Position>) {
    if plies == 0 {
        positions.push(*position);
    } else {
        Othello::moves(position, |mv| collect(&Othello::play(position, mv), plies - 1, positions));
    }
}
