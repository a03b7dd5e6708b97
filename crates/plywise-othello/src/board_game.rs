//! What the commands need beyond rules and notation.

use crate::{Evaluator, Othello, Position, Weights, symmetry};
use plywise_game::BoardGame;

impl BoardGame for Othello {
    type Weights = Weights;
    type Evaluation = Evaluator;

    const OPENINGS: &'static str = include_str!("../data/openings.epd");
    const BENCH_DEPTH: i32 = 11;

    /// The start, and positions from games of short searches, from the opening to the last empty squares.
    const BENCH_POSITIONS: &'static [&'static str] = &[
        "---------------------------OX------XO--------------------------- X",
        "-------------------XO------XO------XOO-------XO------X---------- X",
        "-------------X---O--XO----OXO----OOOX----X-XX------------------- X",
        "---------------------O----XOO------OOO----XXOXXX--XXOO----X----- X",
        "-------------------OO----XOOOO---OOXOX---OOOXX----XOO-----X-O--- X",
        "-----------------XXOOOX-XXOOOO--XXXOOO----OOOOO---O-XO---------- X",
        "--XXXXX---XOXX--OOOOXX--OOOXXX--O-OOXX---XXXO------------------- X",
        "-XXXXXX---XXXX--OOOXXXX--OOOOXX--OXXOO-X-OXXOO------------------ X",
        "-----O----XOOO---OOOXXX-OOXOXXX---XOXXX---XXOXO---XXXO---OOOOOO- X",
        "-XOO-XX-O-OOOX--OOOOXXX-OOOOXXX-OOXXXXX-OOOXXXXXO--OX----------- X",
        "-----X-----XXX-X--XXOOXXXXXXXXOXXXOXXOOXXXOOOOOXX-XOOO---X-OOOO- O",
        "X-------OOOO----OOXOOOO-OXOXOXOXOXOOXXOXOXXOXOXXOOOXOO-XO-OOOO-- X",
    ];

    fn canonical(position: &Position) -> Position {
        symmetry::canonical(position)
    }

    fn evaluation(weights: Weights) -> Evaluator {
        Evaluator::new(weights)
    }
}
