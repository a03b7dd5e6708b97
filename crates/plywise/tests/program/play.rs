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
fn what_the_engine_began_with_is_not_the_users_to_take_back() {
    let text = play("play chess --depth 1 --side black", "undo\nside\ne5\nundo\nundo\nside\nrecord\nquit\n");
    assert_eq!(text.matches("There is no move to take back: you have made none.").count(), 2, "{text}");
    assert_eq!(text.matches("You play Black.").count(), 2, "{text}");
    // It answered once and once again, and its first move still stands.
    assert_eq!(text.matches("White plays ").count(), 2, "{text}");
}

#[test]
fn mistakes_are_explained() {
    check(
        "play chess --depth 1",
        "e5\nxyzzy\nlevel speed\nside green\nundo\nposition 8/8 w\n",
        &[
            "illegal in this position",
            "unreadable",
            "A level is a number",
            "the side 'green'",
            "no move to take back",
            "FEN",
        ],
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
        "side black\nlevel depth 2\nlevel\nhelp\nquit\n",
        &["White plays ", "You play Black.", "depth 2"],
    );
    let shown = play("play chess --depth 1", "side\nlevel\nposition\nside both\nside\nquit\n");
    assert!(shown.contains("You play White.\n") && shown.contains("You play both sides.\n"), "{shown}");
    assert!(!shown.contains(" plays "), "a word alone changes nothing: {shown}");
    check("play chess --depth 1 --side black", "e5\n", &["White plays "]);
    check("play loa --nodes 300 --side none", "", &["The game is over"]);
    check("play chess --tc 5+0.1 --moves e4 --side white", "d4\nquit\n", &["Black plays "]);
}

#[test]
fn the_last_move_is_marked_and_the_second_player_sees_the_board_turned() {
    let white = play("play chess --side both", "e4\nflip\n");
    assert!(white.contains("\n4 | . . . .[P]. . . | 4\n") && white.contains("\n2 | P P P P[.]P P P | 2\n"), "{white}");
    assert!(white.contains("\n4 | . . .[P]. . . . | 4\n"), "the flipped board: {white}");
    assert!(!white.contains('\x1b'), "colours are for terminals: {white}");
    let black = play("play chess --moves e4", "quit\n");
    assert!(black.contains("    h g f e d c b a\n"), "{black}");
    let changed = play("play othello --moves f5 --side black --level 1", "side white\n");
    assert!(changed.contains("    a b c d e f g h\n") && changed.contains("    h g f e d c b a\n"), "{changed}");
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let path = file.to_str().unwrap();
    check("play chess --side both", &format!("f3\ne5\ng4\nsave {path}\nQh4\nsave {path}\n"), &["The game is in '"]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("[White \"Human\"]").count(), 2, "both games are there: {text}");
    assert!(text.contains("1. f3 e5 2. g4 *\n\n[") && text.ends_with("1. f3 e5 2. g4 Qh4# 0-1\n"), "{text}");
    let loaded = ["Game 2 of '", "Human against Human, 4 plies, 0-1", "The game is over: Black mates."];
    check("play chess", &format!("load {path}\n"), &loaded);
    // The user goes on with the side whose turn it is.
    check(&format!("play chess --load {path}"), "undo\nrecord\n", &["f3 e5", "game over> "]);
}

#[test]
fn a_saved_game_names_its_players_and_its_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("loa.pgn");
    play("play loa --side white --level 2", &format!("resign\nsave {}\n", path.display()));
    let text = std::fs::read_to_string(path).unwrap();
    let tags =
        ["[White \"plywise, level 2\"]", "[Black \"Human\"]", "[Result \"1-0\"]", "[Variant \"Lines of Action\"]"];
    assert!(tags.iter().all(|tag| text.contains(tag)), "{text}");
}

#[test]
fn files_that_cannot_be_used_cost_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("loa.pgn");
    std::fs::write(&other, "[Variant \"Lines of Action\"]\n\n1. b8-b6 *\n").unwrap();
    let input = format!(
        "e4\nsave\nload /no/such/file.pgn\nsave {}\nload {}\nrecord\n",
        folder.path().display(),
        other.display()
    );
    let sentences = [
        "name of a file is missing",
        "cannot read '/no/such/file.pgn'",
        "cannot write '",
        "no game of Chess",
        "\nBlack> e4\n",
    ];
    check("play chess --side both", &input, &sentences);
    plywise("play chess --load /no/such/file.pgn").assert().code(2);
    plywise(&format!("play chess --load {}", other.display())).assert().code(2);
    plywise(&format!("play loa --load {} --moves b8-b6", other.display())).assert().code(2);
}

#[test]
fn levels_follow_the_seed() {
    let game = |seed| play(&format!("play loa --side none --level 1 --seed {seed}"), "");
    assert_eq!(game(7), game(7));
    assert_ne!(game(7), game(8));
    check(
        "play chess --level 4",
        "level\nlevel 5\nlevel nodes 7\n",
        &["level 4: depth 7, 5,400 nodes", "level 5: ", "7 nodes"],
    );
    plywise("play chess --level 0").assert().code(2);
    plywise("play chess --level 11").assert().code(2);
    plywise("play chess --level 3 --depth 4").assert().code(2);
}
