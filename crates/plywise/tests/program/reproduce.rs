//! The papers' own profiles, and their tables.

use crate::{json, output, plywise};
use std::collections::BTreeSet;

#[test]
fn the_tables_are_listed_and_a_wrong_name_gets_a_hint() {
    let list = json("reproduce");
    let names: Vec<&str> =
        list["tables"].as_array().unwrap().iter().map(|table| table["name"].as_str().unwrap()).collect();
    for name in ["rankcut-1", "uncertainty-4.1", "multicut-5.3", "control-6.2", "rps-1", "erps-6", "evolution-eval"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let complaint = plywise("reproduce rps-11").assert().code(2).get_output().stderr.clone();
    assert!(String::from_utf8_lossy(&complaint).contains("did you mean 'rps-1'?"));
    let complaint = plywise("reproduce rankcut-lct --scale 0.01").assert().code(2).get_output().stderr.clone();
    assert!(String::from_utf8_lossy(&complaint).contains("lctii.epd"), "a suite that we may not ship is named");
}

#[test]
fn what_a_table_lacks_is_said_in_one_sentence() {
    let complaint = |words: &str| {
        let stderr = plywise(words).assert().code(2).get_output().stderr.clone();
        String::from_utf8_lossy(&stderr).into_owned()
    };
    assert!(
        complaint("reproduce rankcut-fruit").contains("needs --opponent"),
        "our own player does not stand for Fruit"
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gm-2600.pgn.xz"), b"packed").unwrap();
    let packed = complaint(&format!("reproduce evolution-eval --data {}", folder.path().display()));
    assert!(packed.contains("gm-2600.pgn.xz' is packed; unpack it first, to gm-2600.pgn"), "{packed}");
    let empty = complaint(&format!("reproduce rankcut-1 --data {}", folder.path().display()));
    assert!(empty.contains("has no ecm.epd"), "{empty}");
    assert!(
        complaint("reproduce gain --only ches").contains("'gain' has no part 'ches'; its parts are abalone, chess")
    );
    assert!(complaint("reproduce rps-1 --only loa").contains("leave out --only"));
    assert!(complaint("reproduce rps-1 --plot x.svg").contains("there is no picture of 'rps-1'"));
    assert!(complaint("reproduce gain --nodes 77").contains("gain is measured at 1000, 10000"));
}

#[test]
fn the_list_says_how_long_each_table_takes() {
    let list = json("reproduce --list --jobs 1");
    let tables = list["tables"].as_array().unwrap();
    assert!(tables.iter().all(|table| table["hours"].as_f64().unwrap() > 0.0 && table["last_run"].is_string()));
    let hours = |name: &str| tables.iter().find(|table| table["name"] == name).unwrap()["hours"].as_f64().unwrap();
    assert!(hours("gain") > hours("rps-3"), "{list}");
}

#[test]
fn a_part_of_the_gain_is_made_drawn_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let words = format!(
        "reproduce gain --only othello --only probcut --nodes 1000 --scale 0.002 --jobs 1 --run {} --plot {}",
        path("run"),
        path("gain.svg")
    );
    let made = json(&words);
    let rows = made["rows"].as_array().unwrap();
    let what: Vec<&str> = rows.iter().map(|row| row["what"].as_str().unwrap()).collect();
    let begin = "ProbCut, othello, 1000 nodes: ";
    assert_eq!(what, ["effects in a search", "nodes to equal depth", "score"].map(|what| format!("{begin}{what}")));
    assert!(rows[0]["ours"][0].as_f64().unwrap() > 0.0, "the technique acts: {made}");
    assert!(std::fs::read_to_string(path("gain.svg")).unwrap().contains("score, %: othello"));
    assert_eq!(json(&words)["rows"], made["rows"], "what is finished is found again");
}

#[test]
fn a_table_stands_beside_the_papers() {
    let table = output("reproduce rps-1");
    assert!(table.contains("| d3xd5 |") && table.contains("0.78"), "{table}");
    assert!(table.contains("plywise classes loa"), "the command is there: {table}");
    let rows = json("reproduce rps-1")["rows"].as_array().unwrap().len();
    assert_eq!(rows, 27);
}

#[test]
fn classes_have_prices_where_a_profile_uses_them() {
    let moves = json("classes loa --profile erps-paper");
    let prices: Vec<f64> = moves["moves"].as_array().unwrap().iter().map(|mv| mv["price"].as_f64().unwrap()).collect();
    assert_eq!(prices.len(), 36);
    assert!(prices.iter().all(|price| (0.5..=4.0).contains(price)), "{prices:?}");
    let complaint = plywise("classes loa --profile classic").assert().code(2).get_output().stderr.clone();
    assert!(String::from_utf8_lossy(&complaint).contains("does not use realization probability"));
}

#[test]
fn a_suite_falls_into_two_halves_and_proofs_are_counted() {
    let proofs = |half: &str| {
        json(&format!("suite loa wins --half {half} --profiles brute,best --nodes 2000 --until-proven --details"))
    };
    let (tune, report) = (proofs("tune"), proofs("report"));
    let ids = |document: &serde_json::Value| -> BTreeSet<String> {
        let details = document["rows"][0]["details"].as_array().unwrap();
        details.iter().map(|each| each["id"].as_str().unwrap().to_string()).collect()
    };
    let (one, other) = (ids(&tune), ids(&report));
    assert!(one.is_disjoint(&other));
    assert_eq!(one.len() + other.len(), 300);
    assert!((100..=200).contains(&one.len()), "{}", one.len());
    for row in tune["rows"].as_array().unwrap().iter().chain(report["rows"].as_array().unwrap()) {
        assert_eq!(row["proven"], row["solved"]);
        assert!(row["common_nodes"].as_u64() <= row["nodes"].as_u64());
    }
    let by_all = tune["rows"][0]["common"].as_u64().unwrap();
    assert!(by_all <= tune["rows"][1]["proven"].as_u64().unwrap());
}

#[test]
fn settings_are_learned_on_one_half_only() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("learned.toml");
    let learn = |part: &str| {
        let words = format!("learn extensions chess --online --suite tactics {part} --nodes 50 --iterations 1");
        json(&format!("{words} -o {}", output.display()))["positions"].as_u64().unwrap()
    };
    let (tune, report) = (learn("--half tune"), learn("--half report"));
    assert_eq!(tune + report, 300);
    assert!((100..=200).contains(&tune), "{tune}");
    assert_eq!(learn("--half tune --sample 7"), 7);
}

#[test]
fn what_a_table_makes_on_its_way_is_kept_with_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let words = format!("reproduce rps-2 --scale 0.005 --nodes 20 --run {}", run.display());
    let first = json(&words);
    assert!(run.join("made/loa-openings.epd").is_file());
    let row = &first["rows"][0];
    assert_eq!((row["what"].as_str(), row["paper"][0].as_f64()), (Some("RPS against classic"), Some(62.5)));
    assert_eq!(json(&words)["rows"], first["rows"], "the same command finds it finished");
    assert!(first["sample"].as_u64() < first["least_sample"].as_u64() && row["differs"].is_null(), "{first}");
    assert_eq!(row["comparison"], "too-few");
    assert!(output(&words).contains("too few to judge"));
    let commands = first["commands"].as_array().unwrap();
    let match_command = commands[1].as_str().unwrap();
    assert!(match_command.contains("--openings loa-openings.epd --shuffle --nodes 20"), "{match_command}");
}
