//! Suites from self-play.

use crate::local::player;
use plywise_arena::forge::{Find, Forge, Recipe};
use plywise_arena::run::{Manifest, Units};
use plywise_game::{Evaluate, Notation, Score, score};
use plywise_loa::{Loa, Position, canonical};
use plywise_search::{Blueprint, Limits, Profile, Request, Signal};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

const RECIPE: Recipe = Recipe {
    seed: 1,
    random_plies: 6,
    play_nodes: 200,
    longest: 120,
    shallow_nodes: 30,
    deep_nodes: 5_000,
    least_nodes: 1_000,
    proof_nodes: 30_000,
    gain: None,
};

fn make(concurrency: usize, games: &mut Units<Vec<Find>>) -> Vec<Find> {
    let (player, prover) = (player("player", "best").blueprint, player("prover", "brute").blueprint);
    let forge: Forge<Loa, _> = Forge { player: &player, prover: &prover, recipe: RECIPE, canonical, concurrency };
    forge.run(3, games, &Signal::new(), &mut |_, _| {}).unwrap()
}

#[test]
fn a_suite_is_proven_and_the_same_on_any_number_of_threads() {
    let finds = make(1, &mut Units::default());
    assert_eq!(finds.len(), 3);
    assert!(finds.is_sorted_by_key(|find| find.nodes));
    for find in &finds {
        assert!(find.nodes >= RECIPE.least_nodes);
        check_win(find);
    }
    assert_eq!(make(3, &mut Units::default()), finds);
}

#[test]
fn an_interrupted_suite_goes_on_and_ends_the_same() {
    let (player, prover) = (player("player", "best").blueprint, player("prover", "brute").blueprint);
    let forge: Forge<Loa, _> = Forge { player: &player, prover: &prover, recipe: RECIPE, canonical, concurrency: 1 };
    let directory = tempfile::tempdir().unwrap();
    let open = || Units::open(directory.path(), &Manifest::default(), false, |_, _| Ok(())).unwrap();
    let stop = Signal::new();
    let mut games = open();
    let part = forge.run(3, &mut games, &stop, &mut |_, _| stop.stop()).unwrap();
    assert!(part.len() < 3 && games.finished().len() == 1, "it was stopped after its first game");
    drop(games);
    assert_eq!(make(2, &mut open()), make(1, &mut Units::default()));
}

/// An evaluation that panics once, in whatever thread comes to it.
#[derive(Clone)]
struct Trap(Arc<AtomicU32>);

impl Evaluate<Loa> for Trap {
    fn evaluate(&mut self, _: &Position) -> Score {
        assert_ne!(self.0.fetch_add(1, Ordering::Relaxed), 5000, "the trap is sprung");
        0
    }
}

#[test]
fn an_evaluation_that_panics_ends_the_work() {
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        let params = Profile::named("brute").unwrap().params("loa").unwrap();
        let player = Blueprint::new(params, Trap(Arc::default()));
        let forge: Forge<Loa, _> =
            Forge { player: &player, prover: &player, recipe: RECIPE, canonical, concurrency: 3 };
        let work = AssertUnwindSafe(|| forge.run(1000, &mut Units::default(), &Signal::new(), &mut |_, _| {}).is_ok());
        let _ = sender.send(panic::catch_unwind(work).is_err());
    });
    assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(true), "it ends by a panic");
}

/// The answer wins and the other moves do not, by a search that shares nothing with the one that made the suite.
#[track_caller]
fn check_win(find: &Find) {
    let position = Loa::parse_position(&find.position).unwrap();
    let answer = Loa::parse_move(&position, &find.best).unwrap();
    let plies = score::plies_to_end(find.score).unwrap();
    assert!(plies > 0 && plies <= find.depth + 2, "{find:?}");
    let mut searcher = player("textbook", "alphabeta").blueprint.searcher().unwrap();
    let request = Request { only: vec![answer], ..Request::new(position) };
    let limits = Limits { nodes: Some(3_000_000), win_within: Some(plies), ..Limits::depth(plies) };
    let report = searcher.search(&request, &limits, &Signal::new(), &mut ());
    assert_eq!(score::plies_to_end(report.score()), Some(plies), "{find:?}");
}
