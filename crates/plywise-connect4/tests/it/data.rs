//! The files that come with the crate.

use plywise_connect4::{Connect4, Evaluator, Position, Solver, canonical, lines};
use plywise_game::epd::{self, Entry};
use plywise_game::{BoardGame, Game, Score, Window};
use plywise_search::{Limits, Profile, ProfiledGame, Searcher};
use std::collections::HashSet;

fn entries(text: &str) -> Vec<Entry<Connect4>> {
    epd::read::<Connect4, _>(text.as_bytes()).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}"))
}

fn are_distinct(entries: &[Entry<Connect4>]) -> bool {
    let positions: HashSet<Position> = entries.iter().map(|entry| canonical(&entry.position)).collect();
    positions.len() == entries.len()
}

/// 1, 0 or -1: whether the side to move wins, draws or loses.
fn outcome(solver: &mut Solver, position: &Position) -> Score {
    solver.solve(position, Window::new(-1, 1), &mut |_| u64::MAX).expect("nothing stops it").signum()
}

#[test]
fn openings_are_distinct_and_quiet() {
    let openings = entries(Connect4::OPENINGS);
    assert_eq!(openings.len(), 100);
    assert!(are_distinct(&openings));
    for Entry { position, id, .. } in &openings {
        assert_eq!(crate::after(&Connect4::start(), id.as_deref().unwrap()), *position);
        let threats = lines::completing(position.own()) | lines::completing(position.enemy());
        assert_eq!(threats & position.reachable(), 0, "{position:?}");
    }
}

/// One in ten: all take too long for a test.
#[test]
fn the_moves_of_the_suite_are_the_only_ones() {
    let suite = entries(Connect4::SUITES[0].1);
    assert_eq!(suite.len(), 100);
    assert!(are_distinct(&suite));
    let mut solver = Solver::new(16);
    for Entry { position, best, .. } in suite.iter().step_by(10) {
        let value = outcome(&mut solver, position);
        assert!(value >= 0, "{position:?}");
        for mv in Connect4::legal_moves(position) {
            let after = -outcome(&mut solver, &Connect4::play(position, mv));
            assert_eq!(after == value, best.as_slice() == [mv], "{mv} in {position:?}");
        }
    }
}

#[test]
fn a_search_solves_the_suite() {
    let params = Profile::named("best").unwrap().params(ProfiledGame::of::<Connect4>()).unwrap();
    let mut searcher = Searcher::<Connect4, _>::new(params, Evaluator::default(), 16).unwrap();
    for entry in entries(Connect4::SUITES[0].1).iter().step_by(10) {
        searcher.forget();
        let found = searcher.think(&entry.position, &Limits::nodes(3_000_000)).best_move();
        assert!(found.is_some_and(|mv| entry.is_solved_by(mv)), "{found:?} in {entry}");
    }
}

#[test]
fn bench_positions_are_read_and_not_over() {
    for text in Connect4::BENCH_POSITIONS {
        assert_eq!(Connect4::outcome(&crate::position(text)), None, "{text}");
    }
}
