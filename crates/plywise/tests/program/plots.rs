//! `--plot`: pictures of results.

use crate::{output, plywise};
use std::fs;

/// Runs a command that draws, and gives the picture.
fn picture(arguments: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().display();
    let epd = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8; id \"a\";\n4k3/8/4K3/8/8/8/8/7R w - - bm Rh8; id \"b\";\n";
    fs::write(format!("{folder}/suite.epd"), epd).unwrap();
    output(&format!("{} --plot {folder}/it.svg", arguments.replace("FOLDER", &folder.to_string())));
    let svg = fs::read_to_string(format!("{folder}/it.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("prefers-color-scheme: dark"), "{svg}");
    svg
}

#[track_caller]
fn check(arguments: &str, words: &[&str]) {
    let svg = picture(arguments);
    for word in words {
        assert!(svg.contains(&format!("\n{word}\n")), "{arguments}: {word} in {svg}");
    }
}

#[test]
fn suites_show_what_is_solved_after_how_many_nodes() {
    check("suite chess FOLDER/suite.epd --profiles brute,best --depth 3", &["nodes", "solved", "brute", "best"]);
}

#[test]
fn sweeps_become_maps() {
    let sweeps = "--sweep null_move.reduction=2,3 --sweep aspiration.window=10,25,50";
    let words = ["aspiration.window", "50", "best null_move.reduction=3", "solved at depth 2"];
    check(&format!("suite chess FOLDER/suite.epd {sweeps} --depth 2"), &words);
    check("compare loa --sweep aspiration.window=10,50 --depth 2,3", &["nodes at depth 2", "nodes at depth 3", "best"]);
}

#[test]
fn comparisons_show_nodes_by_depth() {
    check("compare chess --profiles brute,best --depth 5", &["depth", "nodes", "brute", "best"]);
}

#[test]
fn matches_show_elo_and_the_test() {
    let words = ["Elo", "equal", "SPRT", "H0 accepted", "H1 accepted"];
    check("match loa --a best --b brute --games 6 --nodes 100 --max-moves 4 --sprt 0,20", &words);
    plywise("match loa --player best --player brute --player classic --nodes 10 --plot a.svg").assert().code(2);
}

#[test]
fn statistics_show_what_they_rest_on() {
    let probcut = "gather probcut loa --games 8 --depth 3 --longest 40 --pairs 1-3 -o FOLDER/probcut.toml";
    check(probcut, &["shallow score", "score at depth 3 by depth 1"]);
    assert!(picture(probcut).contains("<circle"));
    let rankcut = "gather rankcut loa --games 2 --depth 5 --longest 12 --least-count 1 -o FOLDER/rankcut.toml";
    check(rankcut, &["number of the move", "a better move follows, in %"]);
    plywise("gather realization loa --games 1 --depth 1 -o x.toml --plot a.svg").assert().code(2);
}

#[test]
fn arrows_point_from_place_to_place() {
    let svg = output("draw chess --moves e4 --arrow g8f6 b8-c6");
    assert_eq!(svg.matches("<polygon").count(), 2, "{svg}");
    assert_ne!(output("draw chess --moves e4 --arrow g8f6 --turned"), output("draw chess --moves e4 --arrow g8f6"));
    assert!(output("draw abalone --arrow a1b2").contains("fill-opacity=\"0.75\""));
    for (arguments, complaint) in [
        ("draw chess --arrow e9e4", "'e9e4' does not name two places of this board"),
        ("draw chess -o board.png", "pictures are SVG"),
        ("suite chess x.epd --depth 2 --plot x.png", "pictures are SVG"),
    ] {
        let assert = plywise(arguments).assert().code(2);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(complaint), "{arguments}: {error}");
    }
}
