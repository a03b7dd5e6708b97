//! Trees of other people's engines.

use crate::support::file;
use plywise_chess::Chess;
use plywise_game::{Game, GameSoFar, Window};
use plywise_search::{NodeKind, Purpose, Signal};
use plywise_tree::{Ended, Filter, NodeId, SentNotation, Stats, Tree, TreeNotation, record_pipe};
use std::io::Cursor;
use std::path::Path;
use std::process::Command;

fn find(game: &str, _position: &str) -> Option<Result<Box<dyn TreeNotation>, String>> {
    (game == "chess").then(|| Ok(Box::new(GameSoFar::<Chess>::new(Chess::start())) as Box<dyn TreeNotation>))
}

/// Records a conversation: the trees, and the error that ended it.
fn record(text: &str) -> (Vec<Tree>, Option<String>) {
    let (_folder, path) = file();
    let (files, result) = record_pipe(&mut Cursor::new(text.as_bytes()), &path, Filter::default(), "test", &find);
    let trees = files.iter().map(|sent| Tree::open(&sent.path).unwrap()).collect();
    (trees, result.err().map(|error| error.to_string()))
}

const TALK: &str = "\
plywise-tree 1 tic-tac-toe
# two iterations
t 1 .........
b . . .
b . . .
e - -100 100 pv
e a1 -100 100 pv
x 0 evaluated 0
e b2 -1 0 cut
x -1 table
x 1 moves
s
t 2 .........
e - -100 100 pv 200
e a1 -100 100 pv 100
w 0 7
e 0 0 1 null
x 3
e b2 0 1 quiescence
x ?
s
d
";

#[test]
fn an_unknown_game_is_recorded_by_its_words() {
    let (trees, error) = record(TALK);
    assert_eq!(error, None);
    let [tree] = &trees[..] else { panic!("{}", trees.len()) };
    assert_eq!(tree.head().game, "tic-tac-toe");
    assert_eq!(tree.board(), ". . .\n. . .\n");
    assert_eq!(tree.len(), 7);
    let roots = tree.roots(0).unwrap();
    assert_eq!(roots.len(), 2);
    let notation = SentNotation(tree);
    let children = tree.children(roots[0]).unwrap();
    let names: Vec<String> = children.iter().map(|&id| notation.line(&tree.moves_to(id).unwrap()).join(" ")).collect();
    assert_eq!(names, ["a1", "b2"]);
    let cut = tree.node(children[1]).unwrap();
    assert_eq!((cut.kind, cut.number, cut.value), (Some(NodeKind::Cut), 2, Some(-1)));
    let second = tree.node(roots[1]).unwrap();
    assert_eq!((second.end, second.value), (Ended::Stopped, None), "what is open when a tree stops was stopped");
    let a1 = tree.children(roots[1]).unwrap()[0];
    let node = tree.node(a1).unwrap();
    assert_eq!((node.window, node.narrowed), (Window::new(-100, 100), Some(Window::new(0, 7))));
    let below: Vec<_> = tree.children(a1).unwrap().into_iter().map(|id| tree.node(id).unwrap()).collect();
    assert_eq!(below[0].purpose, Some(Purpose::NullMove));
    assert_eq!(below[1].end, Ended::Stopped);
}

#[test]
fn the_moves_of_a_known_game_are_its_own() {
    let (trees, error) =
        record("plywise-tree 1 chess\nt 1\ne - -9 9 pv\ne e2e4 -9 9 pv\ne e7e5 -9 9 pv\nx 1\nx 1\nx 1\ns\nd\n");
    assert_eq!(error, None);
    let id = NodeId { stream: 0, index: 0 };
    let notation = GameSoFar::<Chess>::new(Chess::start());
    assert_eq!(notation.line(&trees[0].moves_to(id).unwrap()), ["e4", "e5"]);
    let (trees, error) = record("plywise-tree 1 chess\nt 1\ne - -9 9 pv\ne e2e5 -9 9 pv\n");
    assert!(error.unwrap().starts_with("line 4: "));
    assert_eq!(trees[0].len(), 1, "what came before is kept");
}

#[test]
fn every_position_has_a_file() {
    let (trees, error) = record("plywise-tree 1 nim\nt 1 3 4\ne - 0 1 pv\nx 1\ns\nt 1 3 3\ne - 0 1 pv\nx 0\ns\nd\n");
    assert_eq!(error, None);
    let positions: Vec<&str> = trees.iter().map(|tree| tree.head().position.as_str()).collect();
    assert_eq!(positions, ["3 4", "3 3"]);
}

#[test]
fn nonsense_is_told_with_its_line() {
    let error = |text: &str| record(text).1.unwrap();
    assert_eq!(error("hello\n"), "line 1: 'plywise-tree 1 GAME' was expected first");
    assert_eq!(error("plywise-tree 1 nim\ne - 0 1 pv\n"), "line 2: no tree has begun");
    assert_eq!(error("plywise-tree 1 nim\nt x\n"), "line 2: a tree needs the number of its iteration");
    assert_eq!(error("plywise-tree 1 nim\nt 1\nx 3\n"), "line 3: no node is open");
    assert_eq!(
        error("plywise-tree 1 nim\nt 1\ne - 0 pv\n"),
        "line 3: a node is entered by 'e MOVE ALPHA BETA TYPE [DEPTH]'"
    );
    assert_eq!(error("plywise-tree 1 nim\nt 1\ne - 0 one pv\n"), "line 3: a bound is no whole number");
    assert_eq!(error("plywise-tree 1 nim\nt 1\nw 0 1\n"), "line 3: no node is open");
    assert_eq!(error("plywise-tree 1 nim\nt 1\ne - 0 1 pv\nw 0\n"), "line 4: a window is narrowed by 'w ALPHA BETA'");
    assert_eq!(error("plywise-tree 1 nim\nt 1\ne - 0 1 odd\n"), "line 3: there is no type 'odd'");
    assert_eq!(error("plywise-tree 1 nim\nt 1\ne - 0 1 pv\nx 1 why\n"), "line 4: there is no reason 'why'");
    assert_eq!(error("plywise-tree 1 nim\nq\n"), "line 2: 'q' is no record of the protocol");
    assert_eq!(error(&format!("plywise-tree 1 nim\nt 1 {}\n", "x".repeat(70_000))), "line 2: it is too long");
    let deep = format!("plywise-tree 1 nim\nt 1\n{}", "e a 0 1 pv\n".repeat(600));
    assert_eq!(error(&deep), "line 503: more than 500 nodes are open");
}

/// Records what a program writes.
fn record_output(program: &mut Command) -> Tree {
    let output = program.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (mut trees, error) = record(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(error, None);
    trees.pop().unwrap()
}

#[test]
fn an_engine_in_c_is_recorded() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let compile = |program: &str, flag: Option<&str>| {
        let mut cc = Command::new("cc");
        cc.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1"]).args(flag);
        cc.arg("-I").arg(here.join("c")).arg("-o").arg(folder.path().join(program));
        let status = cc.arg(here.join("tests/c/nim.c")).arg(here.join("c/plywise_tree.c")).status();
        status.expect("a C compiler, which linking Rust needs too").success()
    };
    assert!(compile("nim", Some("-DPLYWISE_TREE")) && compile("silent", None));
    let talk = folder.path().join("talk");
    let run = |program: &str| Command::new(folder.path().join(program)).arg(&talk).output().unwrap();
    let counted = String::from_utf8(run("nim").stdout).unwrap();
    let (trees, error) = record(&std::fs::read_to_string(&talk).unwrap());
    assert_eq!(error, None);
    let stats = Stats::of(&trees[0], &Signal::new()).unwrap();
    assert_eq!(counted.trim(), stats.nodes.to_string());
    assert_eq!(stats.iterations.len(), 6);
    let narrowed = |index| trees[0].node(NodeId { stream: 0, index }).unwrap().narrowed.is_some();
    assert!((0..trees[0].len()).any(narrowed));
    std::fs::remove_file(&talk).unwrap();
    assert_eq!(String::from_utf8(run("silent").stdout).unwrap(), counted, "the macros change nothing");
    assert!(!talk.exists(), "and vanish");
}

#[test]
fn the_example_in_python_is_recorded() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/nim.py");
    let tree = record_output(Command::new("python3").arg(&script));
    assert_eq!(Stats::of(&tree, &Signal::new()).unwrap().iterations.len(), 5);
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tree-protocol.md");
    let document = std::fs::read_to_string(document).unwrap();
    assert!(document.contains(&std::fs::read_to_string(script).unwrap()), "the document shows the same program");
}
