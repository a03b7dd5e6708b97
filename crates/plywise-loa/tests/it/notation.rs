//! Positions and moves as text.

use crate::position;
use plywise_game::conformance::check_text;
use plywise_game::{Game, Notation, View};
use plywise_loa::Loa;
use proptest::prelude::*;

const START: &str = "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b";

#[test]
fn the_start_is_written_as_everyone_does() {
    assert_eq!(Loa::write_position(&Loa::start()), START);
    assert_eq!(position(START), Loa::start());
}

/// Checks the sentence that a broken position is answered with.
#[track_caller]
fn check_position_error(text: &str, sentence: &str) {
    assert_eq!(Loa::parse_position(text).unwrap_err().to_string(), sentence);
}

#[test]
fn broken_positions_are_explained() {
    check_position_error("", "a LOA position has two fields, the board and the side to move, but '' has 0");
    check_position_error(
        "8/8 b 1",
        "a LOA position has two fields, the board and the side to move, but '8/8 b 1' has 3",
    );
    check_position_error("8/8/8 b", "the board must have 8 ranks, but '8/8/8' has 3");
    check_position_error(
        "8/8/8/8/8/8/1b4w/8 b", //
        "rank 2 of the board, '1b4w', describes 7 squares instead of 8",
    );
    check_position_error(
        "8/8/b88/8/8/8/8/8 b", //
        "rank 6 of the board, 'b88', describes 17 squares instead of 8",
    );
    check_position_error(
        "8/8/8/8/8/8/8/7k b",
        "rank 1 of the board contains 'k'; only b, w and the digits 1 to 8 may stand there",
    );
    check_position_error(&START.replace(" b", " x"), "the side to move must be 'b' or 'w', not 'x'");
    check_position_error("8/8/8/8/8/8/8/7b b", "the board has no white piece");
    check_position_error("8/8/8/8/8/8/8/7w b", "the board has no black piece");
    check_position_error(
        "bbbbbbbb/bbbbb3/8/8/8/8/8/7w b", //
        "the board has 13 black pieces, but a side has 12 at most",
    );
}

#[test]
fn moves_are_read_in_every_usual_form() {
    let position = position("b6w/8/3w4/8/3b4/8/8/w6b b");
    for (text, written, engine) in [
        ("d4xd6", "d4xd6", "d4d6"),
        ("d4-d6", "d4xd6", "d4d6"),
        ("d4d6", "d4xd6", "d4d6"),
        (" D4D6 ", "d4xd6", "d4d6"),
        ("d4xg7", "d4-g7", "d4g7"),
        ("d4:d6", "d4xd6", "d4d6"),
    ] {
        let mv = Loa::parse_move(&position, text).unwrap();
        assert_eq!(Loa::write_move(&position, mv), written);
        assert_eq!(Loa::write_engine_move(&position, mv), engine);
    }
}

/// Checks the sentence that an impossible move is answered with.
#[track_caller]
fn check_move_error(position_text: &str, mv: &str, sentence: &str) {
    assert_eq!(Loa::parse_move(&position(position_text), mv).unwrap_err().to_string(), sentence);
}

#[test]
fn impossible_moves_are_explained() {
    let middle = "b6w/8/3w4/8/2wbb3/8/8/w6b b";
    check_move_error(START, "b9", "'b9' is not a move; moves look like d3-b5, d3xd5 or d3b5");
    check_move_error(START, "b8-b9", "'b8-b9' is not a move; moves look like d3-b5, d3xd5 or d3b5");
    check_move_error(START, "", "'' is not a move; moves look like d3-b5, d3xd5 or d3b5");
    check_move_error(START, "a2-c2", "a2-c2 is illegal: there is no black piece on a2");
    check_move_error(START, "b8-c6", "b8-c6 is illegal: b8 and c6 do not lie on one line");
    check_move_error(START, "b8-b8", "b8-b8 is illegal: b8 and b8 do not lie on one line");
    check_move_error(
        START,
        "b8-b7",
        "b8-b7 is illegal: its line has 2 pieces, so the piece must move that many squares, not 1",
    );
    check_move_error(middle, "d4-a4", "d4-a4 is illegal: the white piece on c4 blocks the way");
    check_move_error("b6b/8/8/8/8/8/w6w/b1b4b b", "a1-c1", WRONG_DISTANCE);
    check_move_error("b6b/8/8/8/8/8/w6w/1b1b4 b", "d1-b1", "d1-b1 is illegal: black has a piece on b1 already");
    check_move_error(START, "pass", "a player who can move a piece may not pass");
    check_move_error("w6w/8/2b5/3b4/4b3/8/8/w7 w", "a1-a3", "the game is over, so 'a1-a3' cannot be played");
}

const WRONG_DISTANCE: &str = "a1-c1 is illegal: its line has 3 pieces, so the piece must move that many squares, not 2";

#[test]
fn the_board_is_drawn_with_coordinates() {
    let drawing = "    a b c d e f g h
  +-----------------+
8 | . b b b b b b . | 8
7 | w . . . . . . w | 7
6 | w . . . . . . w | 6
5 | w . . . . . . w | 5
4 | w . . . . . . w | 4
3 | w . . . . . . w | 3
2 | w . . . . . . w | 2
1 | . b b b b b b . | 1
  +-----------------+
    a b c d e f g h
Black (b) to move
";
    assert_eq!(Loa::draw(&Loa::start()), drawing);
}

/// What is read is written back the same way, and nothing panics.
fn read_everything(text: &str) {
    assert_eq!(check_text::<Loa>(text, &[Loa::start(), position(crate::rules::BLOCKED)]), Ok(()));
    if let Ok(position) = Loa::parse_position(text) {
        assert_eq!(Loa::legal_moves(&position).is_empty(), Loa::decided(&position).is_some());
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,100}") {
        read_everything(&text);
    }

    #[test]
    fn anything_like_a_position_is_read_or_refused(text in "([bw1-9]{1,8}/){6,8}[bw1-9]{1,8} [bw]") {
        read_everything(&text);
    }

    #[test]
    fn boards_are_read(squares in prop::collection::vec(prop::sample::select(vec!['b', 'w', '1', '1', '1', '1']), 64)) {
        let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().collect()).collect();
        read_everything(&(rows.join("/") + " w"));
    }

    #[test]
    fn anything_like_a_move_is_read_or_refused(text in "[a-hA-I][0-9][-x:]?[a-i][0-9]?|pass|0000|PASS") {
        read_everything(&text);
    }
}

#[test]
fn a_view_turns_the_board_and_marks_the_last_move() {
    let mv = Loa::parse_move(&Loa::start(), "b8-b6").unwrap();
    let view = View { turned: true, last_move: Some(mv), on_terminal: false };
    let drawing = Loa::draw_view(&Loa::play(&Loa::start(), mv), &view);
    assert!(
        drawing.contains("\n6 | w . . . . .[b]w | 6\n7 | w . . . . . . w | 7\n8 | . b b b b b[.]. | 8\n"),
        "{drawing}"
    );
    let on_terminal = Loa::draw_view(&Loa::start(), &View { on_terminal: true, ..View::default() });
    assert_eq!(on_terminal.matches('●').count(), 24);
    assert!(on_terminal.ends_with("\nBlack to move\n"), "{on_terminal:?}");
}

#[test]
fn the_picture_shows_every_piece() {
    let picture = Loa::draw_svg(&Loa::start(), &View::default());
    assert_eq!(picture.matches("data-piece=").count(), 24);
    assert_eq!(picture.matches("#2b2b2b").count(), 12);
}
