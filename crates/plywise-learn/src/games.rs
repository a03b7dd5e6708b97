//! The games that come with plywise.
//!
//! What learners ask of a game is generic, and compiled where it is first used for a game: here, with all optimisation.

use crate::LearnableGame;
use plywise_host::Hosted;
use std::sync::Arc;

macro_rules! list {
    ($($Game:ty),* $(,)?) => {
        vec![$(Arc::new(Hosted::<$Game>::new())),*]
    };
}

/// All of them, the default first.
pub fn built_in() -> Vec<Arc<dyn LearnableGame>> {
    plywise_host::for_each_built_in_game!(list)
}
