//! The game is the first word after every command, and `--game` says the same.

use crate::{json, output, plywise, repository_file};

/// Every command with GAME where its game belongs, so cheap that it ends at once. FILE is a file to write.
const COMMANDS: [&str; 18] = [
    "analyse GAME --depth 1",
    "compare GAME --profiles brute --depth 1",
    "play GAME --depth 1",
    "uci GAME --hash 1",
    "perft GAME --depth 1",
    "draw GAME",
    "bench GAME",
    "profiles GAME brute",
    "params GAME",
    "suite GAME SUITE --sample 1 --depth 1",
    "match GAME --a brute --b best --games 1 --depth 1 --max-moves 2",
    "openings GAME --plies 1",
    "gather realization GAME --games 1 --depth 1 --longest 10 -o FILE",
    "forge games GAME --games 1 --depth 1 --max-moves 2 -o FILE",
    "forge suite GAME --count 1 --play-nodes 200 --shallow-nodes 30 --deep-nodes 5000 --least-nodes 1 -o FILE",
    "learn eval GAME --pgn PGN --epochs 1 --skip 0 --validation 2 -o FILE",
    "learn extensions GAME --online --suite SUITE --nodes 300 --iterations 1 -o FILE",
    "learn spsa GAME --tune null_move.reduction --iterations 1 --pairs 1 --nodes 50 --max-moves 3 -o FILE",
];

/// The command with a word for the game, and with the option behind, before and joined.
fn forms(command: &str, game: &str) -> [String; 4] {
    let without = command.replace(" GAME", "");
    let (name, rest) = without.split_once(' ').unwrap_or((&without, ""));
    [
        command.replace("GAME", game),
        format!("{without} --game {game}"),
        format!("{name} --game {game} {rest}"),
        format!("{without} --game={game}"),
    ]
}

#[test]
fn every_command_takes_a_word_or_an_option() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("suite"), repository_file("crates/plywise-loa/data/wins.epd")).unwrap();
    output(&format!("forge games loa --games 4 --nodes 50 --max-moves 30 -o {}", path("pgn")));
    for command in COMMANDS {
        let command = command.replace("SUITE", &path("suite")).replace("PGN", &path("pgn"));
        let command = command.replace("FILE", &path("result"));
        // The bench of Abalone is the shortest.
        let game = if command.starts_with("bench") { "abalone" } else { "loa" };
        for form in forms(&command, game) {
            plywise(&form).assert().success();
        }
    }
}

#[test]
fn every_command_says_that_a_game_is_unknown() {
    for command in COMMANDS {
        for form in forms(command, "loaa") {
            let assert = plywise(&form).assert().code(2);
            let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
            assert_eq!(complaint, "plywise: unknown game 'loaa'; the nearest is 'loa'\n", "{form}");
        }
    }
}

#[test]
fn chess_may_be_left_out_where_it_is_the_default() {
    assert_eq!(json("match --a best --b brute --games 1 --depth 1 --max-moves 1")["game"], "chess");
    assert_eq!(json("profiles brute")["game"], "chess");
    assert!(output("profiles brute --evaluation").contains("[game.chess.evaluation."));
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.epd");
    std::fs::write(&suite, "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8;\n").unwrap();
    for arguments in [format!("suite {} --depth 1", suite.display()), format!("suite --depth 1 {}", suite.display())] {
        assert_eq!(json(&arguments)["game"], "chess");
    }
}

#[test]
fn the_game_may_follow_options() {
    let document = json("match --a best --b brute --games 1 --depth 1 --max-moves 1 loa");
    assert_eq!(document["game"], "loa");
    assert_eq!(json("analyse --depth 1 --game othello")["game"], "othello");
}

#[test]
fn what_is_missing_or_too_much_is_told() {
    let check = |arguments: &str, sentence: &str| {
        let assert = plywise(arguments).assert().code(2);
        assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr), format!("plywise: {sentence}\n"));
    };
    check("suite othello --depth 1", "Othello has no suite of its own: name a file with positions, or 'openings'");
    check("profiles loa --evaluation", "--evaluation needs the name of a profile");
    check("match loa chess --a best --b best --depth 1", "unexpected argument 'chess' found");
    check(
        "match --a best --game --b best --depth 1",
        "unknown game ''; there are chess, loa, othello, abalone, connect4",
    );
    check("stats 1 2 3 --game loa", "unexpected argument '--game' found");
}

#[test]
fn help_is_shown_wherever_the_game_stands() {
    for command in ["match --help", "match loa --help", "match --game loa --help", "suite --help"] {
        let help = output(command);
        assert!(help.contains("[GAME]") && help.contains("The game: chess, loa, othello, abalone, connect4"), "{help}");
    }
}
