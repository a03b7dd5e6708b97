//! What the commands need beyond rules and notation.

use crate::{Evaluator, Othello, Position, Weights, symmetry};
use plywise_game::bitboard::{self, Square, squares};
use plywise_game::chances::{Chances, Curve};
use plywise_game::features::FeatureSet;
use plywise_game::{BoardGame, Notation, Side};

impl BoardGame for Othello {
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
    /// Fitted to games of self-play of 1000 nodes a move; docs/clients.md says to which.
    const CHANCES: Chances = Chances { curves: [Curve::new(0.8, 7.9), Curve::new(0.8, 6.9), Curve::new(0.9, 3.1)] };
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

    /// A disc on a square: the player's own, then the other's.
    const FEATURES: usize = 128;

    fn features(position: &Position, mut each: impl FnMut([usize; 2])) {
        squares(position.discs(Side::First)).for_each(|square| each([square.index(), square.index() + 64]));
        squares(position.discs(Side::Second)).for_each(|square| each([square.index() + 64, square.index()]));
    }

    #[inline(always)]
    fn feature_sets(position: &Position) -> [FeatureSet; 2] {
        let [black, white] = [Side::First, Side::Second].map(|side| position.discs(side));
        [FeatureSet::from_words([black, white]), FeatureSet::from_words([white, black])]
    }

    fn feature_names(position: &Position) -> Vec<String> {
        let name = |side| {
            let player = Othello::player(side).to_lowercase();
            squares(position.discs(side)).map(move |square| format!("{player} disc {square}"))
        };
        name(Side::First).chain(name(Side::Second)).collect()
    }

    const SYMMETRIES: usize = bitboard::SYMMETRIES.len();

    fn twin_feature(feature: usize, symmetry: usize) -> usize {
        feature / 64 * 64 + bitboard::SYMMETRIES[symmetry].square(Square::from_index(feature as u32)).index()
    }
}
