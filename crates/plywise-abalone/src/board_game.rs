//! What the commands need beyond rules and notation.

use crate::cells::{CELLS, Cell, for_each_cell};
use crate::{Abalone, Evaluator, Position, Weights, symmetry};
use plywise_game::chances::{Chances, Curve};
use plywise_game::features::FeatureSet;
use plywise_game::{BoardGame, Notation, Side};

impl BoardGame for Abalone {
    type Weights = Weights;
    type Evaluation = Evaluator;

    const OPENINGS: &'static str = include_str!("../data/openings.epd");

    const PROFILES: &'static str = include_str!("../data/profiles.toml");

    const TABLES: &'static [(&'static str, &'static str)] = &[
        ("rank_cut", include_str!("../data/tables/rank_cut.toml")),
        ("realization", include_str!("../data/tables/realization.toml")),
        ("probcut", include_str!("../data/tables/probcut.toml")),
        ("learned_price", include_str!("../data/tables/learned_price.toml")),
    ];
    const NETWORKS: &'static [(&'static str, &'static [u8])] = &[("abalone", include_bytes!("../data/abalone.net"))];
    /// Fitted to games of self-play of 1000 nodes a move; docs/clients.md says to which.
    const CHANCES: Chances =
        Chances { curves: [Curve::new(121.2, 38.5), Curve::new(129.4, 77.1), Curve::new(160.7, 75.7)] };
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

    /// A marble on a cell: the player's own, then the other's.
    const FEATURES: usize = 2 * CELLS;

    fn features(position: &Position, mut each: impl FnMut([usize; 2])) {
        for_each_cell(position.marbles(Side::First), |cell| each([cell.index(), cell.index() + CELLS]));
        for_each_cell(position.marbles(Side::Second), |cell| each([cell.index() + CELLS, cell.index()]));
    }

    #[inline(always)]
    fn feature_sets(position: &Position) -> [FeatureSet; 2] {
        let joined = |own: u64, other: u64| FeatureSet::from_words([own | other << CELLS, other >> (64 - CELLS)]);
        let [black, white] = [Side::First, Side::Second].map(|side| position.marbles(side));
        [joined(black, white), joined(white, black)]
    }

    fn feature_names(position: &Position) -> Vec<String> {
        let mut names = Vec::new();
        for side in [Side::First, Side::Second] {
            let player = Abalone::player(side).to_lowercase();
            for_each_cell(position.marbles(side), |cell| names.push(format!("{player} marble {cell}")));
        }
        names
    }

    const SYMMETRIES: usize = symmetry::SYMMETRIES.len();

    fn twin_feature(feature: usize, symmetry: usize) -> usize {
        let cell = symmetry::SYMMETRIES[symmetry].cell(Cell::from_index((feature % CELLS) as u32));
        feature / CELLS * CELLS + cell.index()
    }
}
