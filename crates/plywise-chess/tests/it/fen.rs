//! FEN: what is read, what is written, what is said about broken ones.

use crate::board;
use plywise_chess::Chess;
use plywise_game::{Game, Notation, View};

fn check_round_trip(fen: &str) {
    assert_eq!(Chess::write_position(&board(fen)), fen);
}

#[test]
fn writes_what_it_read() {
    for fen in crate::STARTS {
        assert_eq!(board(&Chess::write_position(&board(fen))), board(fen));
    }
    check_round_trip("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    check_round_trip("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    check_round_trip("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
    check_round_trip("4k3/8/8/8/8/8/8/4K3 w - - 37 81");
    // X-FEN names the file where the outermost rook is not meant.
    check_round_trip("4k3/8/8/8/8/8/8/1RR1KR1R w FC - 0 1");
}

#[test]
fn castling_letters_of_all_kinds() {
    let start = Chess::start();
    assert_eq!(board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"), start);
    let shredder = board("bnrkqbnr/pppppppp/8/8/8/8/PPPPPPPP/BNRKQBNR w HChc - 0 1");
    assert_eq!(board("bnrkqbnr/pppppppp/8/8/8/8/PPPPPPPP/BNRKQBNR w KQkq - 0 1"), shredder);
    assert_eq!(Chess::write_position(&shredder), "bnrkqbnr/pppppppp/8/8/8/8/PPPPPPPP/BNRKQBNR w KQkq - 0 1");
}

#[test]
fn four_fields_do() {
    let start = Chess::start();
    assert_eq!(board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"), start);
    assert_eq!(board("  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq -\n"), start);
}

#[test]
fn clocks_beyond_what_the_rules_need_are_bounded() {
    let board = board("4k3/8/8/8/8/8/8/4K2R w - - 140 0");
    assert_eq!(Chess::write_position(&board), "4k3/8/8/8/8/8/8/4K2R w - - 100 1");
}

#[test]
fn errors_name_the_field() {
    for (fen, expected) in [
        ("", "a FEN has 4 or 6 fields, but '' has 0"),
        ("8/8/8/8/8/8/8/8", "a FEN has 4 or 6 fields, but '8/8/8/8/8/8/8/8' has 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0", "a FEN has 4 or 6 fields, but '4k3/8/8/8/8/8/8/4K3 w - - 0' has 5"),
        ("4k3/8/8/8/8/8/4K3 w - -", "FEN field 1 (pieces): it has 7 ranks instead of 8"),
        ("4k3/8/9/8/8/8/8/4K3 w - -", "FEN field 1 (pieces): '9' in rank 6 is not a piece"),
        ("4k3/8/8/8/8/8/8/4K4 w - -", "FEN field 1 (pieces): rank 1 has 9 squares instead of 8"),
        ("4k3/8/8/ppppppppp/8/8/8/4K3 w - -", "FEN field 1 (pieces): rank 5 has 9 squares instead of 8"),
        ("4k3/8/8/8/8/8/8/4K2 w - -", "FEN field 1 (pieces): rank 1 has 7 squares instead of 8"),
        ("4k3/8/8/8/8/3x4/8/4K3 w - -", "FEN field 1 (pieces): 'x' in rank 3 is not a piece"),
        ("8/8/8/8/8/8/8/4K3 w - -", "FEN field 1 (pieces): Black has 0 kings instead of 1"),
        ("4k3/8/8/8/8/8/8/3KK3 w - -", "FEN field 1 (pieces): White has 2 kings instead of 1"),
        ("4k2P/8/8/8/8/8/8/4K3 w - -", "FEN field 1 (pieces): a pawn stands on h8"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - -", "FEN field 1 (pieces): Black has more than 8 pawns"),
        ("4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 b - -", "FEN field 1 (pieces): White has more than 16 pieces"),
        ("4k3/8/8/8/8/8/8/4K3 W - -", "FEN field 2 (side to move): 'W' is neither 'w' nor 'b'"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - -", "FEN field 2 (side to move): Black is in check, but not to move"),
        ("4k3/8/8/8/8/8/8/4K3 w x -", "FEN field 3 (castling rights): 'x' is not a castling right"),
        (
            "4k3/8/8/8/8/8/8/4K3 w K -",
            "FEN field 3 (castling rights): White has no king and rook on the back rank for 'K'",
        ),
        ("r3k3/8/8/8/8/8/8/4K3 w qq -", "FEN field 3 (castling rights): 'qq' gives one right twice"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9", "FEN field 4 (en passant square): 'e9' is not a square"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3", "FEN field 4 (en passant square): 'e3' is not on rank 6"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6", "FEN field 4 (en passant square): no pawn can just have passed 'e6'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "FEN field 5 (halfmove clock): 'x' is not a whole number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "FEN field 6 (move number): '-1' is not a whole number"),
    ] {
        check_refusal(fen, expected);
    }
}

#[track_caller]
fn check_refusal(fen: &str, expected: &str) {
    match Chess::parse_position(fen) {
        Ok(_) => panic!("{fen} was read"),
        Err(error) => assert_eq!(error.to_string(), expected, "{fen}"),
    }
}

#[test]
fn what_no_game_reaches_and_the_rules_cannot_play_is_refused() {
    let next_to_each_other = "FEN field 1 (pieces): the kings stand next to each other";
    for (fen, expected) in [
        ("8/8/8/8/5k2/5K2/8/7R w - - 0 1", next_to_each_other),
        ("8/8/8/8/5k2/6K1/8/7R b - - 0 1", next_to_each_other),
        ("kK6/8/8/8/8/8/8/8 w - - 0 1", next_to_each_other),
        ("4k3/8/8/1Q5B/8/8/4R3/4K3 b - -", "FEN field 1 (pieces): Black is in check from more than two pieces"),
        ("8/8/8/R2k3R/8/8/8/4K3 b - -", "FEN field 1 (pieces): no move gives Black check from a5 and h5 at once"),
        ("7b/8/8/8/3K4/8/8/b3k3 w - -", "FEN field 1 (pieces): no move gives White check from a1 and h8 at once"),
        ("4k3/8/8/8/4R3/8/8/4K3 w - -", "FEN field 2 (side to move): Black is in check, but not to move"),
        (
            "r3k2r/8/8/8/8/8/8/4K2R w KQkq -",
            "FEN field 3 (castling rights): White has no king and rook on the back rank for 'Q'",
        ),
        (
            "4k3/8/8/8/8/8/4K3/7R w K -",
            "FEN field 3 (castling rights): White has no king and rook on the back rank for 'K'",
        ),
        // The pawn cannot have passed: its own square, the one it passed, or the one it came from is wrong.
        ("4k3/8/8/4n3/8/8/8/4K3 w - e6", "FEN field 4 (en passant square): no pawn can just have passed 'e6'"),
        ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6", "FEN field 4 (en passant square): no pawn can just have passed 'e6'"),
        ("4k3/4n3/8/4p3/8/8/8/4K3 w - e6", "FEN field 4 (en passant square): no pawn can just have passed 'e6'"),
        // A check that stood before the pawn moved.
        ("4k3/8/8/4p3/8/8/8/r3K3 w - e6", "FEN field 4 (en passant square): no pawn can just have passed 'e6'"),
    ] {
        check_refusal(fen, expected);
    }
}

#[test]
fn what_only_a_composer_makes_can_be_played() {
    for fen in [
        // More promoted pieces than pawns are missing.
        "qqqq1kqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQ1KQQ w - - 0 1",
        "4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1",
        // Five pawns on a file, a bishop that cannot have left home, a double check by two knights.
        "4k3/P7/P7/P7/P7/P7/8/4K3 w - - 0 1",
        "4k3/8/8/8/5B2/8/PPPPPPPP/4K3 w - - 0 1",
        "4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1",
        // Double checks that a game brings about: by a discovered slider, and by an en passant capture.
        "4k3/8/3N4/8/8/8/8/4RK2 b - - 0 1",
        "8/4k3/3P4/8/8/8/8/4RK2 b - - 0 1",
    ] {
        let board = board(fen);
        assert_eq!(Chess::write_position(&board), fen);
        plywise_game::perft::<Chess>(&board, 2);
    }
}

#[test]
fn positions_of_games_are_never_refused() {
    crate::random_games(40, |position, _| {
        let fen = Chess::write_position(position);
        assert_eq!(Chess::parse_position(&fen).as_ref(), Ok(position), "{fen}");
    });
}

#[test]
fn draws_the_board() {
    let drawing = Chess::draw(&board("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"));
    let expected = "
    a b c d e f g h
  +-----------------+
8 | r n b q k b n r | 8
7 | p p . p p p p p | 7
6 | . . . . . . . . | 6
5 | . . p . . . . . | 5
4 | . . . . P . . . | 4
3 | . . . . . N . . | 3
2 | P P P P . P P P | 2
1 | R N B Q K B . R | 1
  +-----------------+
    a b c d e f g h
Black to move
";
    assert_eq!(drawing, expected.trim_start_matches('\n'));
}

#[test]
fn marks_the_last_move_and_turns_the_board() {
    let drawn_after = |fen: &str, text: &str, turned| {
        let before = board(fen);
        let mv = Chess::parse_move(&before, text).unwrap();
        let view = View { turned, last_move: Some(mv), on_terminal: false };
        Chess::draw_view(&Chess::play(&before, mv), &view)
    };
    let drawing = drawn_after("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4", true);
    assert!(drawing.starts_with("    h g f e d c b a\n"), "{drawing}");
    assert!(drawing.contains("\n1 | . . . K . . . . | 1\n2 | . . .[.]. . . . | 2\n"), "{drawing}");
    assert!(drawing.contains("\n4 | . . .[P]. . . . | 4\n"), "{drawing}");
    let castling = drawn_after("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", false);
    assert!(castling.contains("\n1 | . . . .[.]R[K]. | 1\n"), "{castling}");
}

#[test]
fn the_picture_shows_every_piece() {
    let picture = Chess::draw_svg(&Chess::start(), &View::default());
    assert_eq!(picture.matches("data-piece=\"black pawn\"").count(), 8);
    assert_eq!(picture.matches("data-piece=\"white king\" data-on=\"e1\"").count(), 1);
    assert_eq!(picture.matches("data-piece=").count(), 32);
    let check = Chess::parse_position("4k3/8/8/8/8/8/8/4KR1r w - - 0 1").unwrap();
    assert!(!picture.contains("<circle"), "neither king is in check");
    assert!(Chess::draw_svg(&check, &View::default()).find("<circle").is_none(), "the rook stands between");
    let check = Chess::parse_position("4k3/8/8/8/8/8/8/4K2r w - - 0 1").unwrap();
    assert!(Chess::draw_svg(&check, &View::default()).contains("<circle"), "the king in check is marked");
}
