//! What the commands need beyond rules and notation.

use crate::{Evaluator, Loa, Position, Weights, symmetry};
use plywise_game::bitboard::{self, Square, squares};
use plywise_game::chances::{Chances, Curve};
use plywise_game::features::FeatureSet;
use plywise_game::{BoardGame, Notation, Side};

impl BoardGame for Loa {
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
    const NETWORKS: &'static [(&'static str, &'static [u8])] = &[("loa", include_bytes!("../data/loa.net"))];
    /// Fitted to games of self-play of 1000 nodes a move; docs/clients.md says to which.
    const CHANCES: Chances =
        Chances { curves: [Curve::new(4.4, 146.6), Curve::new(5.0, 112.0), Curve::new(14.7, 101.0)] };
    /// Forced wins: of games by `best`, and of games that `brute` alone played, proved and chose.
    const SUITES: &'static [(&'static str, &'static str)] =
        &[("wins", include_str!("../data/wins.epd")), ("wins-by-brute", include_str!("../data/wins-by-brute.epd"))];
    const BENCH_DEPTH: i32 = 8;

    /// The start, and positions from games of shallow searches that now and then moved at random.
    const BENCH_POSITIONS: &'static [&'static str] = &[
        "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b",
        "1b1bbbb1/2w4w/b6w/w6w/w6w/2wbb2w/w6w/3bbbb1 w",
        "1bbbbbb1/2w4w/w7/w2w4/wb5w/wb2b1bw/w6w/4bb1w b",
        "1bbbbbb1/w4b2/w4ww1/w4b2/w6w/w5b1/w4w2/2b1b1b1 w",
        "1bbb2b1/w4w1w/2b5/7w/2b4w/w2b2ww/w6w/2bb2b1 b",
        "2bbbbb1/wb6/7w/w4w1w/w1b1w2w/3w2b1/8/b2b4 w",
        "1bwbbbb1/w1w5/8/2bb1w1b/2w5/4w1b1/3w1w1w/8 b",
        "4b2b/w7/1wb3b1/1wwwbb2/w4b1w/1b2ww2/w7/2bb4 w",
        "1b6/7w/3w1bb1/3w1bb1/6bw/1w2wbb1/6ww/1bww4 b",
        "2b5/7b/1b4ww/3bbb2/1b2wb1w/3wbb1w/8/3b4 w",
        "4b3/8/1b2b3/w1w1wb2/1b1bbw2/3w1wb1/2wb1w2/3w4 b",
        "1bb5/3w4/2w1bw2/1b6/2b5/ww2b3/6b1/8 w",
        "4b3/3w4/3b2b1/2b1w3/2bbbb2/2wwwb2/1w1wb3/2b5 b",
        "3b1w2/3wb3/2wwbww1/1bwwb1w1/2b3w1/1w6/8/8 w",
        "4b3/3w1wb1/8/4bwb1/2wb1b1w/3wb1b1/8/1b2bb2 w",
    ];

    fn canonical(position: &Position) -> Position {
        symmetry::canonical(position)
    }

    fn evaluation(weights: Weights) -> Evaluator {
        Evaluator::new(weights)
    }

    /// A piece on a square: the player's own, then the other's.
    const FEATURES: usize = 128;

    fn features(position: &Position, mut each: impl FnMut([usize; 2])) {
        squares(position.pieces(Side::First)).for_each(|square| each([square.index(), square.index() + 64]));
        squares(position.pieces(Side::Second)).for_each(|square| each([square.index() + 64, square.index()]));
    }

    #[inline(always)]
    fn feature_sets(position: &Position) -> [FeatureSet; 2] {
        let [black, white] = [Side::First, Side::Second].map(|side| position.pieces(side));
        [FeatureSet::from_words([black, white]), FeatureSet::from_words([white, black])]
    }

    fn feature_names(position: &Position) -> Vec<String> {
        let name = |side| {
            let player = Loa::player(side).to_lowercase();
            squares(position.pieces(side)).map(move |square| format!("{player} piece {square}"))
        };
        name(Side::First).chain(name(Side::Second)).collect()
    }

    const SYMMETRIES: usize = bitboard::SYMMETRIES.len();

    fn twin_feature(feature: usize, symmetry: usize) -> usize {
        feature / 64 * 64 + bitboard::SYMMETRIES[symmetry].square(Square::from_index(feature as u32)).index()
    }
}
