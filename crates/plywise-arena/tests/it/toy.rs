//! Tic-tac-toe as a game that players in this process can play, with an evaluation that can be made to panic.

use crate::tic_tac_toe::{Position, TicTacToe};
use plywise_game::linear::{Linear, Terms};
use plywise_game::{BoardGame, Evaluate, Score};
use plywise_host::{AnyGame, Hosted, Playable};
use std::sync::{Arc, LazyLock};

static TOY: LazyLock<Arc<dyn AnyGame>> = LazyLock::new(|| Arc::new(Hosted::<TicTacToe>::new()));

/// Tic-tac-toe.
pub fn toy() -> &'static dyn AnyGame {
    &**TOY
}

/// The same, for players who keep their game.
pub fn shared_toy() -> Arc<dyn AnyGame> {
    TOY.clone()
}

plywise_game::parameters! {
    /// What is wrong with the evaluation.
    pub struct Faults;

    /// It panics.
    panics: Panics {
        /// Whenever it is asked.
        always: bool = false;
    }
}

impl Linear<TicTacToe> for Faults {
    const UNIT: i32 = 1;

    fn add_terms(_: &Position, _: &mut impl Terms<Faults>) {}
}

/// Every position is even, unless it panics.
#[derive(Clone)]
pub struct Faulty(Faults);

impl Evaluate<TicTacToe> for Faulty {
    fn evaluate(&mut self, _: &Position) -> Score {
        assert!(!self.0.panics.always, "broken on purpose");
        0
    }
}

impl BoardGame for TicTacToe {
    type Weights = Faults;
    type Evaluation = Faulty;

    fn evaluation(weights: Faults) -> Faulty {
        Faulty(weights)
    }
}

impl Playable for TicTacToe {}
