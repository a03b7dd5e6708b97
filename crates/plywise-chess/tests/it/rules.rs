//! The rules, case by case, and what a search asks of them.

use crate::{board, mv, random_games};
use cozy_chess::Move;
use plywise_chess::{Chess, captured_piece, gives_check};
use plywise_game::{Game, Outcome, Phase, Side};
use std::collections::HashSet;

#[test]
fn mate_and_stalemate() {
    let mated = board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    assert_eq!(Chess::outcome(&mated), Some(Outcome::Loss));
    assert_eq!(Chess::side_to_move(&mated), Side::Second);
    assert_eq!(Chess::outcome(&board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")), Some(Outcome::Draw));
    assert_eq!(Chess::outcome(&Chess::start()), None);
}

#[test]
fn fifty_moves_draw_unless_the_last_gave_mate() {
    let check = |fen, expected| assert_eq!(Chess::drawn_by_rule(&board(fen)), expected, "{fen}");
    check("4k3/8/8/8/8/8/4P3/4K3 w - - 99 80", false);
    check("4k3/8/8/8/8/8/4P3/4K3 w - - 100 80", true);
    check("4k3/8/8/8/8/8/8/R3K3 b - - 100 80", true);
    check("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80", false);
    check("6k1/5pp1/8/8/8/8/8/R5K1 w - - 100 80", true);
}

#[test]
fn insufficient_material() {
    let check = |pieces: &str, expected| {
        let fen = format!("4k3/8/8/8/8/8/8/{pieces} w - - 0 1");
        assert_eq!(Chess::drawn_by_rule(&board(&fen)), expected, "{fen}");
    };
    check("4K3", true);
    check("N3K3", true);
    check("B3K3", true);
    check("n3K3", true);
    check("B1B1K3", true);
    check("B1b1K3", true);
    check("BB2K3", false);
    check("Bb2K3", false);
    check("NN2K3", false);
    check("BN2K3", false);
    check("R3K3", false);
    assert!(!Chess::drawn_by_rule(&board("4k3/8/8/8/8/8/P7/4K3 w - - 0 1")));
}

#[test]
fn hashes_are_kept_up_to_date() {
    random_games(6, |board, mv| {
        let after = Chess::play(board, mv);
        assert_eq!(Chess::hash(&after), Chess::hash_afresh(&after));
        if let Some(passed) = Chess::null_move(board) {
            assert_eq!(Chess::hash(&passed), Chess::hash_afresh(&passed));
            assert_ne!(Chess::hash(&passed), Chess::hash(board));
            assert_ne!(Chess::side_to_move(&passed), Chess::side_to_move(board));
        }
    });
}

#[test]
fn en_passant_counts_in_the_hash_only_where_it_is_legal() {
    let hash = |fen| Chess::hash(&board(fen));
    let same = |a, b| assert_eq!(hash(a), hash(b));
    same(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    );
    // The capture would lay the king open along the rank.
    same("8/8/8/KPp4r/8/8/8/7k w - c6 0 1", "8/8/8/KPp4r/8/8/8/7k w - - 0 1");
    assert_ne!(hash("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), hash("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"));
}

#[test]
fn codes_and_indices() {
    random_games(3, |board, _| {
        let moves = Chess::legal_moves(board);
        let codes: HashSet<u16> = moves.iter().map(|mv| Chess::move_code(*mv)).collect();
        assert_eq!(codes.len(), moves.len());
        assert!(!codes.contains(&0));
        for mv in moves {
            assert_eq!(Chess::move_from_code(board, Chess::move_code(mv)), Some(mv));
            assert!(Chess::move_index(board, mv) < Chess::MOVE_INDICES);
        }
    });
}

#[test]
fn every_code_is_legal_or_refused() {
    for fen in crate::STARTS {
        let board = board(fen);
        let found: Vec<Move> = (0..=u16::MAX).filter_map(|code| Chess::move_from_code(&board, code)).collect();
        let legal = Chess::legal_moves(&board);
        assert_eq!(found.len(), legal.len());
        assert!(found.iter().all(|mv| legal.contains(mv)));
    }
}

#[test]
fn tactical_moves_are_the_captures_and_queens_in_the_order_of_moves() {
    random_games(6, |board, _| {
        let mut expected = Chess::legal_moves(board);
        expected.retain(|mv| {
            let takes = captured_piece(board, *mv).is_some();
            match mv.promotion {
                Some(piece) => piece == cozy_chess::Piece::Queen,
                None => takes,
            }
        });
        let mut tactical = Vec::new();
        Chess::tactical_moves(board, |mv| tactical.push(mv));
        assert_eq!(tactical, expected);
        assert!(tactical.iter().all(|mv| Chess::tactical_value(board, *mv).is_some()));
    });
}

#[test]
fn tactical_values_put_the_victim_before_the_attacker() {
    let board = board("4k3/2P5/8/3q1r2/4P3/4N3/5Q2/4K3 w - - 0 1");
    let value = |text| Chess::tactical_value(&board, mv(&board, text));
    assert!(value("exd5") > value("Nxd5"));
    assert!(value("Nxd5") > value("c8=Q"));
    assert!(value("c8=Q") > value("exf5"));
    assert!(value("exf5") > value("Qxf5"));
    assert_eq!(value("c8=R"), None);
    assert_eq!(value("Ke2"), None);
}

#[test]
fn checks_are_seen_before_they_are_played() {
    random_games(6, |board, _| {
        for mv in Chess::legal_moves(board) {
            let after = Chess::play(board, mv);
            assert_eq!(gives_check(board, mv), Chess::in_check(&after), "{mv} in {board}");
            assert_eq!(Chess::move_traits(board, mv, &after, None).gives_check, Chess::in_check(&after));
        }
    });
}

#[test]
fn recaptures_follow_captures() {
    let check = |fen, previous: &str, text: &str, expected| {
        let before = board(fen);
        let previous = mv(&before, previous);
        let position = Chess::play(&before, previous);
        let mv = mv(&position, text);
        let after = Chess::play(&position, mv);
        let traits = Chess::move_traits(&position, mv, &after, Some(previous));
        assert_eq!(traits.recaptures, expected, "{text} after {previous} in {fen}");
    };
    let open = "4k3/8/2p2n2/3p4/4P3/2N5/8/4K3 w - - 5 1";
    check(open, "exd5", "cxd5", true);
    check(open, "Nxd5", "Nxd5", true);
    check(open, "exd5", "Kd7", false);
    check(open, "e5", "Ne4", false);
    // What has just come, but took nothing, is not taken back.
    check("4k3/8/8/8/6p1/8/8/4K2R w - - 5 1", "Rh3", "gxh3", false);
    check("4k3/8/8/8/6p1/8/7P/4K3 w - - 0 1", "h3", "gxh3", false);
    check("r3k3/8/8/8/8/8/7p/4K1N1 b - - 3 1", "hxg1=Q+", "Kd2", false);
    check("4k3/8/8/8/8/8/4n2p/5KN1 b - - 3 1", "hxg1=Q+", "Kxe2", false);
}

#[test]
fn passed_pawns_advance() {
    let check = |fen, text: &str, expected| {
        let board = board(fen);
        let mv = mv(&board, text);
        let traits = Chess::move_traits(&board, mv, &Chess::play(&board, mv), None);
        assert_eq!(traits.advances, expected, "{text} in {fen}");
    };
    check("4k3/8/8/P7/8/8/8/4K3 w - - 0 1", "a6", true);
    check("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "a7", true);
    check("4k3/8/8/8/P7/8/8/4K3 w - - 0 1", "a5", false);
    check("4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1", "a6", false);
    check("4k3/8/8/8/8/p7/8/4K3 b - - 0 1", "a2", true);
    check("4k3/8/8/8/8/p7/8/R3K3 w - - 0 1", "Rb1", false);
}

#[test]
fn irreversible_moves() {
    let board = board("r3k2r/8/8/3p4/4P3/8/8/R3K2R w KQ - 0 1");
    for (text, expected) in [("exd5", true), ("e5", true), ("O-O", true), ("Ke2", true), ("Rb1", true), ("Rxa8+", true)]
    {
        assert_eq!(Chess::is_irreversible(&board, mv(&board, text)), expected, "{text}");
    }
    let after = Chess::play(&board, mv(&board, "Ke2"));
    assert!(!Chess::is_irreversible(&after, mv(&after, "Rb8")));
    assert!(!Chess::is_irreversible(&after, mv(&after, "Kf8")));
}

#[test]
fn phases() {
    let phase = |fen| Chess::phase(&board(fen));
    assert_eq!(Chess::phase(&Chess::start()), Phase::Opening);
    assert_eq!(phase("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"), Phase::Opening);
    assert_eq!(phase("2r2rk1/pp1qbppp/2n1pn2/3p4/3P1B2/2NQPN2/PP3PPP/2R2RK1 w - - 0 12"), Phase::Middlegame);
    assert_eq!(phase("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"), Phase::Endgame);
}

#[test]
fn a_pass_is_doubtful_with_pawns_only() {
    assert!(Chess::null_move_doubtful(&board("4k2r/8/8/8/8/8/P7/4K3 w - - 0 1")));
    assert!(!Chess::null_move_doubtful(&board("4k2r/8/8/8/8/8/P7/4K3 b - - 0 1")));
    assert!(Chess::null_move(&board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")).is_none());
}
