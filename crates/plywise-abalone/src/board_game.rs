//! What the commands need beyond rules and notation.

use crate::{Abalone, Evaluator, Position, Weights, symmetry};
use plywise_game::BoardGame;

impl BoardGame for Abalone {
    type Weights = Weights;
    type Evaluation = Evaluator;

    const OPENINGS: &'static str = include_str!("../data/openings.epd");
    const BENCH_DEPTH: i32 = 9;

    /// The start, and positions from games of short searches.
    const BENCH_POSITIONS: &'static [&'static str] = &[
        "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0",
        "wwwww/wwwwww/2ww1w1/8/9/8/b1bbbb1/bbbb1b/1bbbb b 0 0 4",
        "wwww1/wwwww1/2www2/3ww3/9/2bbb3/2bbb2/1bbbbb/1bbb1 b 0 0 8",
        "1w3/1www2/1wwwww1/2wwww2/3bw4/2bbbb2/1bbbbb1/1bb1b1/1b3 b 0 0 18",
        "5/2www1/1wwwwww/2wwwbw1/4bbw2/2bbbb2/1bb1bb1/1bb3/1b3 b 0 0 24",
        "5/2wwww/2wwww1/2wwwbb1/3wbb3/2wb1bb1/1bb1bb1/2bbb1/5 b 0 1 3",
        "5/1www2/2wwww1/3www2/3bwb3/2wbbbb1/2bwbb1/1bbbb1/w2b1 b 0 0 42",
        "w4/2www1/1wbww2/2bbbb2/3wwwww1/1bbbwwb1/2bbb2/2b1b1/5 b 0 0 48",
        "4w/1wwww1/1wwwww1/2wbwb2/2wwbb3/2bbbb2/1bb1bb1/2bb2/5 b 0 0 54",
        "5/4w1/2bwww1/3wwww1/2bwbww2/1bwww3/1bbbb2/1bbbb1/1bb2 b 0 0 60",
        "5/3w2/2w1w2/2ww1w2/3wwwb2/2bwbwb1/1bwwbbb/1bbbb1/bb3 b 0 1 9",
        "5/6/2wwww1/2wwwww1/4www2/2bbbb2/2bbb2/1bbbb1/2b2 b 2 2 7",
    ];

    fn canonical(position: &Position) -> Position {
        symmetry::canonical(position)
    }

    fn evaluation(weights: Weights) -> Evaluator {
        Evaluator::new(weights)
    }
}
