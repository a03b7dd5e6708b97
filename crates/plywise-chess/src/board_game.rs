//! What the commands need beyond rules and notation.

use crate::{Chess, Evaluator, Weights, engine_move, features, polyglot, symmetry};
use cozy_chess::{Board, Move};
use plywise_game::chances::{Chances, Curve};
use plywise_game::features::{FeatureSet, View};
use plywise_game::{BoardGame, Grade};

impl BoardGame for Chess {
    type Weights = Weights;
    type Evaluation = Evaluator;

    const GENES: &'static [(&'static str, &'static str)] = &[("paper", include_str!("../genes/paper.toml"))];

    const OPENINGS: &'static str = include_str!("../data/openings.epd");

    const PROFILES: &'static str = include_str!("../data/profiles.toml");

    const TABLES: &'static [(&'static str, &'static str)] = &[
        ("rank_cut", include_str!("../data/tables/rank_cut.toml")),
        ("realization", include_str!("../data/tables/realization.toml")),
        ("probcut", include_str!("../data/tables/probcut.toml")),
        ("learned_price", include_str!("../data/tables/learned_price.toml")),
    ];
    const NETWORKS: &'static [(&'static str, &'static [u8])] = &[("chess", include_bytes!("../data/chess.net"))];
    /// Fitted to games of self-play of 1000 nodes a move; docs/clients.md says to which.
    const CHANCES: Chances =
        Chances { curves: [Curve::new(77.1, 154.8), Curve::new(94.8, 140.0), Curve::new(228.3, 152.8)] };
    /// Measured together; docs/clients.md says how.
    const GRADES: &'static [Grade] = &[
        Grade::new(1320, 80, 250),
        Grade::new(1390, 120, 250),
        Grade::new(1470, 150, 90),
        Grade::new(1600, 370, 70),
        Grade::new(1730, 1_200, 50),
        Grade::new(1880, 4_000, 35),
        Grade::new(2000, 20_000, 0),
        Grade::new(2200, 500_000, 0),
    ];
    /// Positions in which one move wins material, and every other does not.
    const SUITES: &'static [(&'static str, &'static str)] = &[("tactics", include_str!("../data/tactics.epd"))];
    const DECISIVE_GAIN: &'static str = "150,200";
    const BENCH_DEPTH: i32 = 12;
    const HAS_CHESS960: bool = true;

    /// The start, openings, middlegames open and closed, attacks on the king, and endgames of every kind.
    const BENCH_POSITIONS: &'static [&'static str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "rnbq1rk1/pp2ppbp/3p1np1/2pP4/2P1P3/2N2N2/PP3PPP/R1BQKB1R w KQ - 0 7",
        "r2q1rk1/1b1nbppp/pp1ppn2/8/2PQP3/1PN2NP1/P4PBP/R1BR2K1 w - - 0 12",
        "r1bq1rk1/pp1nbppp/2p1pn2/3p2B1/2PP4/2NBPN2/PP3PPP/R2QK2R w KQ - 4 8",
        "2rq1rk1/pb1nbppp/1p2pn2/3p4/3P1B2/1P1BPN2/P2N1PPP/2RQ1RK1 b - - 3 13",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "2kr3r/ppp1qp2/2n1b1pp/4P3/1b1P1Q2/2N2N2/PP3PPP/R3KB1R w KQ - 1 15",
        "r1b2rk1/2q1bppp/p2ppn2/1pn3P1/3NPP2/2N1B3/PPPQ3P/2KR1B1R w - - 0 13",
        "3r1rk1/p4ppp/1p2pn2/2q5/2P5/1P3PP1/PBQ4P/3RR2K b - - 0 22",
        "6k1/5ppp/1q2p3/1p1pP3/1Pr5/2P2Q2/5PPP/R5K1 w - - 0 29",
        "8/2p2pk1/1p1p1np1/p2Pp2p/P1P1P2P/1P2NPP1/6K1/8 w - - 0 34",
        "8/5pk1/1R4p1/p6p/P1r4P/6P1/5PK1/8 w - - 2 41",
        "8/8/1p1k2p1/p1p2p1p/P1P2P1P/1P2K1P1/8/8 w - - 0 45",
        "8/1P4k1/8/5q2/8/8/2Q3K1/8 w - - 0 60",
    ];

    fn canonical(board: &Board) -> Board {
        symmetry::canonical(board)
    }

    fn evaluation(weights: Weights) -> Evaluator {
        Evaluator::new(weights)
    }

    fn engine_move(board: &Board, mv: Move, chess960: bool) -> String {
        engine_move(board, mv, chess960)
    }

    fn polyglot_key(board: &Board) -> Option<u64> {
        Some(polyglot::key(board))
    }

    const FEATURES: usize = features::COUNT;

    fn features(board: &Board, each: impl FnMut([usize; 2])) {
        features::features(board, each);
    }

    #[inline(always)]
    fn feature_sets(board: &Board) -> [FeatureSet; 2] {
        features::sets(board)
    }

    fn feature_names(board: &Board) -> Vec<String> {
        features::names(board)
    }

    const VIEWS: usize = features::VIEWS;

    #[inline(always)]
    fn views(board: &Board) -> [View; 2] {
        features::views(board)
    }

    const BUCKETS: &'static [&'static [u8]] = features::BUCKETS;

    const STAGES: usize = features::STAGES;

    #[inline(always)]
    fn stage(board: &Board) -> usize {
        features::stage(board)
    }
}
