//! Generated documentation is true, and every command explains itself.

use crate::{output, repository_file};

#[test]
fn the_list_of_parameters_is_true() {
    let generated = output("params --markdown");
    assert!(
        generated == repository_file("docs/parameters.md"),
        "docs/parameters.md is out of date: cargo run --release -- params --markdown > docs/parameters.md"
    );
}

#[test]
fn every_command_has_help_with_an_example() {
    let commands = [
        "analyse", "compare", "play", "uci", "perft", "bench", "profiles", "params", "suite", "match", "stats",
        "openings", "forge",
    ];
    for command in commands {
        let help = output(&format!("{command} --help"));
        assert!(help.contains("Example"), "{command}");
        assert!(help.contains(&format!("plywise {command}")), "{command}");
        let short = output("--help");
        assert!(short.lines().any(|line| line.trim_start().starts_with(command)), "{command} is listed");
    }
}
