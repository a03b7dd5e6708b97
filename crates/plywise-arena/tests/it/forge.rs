//! Suites from self-play.

use crate::local::player;
use plywise_arena::forge::{Find, Forge, Recipe, Strike};
use plywise_game::{Notation, score};
use plywise_loa::{Loa, canonical};
use plywise_search::{Limits, Request, Signal};

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

fn make(concurrency: usize, finished: Vec<Strike>) -> (Vec<Find>, Vec<Strike>) {
    let (player, prover) = (player("player", "best"), player("prover", "brute"));
    let forge: Forge<Loa, _> = Forge { player: &player, prover: &prover, recipe: RECIPE, canonical, concurrency };
    let mut kept = Vec::new();
    let mut keep = |strike: &Strike| {
        kept.push(strike.clone());
        Ok(())
    };
    let finds = forge.run(3, finished, &mut keep, &mut |_, _| {}).unwrap();
    (finds, kept)
}

#[test]
fn a_suite_is_proven_and_the_same_on_any_number_of_threads() {
    let (finds, strikes) = make(1, Vec::new());
    assert_eq!(finds.len(), 3);
    assert!(finds.is_sorted_by_key(|find| find.nodes));
    for find in &finds {
        assert!(find.nodes >= RECIPE.least_nodes);
        check_win(find);
    }
    let (again, kept) = make(3, Vec::new());
    assert_eq!(again, finds);
    assert!(kept.len() >= strikes.len());
    // A journal with a gap is filled, and nothing that is there is done again.
    let gap: Vec<Strike> = strikes.iter().filter(|strike| strike.game != 0).cloned().collect();
    let (resumed, kept) = make(1, gap);
    assert_eq!(resumed, finds);
    assert_eq!(kept.iter().map(|strike| strike.game).collect::<Vec<_>>(), [0]);
}

/// The answer wins and the other moves do not, by a search that shares nothing with the one that made the suite.
#[track_caller]
fn check_win(find: &Find) {
    let position = Loa::parse_position(&find.position).unwrap();
    let answer = Loa::parse_move(&position, &find.best).unwrap();
    let plies = score::plies_to_end(find.score).unwrap();
    assert!(plies > 0 && plies <= find.depth + 2, "{find:?}");
    let mut searcher = player("textbook", "alphabeta").searcher::<Loa>().unwrap();
    let request = Request { only: vec![answer], ..Request::new(position) };
    let limits = Limits { nodes: Some(3_000_000), win_within: Some(plies), ..Limits::depth(plies) };
    let report = searcher.search(&request, &limits, &Signal::new(), &mut ());
    assert_eq!(score::plies_to_end(report.score()), Some(plies), "{find:?}");
}
