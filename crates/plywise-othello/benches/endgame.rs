//! How fast the endgame solver is, on the test set of the Fédération Française d'Othello.
//!
//! Run with `cargo bench -p plywise-othello --bench endgame`. The items are nodes. Each solve begins with an empty
//! table. The positions have 19 to 23 empty squares.

use divan::Bencher;
use divan::counter::ItemsCount;
use plywise_game::{Depth, Evaluate, Notation, Score, Window};
use plywise_othello::endgame::{Solver, Unguided};
use plywise_othello::{Evaluator, Othello, Position};

fn main() {
    divan::main();
}

/// A position of the test set, with its number and its value.
struct Problem {
    number: u32,
    text: &'static str,
    value: Score,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}", self.number)
    }
}

const PROBLEMS: [Problem; 9] = [
    problem(24, "--O--O-----OOOX--X-XOXOO--XXXOOOXXXXOOOOXXXOXXOOXXXXXX--XOXX-O-- O", 0),
    problem(27, "--XO-O----OOOO--OOXOXXO-OOOOXXOOOOOXXOX-OXOXXXXX--XXXX----X-O-X- X", -2),
    problem(30, "-XXX----X-XOO---XXOXOO--XOXOXO--XOOXOXXXXOOXXOX---OOOOO--XXXXX-- X", 0),
    problem(33, "-XXXXXXX--XOOO----OXOOXX-OOXXOXX-OOOOOXX-X-XOOXX---O-X-X--OOOO-- X", -8),
    problem(40, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    problem(41, "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0),
    problem(42, "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6),
    problem(43, "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12),
    problem(44, "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14),
];

const fn problem(number: u32, text: &'static str, value: Score) -> Problem {
    Problem { number, text, value }
}

const MEGABYTES: usize = 64;

/// The solver alone.
#[divan::bench(args = PROBLEMS, sample_count = 2, sample_size = 1)]
fn unguided(bencher: Bencher, problem: &Problem) {
    bench(bencher, problem, |position, spend| {
        Solver::new(MEGABYTES).solve(position, Window::FULL, &mut Unguided, spend)
    });
}

/// The solver inside the evaluator, which guides it and gives it the small table that it has in games.
#[divan::bench(args = PROBLEMS, sample_count = 2, sample_size = 1)]
fn guided_by_evaluation(bencher: Bencher, problem: &Problem) {
    bench(bencher, problem, |position, spend| Evaluator::default().solve(position, Depth::MAX, Window::FULL, spend));
}

/// Solves once to count the nodes and to check the value, then as often as asked for to take the time.
fn bench(
    bencher: Bencher,
    problem: &Problem,
    solve: impl Fn(&Position, &mut dyn FnMut(u64) -> u64) -> Option<Score> + Sync,
) {
    let position = Othello::parse_position(problem.text).expect("the position is well written");
    let mut nodes = 0;
    let mut count = |new| {
        nodes += new;
        u64::MAX
    };
    assert_eq!(solve(&position, &mut count), Some(problem.value), "FFO {problem}");
    bencher.counter(ItemsCount::new(nodes)).bench(|| solve(divan::black_box(&position), &mut |_| u64::MAX));
}
