//! Positions and moves as text.

use crate::rules::FULL;
use crate::{after, position, random_game};
use plywise_connect4::Connect4;
use plywise_game::conformance::check_text;
use plywise_game::{Game, Notation, View};
use proptest::prelude::*;

const START: &str = "7/7/7/7/7/7 x";
const WON: &str = "7/7/3x3/3x3/3x2o/3xo1o o";

#[test]
fn positions_are_written_row_by_row_from_the_top() {
    assert_eq!(Connect4::write_position(&Connect4::start()), START);
    assert_eq!(Connect4::write_position(&after(&Connect4::start(), "d d c g")), "7/7/7/7/3o3/2xx2o x");
    for text in [START.to_uppercase(), format!("  {START}\n")] {
        assert_eq!(position(&text), Connect4::start(), "{text}");
    }
}

#[test]
fn played_columns_are_read_as_positions() {
    let expected = after(&Connect4::start(), "d d e c");
    for text in ["4453", "ddec", "DDEC", " 4453 "] {
        assert_eq!(position(text), expected, "{text}");
    }
}

/// Checks the sentence that a broken position is answered with.
#[track_caller]
fn check_position_error(text: &str, sentence: &str) {
    assert_eq!(Connect4::parse_position(text).unwrap_err().to_string(), sentence);
}

#[test]
fn broken_positions_are_explained() {
    const FORM: &str = "a Connect Four position is the board and the side to move, or the columns that were played, such as 4453, but not";
    check_position_error("", &format!("{FORM} ''"));
    check_position_error("7/7/7/7/7/7", &format!("{FORM} '7/7/7/7/7/7'"));
    check_position_error("7/7/7/7/7/7 x 1", &format!("{FORM} '7/7/7/7/7/7 x 1'"));
    check_position_error("7/7/7 x", "the board must have 6 rows, but '7/7/7' has 3");
    check_position_error("7/7/7/7/7/3x2 o", "row 1 of the board, '3x2', describes 6 places instead of 7");
    check_position_error("7/7/7/7/77/3x3 o", "row 2 of the board, '77', describes 14 places instead of 7");
    check_position_error(
        "7/7/7/7/7/3k3 o",
        "row 1 of the board contains 'k'; only x, o and the digits 1 to 7 may stand there",
    );
    check_position_error("7/7/7/7/7/3x3 w", "the side to move must be 'x' or 'o', not 'w'");
    check_position_error(
        "7/7/7/7/7/3x3 x",
        "x cannot be to move where there are 1 x and 0 o: x begins, and the players take turns",
    );
    check_position_error(
        "7/7/7/7/7/3o3 o",
        "o cannot be to move where there are 0 x and 1 o: x begins, and the players take turns",
    );
    check_position_error("7/7/7/3x3/7/7 o", "the disc on d3 has nothing below it");
    check_position_error("7/7/7/7/oooo3/xxxx3 x", "x has four in a row, so the game ended before x was to move");
}

#[test]
fn broken_columns_are_explained() {
    check_position_error("4458", "move 4 of '4458': '8' is not a move; moves are columns from a to g");
    check_position_error("44é", "move 3 of '44é': 'é' is not a move; moves are columns from a to g");
    check_position_error("4444444", "move 7 of '4444444': d is illegal: column d is full");
    check_position_error("12121212", "move 8 of '12121212': the game is over, so '2' cannot be played");
}

#[test]
fn moves_are_read_in_every_usual_form() {
    let start = Connect4::start();
    for text in ["d", "D", "4", "d1", "D1", "41", " d "] {
        let mv = Connect4::parse_move(&start, text).unwrap();
        assert_eq!(Connect4::write_move(&start, mv), "d");
        assert_eq!(Connect4::write_engine_move(&start, mv), "d1");
    }
}

/// Checks the sentence that an impossible move is answered with.
#[track_caller]
fn check_move_error(text: &str, mv: &str, sentence: &str) {
    assert_eq!(Connect4::parse_move(&position(text), mv).unwrap_err().to_string(), sentence);
}

#[test]
fn impossible_moves_are_explained() {
    for unreadable in ["", "h", "0", "8", "d7", "d0", "d12", "é"] {
        let sentence = format!("'{unreadable}' is not a move; moves are columns from a to g");
        check_move_error(START, unreadable, &sentence);
    }
    check_move_error("444444", "4", "d is illegal: column d is full");
    check_move_error("44", "d1", "d1 is illegal: in column d the disc falls to d3");
    check_move_error(WON, "a", "the game is over, so 'a' cannot be played");
    check_move_error(FULL, "a", "the game is over, so 'a' cannot be played");
}

#[test]
fn the_board_is_drawn_with_coordinates() {
    let drawing = "    a b c d e f g
  +---------------+
6 | . . . . . . . | 6
5 | . . . . . . . | 5
4 | . . . . . . . | 4
3 | . . . . . . . | 3
2 | . . . o . . . | 2
1 | . . x x . . . | 1
  +---------------+
    a b c d e f g
Yellow (o) to move
";
    assert_eq!(Connect4::draw(&position("443")), drawing);
    assert!(Connect4::draw(&position(WON)).ends_with("The game is over: Red connects four\n"));
    assert!(Connect4::draw(&position(FULL)).ends_with("The game is over: the board is full\n"));
    assert!(Connect4::draw(&position("1212")).is_ascii());
}

#[test]
fn a_turned_view_shows_the_board_from_behind() {
    let before = position("44");
    let mv = Connect4::parse_move(&before, "c").unwrap();
    let view = View { turned: true, last_move: Some(mv), on_terminal: false };
    let drawing = Connect4::draw_view(&Connect4::play(&before, mv), &view);
    assert!(drawing.starts_with("    g f e d c b a\n"), "{drawing}");
    assert!(drawing.contains("\n2 | . . . o . . . | 2\n1 | . . . x[x]. . | 1\n"), "{drawing}");
    let on_terminal = Connect4::draw_view(&Connect4::start(), &View { on_terminal: true, ..View::default() });
    assert_eq!(on_terminal.matches('●').count(), 42);
    assert!(on_terminal.ends_with("\nRed to move\n"), "{on_terminal:?}");
}

#[test]
fn the_picture_shows_every_disc_and_what_won() {
    let picture = Connect4::draw_svg(&position("443"), &View::default());
    assert_eq!(picture.matches("data-piece=").count(), 3);
    assert_eq!((picture.matches("#d62828").count(), picture.matches("#f6c915").count()), (2, 1));
    assert_eq!(picture.matches("data-place=\"d6\"").count(), 1);
    assert_eq!(
        Connect4::draw_svg(&position(WON), &View::default()).matches("stroke=\"#fff\" stroke-width=\"3\"").count(),
        4
    );
    let (upright, turned) = (View::default(), View { turned: true, ..View::default() });
    let height = |view| {
        let picture = Connect4::draw_svg(&Connect4::start(), view);
        let line = picture.lines().find(|line| line.contains("data-place=\"a1\"")).unwrap().to_string();
        line.split(" y=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_string()
    };
    assert_eq!(height(&upright), height(&turned), "a board that is seen from behind is not upside down");
}

#[test]
fn ends_are_described_in_words() {
    assert_eq!(Connect4::describe_end(&position(WON)), "Red connects four");
    assert_eq!(Connect4::describe_end(&position("12727272")), "Yellow connects four");
    assert_eq!(Connect4::describe_end(&position(FULL)), "the board is full");
}

/// What is read is written back the same way, and nothing panics.
fn read_everything(text: &str) {
    assert_eq!(check_text::<Connect4>(text, &[Connect4::start(), position("444444"), position(WON)]), Ok(()));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,100}") {
        read_everything(&text);
    }

    #[test]
    fn anything_like_a_position_is_read_or_refused(text in "([xo1-8]{1,7}/){4,6}[xo1-8]{1,7} [xo]") {
        read_everything(&text);
    }

    #[test]
    fn anything_like_columns_is_read_or_refused(text in "[0-8a-h]{1,44}") {
        read_everything(&text);
    }

    #[test]
    fn anything_like_a_move_is_read_or_refused(text in "[a-hA-H0-8][0-8]?") {
        read_everything(&text);
    }

    /// The columns of a game lead where the game leads.
    #[test]
    fn games_are_read_as_columns(seed: u64) {
        let game = random_game(seed);
        let mut columns = String::new();
        for pair in game.windows(2) {
            let mv = Connect4::legal_moves(&pair[0]).into_iter().find(|&mv| Connect4::play(&pair[0], mv) == pair[1]);
            columns += &(mv.unwrap().column() + 1).to_string();
            prop_assert_eq!(position(&columns), pair[1]);
        }
    }
}
