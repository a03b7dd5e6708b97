//! What the commands need beyond rules and notation.

use crate::board::{COLUMNS, PLACES, ROWS, places};
use crate::{Connect4, Evaluator, Position, Weights, symmetry};
use plywise_game::{BoardGame, Notation, Side};

impl BoardGame for Connect4 {
    type Weights = Weights;
    type Evaluation = Evaluator;

    const OPENINGS: &'static str = include_str!("../data/openings.epd");
    /// Positions in which one move alone wins, or alone saves the game.
    const SUITES: &'static [(&'static str, &'static str)] = &[("only-moves", include_str!("../data/only-moves.epd"))];
    const TABLES: &'static [(&'static str, &'static str)] =
        &[("learned_price", include_str!("../data/tables/learned_price.toml"))];
    const BENCH_DEPTH: i32 = 16;

    /// The start, and positions from games of short searches that now and then moved at random.
    const BENCH_POSITIONS: &'static [&'static str] = &[
        "7/7/7/7/7/7 x",
        "7/7/7/7/7/2ox3 x",
        "7/7/7/7/7/1oxxx1o o",
        "7/3o3/3x3/3o3/3x3/1o1xox1 x",
        "7/7/2x1o2/2o1x2/2xox2/2ooxx1 o",
        "7/7/7/x2o3/xo1xxo1/ooxxoxo x",
        "7/3x3/2oox2/2xxo2/2xox2/1ooxo2 x",
        "1x1x3/1o1o3/1o1x3/1x1o3/1oxx3/1xoxoxo o",
        "3o3/3o1o1/3x1o1/2xoxx1/2oxxo1/oxxxoxo x",
        "2xx3/2oo1x1/1xxx1o1/1xoo1o1/1oox1xo/1xox1ox o",
        "1x1oxo1/1o1xxx1/1o1xoo1/1x1oxx1/1o1xoo1/oo1xoxx x",
        "2xo3/1xxooo1/1ooxxx1/1xoxoo1/oxooxx1/xoxxxo1 o",
    ];

    fn canonical(position: &Position) -> Position {
        symmetry::canonical(position)
    }

    fn evaluation(weights: Weights) -> Evaluator {
        Evaluator::new(weights)
    }

    /// A disc on a place: the player's own, then the other's.
    const FEATURES: usize = 2 * PLACES as usize;

    fn features(position: &Position, mut each: impl FnMut([usize; 2])) {
        const OTHER: usize = PLACES as usize;
        places(position.discs(Side::First)).for_each(|place| each([place.index(), place.index() + OTHER]));
        places(position.discs(Side::Second)).for_each(|place| each([place.index() + OTHER, place.index()]));
    }

    fn feature_names(position: &Position) -> Vec<String> {
        let name = |side| {
            let player = Connect4::player(side).to_lowercase();
            places(position.discs(side)).map(move |place| format!("{player} disc {place}"))
        };
        name(Side::First).chain(name(Side::Second)).collect()
    }

    const SYMMETRIES: usize = 2;

    fn twin_feature(feature: usize, symmetry: usize) -> usize {
        const HEIGHT: usize = ROWS as usize;
        let column = feature / HEIGHT % COLUMNS as usize;
        match symmetry {
            0 => feature,
            _ => feature - HEIGHT * column + HEIGHT * (COLUMNS as usize - 1 - column),
        }
    }
}
