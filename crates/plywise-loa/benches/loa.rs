//! How fast Lines of Action is: bulk perft beside that of cozy-chess in one run, and the evaluation.
//!
//! Run with `cargo bench -p plywise-loa`. The items of perft are nodes, those of the evaluation are positions.

use divan::Bencher;
use divan::counter::ItemsCount;
use plywise_game::{Evaluate, Game, perft};
use plywise_loa::{Evaluator, Loa, Position, Weights};

fn main() {
    divan::main();
}

mod bulk_perft {
    use super::*;

    #[divan::bench]
    fn loa(bencher: Bencher) {
        let start = Loa::start();
        let nodes = perft::<Loa>(&start, 4);
        bencher.counter(ItemsCount::new(nodes)).bench(|| perft::<Loa>(divan::black_box(&start), 4));
    }

    #[divan::bench]
    fn cozy_chess(bencher: Bencher) {
        let start = cozy_chess::Board::default();
        let nodes = chess_perft(&start, 5);
        bencher.counter(ItemsCount::new(nodes)).bench(|| chess_perft(divan::black_box(&start), 5));
    }

    /// Bulk perft as cozy-chess users write it: the last ply is counted, not played.
    fn chess_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut child = board.clone();
                    child.play_unchecked(mv);
                    nodes += chess_perft(&child, depth - 1);
                }
            }
            false
        });
        nodes
    }
}

mod evaluate {
    use super::*;

    /// With the cache, on positions as a search meets them: the successors of one another.
    #[divan::bench]
    fn cached(bencher: Bencher) {
        bench_with(bencher, Evaluator::default());
    }

    #[divan::bench]
    fn uncached(bencher: Bencher) {
        bench_with(bencher, Evaluator::without_cache(Weights::DEFAULT));
    }

    fn bench_with(bencher: Bencher, mut evaluator: Evaluator) {
        let positions = successors();
        bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
            positions.iter().map(|position| i64::from(evaluator.evaluate(divan::black_box(position)))).sum::<i64>()
        });
    }

    /// All positions two plies after each position of a game that follows a fixed pattern.
    fn successors() -> Vec<Position> {
        let mut successors = Vec::new();
        let mut position = Loa::start();
        for ply in 0..12 {
            Loa::moves(&position, |first| {
                let between = Loa::play(&position, first);
                Loa::moves(&between, |second| successors.push(Loa::play(&between, second)));
            });
            let moves = Loa::legal_moves(&position);
            let Some(&mv) = moves.get(ply * 5 % moves.len().max(1)) else { break };
            position = Loa::play(&position, mv);
        }
        successors
    }
}
