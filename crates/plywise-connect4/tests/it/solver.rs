//! The solver against the search, and against what is known about the game.

use crate::{after, position, random_game};
use plywise_connect4::{Connect4, Evaluator, Position, Solver};
use plywise_game::score::{self, loss_in, win_in};
use plywise_game::{Game, Notation, Score, Window};
use plywise_search::{Limits, Params, Profile, ProfiledGame, Report, Searcher};
use proptest::prelude::*;

fn solve(position: &Position, window: Window) -> Score {
    Solver::new(1).solve(position, window, &mut |_| u64::MAX).expect("nothing stops it")
}

fn search(profile: &str, solver: bool, position: &Position, limits: &Limits) -> Report<<Connect4 as Game>::Move> {
    let mut params: Params = Profile::named(profile).unwrap().params(ProfiledGame::of::<Connect4>()).unwrap();
    params.solver.enabled = solver;
    Searcher::<Connect4, _>::new(params, Evaluator::default(), 8).unwrap().think(position, limits)
}

/// The position of a random game that has this many free places, if the game is not over there.
fn late_position(seed: u64, free: usize) -> Option<Position> {
    random_game(seed).get(42 - free).copied().filter(|position| Connect4::outcome(position).is_none())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn what_is_solved_is_the_value_of_the_game(seed: u64, free in 1usize..=11) {
        let Some(position) = late_position(seed, free) else { return Ok(()) };
        let value = search("alphabeta", false, &position, &Limits::depth(free as i32)).score();
        prop_assert_eq!(solve(&position, Window::FULL), value, "{:?}", position);
        prop_assert_eq!(search("brute", true, &position, &Limits::default()).score(), value, "{:?}", position);
    }

    /// Whatever the window, the answer is the value inside it and a bound outside it.
    #[test]
    fn windows_are_kept(seed: u64, free in 1usize..=20, a in -50..50, b in -50..50, wide in 0..3) {
        let Some(position) = late_position(seed, free) else { return Ok(()) };
        let value = solve(&position, Window::FULL);
        let bound = |n: i32| match wide {
            0 => n,
            1 => n.signum() * (score::WIN - n.abs()),
            _ => value + n / 10,
        };
        let (alpha, beta) = (bound(a).min(bound(b)), bound(a).max(bound(b)));
        prop_assume!(alpha < beta);
        let answer = solve(&position, Window::new(alpha, beta));
        match value {
            _ if value <= alpha => prop_assert!(value <= answer && answer <= alpha),
            _ if value >= beta => prop_assert!(beta <= answer && answer <= value),
            _ => prop_assert_eq!(answer, value),
        }
    }

    #[test]
    fn a_limit_of_nodes_holds(seed: u64, nodes in 0u64..2000, portion in 1u64..100) {
        let Some(position) = late_position(seed, 26) else { return Ok(()) };
        let (mut left, mut asked, mut spent) = (nodes, 0, 0);
        let solved = Solver::new(1).solve(&position, Window::FULL, &mut |used| {
            assert!(used <= asked, "{used} nodes where {asked} were granted");
            spent += used;
            asked = portion.min(left);
            left -= asked;
            asked
        });
        prop_assert!(spent <= nodes);
        prop_assert!(solved.is_some() || left == 0);
    }
}

/// Checks the value of a position.
#[track_caller]
fn check_value(text: &str, expected: Score) {
    let position = position(text);
    assert_eq!(solve(&position, Window::FULL), expected, "{}", Connect4::draw(&position));
}

#[test]
fn games_that_are_over_or_nearly_so() {
    check_value("1212121", loss_in(0));
    check_value("121212", win_in(1));
    check_value(crate::rules::FULL, 0);
    // Three in the middle of the lowest row, open at both ends.
    check_value("44335", loss_in(2));
    check_value("4433", win_in(3));
}

/// A search to the end finds the same values without the solver, with ten times the nodes.
#[test]
fn solved_positions() {
    check_value("2252576253462244111563365343671351441", loss_in(4));
    check_value("5455174361263362", loss_in(26));
    check_value("274552224131661", 0);
}

#[test]
fn what_the_solver_remembers_changes_no_value() {
    let mut solver = Solver::new(1);
    for seed in 0..60 {
        let Some(position) = late_position(seed, 18) else { continue };
        let value = solver.solve(&position, Window::FULL, &mut |_| u64::MAX);
        assert_eq!(value, Some(solve(&position, Window::FULL)));
        for mv in Connect4::legal_moves(&position) {
            let next = after(&position, &Connect4::write_move(&position, mv));
            let value = solver.solve(&next, Window::FULL, &mut |_| u64::MAX);
            assert_eq!(value, Some(solve(&next, Window::FULL)));
        }
    }
}
