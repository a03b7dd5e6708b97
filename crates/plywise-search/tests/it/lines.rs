//! Several lines: sorted, no first move twice, and what was told last is what is played.

use crate::random_tree::Hashed;
use plywise_chess::Chess;
use plywise_game::Game;
use plywise_loa::Loa;
use plywise_othello::Othello;
use plywise_search::{Bound, Limits, Line, Observer, Profile, ProfiledGame, Progress, Request, Searcher, Signal};
use proptest::prelude::*;

/// What an interface shows: the line that was told last for each rank.
struct Board<M>(Vec<Line<M>>);

impl<G: Game> Observer<G> for Board<G::Move> {
    fn progress(&mut self, progress: &Progress<G::Move>) {
        let Progress { score, bound, depth, ref pv, .. } = *progress;
        self.0.truncate(progress.line - 1);
        assert_eq!(self.0.len(), progress.line - 1, "lines are reported from the first to the last");
        // Only a score below the window comes without a line; the one before stays on the board.
        if !pv.is_empty() {
            self.0.push(Line { score, bound, depth, pv: pv.clone() });
        }
    }
}

fn check<G: Game>(
    position: G::Position,
    lines: usize,
    threads: usize,
    limits: &Limits,
    profile: &str,
) -> Result<(), TestCaseError> {
    let params = Profile::named(profile).unwrap().params(ProfiledGame::plain("any")).unwrap();
    let mut searcher = Searcher::<G, Hashed>::new(params, Hashed { salt: 11, range: 300 }, 1).unwrap();
    searcher.set_threads(threads);
    let moves = G::legal_moves(&position);
    let request = Request { lines, ..Request::new(position) };
    let mut board = Board(Vec::new());
    let report = searcher.search(&request, limits, &Signal::new(), &mut board);
    prop_assert_eq!(&board.0, &report.lines, "what was told last");
    prop_assert!(report.lines.len() <= lines);
    prop_assert_eq!(report.lines.is_empty(), moves.is_empty());
    prop_assert!(report.lines.is_sorted_by(|a, b| a.score >= b.score), "{:?}", report.lines);
    for (i, line) in report.lines.iter().enumerate() {
        prop_assert!(moves.contains(&line.pv[0]));
        prop_assert!(report.lines[..i].iter().all(|other| other.pv[0] != line.pv[0]), "{:?}", report.lines);
    }
    Ok(())
}

/// A position after this many plies of random play.
pub fn wander<G: Game>(seed: u64, plies: usize) -> G::Position {
    let (mut position, mut state) = (G::start(), seed);
    for _ in 0..plies {
        let moves = G::legal_moves(&position);
        state = crate::random_tree::mix(state);
        let Some(&mv) = moves.get((state % moves.len().max(1) as u64) as usize) else { break };
        position = G::play(&position, mv);
    }
    position
}

fn profiles() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["alphabeta", "brute", "classic", "best"])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn wherever_a_search_breaks_off(
        seed: u64, plies in 0..60_usize, lines in 1..=4_usize, nodes in 1..4000_u64, profile in profiles(),
    ) {
        let limits = Limits::nodes(nodes);
        check::<Chess>(wander::<Chess>(seed, plies), lines, 1, &limits, profile)?;
        check::<Loa>(wander::<Loa>(seed, plies), lines, 1, &limits, profile)?;
        check::<Othello>(wander::<Othello>(seed, plies), lines, 1, &limits, profile)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn with_helpers_too(
        seed: u64, plies in 0..60_usize, lines in 1..=4_usize, threads in 2..=4_usize, nodes in 1..30_000_u64,
        profile in profiles(),
    ) {
        check::<Chess>(wander::<Chess>(seed, plies), lines, threads, &Limits::nodes(nodes), profile)?;
        check::<Loa>(wander::<Loa>(seed, plies), lines, threads, &Limits::nodes(nodes), profile)?;
    }

    #[test]
    fn with_mtdf_and_at_a_fixed_depth(seed: u64, plies in 0..60_usize, lines in 1..=4_usize, nodes in 1..4000_u64) {
        let mut params = Profile::named("brute").unwrap().params(ProfiledGame::plain("any")).unwrap();
        params.framework.algorithm = 3;
        let mut searcher = Searcher::<Chess, Hashed>::new(params, Hashed { salt: 5, range: 300 }, 1).unwrap();
        let request = Request { lines, ..Request::new(wander::<Chess>(seed, plies)) };
        let mut board = Board(Vec::new());
        let report = searcher.search(&request, &Limits::nodes(nodes), &Signal::new(), &mut board);
        prop_assert_eq!(&board.0, &report.lines);
        prop_assert!(report.lines.is_sorted_by(|a, b| a.score >= b.score), "{:?}", report.lines);
        check::<Loa>(wander::<Loa>(seed, plies), lines, 1, &Limits::depth(3), "brute")?;
    }
}

#[test]
fn a_finished_iteration_has_exact_lines_of_one_depth() {
    let mut board = Board(Vec::new());
    let params = Profile::named("brute").unwrap().params(ProfiledGame::plain("any")).unwrap();
    let mut searcher = Searcher::<Loa, Hashed>::new(params, Hashed { salt: 1, range: 300 }, 1).unwrap();
    let request = Request { lines: 3, ..Request::new(Loa::start()) };
    searcher.search(&request, &Limits::depth(3), &Signal::new(), &mut board);
    assert_eq!(board.0.iter().map(|line| (line.depth, line.bound)).collect::<Vec<_>>(), [(3, Bound::Exact); 3]);
}
