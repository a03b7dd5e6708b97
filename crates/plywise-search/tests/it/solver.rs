//! The solver of an evaluation: exact, accounted for, and the end of the search.

use plywise_game::{Game, Notation, Score};
use plywise_othello::{Evaluator, Othello, Position};
use plywise_search::{Limits, Params, Profile, ProfiledGame, Report, Request, Searcher, Signal};
use proptest::prelude::*;

/// A position with at most `empties` empty squares, if random moves lead to one.
fn late_position(seed: u64, empties: u32) -> Option<Position> {
    let mut position = Othello::start();
    let mut state = seed;
    while position.empty().count_ones() > empties {
        let moves = Othello::legal_moves(&position);
        state = crate::random_tree::mix(state);
        position = Othello::play(&position, *moves.get((state % moves.len().max(1) as u64) as usize)?);
    }
    (Othello::move_count(&position) > 0).then_some(position)
}

fn search(params: Params, position: &Position, limits: &Limits) -> Report<<Othello as Game>::Move> {
    let mut searcher = Searcher::<Othello, _>::new(params, Evaluator::default(), 1).unwrap();
    searcher.search(&Request::new(*position), limits, &Signal::new(), &mut ())
}

fn profile(name: &str, solver: bool) -> Params {
    let mut params = Profile::named(name).unwrap().params(ProfiledGame::of::<Othello>()).unwrap();
    params.solver.enabled = solver;
    params
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn what_is_solved_is_the_value_of_the_game(seed: u64) {
        let Some(position) = late_position(seed, 8) else { return Ok(()) };
        let value: Score = search(profile("alphabeta", false), &position, &Limits::depth(20)).score();
        // Without a limit the search ends by itself, because nothing is left to estimate.
        let solved = search(profile("brute", true), &position, &Limits::default());
        prop_assert_eq!(solved.score(), value);
        let mut here = position;
        for mv in &solved.lines[0].pv {
            prop_assert!(Othello::legal_moves(&here).contains(mv));
            here = Othello::play(&here, *mv);
        }
    }
}

#[test]
fn the_nodes_of_the_solver_count() {
    let middlegame = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
    let position = Othello::parse_position(middlegame).unwrap();
    let report = search(profile("classic", true), &position, &Limits::nodes(200_000));
    assert_eq!(report.nodes, 200_000);
    assert!(report.best_move().is_some());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn a_node_limit_holds_for_the_solver_too(
        seed: u64, empties in 4..=40_u32, budget in prop_oneof![1..300_u64, 1..30_000_u64],
        name in prop::sample::select(vec!["brute", "classic", "best"]), lines in 1..=3_usize,
    ) {
        let Some(position) = late_position(seed, empties) else { return Ok(()) };
        let mut searcher = Searcher::<Othello, _>::new(profile(name, true), Evaluator::default(), 1).unwrap();
        let request = Request { lines, ..Request::new(position) };
        let report = searcher.search(&request, &Limits::nodes(budget), &Signal::new(), &mut ());
        prop_assert!(report.nodes <= budget, "{} of {}", report.nodes, budget);
        prop_assert!(report.best_move().is_some());
    }
}

#[test]
fn a_node_limit_holds_for_the_solvers_of_several_threads() {
    // What the threads have in hand when the limit is reached: they count by the thousand.
    const IN_HAND: u64 = 4 * 2 * 1024;
    for seed in 0..20 {
        for (empties, budget) in [(12, 1), (14, 5_000), (16, 20_000)] {
            let Some(position) = late_position(seed, empties) else { continue };
            let mut searcher = Searcher::<Othello, _>::new(profile("best", true), Evaluator::default(), 1).unwrap();
            searcher.set_threads(4);
            let report = searcher.think(&position, &Limits::nodes(budget));
            assert!(report.nodes <= budget + IN_HAND, "{} of {budget}, {empties} empty squares", report.nodes);
        }
    }
}
