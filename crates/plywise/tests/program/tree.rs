//! `plywise tree`: recorded, shown, questioned, compared, checked and packed.

use crate::{json, output};
use assert_cmd::Command;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

/// White wins in two moves.
pub const MATE_IN_TWO: &str = "7k/8/4K3/6Q1/8/8/8/8 w - - 0 1";

struct Trees {
    folder: tempfile::TempDir,
}

impl Trees {
    fn new() -> Trees {
        Trees { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn record(&self, words: &str, name: &str) -> Value {
        json(&format!("tree record {words} -o {}", self.path(name)))
    }

    fn has(&self, name: &str) -> bool {
        Path::new(&self.path(name)).exists()
    }
}

/// The program; words may hold spaces.
fn plywise() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin("plywise"))
}

/// What a command complains about.
fn complaint(words: &[&str]) -> String {
    let output = plywise().args(words).assert().code(2).get_output().clone();
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_recorded_search_can_be_questioned_in_every_game() {
    let trees = Trees::new();
    for game in ["chess", "loa", "othello", "abalone", "connect4"] {
        let file = trees.path(game);
        let recorded = trees.record(&format!("{game} --depth 4"), game);
        assert_eq!(recorded["nodes"], recorded["searched"], "{recorded}");
        let stats = json(&format!("tree stats {file}"));
        assert_eq!(stats["nodes"], recorded["nodes"]);
        assert_eq!((&stats["game"], &stats["bytes"]), (&game.into(), &recorded["bytes"]));
        assert_eq!(stats["iterations"].as_array().unwrap().last().unwrap()["value"], recorded["score"]);
        let kinds: u64 = stats["by_kind"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(Some(kinds), recorded["nodes"].as_u64());
        assert!(stats["by_technique"].as_object().unwrap().contains_key("table"));
        assert_eq!(json(&format!("tree check {file}"))["sound"], true);

        let asked = plywise().args(["tree", "query", &file, "kind = pv and ply = 1", "--json"]).output().unwrap();
        let answer: Value = serde_json::from_slice(&asked.stdout).unwrap();
        assert!(answer["count"].as_u64().unwrap() > 0);
        let path = answer["nodes"][0]["path"].as_array().unwrap();
        assert_eq!(path.len(), 1);
        let shown = output_of(&["tree", "show", &file, "--path", path[0].as_str().unwrap()]);
        assert!(shown.contains("nodes"), "{shown}");

        let packed = trees.path("packed.tree");
        output(&format!("tree pack {file} -o {packed}"));
        assert_eq!(json(&format!("tree stats {packed}"))["by_kind"], stats["by_kind"]);
        assert_eq!(json(&format!("tree diff {file} {packed}"))["same"], true);
    }
}

#[test]
fn a_narrowed_window_is_told() {
    let trees = Trees::new();
    let file = trees.path("mate.tree");
    output_of(&["tree", "record", "chess", MATE_IN_TWO, "--depth", "8", "-o", &file]);
    let question = "narrowed and ply > 0 and (narrow_alpha > alpha or narrow_beta < beta)";
    let answer: Value = serde_json::from_str(&output_of(&["tree", "query", &file, question, "--json"])).unwrap();
    assert!(answer["count"].as_u64().unwrap() > 0, "{answer}");
    assert_eq!(json(&format!("tree check {file}"))["sound"], true);
    assert!(output_of(&["tree", "show", &file, "--iteration", "8"]).contains(" → "));
}

fn output_of(words: &[&str]) -> String {
    String::from_utf8(plywise().args(words).assert().success().get_output().stdout.clone()).unwrap()
}

#[test]
fn two_searches_part_where_they_differ() {
    let trees = Trees::new();
    trees.record("chess --depth 5 --profile brute", "a.tree");
    trees.record("chess --depth 5 --profile classic", "b.tree");
    let diff = json(&format!("tree diff {} {}", trees.path("a.tree"), trees.path("b.tree")));
    assert_eq!(diff["same"], false);
    assert!(diff["parting"]["shared"].as_u64().unwrap() > 10);
    assert!(!diff["parting"]["differences"].as_array().unwrap().is_empty());
    let text = output(&format!("tree diff {} {}", trees.path("a.tree"), trees.path("b.tree")));
    assert!(text.contains("A: profile ") && text.contains("B: profile ") && text.contains("network"), "{text}");
    assert!(text.contains("null_move"), "{text}");
    trees.record("loa --depth 2", "c.tree");
    let sentence = complaint(&["tree", "diff", &trees.path("a.tree"), &trees.path("c.tree")]);
    assert_eq!(sentence, "plywise: these are trees of different positions\n");
}

#[test]
fn other_commands_record_too() {
    let trees = Trees::new();
    output(&format!("analyse loa --depth 3 --record {}", trees.path("a.tree")));
    assert_eq!(json(&format!("tree check {}", trees.path("a.tree")))["sound"], true);
    output(&format!("compare chess --profiles brute,best --depth 3 --record {}", trees.path("c.tree")));
    assert!(trees.has("c.tree") && trees.has("c-2.tree"));
    assert_eq!(json(&format!("tree stats {}", trees.path("c-2.tree")))["profile"], "best");
    let file = trees.path("u.tree");
    let mut engine = std::process::Command::new(assert_cmd::cargo::cargo_bin("plywise"))
        .args(["uci", "--record", &file])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = engine.stdin.take().unwrap();
    let mut lines = BufReader::new(engine.stdout.take().unwrap()).lines();
    for search in ["position startpos\ngo depth 4\n", "position startpos moves e2e4\ngo depth 3\n"] {
        input.write_all(search.as_bytes()).unwrap();
        assert!(lines.by_ref().any(|line| line.unwrap().starts_with("bestmove")), "the search ends");
    }
    input.write_all(b"quit\n").unwrap();
    assert!(engine.wait().unwrap().success());
    assert_eq!(json(&format!("tree check {file}"))["sound"], true);
    let second = json(&format!("tree check {}", trees.path("u-2.tree")));
    assert_eq!(second["sound"], true, "{second}");
    assert!(second["unchecked"][0].as_str().unwrap().starts_with("what the table knew"));
}

#[test]
fn bad_input_is_told_in_one_sentence() {
    let trees = Trees::new();
    let file = trees.path("a.tree");
    trees.record("chess --depth 3", "a.tree");
    let check = |words: &[&str], sentence: &str| {
        let complaint = complaint(words);
        assert!(complaint.starts_with("plywise: ") && complaint.lines().count() == 1, "{complaint}");
        assert!(complaint.contains(sentence), "{complaint}");
    };
    check(&["tree", "stats", "Cargo.toml"], "'Cargo.toml' is no recorded tree: it does not begin as one");
    check(&["tree", "stats", "nowhere.tree"], "cannot open 'nowhere.tree'");
    check(&["tree", "query", &file, "kind = cat"], "at character 8: kind = ⏵cat");
    check(&["tree", "show", &file, "--path", "e5"], "'e5' in --path");
    check(&["tree", "show", &file, "--path", "h4 h5 h6"], "in --path");
    check(&["tree", "show", &file, "--node", "99999999"], "there is no node 99999999");
    check(&["tree", "show", &file, "--iteration", "9"], "iteration 9 was not recorded");
    check(&["tree", "pack", &file, "-o", &file], "a tree cannot be packed into its own file");
    check(&["tree", "record", "chess", "-o", &file], "a limit is needed");
    check(&["tree", "record", "-o", &file], "a game is needed, or --from-pipe");
    check(&["tree", "record", "chess", "--depth", "3", "-o", "/nowhere/a.tree"], "cannot write");
    check(&["tree", "record", "chess", "--depth", "3", "--sample", "5", "-o", &file], "a sample is written as 1/100");
    check(&["tree", "record", "chess", "--depth", "3", "--iterations", "5-3", "-o", &file], "written as 9-12");
    check(&["tree", "record", "--from-pipe", "Cargo.toml", "-o", &file], "'plywise-tree 1 GAME' was expected first");
    assert!(json(&format!("tree stats {file}"))["nodes"].as_u64().unwrap() > 0, "nothing was lost");
}

#[test]
fn a_file_that_was_cut_off_is_read_as_far_as_it_goes() {
    let trees = Trees::new();
    let file = trees.path("a.tree");
    trees.record("chess --nodes 20000", "a.tree");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let stats = json(&format!("tree stats {file}"));
    assert!(stats["nodes"].as_u64().unwrap() > 5000, "{stats}");
    assert!(stats["notice"].as_str().unwrap().starts_with("the file was cut off"), "{stats}");
    assert!(output(&format!("tree show {file}")).starts_with("Note: the file was cut off"));
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    std::fs::write(&file, damaged).unwrap();
    let stats = json(&format!("tree stats {file}"));
    assert!(stats["notice"].as_str().unwrap().contains("is damaged"), "{stats}");
    assert_eq!(json(&format!("tree check {file}"))["sound"], true);
}

#[test]
fn a_recording_that_is_killed_can_be_read() {
    let trees = Trees::new();
    let file = trees.path("a.tree");
    let program = assert_cmd::cargo::cargo_bin("plywise");
    let mut child = std::process::Command::new(program)
        .args(["tree", "record", "chess", "--depth", "60", "-o", &file])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begun = std::time::Instant::now();
    while std::fs::metadata(&file).map_or(0, |data| data.len()) < 300_000 && begun.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // It can be read while it is written.
    assert!(json(&format!("tree stats {file}"))["nodes"].as_u64().unwrap() > 1000);
    child.kill().unwrap();
    child.wait().unwrap();
    let stats = json(&format!("tree stats {file}"));
    assert!(stats["nodes"].as_u64().unwrap() > 10_000, "{stats}");
    assert!(stats["notice"].is_string());
    assert_eq!(json(&format!("tree check {file}"))["sound"], true);
}

#[test]
fn what_a_filter_left_out_is_not_doubted() {
    let trees = Trees::new();
    let file = trees.path("a.tree");
    for filter in ["--above 2", "--below 3", "--iterations 3-4", "--sample 1/3"] {
        for game in ["chess", "loa", "othello", "abalone", "connect4"] {
            trees.record(&format!("{game} --depth 5 {filter}"), "a.tree");
            let checked = json(&format!("tree check {file}"));
            assert_eq!(checked["sound"], true, "{game} {filter}: {checked}");
            assert!(!checked["unchecked"].as_array().unwrap().is_empty(), "{game} {filter}: {checked}");
        }
    }
}

#[test]
fn a_tree_of_which_nothing_is_left_is_not_sound() {
    let trees = Trees::new();
    let file = trees.path("a.tree");
    trees.record("chess --depth 5", "a.tree");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() * 3 / 4]).unwrap();
    let output = plywise().args(["tree", "check", &file]).assert().code(1).get_output().clone();
    assert!(!String::from_utf8(output.stdout).unwrap().contains("fits"));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no node could be checked"));
}

#[test]
fn the_table_cuts_as_many_nodes_as_it_has_effects() {
    let trees = Trees::new();
    for game in ["chess", "loa"] {
        trees.record(&format!("{game} --depth 5"), game);
        let table = &json(&format!("tree stats {}", trees.path(game)))["by_technique"]["table"];
        let [tries, effects, cut] = ["tries", "effects", "cuts"].map(|key| table[key].as_u64().unwrap());
        assert!(tries >= effects && effects == cut, "{game}: {table}");
    }
}

#[test]
fn the_tree_of_another_engine_is_recorded_from_a_pipe() {
    let trees = Trees::new();
    let file = trees.path("a.tree");
    let talk = "plywise-tree 1 nim\nt 1 3\nb |||\ne - -9 9 pv\ne take1 -9 9 pv\nx -1 evaluated\ne take2 -2 -1 cut\nx 1\nx 1\ns\nd\n";
    plywise().args(["tree", "record", "--from-pipe", "-", "-o", &file]).write_stdin(talk).assert().success();
    let shown = output(&format!("tree show {file}"));
    assert!(shown.starts_with("|||\n") && shown.contains("take1") && shown.contains("take2"), "{shown}");
    assert_eq!(json(&format!("tree stats {file}"))["nodes"], 3);
    let sentence = complaint(&["tree", "check", &file]);
    assert!(sentence.contains("another program sent this tree"), "{sentence}");
}

#[test]
fn the_studio_says_where_it_is_and_serves_nothing_that_is_no_tree() {
    let trees = Trees::new();
    let file = trees.path("a.tree");
    trees.record("loa --depth 3", "a.tree");
    assert!(complaint(&["studio", "Cargo.toml"]).contains("'Cargo.toml' is no recorded tree"));
    let program = assert_cmd::cargo::cargo_bin("plywise");
    let mut child = std::process::Command::new(program)
        .args(["studio", &file, "--no-open"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("The studio is at http://127.0.0.1:") && line.contains("/?token="), "{line}");
}
