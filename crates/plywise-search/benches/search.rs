//! What flexibility costs: parameters read at run time against a set that is compiled in, and a search that nobody
//! observes against one that is recorded. Run with `cargo bench -p plywise-search`; compare within one run.

use plywise_chess::{Chess, Evaluator};
use plywise_game::{Game, Notation, Score};
use plywise_search::params::{
    Aspiration, InternalDeepening, MateDistance, Quiescence, Repetition, TableUse, TranspositionCutoffs,
};
use plywise_search::{
    End, Entered, Leaving, Limits, Observer, Params, Policy, Profile, ProfiledGame, Request, Searcher, Signal,
};

fn main() {
    divan::main();
}

/// The profile `brute` as a constant: the compiler sees every technique that is off.
#[derive(Clone)]
struct CompiledBrute;

const BRUTE: Params = Params {
    aspiration: Aspiration { enabled: true, ..Params::OFF.aspiration },
    table: TableUse { enabled: true, equal_depth_only: true, narrow: false },
    transposition_cutoffs: TranspositionCutoffs { enabled: true, ..Params::OFF.transposition_cutoffs },
    internal_deepening: InternalDeepening { enabled: true, ..Params::OFF.internal_deepening },
    quiescence: Quiescence { enabled: true, ..Params::OFF.quiescence },
    repetition: Repetition { enabled: true },
    mate_distance: MateDistance { enabled: true },
    ..Params::OFF
};

impl Policy for CompiledBrute {
    #[inline(always)]
    fn params(&self) -> &Params {
        &BRUTE
    }
}

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

/// Keeps what a tree recorder would: every node, and how it ended.
#[derive(Default)]
struct Recorder(Vec<(usize, Score, Option<End>)>);

impl<G: Game> Observer<G> for Recorder {
    fn enter(&mut self, node: &Entered<'_, G>) {
        self.0.push((node.ply, 0, None));
    }
    fn leave(&mut self, node: &Leaving) {
        self.0.push((node.ply, node.score, Some(node.end)));
    }
    fn enter_quiescence(&mut self, node: &Entered<'_, G>) {
        self.0.push((node.ply, 0, None));
    }
    fn leave_quiescence(&mut self, node: &Leaving) {
        self.0.push((node.ply, node.score, Some(node.end)));
    }
}

fn search<P: Policy>(policy: P, observer: &mut impl Observer<Chess>) -> u64 {
    let mut searcher = Searcher::<Chess, Evaluator, P>::new(policy, Evaluator::default(), 4).unwrap();
    let request = Request::new(Chess::parse_position(MIDDLEGAME).unwrap());
    searcher.search(&request, &Limits::depth(5), &Signal::new(), observer).nodes
}

fn brute() -> Params {
    let params = Profile::named("brute").unwrap().params(ProfiledGame::of::<Chess>()).unwrap();
    assert!(params == BRUTE, "the constant is the profile");
    params
}

#[divan::bench]
fn parameters_at_run_time(bencher: divan::Bencher) {
    let params = brute();
    bencher.bench(|| search(params.clone(), &mut ()));
}

#[divan::bench]
fn parameters_compiled_in(bencher: divan::Bencher) {
    bencher.bench(|| search(CompiledBrute, &mut ()));
}

#[divan::bench]
fn recorded(bencher: divan::Bencher) {
    let params = brute();
    bencher.bench(|| search(params.clone(), &mut Recorder::default()));
}
