//! Whole games with scores, better moves and marks.

use crate::{json, output, plywise};
use std::fs;

const GAMES: &str = "[White \"Fool\"]\n[Black \"Wise\"]\n\n1. f3 {a start} e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }
}

#[test]
fn blunders_are_marked_and_better_moves_shown() {
    let folder = Folder::new();
    let (games, annotated, plot) = (folder.path("games.pgn"), folder.path("annotated.pgn"), folder.path("score.svg"));
    let told = output(&format!("annotate chess {games} --depth 5 -o {annotated} --plot {plot}"));
    assert!(told.starts_with("2 games, ") && told.contains("Fool") && told.contains("points lost"), "{told}");
    let text = folder.read("annotated.pgn");
    let line = text.replace('\n', " ");
    assert!(line.contains("2. g4 $4 {[%eval #-1,") && line.contains("{a start}"), "{text}");
    assert!(line.contains("(2. ") && line.contains("3... Nf6 $4 {[%eval #1,"), "{text}");
    // Mating is what the search would have done, and a game that is over has a result instead of a score.
    assert!(line.contains("Qxf7# 1-0"), "{text}");
    let picture = folder.read("score.svg");
    assert_eq!(picture.matches("expected score in %").count(), 2, "a panel for each game: {picture}");
    // What is written can be read, and annotated again.
    let again = output(&format!("annotate chess {annotated} --depth 2"));
    assert_eq!(again.matches("[%eval").count(), text.matches("[%eval").count(), "{again}");
}

#[test]
fn neither_jobs_nor_interruptions_change_anything() {
    let folder = Folder::new();
    let (games, run) = (folder.path("games.pgn"), folder.path("run"));
    let once = output(&format!("annotate {games} --nodes 2000 --jobs 1"));
    assert_eq!(output(&format!("annotate chess {games} --nodes 2000 --jobs 3 --run {run}")), once);
    // Half of the journal is gone.
    let journal = folder.read("run/journal.jsonl");
    let half: String = journal.lines().take(6).map(|line| format!("{line}\n")).collect();
    fs::write(folder.path("run/journal.jsonl"), half).unwrap();
    assert_eq!(output(&format!("annotate chess {games} --nodes 2000 --run {run}")), once);
    plywise(&format!("annotate chess {games} --nodes 2001 --run {run}")).assert().code(2);
}

#[test]
fn every_move_is_a_row() {
    let folder = Folder::new();
    let games = folder.path("games.pgn");
    let document = json(&format!("annotate chess {games} --depth 4"));
    let first = &document["games"][0];
    assert_eq!(first["players"][0]["blunders"], 1, "{first}");
    assert_eq!(first["moves"][2]["mark"], "??", "{first}");
    assert!(first["moves"][2]["points_lost"].as_f64().unwrap() > 0.3, "{first}");
    assert_eq!(first["moves"][3]["score"], -1_000_000, "as White sees it: {first}");
    let csv = output(&format!("annotate chess {games} --depth 2 --csv"));
    assert_eq!(csv.lines().count(), 1 + 4 + 7, "{csv}");
}

#[test]
fn other_games_and_mistakes() {
    let folder = Folder::new();
    let loa = folder.path("loa.pgn");
    output(&format!("forge games loa --games 1 --nodes 50 --max-moves 20 -o {loa}"));
    let text = output(&format!("annotate loa {loa} --depth 2"));
    assert!(text.contains("[Variant \"Lines of Action\"]") && text.contains("[%eval "), "{text}");
    let games = folder.path("games.pgn");
    for (arguments, complaint) in [
        (format!("annotate chess {games}"), "a limit is needed"),
        ("annotate chess --depth 2".to_string(), "a file of games is needed"),
        (format!("annotate loa {games} --depth 2"), "there is no game of Lines of Action to read"),
        (format!("annotate chess {games} --depth 2 --plot {}", folder.path("score.png")), "pictures are SVG"),
        (format!("annotate chess {games} --depth 2 -o {}/no/where.pgn", folder.path("x")), "cannot write"),
    ] {
        let assert = plywise(&arguments).assert().code(2);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(complaint), "{arguments}: {error}");
    }
}

#[test]
fn scores_of_an_earlier_search_are_replaced_and_broken_games_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let games = "1. e4 {[%eval +9.00,1] mine} e5 *\n\n1. e4 e4 *\n";
    std::fs::write(&path, games).unwrap();
    let command = format!("annotate chess {} --depth 2", path.display());
    let assert = crate::plywise(&command).assert().success();
    let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(!text.contains("+9.00") && text.contains("{mine}"), "{text}");
    let told = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(told.contains("1 broken game is left out: '") && told.contains("cannot play 'e4'"), "{told}");
    assert!(told.contains("1 score of an earlier search replaced by ours"), "{told}");
    let sentence = "this command has no units of work that --workers could do\n";
    let refused = crate::plywise(&format!("{command} --workers nats://127.0.0.1:1")).assert().code(2);
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).ends_with(sentence));
}

#[test]
fn what_the_games_hold_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    // A name in Latin-1, as old programs write it.
    let mut games = b"[White \"M\xfcller\"]\n[Annotator \"A\"]\n[Annotator \"B\"]\n\n".to_vec();
    games.extend(b"1. e4! {mine} e5?? (1... c5 {Sicilian} 2. Nf3 (2. Nc3 $14) 2... d6) 2. Ke2 (2. -- d5) 0-1 {ends}\n");
    fs::write(&path, games).unwrap();
    let text = output(&format!("annotate chess {} --depth 4", path.display()));
    let line = text.replace('\n', " ");
    // The same file gives openings.
    output(&format!("match chess --a brute --b brute --games 2 --nodes 1 --openings {} --plies 2", path.display()));
    for kept in [
        "[White \"Müller\"]",
        "[Annotator \"A\"] [Annotator \"B\"]",
        "1. e4 $1 {[%eval ",
        "{mine} 1... e5 $4 {[%eval ",
        "(1... c5 {Sicilian} 2. Nf3 (2. Nc3 $14) 2... d6)",
        "(-- d5)",
        "{ends}",
    ] {
        assert!(line.contains(kept), "{kept}: {text}");
    }
    // Annotating again adds nothing.
    fs::write(&path, &text).unwrap();
    assert_eq!(output(&format!("annotate chess {} --depth 4", path.display())), text);
}

#[test]
fn usual_moves_are_no_surprises() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    fs::write(&path, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 *\n")
        .unwrap();
    for depth in 1..=6 {
        let text = output(&format!("annotate chess {} --depth {depth}", path.display()));
        assert!(!text.contains("$5"), "{text}");
    }
}
