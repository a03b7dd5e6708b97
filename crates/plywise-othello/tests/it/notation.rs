//! Positions and moves as text.

use crate::rules::{BLOCKED, SHORT_GAME};
use crate::{after, position, random_game};
use plywise_game::conformance::check_text;
use plywise_game::{Game, Notation, View};
use plywise_othello::Othello;
use proptest::prelude::*;

const START: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn the_start_is_written_as_everyone_does() {
    assert_eq!(Othello::write_position(&Othello::start()), START);
    assert_eq!(position(START), Othello::start());
}

#[test]
fn positions_are_read_in_every_usual_form() {
    for text in [START.replace('X', "*"), START.replace('-', "."), START.to_lowercase(), format!("  {START}\n")] {
        assert_eq!(position(&text), Othello::start(), "{text}");
    }
}

#[test]
fn transcripts_are_read_as_positions() {
    let expected = after(&after(&after(&Othello::start(), "f5"), "d6"), "c3");
    for text in ["f5d6c3", "F5D6C3", "f5 d6 c3", " f5 d6c3 "] {
        assert_eq!(position(text), expected, "{text}");
    }
}

/// A game in which White passes before Black's last move.
const GAME_WITH_PASS: &str = "e6f6f5f4f3f2g2d6f1h1h3c6";

#[test]
fn passes_may_be_written_or_left_out() {
    let (before, last) = GAME_WITH_PASS.split_at(GAME_WITH_PASS.len() - 2);
    assert!(Othello::must_pass(&position(before)));
    for pass in ["", "--", " -- ", "pass", "PASS", " pass ", "0000"] {
        assert_eq!(position(&format!("{before}{pass}{last}")), position(GAME_WITH_PASS), "'{pass}'");
    }
}

/// Checks the sentence that a broken position is answered with.
#[track_caller]
fn check_position_error(text: &str, sentence: &str) {
    assert_eq!(Othello::parse_position(text).unwrap_err().to_string(), sentence);
}

#[test]
fn broken_positions_are_explained() {
    check_position_error("", "an Othello position has two fields, the board and the side to move, but '' has 0");
    check_position_error(
        "-- X 1",
        "an Othello position has two fields, the board and the side to move, but '-- X 1' has 3",
    );
    check_position_error("--XO-- X", "the board must have 64 squares, but '--XO--' has 6");
    check_position_error(
        &START.replacen('-', "?", 2), //
        "square a1 of the board is '?'; only X, O and - may stand there",
    );
    check_position_error(&START.replace(" X", " -"), "the side to move must be 'X' or 'O', not '-'");
}

#[test]
fn broken_transcripts_are_explained() {
    check_position_error("f5d6c9", "move 3, at 'c9', is not a move; moves look like f5, or pass");
    check_position_error("f5d", "move 2, at 'd', is not a move; moves look like f5, or pass");
    check_position_error("f5d6 bm", "move 3, at 'bm', is not a move; moves look like f5, or pass");
    check_position_error("f5f5", "move 2 of the transcript: f5 is illegal: there is a disc already");
    check_position_error("f5e3", "move 2 of the transcript: e3 is illegal: it turns no disc over for white");
    check_position_error("f5--", "move 2 of the transcript: a player who can put a disc may not pass");
    check_position_error(
        &format!("{SHORT_GAME}a1"),
        "move 10 of the transcript: the game is over, so 'a1' cannot be played",
    );
}

#[test]
fn moves_are_read_in_every_usual_form() {
    let start = Othello::start();
    for text in ["f5", "F5", " f5 "] {
        let mv = Othello::parse_move(&start, text).unwrap();
        assert_eq!(Othello::write_move(&start, mv), "f5");
        assert_eq!(Othello::write_engine_move(&start, mv), "f5");
    }
    let blocked = position(BLOCKED);
    for text in ["pass", "Pass", "--", "0000"] {
        let mv = Othello::parse_move(&blocked, text).unwrap();
        assert_eq!(Othello::write_move(&blocked, mv), "pass");
        assert_eq!(Othello::write_engine_move(&blocked, mv), "0000");
    }
}

/// Checks the sentence that an impossible move is answered with.
#[track_caller]
fn check_move_error(text: &str, mv: &str, sentence: &str) {
    assert_eq!(Othello::parse_move(&position(text), mv).unwrap_err().to_string(), sentence);
}

#[test]
fn impossible_moves_are_explained() {
    check_move_error(START, "f9", "'f9' is not a move; moves look like f5, or pass");
    check_move_error(START, "", "'' is not a move; moves look like f5, or pass");
    check_move_error(START, "d4", "d4 is illegal: there is a disc already");
    check_move_error(START, "a1", "a1 is illegal: it turns no disc over for black");
    check_move_error(START, "pass", "a player who can put a disc may not pass");
    check_move_error(SHORT_GAME, "A1", "the game is over, so 'a1' cannot be played");
    check_move_error(SHORT_GAME, "pass", "the game is over, so 'pass' cannot be played");
}

#[test]
fn the_board_is_drawn_with_coordinates_and_moves() {
    let drawing = "    a b c d e f g h
  +-----------------+
1 | - - - - - - - - | 1
2 | - - - - - - - - | 2
3 | - - - . - - - - | 3
4 | - - . O X - - - | 4
5 | - - - X O . - - | 5
6 | - - - - . - - - | 6
7 | - - - - - - - - | 7
8 | - - - - - - - - | 8
  +-----------------+
    a b c d e f g h
Black (X) to move; discs: Black 2, White 2
";
    assert_eq!(Othello::draw(&Othello::start()), drawing);
    assert!(Othello::draw(&position("f5")).ends_with("White (O) to move; discs: Black 4, White 1\n"));
    assert!(Othello::draw(&position(SHORT_GAME)).ends_with("The game is over; discs: Black 13, White 0\n"));
}

#[test]
fn a_view_turns_the_board_and_marks_the_last_move() {
    let mv = Othello::parse_move(&Othello::start(), "f5").unwrap();
    let view = View { turned: true, last_move: Some(mv), on_terminal: false };
    let drawing = Othello::draw_view(&position("f5"), &view);
    assert!(drawing.starts_with("    h g f e d c b a\n  +-----------------+\n8 | "), "{drawing}");
    assert!(drawing.contains("\n5 | - -[X]X X - - - | 5\n"), "{drawing}");
    let on_terminal = Othello::draw_view(&position("f5"), &View { on_terminal: true, ..View::default() });
    assert_eq!((on_terminal.matches('●').count(), on_terminal.matches('·').count()), (5, 3));
    assert!(on_terminal.ends_with("\nWhite to move; discs: Black 4, White 1\n"), "{on_terminal:?}");
}

#[test]
fn the_svg_shows_discs_moves_and_turn() {
    let text = Othello::draw_svg(&position("f5"), &View::default());
    assert_eq!(text.matches("<rect").count(), 64 + 1);
    assert_eq!(text.matches("data-piece=").count(), 5);
    assert_eq!(text.matches("#17442c").count(), 3, "moves");
    assert!(text.contains("White (O) to move"));
    assert!(text.find(">1<") < text.find(">8<"), "row 1 is on top");
}

/// What is read is written back the same way, and nothing panics.
fn read_everything(text: &str) {
    assert_eq!(check_text::<Othello>(text, &[Othello::start(), position(BLOCKED)]), Ok(()));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,100}") {
        read_everything(&text);
    }

    #[test]
    fn anything_like_a_transcript_is_read_or_refused(
        text in "(f5|F5 |c4)(f6|d6|F4|c5)?([a-hA-I][0-9] ?|--|pass|é){0,4}",
    ) {
        read_everything(&text);
    }

    #[test]
    fn boards_are_read(board in "[XO\\-xo*.]{64}", side in "[XOxo*-]") {
        read_everything(&format!("{board} {side}"));
    }

    /// A game's moves in one word lead where the game leads.
    #[test]
    fn games_are_read_as_transcripts(seed: u64) {
        let game = random_game(seed);
        let mut transcript = String::new();
        for pair in game.windows(2) {
            let mv = Othello::legal_moves(&pair[0]).into_iter().find(|&mv| Othello::play(&pair[0], mv) == pair[1]);
            if let Some(square) = mv.and_then(|mv| mv.square()) {
                transcript += &square.to_string();
                prop_assert_eq!(position(&transcript), pair[1]);
            }
        }
    }
}
