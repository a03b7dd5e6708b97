//! Games in the terminal.

use crate::plywise;

#[track_caller]
fn play(arguments: &str, input: &str) -> String {
    let assert = plywise(arguments).write_stdin(input).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[track_caller]
fn check(arguments: &str, input: &str, parts: &[&str]) {
    let text = play(arguments, input);
    for part in parts {
        assert!(text.contains(part), "'{part}' in {text}");
    }
}

#[test]
fn a_game_goes_back_and_forth() {
    let input = "e4\nundo\nd4\nmoves\nhint\nboard\nrecord\nposition\nquit\n";
    check("play chess --depth 2", input, &["Black plays ", "White> ", "with a score of", "e4 ", " w KQkq"]);
    check("play loa --depth 1", "b8-b6\nquit\n", &["White plays ", "Black> "]);
}

#[test]
fn mistakes_are_explained() {
    check(
        "play chess --depth 1",
        "e5\nxyzzy\nlevel speed\nside green\nundo\nposition 8/8 w\n",
        &["illegal in this position", "unreadable", "A level is", "the side 'green'", "no move to take back", "FEN"],
    );
}

#[test]
fn results_are_announced() {
    let mate = "f3\ne5\ng4\nQh4\ne4\nundo\nquit\n";
    check("play chess --side both", mate, &["The game is over: Black mates.", "'undo' takes a move back"]);
    let repetition = "Nf3\nNf6\nNg1\nNg8\nNf3\nNf6\nNg1\nNg8\n";
    check("play chess --side both", repetition, &["The game is over: third repetition."]);
    check("play chess --depth 1", "resign\nnew\nquit\n", &["The game is over: White resigns."]);
    check("play chess 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", &["The game is over: stalemate."]);
    check("play chess 7k/8/6K1/8/8/8/8/R7 w - - 100 80", "", &["The game is over: fifty-move rule."]);
    check("play loa 8/8/8/3bb3/8/w7/8/7w w", "", &["The game is over: Black connects."]);
    check("play othello XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOO X", "", &["Black wins 56-8."]);
    let abalone = "5/6/2wwww1/2wwww2/9/2bbbb2/2bbb2/1bbbb1/2b2 b 2 6 7";
    check(&format!("play abalone {abalone}"), "", &["Black wins, White is down to eight marbles."]);
    check("play chess 8/8/8/8/8/8/8/K1k5 w - - 0 1", "", &["The game is over: insufficient material."]);
}

#[test]
fn sides_and_levels_change() {
    check(
        "play chess --depth 1",
        "side\nlevel depth 2\nlevel\nhelp\nquit\n",
        &["White plays ", "You play Black.", "depth 2"],
    );
    check("play chess --depth 1 --side black", "e5\n", &["White plays "]);
    check("play loa --nodes 300 --side none", "", &["The game is over"]);
    check("play chess --tc 5+0.1 --moves e4 --side white", "d4\nquit\n", &["Black plays "]);
}
