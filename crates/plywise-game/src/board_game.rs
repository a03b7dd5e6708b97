use crate::{Evaluate, Linear, Notation};

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
}
