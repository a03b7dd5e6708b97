use crate::chances::Chances;
use crate::features::{FeatureSet, View};
use crate::{Evaluate, Linear, Notation, Score};

/// A game with all that the commands need, its evaluation first of all. Everything else has a default.
///
/// ```
/// # mod tic_tac_toe { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tic_tac_toe.rs")); }
/// # use tic_tac_toe::{OpenLines, TicTacToe};
/// use plywise_game::BoardGame;
///
/// impl BoardGame for TicTacToe {
///     type Weights = ();
///     type Evaluation = OpenLines;
///
///     fn evaluation((): ()) -> OpenLines {
///         OpenLines
///     }
/// }
/// ```
pub trait BoardGame: Notation {
    /// The weights of its evaluation; `()` where it has none.
    type Weights: Linear<Self> + Send + Sync + 'static;
    /// Its evaluation.
    type Evaluation: Evaluate<Self> + Sync + 'static;

    /// An evaluation with these weights.
    fn evaluation(weights: Self::Weights) -> Self::Evaluation;

    /// One position for all that are the same to the rules: those that symmetries of the board map onto each other.
    fn canonical(position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// Balanced openings for matches, as EPD. Where there are none, matches begin with a few random moves.
    const OPENINGS: &'static str = "";

    /// Test suites as EPD, by name. Who names none means the first.
    const SUITES: &'static [(&'static str, &'static str)] = &[];

    /// Sets of genes for its evaluation, by name: which weights evolve, and how. The set `full` every game has.
    const GENES: &'static [(&'static str, &'static str)] = &[];

    /// Positions for `bench`; the start where there are none. Changing them changes the signature.
    const BENCH_POSITIONS: &'static [&'static str] = &[];

    /// The depth of `bench` in plies.
    const BENCH_DEPTH: i32 = 6;

    /// What decides a game other than a forced win, for `forge suite`: the least score of the best move and its least
    /// distance to the second best, or `none`.
    const DECISIVE_GAIN: &'static str = "none";

    /// Whether `UCI_Chess960` means something.
    const HAS_CHESS960: bool = false;

    /// A legal move as engine protocols write it, with `UCI_Chess960` on or off.
    fn engine_move(position: &Self::Position, mv: Self::Move, _chess960: bool) -> String {
        Self::write_engine_move(position, mv)
    }

    /// The number of a position in Polyglot's opening books; `None` for a game that has no such books.
    fn polyglot_key(_position: &Self::Position) -> Option<u64> {
        None
    }

    // What was learned.

    /// What it changes in the built-in profiles, as TOML: for each profile by its name the tables `search`, with parameters,
    /// and `evaluation`, with weights and `network`. A profile that builds on another takes over its changes.
    const PROFILES: &'static str = "";

    /// The tables that techniques of the search need, as learners wrote them: the kind of each, which is the technique's
    /// group of parameters, and its text.
    const TABLES: &'static [(&'static str, &'static str)] = &[];

    /// Networks for its evaluation, by name, as `learn net` wrote them.
    const NETWORKS: &'static [(&'static str, &'static [u8])] = &[];

    /// What its scores are worth, as `learn chances` fitted it.
    const CHANCES: Chances = Chances::UNFITTED;

    /// Weaker players with measured ratings, from weak to strong; none where no rating was measured.
    const GRADES: &'static [Grade] = &[];

    // What a network looks at.

    /// How many features of its positions a network can look at, [`MAX_FEATURES`](crate::features::MAX_FEATURES) at most;
    /// 0 where it has none.
    const FEATURES: usize = 0;

    /// Calls `each` for every feature that a position has, most often a piece on its place: with its number as the first
    /// player sees the board, and as the second does. Numbers are below [`FEATURES`](BoardGame::FEATURES).
    fn features(_position: &Self::Position, _each: impl FnMut([usize; 2])) {}

    /// The features of a position as the first player and as the second sees them, for games that have them at hand as
    /// sets of bits.
    fn feature_sets(position: &Self::Position) -> [FeatureSet; 2] {
        let mut sets = [FeatureSet::EMPTY; 2];
        Self::features(position, |[first, second]| {
            sets[0].insert(first);
            sets[1].insert(second);
        });
        sets
    }

    /// What people call the features of a position, in the order in which [`features`](BoardGame::features) names them.
    fn feature_names(position: &Self::Position) -> Vec<String> {
        let mut names = Vec::new();
        Self::features(position, |[first, _]| names.push(format!("feature {first}")));
        names
    }

    /// How many kinds of views a player can have of a position, [`MAX_KINDS`](crate::features::MAX_KINDS) at most: in chess
    /// the square of the own king. Networks may have weights of their own for each bucket of them.
    const VIEWS: usize = 1;

    /// How the first player sees a position, and how the second does.
    #[inline(always)]
    fn views(_position: &Self::Position) -> [View; 2] {
        [View::default(); 2]
    }

    /// The ways to sort the kinds of views into buckets that a network can be trained with: the bucket of each kind. Buckets
    /// are numbered from 0 without a gap. A network with one bucket needs none.
    const BUCKETS: &'static [&'static [u8]] = &[];

    /// How many stages of material a game goes through, [`MAX_KINDS`](crate::features::MAX_KINDS) at most. A network may have several
    /// outputs, each for as many stages as the others.
    const STAGES: usize = 1;

    /// The stage of a position, below [`STAGES`](BoardGame::STAGES).
    #[inline(always)]
    fn stage(_position: &Self::Position) -> usize {
        0
    }

    /// How many symmetries of the board leave the rules as they are, the identity included. A game with several kinds of
    /// views has no other.
    const SYMMETRIES: usize = 1;

    /// The number of a feature after a symmetry of the board; symmetry 0 is the identity.
    fn twin_feature(feature: usize, _symmetry: usize) -> usize {
        feature
    }
}

/// A way to play weaker than possible, and the rating that it was measured to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grade {
    /// The rating.
    pub elo: u32,
    /// The nodes of a move.
    pub nodes: u64,
    /// A line that is worse than the best by as much as this is never played.
    pub slip: Score,
}

impl Grade {
    /// The grade with these numbers.
    pub const fn new(elo: u32, nodes: u64, slip: Score) -> Grade {
        Grade { elo, nodes, slip }
    }
}
