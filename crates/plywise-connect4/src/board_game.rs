//! What the commands need beyond rules and notation.

use crate::board::{COLUMNS, PLACES, ROWS, places};
use crate::{Connect4, Evaluator, Position, Weights, symmetry};
use plywise_game::{BoardGame, Notation, Side};

impl BoardGame for Connect4 {
    type Weights = Weights;
    type Evaluation = Evaluator;

    const BENCH_DEPTH: i32 = 14;

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
