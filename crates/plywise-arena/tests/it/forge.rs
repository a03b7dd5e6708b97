//! Suites from self-play.

use crate::local::{loa, setup};
use crate::toy::toy;
use plywise_arena::forge::{Find, Forge, Recipe};
use plywise_game::score;
use plywise_host::{Ask, NoFiles, Setting, Setup};
use plywise_run::{Manifest, Units};
use plywise_search::{Limits, Signal};
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc;
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
    let (player, prover) = (setup("best"), setup("brute"));
    let forge = Forge { game: loa(), player: &player, prover: &prover, recipe: RECIPE, concurrency };
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
    let (player, prover) = (setup("best"), setup("brute"));
    let forge = Forge { game: loa(), player: &player, prover: &prover, recipe: RECIPE, concurrency: 1 };
    let directory = tempfile::tempdir().unwrap();
    let open = || Units::open(directory.path(), &Manifest::default(), false, |_, _| Ok(())).unwrap();
    let stop = Signal::new();
    let mut games = open();
    let part = forge.run(3, &mut games, &stop, &mut |_, _| stop.stop()).unwrap();
    assert!(part.len() < 3 && games.finished().len() == 1, "it was stopped after its first game");
    drop(games);
    assert_eq!(make(2, &mut open()), make(1, &mut Units::default()));
}

#[test]
fn an_evaluation_that_panics_ends_the_work() {
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        let mut player = Setup { hash: 1, ..Setup::of_profile(toy(), "brute").unwrap() };
        let panics: Setting = "evaluation.panics.always=on".parse().unwrap();
        player.apply(toy(), &panics, &NoFiles).unwrap();
        let recipe = Recipe { random_plies: 1, ..RECIPE };
        let forge = Forge { game: toy(), player: &player, prover: &player, recipe, concurrency: 3 };
        let work = AssertUnwindSafe(|| forge.run(1000, &mut Units::default(), &Signal::new(), &mut |_, _| {}).is_ok());
        let _ = sender.send(panic::catch_unwind(work).is_err());
    });
    assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(true), "it ends by a panic");
}

/// The answer wins and the other moves do not, by a search that shares nothing with the one that made the suite.
#[track_caller]
fn check_win(find: &Find) {
    let position = loa().parse_position(&find.position).unwrap();
    let answer = position.parse_move(&find.best).unwrap();
    let plies = score::plies_to_end(find.score).unwrap();
    assert!(plies > 0 && plies <= find.depth + 2, "{find:?}");
    let mut engine = loa().engine(&setup("alphabeta")).unwrap();
    let ask = Ask { only: vec![answer], ..Ask::new(&position) };
    let limits = Limits { nodes: Some(3_000_000), win_within: Some(plies), ..Limits::depth(plies) };
    let report = engine.search(&ask, &limits, &Signal::new(), &mut |_| {});
    assert_eq!(score::plies_to_end(report.score()), Some(plies), "{find:?}");
}
