//! A game that fills the pipe to a client: it never ends, and its one move has a very long name.

use plywise_game::{BoardGame, Game, Notation, NotationError, Outcome, Side};
use plywise_host::Playable;

pub enum Wordy {}

/// How long the name of the move is. A line of a hundred of them is written twice in each row of an analysis.
const LETTERS: usize = 2000;

impl Game for Wordy {
    type Position = u64;
    type Move = u8;

    fn start() -> u64 {
        0
    }
    fn side_to_move(moves: &u64) -> Side {
        if moves.is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn moves(_: &u64, mut each: impl FnMut(u8)) {
        each(1);
    }
    fn play(moves: &u64, _: u8) -> u64 {
        moves + 1
    }
    fn hash(moves: &u64) -> u64 {
        plywise_game::zobrist::key(*moves)
    }
    fn stuck(_: &u64) -> Outcome {
        Outcome::Draw
    }
    fn move_code(mv: u8) -> u16 {
        mv.into()
    }
}

impl Notation for Wordy {
    const NAME: &'static str = "wordy";
    const TITLE: &'static str = "Wordy";

    fn parse_position(text: &str) -> Result<u64, NotationError> {
        text.parse().map_err(|_| NotationError::new("a position is a number of moves"))
    }
    fn write_position(moves: &u64) -> String {
        moves.to_string()
    }
    fn write_move(_: &u64, _: u8) -> String {
        "x".repeat(LETTERS)
    }
    fn draw(moves: &u64) -> String {
        moves.to_string()
    }
}

impl BoardGame for Wordy {
    type Weights = ();
    type Evaluation = ();

    fn evaluation((): ()) {}
}

impl Playable for Wordy {}
