//! `plywise forge`, and the suites that come with the program.

use crate::{json, plywise};
use plywise_chess::Chess;
use plywise_game::{BoardGame, epd, pgn};
use plywise_loa::Loa;
use std::collections::HashSet;
use std::fs;

#[test]
fn games_are_different_and_reproducible() {
    let folder = tempfile::tempdir().unwrap();
    let play = |name: &str, more: &str| {
        let file = folder.path().join(name);
        let arguments = "forge games loa --games 3 --nodes 100 --max-moves 30";
        let document = json(&format!("{arguments} -o {} {more}", file.display()));
        assert_eq!(document["games"], 3);
        let text = fs::read_to_string(file).unwrap();
        pgn::read::<Loa, _>(text.as_bytes()).map(|game| game.unwrap().moves).collect::<Vec<_>>()
    };
    let games = play("one.pgn", "");
    assert_ne!(games[0], games[1]);
    assert_eq!(play("two.pgn", "--concurrency 2"), games);
    let run = folder.path().join("run");
    assert_eq!(play("three.pgn", &format!("--run {}", run.display())), games);
    assert_eq!(play("four.pgn", &format!("--run {}", run.display())), games);
}

#[test]
fn a_suite_is_made_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, count: u32| {
        let file = folder.path().join(name);
        let cheap = "--play-nodes 200 --shallow-nodes 30 --deep-nodes 5000 --least-nodes 1000 --proof-nodes 30000";
        let run = folder.path().join("run");
        let arguments = format!("forge suite loa --count {count} {cheap} --run {}", run.display());
        assert_eq!(json(&format!("{arguments} -o {}", file.display()))["positions"], count);
        fs::read_to_string(file).unwrap()
    };
    let one = make("one.epd", 1);
    let entry: epd::Entry<Loa> = one.trim().parse().unwrap();
    assert_eq!((entry.best.len(), entry.id.as_deref()), (1, Some("loa.0001")));
    for opcode in ["acd", "acn", "dm", "c0"] {
        assert!(entry.operands(opcode).is_some(), "{opcode}: {one}");
    }
    let two = make("two.epd", 2);
    let position = one.split(" bm").next().unwrap();
    assert!(two.contains(position), "what was found stays found");
}

#[test]
fn bad_wishes_get_one_sentence() {
    let check = |arguments: &str, sentence: &str| {
        let assert = plywise(arguments).assert().code(2);
        assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr), format!("plywise: {sentence}\n"));
    };
    check(
        "forge suite chess --count 1 --gain 5 -o x.epd",
        "--gain takes two numbers between 1 and 100000, such as 150,200, or none, not '5'",
    );
    check("forge games loa --games 1 -o x.pgn", "a limit is needed: --depth, --nodes, --movetime or --tc");
    check(
        "forge games loa --games 1 --nodes 1 -o /no/x.pgn",
        "cannot write '/no/x.pgn': No such file or directory (os error 2)",
    );
}

/// The committed suites: every line has one answer and says how it was proven; no two are the same.
fn check_suite<G: BoardGame>(text: &str) {
    let entries: Vec<_> = epd::read::<G, _>(text.as_bytes()).collect::<Result<_, _>>().unwrap();
    assert_eq!(entries.len(), 300);
    let different: HashSet<String> =
        entries.iter().map(|entry| G::write_position(&G::canonical(&entry.position))).collect();
    assert_eq!(different.len(), entries.len());
    for entry in &entries {
        assert_eq!(entry.best.len(), 1);
        assert!(["acd", "acn", "c0"].iter().all(|opcode| entry.operands(opcode).is_some()), "{entry}");
    }
}

#[test]
fn the_suites_that_come_with_the_program_are_sound() {
    Loa::SUITES.iter().for_each(|(_, text)| check_suite::<Loa>(text));
    Chess::SUITES.iter().for_each(|(_, text)| check_suite::<Chess>(text));
}
