//! Every trial for seconds; the program runs them for hours.

mod licences;

use plywise_trials::{Programs, Settings, run, trials};
use std::path::Path;

/// Runs every trial of a group.
fn check(group: &str, jobs: usize) {
    let programs = Programs::new(Path::new(env!("CARGO_BIN_EXE_plywise-trials")), None);
    for trial in trials(&programs).iter().filter(|trial| trial.group == group) {
        let counts = run(trial, &Settings { seed: 1, first: 0, count: trial.short, until: None, jobs });
        let finds: Vec<String> = counts.finds.iter().map(ToString::to_string).collect();
        assert!(finds.is_empty(), "{}", finds.join("\n"));
        assert_eq!(counts.cases, trial.short, "{}", trial.name);
    }
}

#[test]
fn parsers() {
    check("parsers", 2);
}

#[test]
fn rules() {
    check("rules", 2);
}

#[test]
fn uci() {
    check("uci", 2);
}

#[test]
fn trees() {
    check("trees", 2);
}

#[test]
fn kills() {
    check("kills", 2);
}

#[test]
fn engines() {
    // They sleep most of the time.
    check("engines", 8);
}

#[test]
fn studio() {
    check("studio", 2);
}

#[test]
fn games() {
    check("games", 2);
}

#[test]
fn statistics() {
    check("statistics", 2);
}

/// Without `nats-server` it tries nothing, and says so.
#[test]
fn cluster() {
    check("cluster", 1);
}
