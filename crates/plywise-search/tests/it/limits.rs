//! Limits hold, and one thread gives one result.

use crate::lines::wander;
use crate::random_tree::Hashed;
use plywise_chess::{Chess, Evaluator};
use plywise_game::{Evaluate, Game, Notation, Score, score};
use plywise_loa::Loa;
use plywise_search::{
    Bound, Limits, Observer, Params, Profile, ProfiledGame, Progress, Report, Request, Searcher, Signal,
};
use proptest::prelude::*;
use std::time::Duration;

fn searcher<G: Game>(profile: &str) -> Searcher<G, Hashed> {
    let params = Profile::named(profile).unwrap().params(ProfiledGame::plain("any")).unwrap();
    Searcher::new(params, Hashed { salt: 7, range: 200 }, 4).unwrap()
}

fn search<G: Game>(profile: &str, limits: &Limits) -> Report<G::Move> {
    searcher::<G>(profile).search(&Request::new(G::start()), limits, &Signal::new(), &mut ())
}

#[test]
fn one_thread_gives_one_result_and_one_node_count() {
    fn check<G: Game>() {
        for profile in ["alphabeta", "brute", "best"] {
            let (a, b) = (search::<G>(profile, &Limits::depth(4)), search::<G>(profile, &Limits::depth(4)));
            assert_eq!((a.nodes, a.lines), (b.nodes, b.lines), "{profile}");
        }
    }
    check::<Chess>();
    check::<Loa>();
}

#[test]
fn a_node_limit_is_exact_with_one_thread() {
    for nodes in [1, 2, 99, 1000, 12_345] {
        let report = search::<Chess>("best", &Limits::nodes(nodes));
        assert_eq!(report.nodes, nodes);
    }
}

#[test]
fn a_soft_node_limit_ends_with_the_iteration_in_which_it_is_passed() {
    let mut nodes_of_depth = Vec::new();
    for depth in 1..=6 {
        nodes_of_depth.push(search::<Chess>("best", &Limits::depth(depth)).nodes);
    }
    for soft in [1, 50, 1000, nodes_of_depth[3], nodes_of_depth[3] + 1, nodes_of_depth[5]] {
        let report = search::<Chess>("best", &Limits { soft_nodes: Some(soft), ..Limits::default() });
        let expected = nodes_of_depth.iter().find(|&&nodes| nodes >= soft);
        assert_eq!(Some(&report.nodes), expected, "{soft}: whole iterations");
        assert!(report.lines.iter().all(|line| line.bound == Bound::Exact));
        let both = search::<Chess>("best", &Limits { soft_nodes: Some(soft), ..Limits::nodes(soft + 10) });
        assert!(both.nodes <= soft + 10, "a hard limit holds as well");
    }
}

/// An evaluation as slow as rules in another language.
#[derive(Clone)]
struct Slow;

impl<G: Game> Evaluate<G> for Slow {
    fn evaluate(&mut self, _: &G::Position) -> Score {
        std::thread::sleep(Duration::from_millis(2));
        0
    }
}

#[test]
fn a_slow_game_keeps_its_time() {
    let params = Profile::named("alphabeta").unwrap().params(ProfiledGame::plain("any")).unwrap();
    for threads in [1, 2] {
        let mut searcher = Searcher::<Loa, _>::new(params.clone(), Slow, 1).unwrap();
        searcher.set_threads(threads);
        let report = searcher.think(&Loa::start(), &Limits::time(Duration::from_millis(100)));
        assert!(report.nodes < 1000, "{} nodes of 2 ms", report.nodes);
        // 1024 nodes would take two seconds; the rest is for a busy machine.
        assert!(report.time < Duration::from_millis(1000), "{:?}", report.time);
    }
}

#[test]
fn even_one_node_gives_a_move_to_play() {
    // A player must move, however little time it was given.
    assert!(search::<Chess>("best", &Limits::nodes(1)).best_move().is_some());
}

#[test]
fn a_signal_stops_a_search_without_limits() {
    let signal = Signal::new();
    let stopper = signal.clone();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            stopper.stop();
        });
        let report = searcher::<Loa>("best").search(&Request::new(Loa::start()), &Limits::default(), &signal, &mut ());
        assert!(report.best_move().is_some());
    });
}

#[test]
fn a_ponder_search_minds_its_clock_only_after_the_hit() {
    let signal = Signal::pondering();
    let hit = signal.clone();
    let begun = std::time::Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(80));
            hit.ponder_hit();
        });
        let limits = Limits::time(Duration::from_millis(10));
        searcher::<Chess>("best").search(&Request::new(Chess::start()), &limits, &signal, &mut ());
    });
    assert!(begun.elapsed() >= Duration::from_millis(80));
}

/// Collects the depths that are reported.
#[derive(Default)]
struct Depths(Vec<(i32, usize)>);

impl<G: Game> Observer<G> for Depths {
    fn progress(&mut self, progress: &Progress<G::Move>) {
        self.0.push((progress.depth, progress.line));
    }
}

#[test]
fn progress_reports_all_lines_whenever_one_is_finished() {
    let mut depths = Depths::default();
    let request = Request { lines: 2, ..Request::new(Loa::start()) };
    searcher::<Loa>("alphabeta").search(&request, &Limits::depth(2), &Signal::new(), &mut depths);
    let ranks: Vec<usize> = depths.0.iter().map(|&(_, rank)| rank).collect();
    assert_eq!(ranks, [1, 1, 2, 1, 2, 1, 2]);
    for (i, finished) in [(0, (1, 1)), (2, (1, 2)), (3, (2, 1)), (6, (2, 2))] {
        assert_eq!(depths.0[i], finished);
    }
}

#[test]
fn only_the_allowed_moves_are_considered() {
    let moves = Chess::legal_moves(&Chess::start());
    for &only in moves.iter().take(5) {
        let request = Request { only: vec![only], ..Request::new(Chess::start()) };
        let report = searcher::<Chess>("best").search(&request, &Limits::depth(3), &Signal::new(), &mut ());
        assert_eq!(report.best_move(), Some(only));
    }
}

/// Shuffles a piece of each side to and fro `loops` times, up to the last move, and values that move.
fn value_of_returning(loops: usize) -> i32 {
    let shuffle = ["b8b6", "a2c2", "b6b8", "c2a2"].repeat(loops);
    let mut request = Request::<Loa>::new(Loa::start());
    for text in &shuffle[..shuffle.len() - 1] {
        request.history.push(Loa::hash(&request.position));
        let mv = Loa::parse_move(&request.position, text).unwrap();
        request.position = Loa::play(&request.position, mv);
    }
    request.only = vec![Loa::parse_move(&request.position, shuffle[shuffle.len() - 1]).unwrap()];
    searcher::<Loa>("brute").search(&request, &Limits::depth(1), &Signal::new(), &mut ()).score()
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    assert_ne!(value_of_returning(1), 0, "the second occurrence goes on");
    assert_eq!(value_of_returning(2), 0);
    assert_eq!(value_of_returning(3), 0);
}

fn think<G: Game>(params: Params, position: &G::Position, limits: &Limits) -> Report<G::Move> {
    Searcher::<G, Hashed>::new(params, Hashed { salt: 7, range: 200 }, 1).unwrap().think(position, limits)
}

/// A loss that a search of `nodes` nodes claims is one: the textbook's search finds it too.
fn check_loss<G: Game>(profile: &str, position: &G::Position, nodes: u64) -> Result<(), TestCaseError> {
    /// Longer losses take the textbook too long.
    const MOST_PLIES: i32 = 4;
    let params = |name: &str| Profile::named(name).unwrap().params(ProfiledGame::plain("any")).unwrap();
    let report = think::<G>(params(profile), position, &Limits::nodes(nodes));
    let Some(line) = report.lines.first() else { return Ok(()) };
    let plies = score::plies_to_end(line.score).filter(|plies| (-MOST_PLIES..0).contains(plies));
    if let Some(plies) = plies.filter(|_| line.bound != Bound::Lower) {
        let truth = think::<G>(params("alphabeta"), position, &Limits::depth(-plies)).score();
        prop_assert!(truth <= line.score, "{:?} is worth {}, {} nodes say {:?}", position, truth, nodes, line);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_search_that_breaks_off_claims_no_loss_that_is_none(
        seed: u64, plies in 10..120_usize, nodes in 1..600_u64,
        profile in prop::sample::select(vec!["alphabeta", "brute", "classic", "best"]),
    ) {
        check_loss::<Chess>(profile, &wander::<Chess>(seed, plies), nodes)?;
        check_loss::<Loa>(profile, &wander::<Loa>(seed, plies), nodes)?;
    }
}

#[test]
fn a_move_that_loses_is_not_played_while_others_were_not_searched() {
    for fen in [
        "1Qn3k1/1p3ppp/4p3/BP6/2q1nN2/p3P2P/P1r2PP1/3K3R w - - 3 28",
        "4k3/p2b1p2/8/2QN1Pp1/4P3/P2B4/2PK1P2/q7 b - - 2 30",
    ] {
        let position = Chess::parse_position(fen).unwrap();
        let think = |limits| {
            let params = Profile::named("best").unwrap().params(ProfiledGame::of::<Chess>()).unwrap();
            Searcher::<Chess, _>::new(params, Evaluator::default(), 1).unwrap().think(&position, &limits)
        };
        let is_lost = |report: &Report<_>| report.score() < -score::WIN_THRESHOLD;
        let deep = think(Limits::depth(6));
        assert!(!is_lost(&deep), "{fen}");
        for nodes in 1..2000 {
            let report = think(Limits::nodes(nodes));
            assert!(!is_lost(&report) || report.lines[0].bound == Bound::Lower, "{nodes} nodes, {fen}: {report:?}");
            let after = Chess::play(&position, report.best_move().unwrap());
            let reply = searcher::<Chess>("alphabeta").think(&after, &Limits::depth(1));
            assert!(nodes < 300 || reply.score() < score::WIN_THRESHOLD, "{nodes} nodes, {fen}: mated at once");
        }
    }
}
