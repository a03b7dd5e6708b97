//! Moves in algebraic and engine notation.

use crate::{board, mv};
use plywise_chess::{Chess, engine_move};
use plywise_game::epd::Entry;
use plywise_game::{Game, Notation};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLES: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
const PROMOTES: &str = "3nk3/2P5/8/8/8/8/8/4K3 w - - 0 1";

/// Every text means the move that is written as `engine` and as `san`.
fn check(fen: &str, engine: &str, san: &str, texts: &[&str]) {
    let board = board(fen);
    let expected = mv(&board, engine);
    assert_eq!(Chess::write_engine_move(&board, expected), engine, "{fen}");
    assert_eq!(Chess::write_move(&board, expected), san, "{fen}");
    for text in texts.iter().chain([&san]) {
        assert_eq!(Chess::parse_move(&board, text), Ok(expected), "{text} in {fen}");
    }
}

fn check_error(fen: &str, text: &str, expected: &str) {
    match Chess::parse_move(&board(fen), text) {
        Ok(mv) => panic!("{text} in {fen} was read as {mv}"),
        Err(error) => assert_eq!(error.to_string(), expected, "{text} in {fen}"),
    }
}

#[test]
fn reads_leniently_and_writes_strictly() {
    check(START, "e2e4", "e4", &["e4!", "e4?!", "e2-e4", "Pe4", "Pe2-e4", " e2e4 ", "e4+"]);
    check(START, "g1f3", "Nf3", &["Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "nf3", "Nf3!!", "Nf3 ", "Nxf3"]);
    check(CASTLES, "e1g1", "O-O", &["0-0", "o-o", "O-O+", "O-O!", "e1h1"]);
    check(CASTLES, "e1c1", "O-O-O", &["0-0-0", "o-o-o", "O-O-O#", "e1a1"]);
    check(PROMOTES, "c7c8q", "c8=Q", &["c8Q", "c8(Q)", "c8/Q", "c8=q", "c7-c8=Q", "c7c8Q", "c7c8=Q"]);
    check(PROMOTES, "c7d8n", "cxd8=N", &["cd8N", "cxd8N", "c7xd8=N", "c7d8N", "cxd8(N)"]);
    let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    check(en_passant, "e5d6", "exd6", &["ed6", "exd6e.p.", "exd6 e.p.", "e5xd6ep", "e5:d6"]);
}

#[test]
fn disambiguates_by_file_then_rank_then_both() {
    let knights = "4k3/8/8/8/8/2N3N1/8/2N1K3 w - - 0 1";
    check(knights, "g3e2", "Nge2", &["Ng3e2", "Ng3-e2"]);
    check(knights, "c3e2", "Nc3e2", &[]);
    check(knights, "c1e2", "N1e2", &[]);
    let rooks = "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1";
    check(rooks, "a5a3", "R5a3", &[]);
    // A pinned twin does not count.
    check("4k3/4r3/8/8/8/8/4N3/1N2K3 w - - 0 1", "b1c3", "Nc3", &["Nbc3"]);
}

#[test]
fn marks_check_and_mate() {
    check("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#", &["Ra8", "Ra8+", "Ra8#!"]);
    check("6k1/5pp1/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8+", &[]);
    check("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", &["0-0"]);
}

#[test]
fn chess960_castling() {
    let position = "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1";
    check(position, "b1a1", "O-O-O", &["0-0-0"]);
    check(position, "b1h1", "O-O", &["b1g1"]);
    // One step to the side stays a king move.
    check(position, "b1c1", "Kc1", &[]);

    let classical = board(CASTLES);
    assert_eq!(engine_move(&classical, mv(&classical, "O-O"), true), "e1h1");
    assert_eq!(engine_move(&classical, mv(&classical, "O-O-O"), true), "e1a1");
    assert_eq!(engine_move(&classical, mv(&classical, "Kf1"), true), "e1f1");
}

#[test]
fn errors_say_what_is_wrong_with_the_move() {
    check_error(START, "e5", "the move 'e5' is illegal in this position");
    check_error(START, "e2e5", "the move 'e2e5' is illegal in this position");
    check_error(START, "O-O", "the move 'O-O' is illegal in this position");
    check_error(START, "Ke2", "the move 'Ke2' is illegal in this position");
    check_error(CASTLES, "Kh1", "the move 'Kh1' is illegal in this position");
    check_error(START, "", "the move '' is unreadable");
    check_error(START, "--", "the move '--' is unreadable");
    check_error(START, "e9", "the move 'e9' is unreadable");
    check_error(START, "castle", "the move 'castle' is unreadable");
    check_error(START, "Nff3f", "the move 'Nff3f' is unreadable");
    check_error("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "the move 'Nd2' is ambiguous: Nbd2 or Nfd2");
    check_error(PROMOTES, "c8", "the move 'c8' is ambiguous: c8=N, c8=B, c8=R or c8=Q");
}

#[test]
fn every_move_of_random_games_reads_back() {
    crate::random_games(6, |board, _| {
        for mv in Chess::legal_moves(board) {
            for text in
                [Chess::write_move(board, mv), Chess::write_engine_move(board, mv), engine_move(board, mv, true)]
            {
                assert_eq!(Chess::parse_move(board, &text), Ok(mv), "{text} in {}", Chess::write_position(board));
            }
        }
    });
}

#[test]
fn the_counters_of_epd_are_those_of_the_position() {
    let read = |operations: &str| format!("8/8/8/8/8/4k3/8/4K2R w K - {operations}").parse::<Entry<Chess>>();
    let entry = read("hmvc 99; id \"a\"; fmvn 80;").unwrap();
    assert_eq!(Chess::write_position(&entry.position), "8/8/8/8/8/4k3/8/4K2R w K - 99 80");
    assert!(entry.operations.is_empty());
    assert_eq!(entry.to_string().parse(), Ok(entry));
    assert_eq!(Chess::write_position(&read("fmvn 7;").unwrap().position), "8/8/8/8/8/4k3/8/4K2R w K - 0 7");
    assert_eq!(Chess::write_position(&read("3 4 hmvc 9;").unwrap().position), "8/8/8/8/8/4k3/8/4K2R w K - 3 4");
    let error = read("hmvc x;").unwrap_err().to_string();
    assert!(error.starts_with("hmvc x and fmvn 1 do not fit the position: "), "{error}");
}
