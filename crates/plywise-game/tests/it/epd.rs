//! Reading and writing suites.

use crate::pgn::{mutated, mutations};
use crate::tic_tac_toe::TicTacToe;
use plywise_game::epd::{self, Entry, Operation};
use plywise_game::{Game, Notation};
use proptest::prelude::*;

/// What reading gives: the entry as it is written, or an error.
fn read(text: impl AsRef<[u8]>) -> Vec<String> {
    epd::read::<TicTacToe, _>(text.as_ref())
        .map(|item| item.map_or_else(|error| error.to_string(), |entry| entry.to_string()))
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(read(text), expected, "{text}");
}

#[test]
fn lines_are_read_in_every_usual_form() {
    check("x../.../... o bm b2 c3; id \"a;b\"; am a1;", &["x../.../... o bm b2 c3; am a1; id \"a;b\";"]);
    check("x../.../... o bm b2! , c3?", &["x../.../... o bm b2 c3;"]);
    check("  x../.../...   o  ", &["x../.../... o"]);
    check(".../.../... x ;D1 9 ;D2 72", &[".../.../... x D1 9; D2 72;"]);
    check(".../.../... x; c0 \"one; two\"; hmvc 0;;", &[".../.../... x c0 \"one; two\"; hmvc 0;"]);
    check("\u{feff}# a suite\r\n\r\n.../.../... x id \"1\";\r\n", &[".../.../... x id \"1\";"]);
}

#[test]
fn errors_name_the_line_and_what_is_wrong() {
    check(
        "\n#\n.../... x bm a1;\n.../.../... x bm a1;",
        &["line 3: the board must be three rows of three squares", ".../.../... x bm a1;"],
    );
    check(".../.../... z bm a1;", &["line 1: the side to move must be 'x' or 'o'"]);
    check("x../.../... o bm a3;", &["line 1: bm names 'a3', which cannot be played: a3 is taken"]);
    check("x../.../... o am;", &["line 1: am names no move"]);
    check("x../.../... o id \"open;", &["line 1: a quotation mark is not closed"]);
    check("; id \"x\";", &["line 1: a position has two fields, not 0"]);
}

/// A game whose positions take a varying number of words, as FEN does: a counter may follow.
mod counted {
    use crate::tic_tac_toe::{Position, TicTacToe};
    use plywise_game::{Game, Notation, NotationError, Outcome, Side};

    pub enum Counted {}

    impl Game for Counted {
        type Position = (Position, u32);
        type Move = u8;

        fn start() -> Self::Position {
            (TicTacToe::start(), 0)
        }
        fn side_to_move(position: &Self::Position) -> Side {
            TicTacToe::side_to_move(&position.0)
        }
        fn moves(position: &Self::Position, each: impl FnMut(u8)) {
            TicTacToe::moves(&position.0, each);
        }
        fn play(position: &Self::Position, mv: u8) -> Self::Position {
            (TicTacToe::play(&position.0, mv), position.1 + 1)
        }
        fn hash(position: &Self::Position) -> u64 {
            TicTacToe::hash(&position.0)
        }
        fn decided(position: &Self::Position) -> Option<Outcome> {
            TicTacToe::decided(&position.0)
        }
        fn stuck(_position: &Self::Position) -> Outcome {
            Outcome::Draw
        }
        fn move_code(mv: u8) -> u16 {
            TicTacToe::move_code(mv)
        }
    }

    impl Notation for Counted {
        const NAME: &'static str = "counted";
        const TITLE: &'static str = "Counted";

        fn parse_position(text: &str) -> Result<Self::Position, NotationError> {
            let words: Vec<&str> = text.split_whitespace().collect();
            let (board, count) = match words[..] {
                [board, side, count] => (format!("{board} {side}"), count.parse()),
                _ => (text.to_string(), Ok(0)),
            };
            Ok((TicTacToe::parse_position(&board)?, count.map_err(|_| NotationError::new("the counter is no number"))?))
        }
        fn write_position(position: &Self::Position) -> String {
            format!("{} {}", TicTacToe::write_position(&position.0), position.1)
        }
        fn parse_move(position: &Self::Position, text: &str) -> Result<u8, NotationError> {
            TicTacToe::parse_move(&position.0, text)
        }
        fn write_move(position: &Self::Position, mv: u8) -> String {
            TicTacToe::write_move(&position.0, mv)
        }
        fn draw(position: &Self::Position) -> String {
            TicTacToe::draw(&position.0)
        }
    }
}

#[test]
fn positions_may_have_a_varying_number_of_words() {
    let check = |text: &str, count: u32, written: &str| {
        let entry: Entry<counted::Counted> = text.parse().unwrap();
        assert_eq!((entry.position.1, entry.to_string().as_str()), (count, written));
    };
    check("x../.../... o bm b2;", 0, "x../.../... o bm b2;");
    check("x../.../... o 0 bm b2;", 0, "x../.../... o bm b2;");
    check("x../.../... o 7 bm b2;", 7, "x../.../... o 7 bm b2;");
    check("x../.../... o 7 ;D1 8", 7, "x../.../... o 7 D1 8;");
    // Counters may differ where hashes do not: the kit must not take them for different positions.
    assert_eq!(plywise_game::conformance::check::<counted::Counted>(40, 1), Ok(()));
}

#[test]
fn a_position_is_solved_by_a_best_move_that_is_not_to_be_avoided() {
    let entry: Entry<TicTacToe> = ".../.../... x bm a1 b2; am b2;".parse().unwrap();
    assert_eq!([0, 4, 8].map(|mv| entry.is_solved_by(mv)), [true, false, false]);
    let entry: Entry<TicTacToe> = ".../.../... x am b2;".parse().unwrap();
    assert_eq!([0, 4].map(|mv| entry.is_solved_by(mv)), [true, false]);
}

fn entries() -> impl Strategy<Value = Entry<TicTacToe>> {
    let position = prop::sample::select(vec![".../.../... x", "x../.../... o", "xo./.../... x", "xxx/oo./... o"]);
    let operations = prop::collection::vec(("[a-zA-Z][a-zA-Z0-9]{0,4}|\\PC{0,3}", any::<String>()), 0..4);
    let choices = || prop::collection::vec(any::<prop::sample::Index>(), 0..3);
    (position, operations, choices(), choices(), any::<Option<String>>()).prop_map(
        |(text, operations, best, avoid, id)| {
            let position = TicTacToe::parse_position(text).unwrap();
            let moves = TicTacToe::legal_moves(&position);
            let pick = |choices: Vec<prop::sample::Index>| {
                choices.iter().filter(|_| !moves.is_empty()).map(|choice| *choice.get(&moves)).collect()
            };
            let operations = operations.into_iter().map(|(opcode, operands)| Operation { opcode, operands }).collect();
            Entry { best: pick(best), avoid: pick(avoid), id, operations, ..Entry::new(position) }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(entry in entries()) {
        let text = entry.to_string();
        prop_assert!(!text.contains('\n'));
        let read: Entry<TicTacToe> = text.parse().unwrap();
        prop_assert_eq!(&read.position, &entry.position);
        prop_assert_eq!(&read.best, &entry.best);
        prop_assert_eq!(&read.avoid, &entry.avoid);
        prop_assert_eq!(read.id.is_some(), entry.id.is_some());
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn random_bytes_neither_panic_nor_hang(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read(&bytes).len() <= bytes.len());
    }

    #[test]
    fn damaged_lines_neither_panic_nor_hang(entry in entries(), mutations in mutations()) {
        let bytes = mutated(&entry.to_string(), &mutations);
        prop_assert!(read(&bytes).len() <= bytes.len());
    }
}
