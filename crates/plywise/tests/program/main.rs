//! The integration tests of the command line.

mod annotate;
mod authors;
mod bad_input;
mod bench;
mod browser;
mod check_engine;
mod cluster;
mod commands;
mod csv;
mod documentation;
mod evolve;
mod examples;
mod fastchess;
mod forge;
mod games;
mod learn;
mod manners;
mod matches;
mod networks;
mod nothing_lost;
mod openings;
mod packages;
mod play;
mod plots;
mod reproduce;
mod stats;
mod tables;
mod tree;
mod uci;
mod uci_panics;
mod which_game;

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// A run of the program with arguments that a shell would split at spaces.
fn plywise(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("plywise").expect("the binary is built with its tests");
    command.args(arguments.split_whitespace());
    command
}

/// What the program writes when it succeeds.
#[track_caller]
fn output(arguments: &str) -> String {
    let output = plywise(arguments).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("the output is UTF-8")
}

/// What it writes with `--json`: a document that says where it comes from.
#[track_caller]
fn json(arguments: &str) -> Value {
    let text = output(&format!("{arguments} --json"));
    assert_eq!(text.lines().count(), 1, "one document on one line: {text}");
    let document: Value = serde_json::from_str(&text).expect("the output is JSON");
    assert_eq!(document["version"], env!("CARGO_PKG_VERSION"));
    assert!(document["command"].as_str().is_some_and(|command| arguments.starts_with(command)), "{document}");
    assert!(document.get("seed").is_some_and(|seed| seed.is_u64() || seed.is_null()), "{document}");
    document
}

/// A file of this repository.
fn repository_file(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
