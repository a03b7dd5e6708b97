//! Positions and moves as text.

use crate::position;
use plywise_abalone::{Abalone, Position};
use plywise_game::conformance::check_text;
use plywise_game::{Game, Notation, View};
use proptest::prelude::*;

const START: &str = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0";

#[test]
fn the_starts_have_names() {
    assert_eq!(Abalone::write_position(&Abalone::start()), START);
    assert_eq!(position(START), Abalone::start());
    assert_eq!(position("standard"), Position::STANDARD);
    assert_eq!(position(" belgian-daisy "), Position::BELGIAN_DAISY);
    assert_eq!(position("german-daisy"), Position::GERMAN_DAISY);
}

/// Checks the sentence that a broken position is answered with.
#[track_caller]
fn check_position_error(text: &str, sentence: &str) {
    assert_eq!(Abalone::parse_position(text).unwrap_err().to_string(), sentence);
}

#[test]
fn broken_positions_are_explained() {
    check_position_error(
        "dutch-daisy",
        "an Abalone position is its board, the side to move and the marbles lost by black and by white, or one of \
         standard, belgian-daisy, german-daisy; 'dutch-daisy' is neither",
    );
    check_position_error("5/6 b 0 0", "the board must have 9 rows, but '5/6' has 2");
    check_position_error(
        "5/6/7/8/9/8/1b4w/6/5 b 0 0x", //
        "the number of marbles lost by white must lie between 0 and 6, but is '0x'",
    );
    check_position_error(
        "5/6/7/8/9/8/1b4/6/5 b 0 0", //
        "row c of the board, '1b4', describes 6 cells instead of 7",
    );
    check_position_error(
        "5/6/7/8/9/8/7/6/bbbbbb b 0 0", //
        "row a of the board, 'bbbbbb', describes 6 cells instead of 5",
    );
    check_position_error(
        "5/6/7/8/9/8/7/6/4ä b 0 0",
        "row a of the board contains 'ä'; only b, w and the digits 1 to 9 may stand there",
    );
    check_position_error(&START.replace(" b", " x"), "the side to move must be 'b' or 'w', not 'x'");
    check_position_error(
        &START.replace(" 0 0", " 7 0"),
        "the number of marbles lost by black must lie between 0 and 6, but is '7'",
    );
    check_position_error(
        &START.replace(" 0 0", " 0 0 101"),
        "the number of plies without an ejection must lie between 0 and 100, but is '101'",
    );
    check_position_error(
        &START.replace(" 0 0", " 0 1"),
        "white has 14 marbles on the board and has lost 1, but began with 14",
    );
    check_position_error("5/6/7/8/9/8/7/6/4b b 0 0", "the board has no white marble");
    check_position_error("5/6/7/8/9/8/7/6/4w b 0 0", "the board has no black marble");
    check_position_error("5/6/7/8/9/8/7/6/b3w b 6 6", "both sides have lost 6 marbles, so both have lost");
}

#[test]
fn moves_are_read_in_every_usual_form() {
    let start = Abalone::start();
    for (text, written) in [
        ("a1b2", "a1b2"),
        ("A1-B2", "a1b2"),
        (" a1,b2 ", "a1b2"),
        ("c3c5d3", "c3c5d3"),
        ("c5c3d5", "c3c5d3"),
        ("C3-C5-D3", "c3c5d3"),
        ("c3c5-d3", "c3c5d3"),
        ("c4-c3-d5", "c3c4d4"),
    ] {
        let mv = Abalone::parse_move(&start, text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(Abalone::write_move(&start, mv), written);
        assert_eq!(Abalone::write_engine_move(&start, mv), written);
    }
}

/// Checks the sentence that an impossible move is answered with.
#[track_caller]
fn check_move_error(position_text: &str, mv: &str, sentence: &str) {
    assert_eq!(Abalone::parse_move(&position(position_text), mv).unwrap_err().to_string(), sentence);
}

#[test]
fn impossible_moves_are_explained() {
    let not_a_move =
        |text: &str| format!("'{text}' is not a move; moves look like a1b2, or c3c5d3 for a line that moves sideways");
    for text in ["", "a1", "a6b6", "a1b", "a1b2c3d4", "é1b2"] {
        check_move_error(START, text, &not_a_move(text));
    }
    check_move_error(START, "i5h5", "i5h5 is illegal: there is no black marble on i5");
    check_move_error(START, "a1c3", "a1c3 is illegal: a1 and c3 are not neighbours");
    check_move_error(START, "a1a1", "a1a1 is illegal: a1 and a1 are not neighbours");
    check_move_error(START, "b1b2", "b1b2 is illegal: 6 black marbles stand in the line, but at most 3 may move");
    check_move_error(START, "a4a5", "a4a5 is illegal: the black marble on a5 would leave the board");
    let push = "5/6/7/8/2bbww3/8/7/6/5 b 0 0";
    check_move_error(push, "e3e4", "e3e4 is illegal: 2 cannot push 2; more must push fewer");
    let blocked = "5/6/7/8/2bbwb3/8/7/6/5 b 0 0";
    check_move_error(blocked, "e3e4", "e3e4 is illegal: the black marble on e6 blocks those that are pushed");
    check_move_error(START, "c3b4d3", "c3b4d3 is illegal: c3 and b4 are not the ends of a line of two or three");
    check_move_error(START, "b1b4c1", "b1b4c1 is illegal: b1 and b4 are not the ends of a line of two or three");
    check_move_error(START, "c2c4d2", "c2c4d2 is illegal: there is no black marble on c2");
    check_move_error(START, "c3c5c6", "c3c5c6 is illegal: c3 and c6 are not neighbours");
    check_move_error(START, "c3c5c4", "c3c5c4 is illegal: the line moves along itself, which is written c3c4");
    check_move_error(START, "c3c5c2", "c3c5c2 is illegal: the line moves along itself, which is written c5c4");
    check_move_error(START, "b2b3c2", "b2b3c2 is illegal: c3 is not empty");
    check_move_error(
        "5/6/7/8/w6bb/8/7/6/5 b 0 0",
        "e8e9f9",
        "e8e9f9 is illegal: the black marble on e9 would leave the board",
    );
    check_move_error(&push.replace("b 0 0", "b 0 6"), "e3f3", "the game is over, so 'e3f3' cannot be played");
}

#[test]
fn the_board_is_drawn_with_coordinates() {
    let drawing = "    i w w w w w
   h w w w w w w
  g . . w w w . .
 f . . . . . . . .
e . . . . . . . . .
 d . . . . . . . . 9
  c . . b b b . . 8
   b b b b b b b 7
    a b b b b b 6
       1 2 3 4 5
Lost: black 0, white 0
Black (b) to move
";
    assert_eq!(Abalone::draw(&Abalone::start()), drawing);
    let over = Abalone::draw(&position("5/6/7/8/2bbww3/8/7/6/5 w 2 6"));
    assert!(over.ends_with("Lost: black 2, white 6\nThe game is over.\n"), "{over}");
}

#[test]
fn a_view_turns_the_board_and_marks_the_last_move() {
    let mv = Abalone::parse_move(&Abalone::start(), "a1b2").unwrap();
    let view = View { turned: true, last_move: Some(mv), on_terminal: false };
    let drawing = "    a b b b b[.]
   b b b b b[b]b
  c . . b b[b]. .
 d . . . .[b]. . .
e . . . . . . . . .
 f . . . . . . . . 1
  g . . w w w . . 2
   h w w w w w w 3
    i w w w w w 4
       9 8 7 6 5
Lost: black 0, white 0
White (w) to move
";
    assert_eq!(Abalone::draw_view(&Abalone::play(&Abalone::start(), mv), &view), drawing);
    let sideways = position("5/6/7/8/2bb2w2/8/7/6/5 b 0 0");
    let mv = Abalone::parse_move(&sideways, "e3e4f3").unwrap();
    let view = View { turned: false, last_move: Some(mv), on_terminal: false };
    let drawing = Abalone::draw_view(&Abalone::play(&sideways, mv), &view);
    assert!(drawing.contains("\n f .[b|b]. . . . .\ne . .[.|.]. . w . .\n"), "{drawing}");
}

#[test]
fn the_picture_shows_every_cell_and_every_marble() {
    let black = r##"fill="#1f1f22""##;
    let picture = Abalone::draw_svg(&Abalone::start(), &View::default());
    assert_eq!(picture.matches("data-place=").count(), 61);
    assert_eq!(picture.matches("data-piece=").count(), 28);
    assert_eq!(picture.matches(black).count(), 14);
    // Nine rows, nine diagonals, two counts of marbles, and whose turn it is.
    assert_eq!(picture.matches("<text").count(), 21);
    let picture = Abalone::draw_svg(&position("5/6/7/8/2bbww3/8/7/6/5 w 2 6"), &View::default());
    assert_eq!(picture.matches("data-piece=").count(), 4);
    assert_eq!(picture.matches(black).count(), 4);
}

/// What is read is written back the same way, and nothing panics.
fn read_everything(text: &str) {
    assert_eq!(check_text::<Abalone>(text, &[Position::STANDARD, Position::GERMAN_DAISY]), Ok(()));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,100}") {
        read_everything(&text);
    }

    #[test]
    fn anything_like_a_position_is_read_or_refused(text in "([bw1-9]{1,9}/){7,9}[bw1-9]{1,9} [bw] [0-7] [0-7]( [0-9]{1,3})?") {
        read_everything(&text);
    }

    #[test]
    fn boards_are_read(cells in prop::collection::vec(prop::sample::select(vec!['b', 'w', '1', '1', '1', '1']), 61), lost in 0..4) {
        let mut cells = cells.into_iter();
        let rows: Vec<String> = [5, 6, 7, 8, 9, 8, 7, 6, 5].map(|length| cells.by_ref().take(length).collect()).to_vec();
        read_everything(&format!("{} w {lost} 0 17", rows.join("/")));
    }

    #[test]
    fn anything_like_a_move_is_read_or_refused(text in "[a-iA-J][0-9][-, ]?[a-i][0-9][-, ]?([a-i][0-9])?") {
        read_everything(&text);
    }
}
