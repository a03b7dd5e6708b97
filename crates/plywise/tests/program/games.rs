//! Every command knows every game.

use crate::{json, output, plywise};
use serde_json::Value;

const GAMES: [&str; 5] = ["chess", "loa", "othello", "abalone", "connect4"];

#[test]
fn searches_that_claim_the_same_value_have_it() {
    for game in GAMES {
        let document = json(&format!("compare {game} --profiles minimax,alphabeta,brute,uncertainty --depth 2"));
        let scores: Vec<&Value> = document["rows"].as_array().unwrap().iter().map(|row| &row["score"]).collect();
        assert_eq!(scores.len(), 4);
        assert!(scores.iter().all(|score| *score == scores[0]), "{game}: {scores:?}");
    }
}

#[test]
fn analysis_tells_what_programs_rely_on() {
    for game in GAMES {
        let document = json(&format!("analyse {game} --depth 4 --explain"));
        for key in ["game", "position", "best", "score", "depth", "nodes", "time_ms", "pv"] {
            assert!(!document[key].is_null(), "{game}: {key}");
        }
        assert_eq!((&document["game"], &document["depth"]), (&Value::from(game), &Value::from(4)));
        let best = document["best"].as_str().unwrap();
        let next = json(&format!("perft {game} --depth 1 --moves {best}"));
        assert!(next["nodes"].as_u64().unwrap() > 0, "{game}: {best} can be played");
    }
}

#[test]
fn explanations_have_one_format() {
    let numbers = |value: &Value| value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>();
    for game in GAMES {
        let explanation = &json(&format!("analyse {game} --depth 1 --explain"))["explanation"];
        let players: Vec<&str> =
            explanation["players"].as_array().unwrap().iter().map(|p| p.as_str().unwrap()).collect();
        assert_eq!(explanation["to_move"], players[0], "{game}");
        let mut total = 0.0;
        for term in explanation["terms"].as_array().unwrap() {
            let values = numbers(&term["values"]);
            total += values[0] - values[1];
            assert!((term["difference"].as_f64().unwrap() - (values[0] - values[1])).abs() < 1e-9, "{game}: {term}");
            for (player, value) in values.iter().enumerate() {
                let share = |share: &Value| share["weight"].as_f64().unwrap() * numbers(&share["amounts"])[player];
                let sum: f64 = term["weights"].as_array().unwrap().iter().map(share).sum();
                assert!((sum - value).abs() < 1e-6, "{game}: {term}");
            }
        }
        assert!((explanation["value"].as_f64().unwrap() - total).abs() < 1e-6, "{game}");
        let text = output(&format!("analyse {game} --depth 1 --explain"));
        let head: Vec<&str> = text.lines().find(|line| line.starts_with("term ")).unwrap().split_whitespace().collect();
        assert_eq!(head, ["term", players[0], players[1], "difference"], "{text}");
        assert!(text.contains(&format!("value for {}, who is to move: ", players[0])), "{text}");
    }
}

#[test]
fn move_paths_are_counted() {
    let check = |arguments: &str, paths: u64| {
        assert_eq!(json(&format!("perft {arguments}"))["nodes"], paths, "{arguments}");
    };
    check("othello --depth 8", 390_216);
    check("othello f5d6c3 --depth 1", 4);
    check("abalone --depth 3", 98_912);
    check("abalone belgian-daisy --depth 3", 149_322);
    check("abalone german-daisy --depth 3", 493_480);
}

#[test]
fn an_endgame_of_othello_is_solved() {
    // Number 40 of the FFO endgame test suite, 20 empty squares: 38 discs, by A2.
    let position = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
    let solved = json(&format!("analyse othello {position} --nodes 1000000000"));
    assert_eq!((&solved["score"], &solved["best"]), (&Value::from(38), &Value::from("a2")));
    assert!(solved["nodes"].as_u64().unwrap() < 1_000_000_000, "it ends once everything is known");
}

#[test]
fn a_position_may_begin_with_hyphens() {
    let board = "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO--";
    assert_eq!(json(&format!("perft othello {board} X --depth 1"))["nodes"], 9);
    plywise(&format!("analyse othello --dept 3 {board} X")).assert().code(2);
}

#[test]
fn positions_are_drawn() {
    for game in GAMES {
        let picture = output(&format!("draw {game}"));
        assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"), "{game}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("start.svg");
    output(&format!("draw othello -o {}", file.display()));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), output("draw othello"));
}

#[test]
fn games_are_played_and_forged() {
    for game in GAMES {
        let result = json(&format!("match {game} --a best --b brute --games 2 --nodes 100 --max-moves 10"));
        assert_eq!(result["games"], 2, "{game}");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.pgn");
        let forged = json(&format!("forge games {game} --games 1 --nodes 50 --max-moves 5 -o {}", file.display()));
        assert_eq!(forged["games"], 1);
    }
}

#[test]
fn openings_are_counted_up_to_symmetry() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.epd");
    for (game, plies, count) in [("othello", 4, 60), ("abalone", 1, 22), ("loa", 2, 311)] {
        output(&format!("openings {game} --plies {plies} --distinct -o {}", file.display()));
        assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), count, "{game}");
    }
}

#[test]
fn other_programs_can_talk_to_every_game() {
    for game in GAMES {
        let assert = plywise(&format!("uci {game}"))
            .write_stdin("uci\nisready\nposition startpos\ngo depth 3\nquit\n")
            .timeout(std::time::Duration::from_secs(60))
            .assert()
            .success();
        let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
        assert!(text.contains("uciok") && text.contains("readyok") && text.contains("bestmove "), "{game}: {text}");
    }
}
