//! `plywise openings`, and the openings that come with the program.

use crate::{json, output, plywise, repository_file};
use plywise_game::epd;
use plywise_host::{AnyGame, Hosted};
use std::collections::HashSet;

#[test]
fn systematic_openings_are_those_of_the_thesis() {
    let text = output("openings loa --plies 2 --distinct");
    assert_eq!(text.lines().count(), 311);
    let entries: Vec<_> = epd::read::<plywise_loa::Loa, _>(text.as_bytes()).collect::<Result<_, _>>().unwrap();
    assert_eq!(entries[0].id.as_deref().map(|id| id.split(' ').count()), Some(2));
    assert_eq!(json("openings chess --plies 2")["openings"], 400);
    assert_eq!(json("openings chess --plies 3 --distinct")["openings"], 5362);
}

#[test]
fn random_openings_are_balanced_and_reproducible() {
    let arguments = "openings chess --plies 6 --random 4 --window 40 --nodes 300 --hash 1";
    let text = output(arguments);
    assert_eq!(output(arguments), text);
    let scores = epd::read::<plywise_chess::Chess, _>(text.as_bytes())
        .map(|entry| entry.unwrap().operands("ce").unwrap().parse::<i32>().unwrap());
    assert_eq!(scores.filter(|score| score.abs() <= 40).count(), 4);
    assert_ne!(output(&format!("{arguments} --seed 2")), text);
}

#[test]
fn impossible_wishes_get_one_sentence() {
    let check = |arguments: &str, sentence: &str| {
        let assert = plywise(arguments).assert().code(2);
        assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr), format!("plywise: {sentence}\n"));
    };
    check("openings loa --plies 2 --distinct --count 400", "only 311 openings fit, but 400 are wanted");
    check("openings chess --plies 1 --random 50", "only 20 random openings fit, but 50 are wanted");
    check("openings chess --plies 9", "there are more than 1000000 openings of 9 plies");
}

/// The committed openings: a hundred, all different, none over.
fn check_file(game: &dyn AnyGame) {
    let text = repository_file(&format!("crates/plywise-{}/data/openings.epd", game.name()));
    let openings = plywise_arena::openings::from_epd(game, text.as_bytes()).unwrap();
    assert_eq!(openings.len(), 100);
    let different: HashSet<String> = openings.iter().map(|opening| opening.canonical().text()).collect();
    assert_eq!(different.len(), 100);
    assert!(openings.iter().all(|opening| opening.plies() > 0), "engines without setboard need the moves");
    assert!(openings.iter().all(|opening| opening.outcome().is_none()));
}

#[test]
fn the_openings_that_come_with_the_program_are_sound() {
    check_file(&Hosted::<plywise_chess::Chess>::new());
    check_file(&Hosted::<plywise_loa::Loa>::new());
}

/// The moves of each opening.
fn ids(text: &str) -> Vec<String> {
    let id = |line: &str| line.split("id \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    text.lines().map(id).collect()
}

/// Openings of games: those that were played most often first, balanced or with one side ahead.
#[test]
fn openings_of_games_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let games = ["1. e4 e5 2. Nf3 *", "1. d4 d5 2. c4 *", "1. d4 d5 2. Nf3 *", "1. f3 e5 2. g4 *"];
    std::fs::write(&pgn, games.map(|moves| format!("[Event \"x\"]\n\n{moves}\n\n")).concat()).unwrap();
    let line = |more: &str| format!("openings chess --pgn {} --plies {more}", pgn.display());
    assert_eq!(ids(&output(&line("2"))), ["d4 d5", "e4 e5", "f3 e5"]);
    assert_eq!(ids(&output(&line("2 --least-games 2"))), ["d4 d5"]);
    // After 1. f3 e5 2. g4 Black mates: the first player is far behind.
    let lost = output(&line("3 --nodes 2000 --hash 1 --window -900000,-500"));
    assert_eq!(ids(&lost), [""; 0], "no evaluation is that low, and a mate is none");
    let even = output(&line("3 --nodes 2000 --hash 1 --window 100"));
    assert_eq!(ids(&even), ["e4 e5 Nf3", "d4 d5 c4", "d4 d5 Nf3"]);
    let program = assert_cmd::cargo::cargo_bin("plywise");
    let mut command = plywise(&line("3 --nodes 500 --window 100 --json --judge"));
    let judged = command.arg(format!("uci:'{}' uci chess --hash 1", program.display())).assert().success();
    let document: serde_json::Value = serde_json::from_slice(&judged.get_output().stdout).unwrap();
    assert_eq!(document["openings"], 3, "{document}");
    let assert = plywise(&line("2 --least-games 3")).assert().code(2);
    let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(complaint.ends_with("no opening of 2 plies was played in 3 games or more\n"), "{complaint}");
}

/// A Polyglot book that plays the last move of each line, with the weight behind it, after the others.
pub fn polyglot_book(lines: &[(&str, u16)]) -> Vec<u8> {
    let entry = |(line, weight): &(&str, u16)| {
        let (before, mv) = line.rsplit_once(' ').unwrap_or(("", line));
        let mut position = Hosted::<plywise_chess::Chess>::new().start();
        before.split_whitespace().for_each(|mv| assert!(position.play_text(mv).is_ok(), "{mv}"));
        let digits: Vec<u16> = mv.bytes().zip(*b"a1a1").map(|(letter, first)| u16::from(letter - first)).collect();
        let code = digits[0] << 6 | digits[1] << 9 | digits[2] | digits[3] << 3;
        let numbers = [code, *weight, 0, 0].map(u16::to_be_bytes).concat();
        [position.polyglot_key().unwrap().to_be_bytes().to_vec(), numbers].concat()
    };
    let mut entries: Vec<Vec<u8>> = lines.iter().map(entry).collect();
    entries.sort();
    entries.concat()
}

#[test]
fn openings_of_a_book_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let book = polyglot_book(&[
        ("e2e4", 60),
        ("d2d4", 30),
        ("g1f3", 10),
        ("a2a4", 0),
        ("e2e4 e7e5", 3),
        ("e2e4 c7c5", 1),
        ("e2e4 e7e5 g1f3", 1),
        ("e2e4 e7e5 g1f3 b8c6", 1),
        ("e2e4 e7e5 g1f3 b8c6 f1c4", 1),
        ("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", 1),
        ("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1", 1),
        ("d2d4 d7d5", 1),
        ("d2d4 d7d5 g1f3", 1),
        ("g1f3 d7d5", 1),
        ("g1f3 d7d5 d2d4", 1),
    ]);
    std::fs::write(file("book.bin"), &book).unwrap();
    std::fs::write(file("cut.bin"), &book[..100]).unwrap();
    let line = |game: &str, book: &str, more: &str| format!("openings {game} --polyglot {} --plies {more}", file(book));
    let lines = |more: &str| ids(&output(&line("chess", "book.bin", more)));
    assert_eq!(lines("1"), ["e4", "d4", "Nf3"]);
    assert_eq!(lines("2"), ["e4 e5", "d4 d5", "e4 c5", "Nf3 d5"]);
    assert_eq!(lines("2 --count 2"), ["e4 e5", "d4 d5"]);
    assert_eq!(lines("3"), ["e4 e5 Nf3", "d4 d5 Nf3"], "the other order of moves is less likely");
    assert_eq!(lines("7"), ["e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"]);
    let mut later = plywise(&line("chess", "book.bin", "1"));
    let from =
        later.args(["--from", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]).assert().success();
    assert_eq!(ids(&String::from_utf8_lossy(&from.get_output().stdout)), ["Nf3"]);
    assert_eq!(lines("3 --window 200 --nodes 300 --hash 1 --count 1"), ["e4 e5 Nf3"]);

    let check = |arguments: &str, sentence: &str| {
        let assert = plywise(arguments).assert().code(2);
        assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr), format!("plywise: {sentence}\n"));
    };
    check(&line("chess", "book.bin", "8"), &format!("'{}': it has no line of 8 plies", file("book.bin")));
    let length = "it is no Polyglot book: its length, 100 bytes, is no multiple of 16";
    check(&line("chess", "cut.bin", "1"), &format!("'{}': {length}", file("cut.bin")));
    let game = "Polyglot's books are for chess; the openings of other games can be taken from PGN";
    check(&line("loa", "book.bin", "1"), &format!("'{}': {game}", file("book.bin")));
    check(&line("chess", "book.bin", "3 --count 9"), "only 2 openings fit, but 9 are wanted");
    let missing = plywise(&line("chess", "missing.bin", "1")).assert().code(2);
    assert!(String::from_utf8_lossy(&missing.get_output().stderr).starts_with("plywise: cannot read '"));
}
