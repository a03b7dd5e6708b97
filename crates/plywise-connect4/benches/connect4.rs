//! How fast Connect Four is: bulk perft, the generation of moves, the evaluation and the solver.
//!
//! Run with `cargo bench -p plywise-connect4`. The items of perft and of the solver are nodes, those of the others are
//! positions.

use divan::Bencher;
use divan::counter::ItemsCount;
use plywise_connect4::{Connect4, Evaluator, Position, Solver};
use plywise_game::{Evaluate, Game, Notation, Window, perft};

fn main() {
    divan::main();
}

#[divan::bench]
fn bulk_perft(bencher: Bencher) {
    let start = Connect4::start();
    let nodes = perft::<Connect4>(&start, 8);
    bencher.counter(ItemsCount::new(nodes)).bench(|| perft::<Connect4>(divan::black_box(&start), 8));
}

#[divan::bench]
fn moves(bencher: Bencher) {
    bench_over(bencher, |position| {
        let mut codes = 0;
        Connect4::moves(position, |mv| codes += i64::from(Connect4::move_code(mv)));
        codes
    });
}

#[divan::bench]
fn evaluate(bencher: Bencher) {
    let mut evaluator = Evaluator::default();
    bench_over(bencher, |position| i64::from(evaluator.evaluate(position)));
}

/// A position with sixteen discs, solved with an empty table.
#[divan::bench]
fn solve(bencher: Bencher) {
    let position = Connect4::parse_position("5455174361263362").expect("it can be read");
    let mut solver = Solver::new(8);
    let mut solve = || {
        let mut nodes = 0;
        solver.clear();
        let _ = solver.solve(&position, Window::FULL, &mut |used| {
            nodes += used;
            u64::MAX
        });
        nodes
    };
    let nodes: u64 = solve();
    bencher.counter(ItemsCount::new(nodes)).bench_local(solve);
}

/// Measures a function on the positions three plies after each position of a game that follows a fixed pattern.
fn bench_over(bencher: Bencher, mut function: impl FnMut(&Position) -> i64) {
    let mut positions = Vec::new();
    let mut position = Connect4::start();
    for ply in 0..30 {
        collect(&position, 3, &mut positions);
        let moves = Connect4::legal_moves(&position);
        let Some(&mv) = moves.get(ply * 5 % moves.len().max(1)) else { break };
        position = Connect4::play(&position, mv);
    }
    bencher
        .counter(ItemsCount::new(positions.len()))
        .bench_local(|| positions.iter().map(|position| function(divan::black_box(position))).sum::<i64>());
}

/// All positions this many plies later.
fn collect(position: &Position, plies: u32, positions: &mut Vec<Position>) {
    if plies == 0 {
        positions.push(*position);
    } else {
        Connect4::moves(position, |mv| collect(&Connect4::play(position, mv), plies - 1, positions));
    }
}
