//! Searches are recorded, and their trees read and checked, without the type of the game.

use crate::games;
use plywise_chess::Chess;
use plywise_host::{AnyGame, Ask, HostError, Hosted, NoFiles, RecordedSearch, Setting, Setup, TreeGame, find_game};
use plywise_search::{Limits, Signal};
use plywise_tree::{Filter, Head, Tree, TreeNotation};
use std::sync::Arc;

/// The tree of a short search of a position.
fn tree_of(game: &dyn AnyGame, setup: &Setup, moves: &[&str], depth: i32) -> Tree {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tree");
    let mut position = game.start();
    for mv in moves {
        position.play_text(mv).unwrap();
    }
    let mut engine = game.engine(setup).unwrap();
    let search = RecordedSearch { game, setup, path: &path, filter: Filter::default() };
    let (limits, signal) = (Limits::depth(depth), Signal::new());
    let (report, recorded) = search.run(&mut *engine, &Ask::new(&position), &limits, &signal, &mut |_| {}).unwrap();
    let tree = Tree::open(&path).unwrap();
    assert_eq!((tree.len(), report.nodes), (recorded.unwrap().records, tree.summary().unwrap().nodes));
    tree
}

#[test]
fn the_tree_of_every_game_is_checked_by_its_rules() {
    for game in games() {
        let game: Arc<dyn AnyGame> = game.into();
        let setup = Setup { hash: 1, ..Setup::of_profile(&*game, "classic").unwrap() };
        let tree = tree_of(&*game, &setup, &[], 3);
        let of = TreeGame::of_tree(std::slice::from_ref(&game), &tree, &NoFiles).unwrap().unwrap();
        let checked = of.check(&tree).unwrap().unwrap();
        assert!(checked.is_sound() && checked.nodes > 10, "{}: {:?}", game.name(), checked.findings);
        assert_eq!(checked.unchecked, Vec::<String>::new(), "{}", game.name());

        // Another position than the one that was searched has other moves.
        let mut other = game.start();
        other.play(other.legal_moves()[0]).unwrap();
        let of =
            TreeGame::new(game.clone(), &Head { position: other.text(), ..tree.head().clone() }, &NoFiles).unwrap();
        assert!(!of.check(&tree).unwrap().unwrap().is_sound(), "{}", game.name());
    }
}

#[test]
fn a_position_writes_the_lines_below_it() {
    let game = Hosted::<Chess>::new();
    let mut root = game.start();
    root.play_text("e4").unwrap();
    let line = |texts: &[&str]| {
        texts.iter().fold(Vec::new(), |mut line, text| {
            line.push(root.read(&line, text).unwrap());
            line
        })
    };
    let moves = line(&["e5", "--", "Nc6"]);
    assert_eq!(root.line(&moves), ["e5", "--", "Nc6"]);
    assert_eq!(moves[1], 0);
    assert_eq!(
        TreeNotation::position(&root, &moves[..1]),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"
    );
    assert!(TreeNotation::board(&root, &moves).contains('n'));
    assert!(root.svg(&moves, true).is_some_and(|svg| svg.starts_with("<svg")));
    assert_eq!(root.score(35), "+0.35");
    // A line is written as far as it makes sense.
    assert_eq!(root.line(&[moves[0], moves[0], moves[0]]).len(), 1);
    assert_eq!(TreeNotation::position(&root, &[moves[0], moves[0]]), "");
    assert!(root.read(&[], "e4").is_err() && root.read(&[moves[0], moves[0]], "d4").is_err());
}

#[test]
fn the_head_says_how_the_engine_thought() {
    let game: Arc<dyn AnyGame> = Arc::new(Hosted::<Chess>::new());
    let mut setup = Setup { hash: 1, ..Setup::of_profile(&*game, "classic").unwrap() };
    for setting in ["null_move.enabled=false", "evaluation.material.endgame.0=101"] {
        setup.apply(&*game, &setting.parse::<Setting>().unwrap(), &NoFiles).unwrap();
    }
    let tree = tree_of(&*game, &setup, &["e4", "e5"], 2);
    let head = tree.head();
    assert_eq!((head.profile.as_str(), head.history.len()), ("classic", 2));
    assert_eq!(head.settings["limits"], "depth 2");
    let changed = ["null_move.enabled=false", "evaluation.material.endgame.0=101"];
    assert_eq!(head.settings["changed"], serde_json::json!(changed));
    // The profile in the head is the setup again.
    let profile = plywise_search::Profile::parse("classic", &head.parameters).unwrap();
    let again = Setup::new(&*game, profile, None, &NoFiles).unwrap();
    assert_eq!((again.params, again.weights), (setup.params, setup.weights));

    // A profile of another version may have parameters that this one does not know: the moves are known all the same.
    let parameters = head.parameters.replace("[search.null_move]", "[search.telepathy]");
    assert_ne!(parameters, head.parameters);
    let of = TreeGame::new(game, &Head { parameters, ..head.clone() }, &NoFiles).unwrap();
    assert_eq!(of.root.text(), head.position);
    assert!(of.check(&tree).unwrap_err().to_string().contains("telepathy"));
}

#[test]
fn a_misspelt_game_is_named_with_the_nearest() {
    let games: Vec<Arc<dyn AnyGame>> = games().into_iter().map(Arc::from).collect();
    assert_eq!(find_game(&games, "loa").map(|game| game.title()), Ok("Lines of Action"));
    let refused = |name| find_game(&games, name).map(|game| game.name()).unwrap_err();
    assert_eq!(refused("ches"), HostError::new("unknown game 'ches'; the nearest is 'chess'"));
    assert_eq!(refused("?").to_string(), "unknown game '?'; there are chess, loa, othello, abalone");
}
