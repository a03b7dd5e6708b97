//! How fast Abalone is: bulk perft, the generation of moves, and the evaluation.
//!
//! Run with `cargo bench -p plywise-abalone`. The items of perft are nodes, those of the others are positions.

use divan::Bencher;
use divan::counter::ItemsCount;
use plywise_abalone::{Abalone, Evaluator, Position};
use plywise_game::{Evaluate, Game, perft};

fn main() {
    divan::main();
}

#[divan::bench]
fn bulk_perft(bencher: Bencher) {
    let start = Position::BELGIAN_DAISY;
    let nodes = perft::<Abalone>(&start, 4);
    bencher.counter(ItemsCount::new(nodes)).bench(|| perft::<Abalone>(divan::black_box(&start), 4));
}

/// What a search asks of a position, over many of them.
mod position {
    use super::*;

    /// Every move is listed, and looked at.
    #[divan::bench]
    fn moves(bencher: Bencher) {
        bench_over(bencher, |position| {
            let mut codes = 0;
            Abalone::moves(position, |mv| codes += i64::from(Abalone::move_code(mv)));
            codes
        });
    }

    #[divan::bench]
    fn move_count(bencher: Bencher) {
        bench_over(bencher, |position| Abalone::move_count(position) as i64);
    }

    #[divan::bench]
    fn tactical_moves(bencher: Bencher) {
        bench_over(bencher, |position| {
            let mut count = 0;
            Abalone::tactical_moves(position, |_| count += 1);
            count
        });
    }

    #[divan::bench]
    fn evaluate(bencher: Bencher) {
        let mut evaluator = Evaluator::default();
        bench_over(bencher, |position| i64::from(evaluator.evaluate(position)));
    }

    fn bench_over(bencher: Bencher, mut ask: impl FnMut(&Position) -> i64) {
        let positions = successors();
        bencher
            .counter(ItemsCount::new(positions.len()))
            .bench_local(|| positions.iter().map(|position| ask(divan::black_box(position))).sum::<i64>());
    }

    /// All positions one ply after each position of a game that follows a fixed pattern.
    fn successors() -> Vec<Position> {
        let mut successors = Vec::new();
        let mut position = Position::BELGIAN_DAISY;
        for ply in 0..100 {
            let moves = Abalone::legal_moves(&position);
            successors.extend(moves.iter().map(|&mv| Abalone::play(&position, mv)));
            let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            position = Abalone::play(&position, mv);
        }
        successors
    }
}
