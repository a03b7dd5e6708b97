//! Speed of the rules and of the evaluation, with cozy-chess's own move generator beside ours in one run.

use cozy_chess::Board;
use divan::{Bencher, black_box, counter::ItemsCount};
use plywise_chess::{Chess, Evaluator, Weights};
use plywise_game::linear::Sum;
use plywise_game::{Evaluate, Game, Linear, Notation, perft};

fn main() {
    divan::main();
}

/// An opening, a middlegame full of tactics, an endgame.
const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Deep enough for some millions of leaves each.
const DEPTHS: [u32; 3] = [5, 4, 6];

fn boards() -> Vec<Board> {
    POSITIONS.iter().map(|fen| Chess::parse_position(fen).expect("a legal position")).collect()
}

/// The positions within two plies of the ones above: a few thousand, as a search would meet them.
fn many_boards() -> Vec<Board> {
    let mut many = boards();
    let mut start = 0;
    for _ in 0..2 {
        let end = many.len();
        for i in start..end {
            let board = many[i].clone();
            Chess::moves(&board, |mv| many.push(Chess::play(&board, mv)));
        }
        start = end;
    }
    many
}

/// Bulk perft as cozy-chess's own example counts it.
fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth <= 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            nodes += cozy_perft(&after, depth - 1);
        }
        false
    });
    nodes
}

fn bench_perft(bencher: Bencher, count: impl Fn(&Board, u32) -> u64 + Sync) {
    let boards = boards();
    let all = || boards.iter().zip(DEPTHS).map(|(board, depth)| count(black_box(board), depth)).sum::<u64>();
    let leaves = all();
    bencher.counter(ItemsCount::new(leaves)).bench(all);
}

#[divan::bench(sample_count = 10)]
fn bulk_perft_plywise(bencher: Bencher) {
    bench_perft(bencher, perft::<Chess>);
}

#[divan::bench(sample_count = 10)]
fn bulk_perft_cozy_chess(bencher: Bencher) {
    bench_perft(bencher, cozy_perft);
}

/// Runs `each` over many positions, and counts positions for the throughput.
fn bench_boards<T>(bencher: Bencher, mut each: impl FnMut(&Board) -> T) {
    let boards = many_boards();
    bencher.counter(ItemsCount::new(boards.len())).bench_local(|| {
        for board in &boards {
            black_box(each(black_box(board)));
        }
    });
}

#[divan::bench]
fn evaluate(bencher: Bencher) {
    let mut eval = Evaluator::default();
    bench_boards(bencher, |board| eval.evaluate(board));
}

/// The same values by the sum of [`plywise_game::linear`], which knows neither pairs of stages nor a table of pawns.
#[divan::bench]
fn evaluate_by_linear_sum(bencher: Bencher) {
    let mut weights = Weights::DEFAULT;
    bench_boards(bencher, |board| {
        let mut sum = Sum::new(&mut weights);
        Weights::add_terms(board, &mut sum);
        sum.total()
    });
}

#[divan::bench]
fn tactical_moves(bencher: Bencher) {
    bench_boards(bencher, |board| {
        let mut count = 0;
        Chess::tactical_moves(board, |_| count += 1);
        count
    });
}

#[divan::bench]
fn exchange_value_of_every_move(bencher: Bencher) {
    bench_boards(bencher, |board| {
        let mut sum = 0;
        Chess::moves(board, |mv| sum += Chess::exchange_value(board, mv));
        sum
    });
}

#[divan::bench]
fn move_class_of_every_move(bencher: Bencher) {
    bench_boards(bencher, |board| {
        let mut sum = 0;
        Chess::moves(board, |mv| sum += Chess::move_class(board, mv));
        sum
    });
}
