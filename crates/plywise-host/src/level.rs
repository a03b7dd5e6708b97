//! Levels: how strong an engine plays for a person.

use crate::{AnyGame, Setup};
use plywise_game::{Phase, Score};
use plywise_search::Limits;
use std::ops::RangeInclusive;

/// A level, from 1 for who begins to learn a game to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(u32);

/// How far the evaluation of the highest level varies in the opening, as a share of the score by which the odds of winning grow
/// e-fold: about ten points in chess, half a disc in Othello. That of the lowest varies ten times as much.
const LEAST_SPREAD: f64 = 0.065;

impl Level {
    /// The numbers of the levels.
    pub const ALL: RangeInclusive<u32> = 1..=10;

    /// The level of a number, if there is one.
    pub fn new(number: u32) -> Option<Level> {
        Level::ALL.contains(&number).then_some(Level(number))
    }

    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// What the engine may use up for a move. The nodes grow threefold from level to level; the depth keeps the lowest levels
    /// from seeing far in positions with few moves.
    pub fn limits(self) -> Limits {
        Limits { depth: Some(2 * self.0 as i32 - 1), ..Limits::nodes(200 * 3_u64.pow(self.0 - 1)) }
    }

    /// A setup for a game, changed so that it plays at this level.
    pub fn apply_to(self, game: &dyn AnyGame, setup: &Setup) -> Setup {
        let mut setup = setup.clone();
        let steps = f64::from(Level::ALL.end() + 1 - self.0);
        let scale = game.chances().curves[Phase::Opening as usize].scale;
        setup.params.variety.enabled = true;
        setup.params.variety.spread = ((steps * LEAST_SPREAD * scale).round() as Score).max(1);
        setup
    }
}
