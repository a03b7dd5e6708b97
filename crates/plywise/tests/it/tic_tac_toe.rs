//! Tic-tac-toe is a draw, and every first move keeps it.

use crate::examples::tic_tac_toe::{Position, TicTacToe};
use crate::{profile, search};
use plywise::conformance::{self, Violation};
use plywise::{Game, Notation, NotationError, Outcome, Params, Side};

/// Nine letters, the lower row first; the player with fewer squares moves.
impl Notation for TicTacToe {
    const NAME: &'static str = "tic-tac-toe";
    const TITLE: &'static str = "Tic-tac-toe";

    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let squares = |mark: u8| text.bytes().enumerate().filter(move |(_, letter)| *letter == mark);
        let [x, o] =
            [b'x', b'o'].map(|mark| squares(mark).fold(0, |all, (n, _)| all | 1u16.checked_shl(n as u32).unwrap_or(0)));
        let counts = [squares(b'x').count(), squares(b'o').count(), squares(b'.').count()];
        let is_possible = counts[0].checked_sub(counts[1]).is_some_and(|more| more <= 1);
        if text.len() != 9 || counts.iter().sum::<usize>() != 9 || !is_possible {
            return Err(NotationError::new(
                "a position is nine of 'x', 'o' and '.', with as many 'x' as 'o' or one more",
            ));
        }
        Ok([x, o])
    }

    fn write_position(position: &Position) -> String {
        let letter = |n: u32| match position.map(|taken| taken >> n & 1) {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '.',
        };
        (0..9).map(letter).collect()
    }

    fn parse_move(position: &Position, text: &str) -> Result<u16, NotationError> {
        let legal = Self::legal_moves(position).into_iter().find(|mv| Self::write_move(position, *mv) == text);
        legal.ok_or_else(|| NotationError::new(format!("'{text}' is not a free square from s1 to s9")))
    }

    fn write_move(_: &Position, square: u16) -> String {
        format!("s{}", square.trailing_zeros() + 1)
    }

    fn draw(position: &Position) -> String {
        Self::write_position(position) + "\n"
    }
}

#[test]
fn the_kit_finds_nothing() -> Result<(), Violation> {
    conformance::check::<TicTacToe>(300, 1)?;
    conformance::check_evaluation::<TicTacToe, _>(&(), 100, 2)?;
    conformance::check_perft::<TicTacToe>(&[(
        ".........",
        &[9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872],
    )])
}

#[test]
fn perfect_play_is_a_draw() {
    for params in [Params::DEFAULT, profile("minimax"), profile("brute"), profile("best")] {
        let mut position = TicTacToe::start();
        let mut plies = 0;
        while TicTacToe::outcome(&position).is_none() {
            let report = search::<TicTacToe>(params.clone(), (), position, 9);
            assert_eq!(report.score(), 0);
            position = TicTacToe::play(&position, report.best_move().expect("the game is not over"));
            plies += 1;
        }
        assert_eq!((TicTacToe::outcome(&position), plies), (Some(Outcome::Draw), 9));
    }
}

#[test]
fn every_first_move_keeps_the_draw_and_mistakes_lose() {
    let after = |mv| TicTacToe::play(&TicTacToe::start(), mv);
    for mv in TicTacToe::legal_moves(&TicTacToe::start()) {
        assert_eq!(search::<TicTacToe>(Params::DEFAULT, (), after(mv), 9).score(), 0);
    }
    // A corner must be answered in the centre: next to it, the first player wins with the seventh ply.
    let position = TicTacToe::parse_position("xo.......").unwrap();
    assert_eq!(TicTacToe::side_to_move(&position), Side::First);
    let report = search::<TicTacToe>(Params::DEFAULT, (), position, 9);
    assert_eq!(plywise::score::plies_to_end(report.score()), Some(5));
}
