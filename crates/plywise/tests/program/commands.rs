//! What each command does when all is well.

use crate::{json, output, plywise};
use serde_json::{Value, json as value};

#[track_caller]
fn has_keys(document: &Value, keys: &[&str]) {
    for key in keys {
        assert!(document.get(key).is_some_and(|value| !value.is_null()), "{key} in {document}");
    }
}

#[test]
fn analyse_shows_the_lines_as_they_deepen() {
    let text = output("analyse chess --depth 3 --stats --explain");
    for part in [
        "8 | r n b q k b n r",
        "1/1",
        "3/",
        "best move: ",
        "material",
        "technique",
        "profile best",
        "scores are for White, who is to move",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let text = output("analyse loa --depth 2 --explain");
    assert!(text.contains("best move: ") && text.contains("concentration"), "{text}");
    // The terms and the network make the whole.
    let document = json("analyse chess --moves e4 --depth 1 --explain");
    let sum = document["explanation"]["value"].as_f64().unwrap() + document["network"]["value"].as_f64().unwrap();
    assert!((document["evaluation"].as_f64().unwrap() - sum).abs() <= 1.0, "{document}");
    let text = output("analyse chess --moves e4 --depth 1 --explain");
    assert!(text.contains("the evaluation in all: ") && text.contains(" for Black, who is to move"), "{text}");
}

#[test]
fn analyse_finds_mates() {
    let fools = "analyse chess --moves f3 e5 g4 --depth 3";
    let document = json(fools);
    has_keys(&document, &["game", "position", "best", "score", "depth", "nodes", "time_ms", "pv"]);
    assert_eq!(document["best"], "Qh4#");
    assert_eq!(document["best_engine"], "d8h4");
    assert_eq!(document["plies_to_end"], 1);
    assert_eq!(document["game"], "chess");
    assert_eq!(document["pv"], value!(["Qh4#"]));
    assert!(output(fools).contains("#1"));
}

#[test]
fn analyse_takes_positions_with_and_without_quotes() {
    let fen = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1";
    let document = json(&format!("analyse chess {fen} --depth 2"));
    assert_eq!(document["position"], fen);
    let quoted = plywise("analyse chess --depth 2 --json").arg(fen).assert().success().get_output().stdout.clone();
    assert_eq!(serde_json::from_slice::<Value>(&quoted).unwrap()["position"], fen);
}

#[test]
fn analyse_says_when_the_game_is_over() {
    let mated = "analyse chess --moves f3 e5 g4 Qh4 --depth 3";
    assert!(output(mated).contains("The game is over: Black mates."));
    let document = json(mated);
    assert_eq!(document["best"], Value::Null);
    assert_eq!(document["pv"], value!([]));
}

#[test]
fn analyse_shows_several_lines() {
    let document = json("analyse chess --depth 2 --lines 3 --stats");
    let lines = document["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    let first_moves: std::collections::BTreeSet<String> = lines.iter().map(|line| line["pv"][0].to_string()).collect();
    assert_eq!(first_moves.len(), 3, "{document}");
    assert!(document["techniques"]["table"]["tries"].is_u64());
}

#[test]
fn analyse_tells_of_every_iteration() {
    let document = json("analyse chess --depth 4");
    let iterations = document["iterations"].as_array().unwrap();
    for iteration in iterations {
        let keys = ["depth", "selective_depth", "line", "score", "bound", "nodes", "time_ms", "nps", "pv"];
        has_keys(iteration, &keys);
    }
    let exact = iterations.iter().filter(|iteration| iteration["bound"] == "exact");
    assert_eq!(exact.map(|iteration| iteration["depth"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let last = iterations.last().unwrap();
    assert_eq!((&last["score"], &last["pv"]), (&document["score"], &document["pv"]));
}

#[test]
fn a_seed_is_told_where_something_is_random() {
    for (arguments, seed) in [
        ("analyse loa --depth 1", None),
        ("openings loa --plies 1", None),
        ("openings loa --plies 1 --count 2 --seed 3", Some(3)),
        ("openings loa --plies 1 --random 2 --seed 4", Some(4)),
        ("match loa --a best --b brute --games 1 --depth 1 --max-moves 1 --seed 5", Some(5)),
    ] {
        assert_eq!(json(arguments)["seed"].as_u64(), seed, "{arguments}");
    }
}

#[test]
fn limits_hold() {
    assert_eq!(json("analyse chess --nodes 5000")["nodes"], 5000);
    assert_eq!(json("analyse loa --depth 3")["depth"], 3);
    // A busy machine only ever adds time, so the shortest of a few searches counts. A clock of a second is worth 30 to
    // 200 ms for a move.
    let time = |arguments: &str| (0..5).map(|_| json(arguments)["time_ms"].as_u64().unwrap()).min().unwrap();
    for (arguments, least, most) in [("analyse chess --movetime 50", 50, 150), ("analyse chess --tc 1+0.01", 25, 300)] {
        let time = time(arguments);
        assert!((least..most).contains(&time), "{arguments}: {time} ms");
    }
}

#[test]
fn settings_reach_the_search_and_the_evaluation() {
    let plain = json("analyse chess --depth 3");
    let other = json("analyse chess --depth 3 --set evaluation.tempo.middlegame=100 --set table=off");
    assert_ne!(plain["score"], other["score"]);
    assert_ne!(plain["nodes"], other["nodes"]);
}

#[test]
fn profiles_can_be_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, output("profiles brute --evaluation")).unwrap();
    let own = json(&format!("analyse chess --depth 3 --profile {}", path.display()));
    let built_in = json("analyse chess --depth 3 --profile brute");
    assert_eq!(own["profile"], "mine");
    assert_eq!(own["nodes"], built_in["nodes"], "what is shown is the profile itself");
}

#[test]
fn perft_counts() {
    assert!(output("perft chess --depth 3").starts_with("perft 3: 8902 paths"));
    let document = json("perft loa --depth 2 --divide");
    has_keys(&document, &["nodes", "time_ms", "divide"]);
    assert_eq!(document["nodes"], 1244);
    assert_eq!(document["divide"].as_object().unwrap().len(), 36);
    assert!(output("perft chess --depth 1 --divide").contains("e2e4: 1\n"));
}

#[test]
fn profiles_are_listed_and_shown() {
    let list = output("profiles");
    for name in ["minimax", "alphabeta", "brute", "best"] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{name} in {list}");
    }
    assert!(json("profiles")["profiles"].as_array().is_some_and(|rows| rows.len() >= 4));
    assert_eq!(json("profiles loa brute")["search"]["table.enabled"], true);
    assert!(output("profiles best").contains("[search.aspiration]"));
}

#[test]
fn params_are_listed() {
    let text = output("params loa");
    assert!(text.contains("aspiration.window") && text.contains("evaluation.walls.two_closed"), "{text}");
    assert!(!text.contains("evaluation.bishop_pair"), "that is chess");
    let document = json("params chess");
    let rows = document["parameters"].as_array().unwrap();
    let window = rows.iter().find(|row| row["name"] == "aspiration.window").unwrap();
    assert_eq!((&window["min"], &window["max"]), (&value!(1), &value!(1000)));
}

#[test]
fn compare_sets_profiles_side_by_side() {
    let command = "compare chess --profiles alphabeta,brute --depth 2,3";
    let document = json(command);
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    for row in rows {
        has_keys(row, &["profile", "best", "score", "depth", "nodes", "time_ms"]);
    }
    assert_eq!(rows[0]["score"], rows[1]["score"], "both claim the minimax value");
    assert!(output(command).contains("alphabeta"));
    assert!(output(&format!("{command} --markdown")).starts_with("| profile"));
    let swept = json("compare loa --profiles brute --sweep ordering.killers=0,2 --depth 2");
    let names: Vec<&str> =
        swept["rows"].as_array().unwrap().iter().map(|row| row["profile"].as_str().unwrap()).collect();
    assert_eq!(names, ["brute", "brute ordering.killers=0", "brute ordering.killers=2"]);
}

/// Mates in one and in two, and one line that no search at depth 1 can solve.
const SUITE: &str = "\
# A suite for tests.
rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - bm Qh4; id \"fool\";
6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8; id \"back rank\";
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7; id \"scholar\";
7k/8/8/8/8/8/8/KQ6 w - - am Qb7; id \"not so\";
6k1/5ppp/8/8/8/8/5PPP/6K1 w - - id \"no answer\";
";

fn suite(arguments: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.epd");
    std::fs::write(&path, SUITE).unwrap();
    output(&format!("suite {} {arguments}", path.display()))
}

#[test]
fn suite_counts_what_is_solved() {
    let document: Value = serde_json::from_str(&suite("--profiles brute,best --depth 1,2 --details --json")).unwrap();
    assert_eq!(document["positions"], 5);
    assert_eq!(document["with_answer"], 4);
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    for row in rows {
        has_keys(row, &["profile", "limit", "nodes", "time_ms", "solved", "standard_error", "solved_ids"]);
        assert_eq!(row["solved"].as_u64().unwrap() as usize, row["solved_ids"].as_array().unwrap().len());
        assert!(row["solved_ids"].as_array().unwrap().contains(&value!("back rank")), "{row}");
    }
    assert_eq!(rows[0]["limit"], "depth 1");
    assert_eq!(rows[2]["limit"], "depth 2");
    assert_eq!(rows[0]["details"][0]["found_depth"], 1);
}

#[test]
fn suite_does_not_depend_on_how_it_is_spread() {
    let run = |jobs: u32| {
        let text = suite(&format!("--profiles brute,best --depth 3 --jobs {jobs} --json"));
        let document: Value = serde_json::from_str(&text).unwrap();
        let rows = document["rows"].as_array().unwrap();
        rows.iter().map(|row| (row["nodes"].clone(), row["solved_ids"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn suite_stops_when_solved_and_draws_samples() {
    let nodes = |arguments: &str| {
        let document: Value = serde_json::from_str(&suite(&format!("--depth 5 --json {arguments}"))).unwrap();
        (document["positions"].clone(), document["rows"][0]["nodes"].as_u64().unwrap())
    };
    assert!(nodes("--stop-when-solved").1 < nodes("").1);
    assert_eq!(nodes("--sample 2 --seed 3").0, 2);
    assert_eq!(nodes("--sample 2 --seed 3"), nodes("--sample 2 --seed 3"));
}

#[test]
fn suite_shows_tables() {
    let text = suite("--profiles brute,best --sweep aspiration.window=10,50 --depth 2 --details");
    for part in ["Δ nodes", "best aspiration.window=10", "back rank", "same score", "4 of them with an answer"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(suite("--depth 1 --markdown").contains("| profile"));
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("plywise"))
        .args(["params"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn gather_writes_a_table_that_the_search_takes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table.toml").display().to_string();
    let games = "--game loa --games 2 --nodes 200 --longest 20";
    for (kind, profile) in [("rankcut", "rankcut"), ("realization", "rps"), ("probcut", "probcut")] {
        let document = json(&format!("gather {kind} {games} --profile classic --pairs 1-2 -o {file}"));
        assert!(document["samples"].is_u64() && document["states"].is_u64(), "{document}");
        assert_eq!(document["file"], file.as_str());
        output(&format!("analyse loa --depth 2 --profile {profile} --table {file}"));
    }
}

/// The scores of the table's rows and the one that the last line sums up with, as they are written.
fn scores(text: &str) -> (Vec<String>, String) {
    let is_row = |line: &&str| line.split_whitespace().next().is_some_and(|depth| depth.contains('/'));
    let rows = text.lines().skip_while(|line| !line.contains("nodes/s")).filter(is_row);
    let rows = rows.filter_map(|row| row.split_whitespace().nth(1)).map(String::from).collect();
    let sum = text.lines().find_map(|line| line.strip_prefix("best move: ")?.split_once("score ")?.1.split_once(','));
    (rows, sum.map_or(String::new(), |(score, _)| score.to_string()))
}

#[test]
fn analyse_shows_lines_in_order_and_sums_up_with_what_it_shows() {
    for limit in ["--depth 7", "--nodes 700", "--nodes 3210", "--nodes 9000", "--nodes 20000"] {
        for lines in [1, 2, 3] {
            let text = output(&format!("analyse chess --moves e4 --lines {lines} {limit}"));
            let (rows, sum) = scores(&text);
            let last = &rows[rows.len() - lines..];
            assert_eq!(last[0], sum, "{text}");
            let values: Vec<f64> = last.iter().map(|row| row.trim_start_matches(['≤', '≥']).parse().unwrap()).collect();
            assert!(values.is_sorted_by(|a, b| a >= b), "{text}");
        }
    }
}

#[test]
fn a_position_without_moves_has_the_score_of_its_outcome() {
    let of = |position: &str| json(&format!("analyse chess {position} --depth 1"));
    let (mated, stuck) = (of("8/8/8/8/8/5k2/5q2/5K2 w - - 0 1"), of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"));
    assert_eq!((&mated["plies_to_end"], &mated["ended"]), (&0.into(), &"Black mates".into()));
    assert!(mated["score"].as_i64().unwrap() < -10_000);
    assert_eq!((&stuck["score"], &stuck["ended"]), (&0.into(), &"stalemate".into()));
}

#[test]
fn profiles_with_a_network_are_told_from_those_without() {
    let text = output("profiles chess");
    let line = |name: &str| text.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap().to_string();
    assert!(line("best").ends_with("(with the network 'chess')") && !line("brute").contains("network"), "{text}");
    let rows = &json("compare chess --profiles brute,best --depth 1")["rows"];
    assert_eq!((&rows[0]["network"], &rows[1]["network"]), (&"off".into(), &"chess".into()), "{rows}");
}

#[test]
fn help_is_broken_once() {
    for columns in ["70", "90", "110"] {
        let assert = plywise("play --help").env("COLUMNS", columns).assert().success();
        let help = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
        let level = help.lines().skip_while(|line| !line.starts_with("Level N")).collect::<Vec<_>>();
        let width: usize = columns.parse().unwrap();
        // Only the last line may be short.
        let full = level.iter().rev().skip(1).all(|line| line.len() + 16 > width);
        assert!(level.len() > 2 && full, "{columns}: {help}");
    }
}
