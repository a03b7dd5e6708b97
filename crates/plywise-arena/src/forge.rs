//! Suites of our own: positions with proven answers, from self-play.
//!
//! A player plays itself from random openings. Every position of a game is then a raw piece: it becomes a [`Find`] if a
//! shallow search does not see the answer, a deep one does, an independent search that leaves nothing out confirms it,
//! and no other move is as good. Which games are played and what is found in each follows from the seed and the game's
//! number alone, and finds count in the order of the games: so the suite does not depend on the number of threads.

mod job;
mod proof;
mod worker;

pub use job::{ForgeSuite, ForgeSuiteEvent};
use plywise_game::Score;
use plywise_host::{AnyGame, HostError, Setup};
use plywise_run::{Units, WorkError};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::ControlFlow;
use worker::Worker;

/// Who makes a suite, and how.
pub struct Forge<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// Plays the games, and looks at positions first shallowly, then deeply.
    pub player: &'a Setup,
    /// Confirms what was found. It must leave nothing out.
    pub prover: &'a Setup,
    /// What is asked of a position.
    pub recipe: Recipe,
    /// How many games are worked on at the same time.
    pub concurrency: usize,
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The seed of the games.
    pub seed: u64,
    /// Random moves at the start of each game.
    pub random_plies: usize,
    /// Nodes for each move of the games.
    pub play_nodes: u64,
    /// A game this long, in plies, is stopped.
    pub longest: usize,
    /// Nodes of the search that must not see the answer.
    pub shallow_nodes: u64,
    /// Nodes of the search that must.
    pub deep_nodes: u64,
    /// The proof must need at least this many nodes...
    pub least_nodes: u64,
    /// ...and no more than this many.
    pub proof_nodes: u64,
    /// What counts as an answer besides a forced win.
    pub gain: Option<Gain>,
}

/// An advantage that decides the game: the best move's score, and how far it is from that of every other move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gain {
    /// The least score of the best move.
    pub least: Score,
    /// The least distance to the second best.
    pub margin: Score,
}

impl Gain {
    /// Scores beyond this count as this: a move that wins more than another that wins everything is not an answer.
    fn everything(self) -> Score {
        self.margin.saturating_mul(5)
    }
}

/// A position with its proven answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Find {
    /// The position, in the game's notation.
    pub position: String,
    /// The answer, as players write it.
    pub best: String,
    /// Its score by the prover, for the side to move.
    pub score: Score,
    /// The score of the best other move by the prover, at the same depth.
    pub second: Score,
    /// The iteration of the prover in which the answer was proven, in plies.
    pub depth: i32,
    /// The nodes that the prover needed for it.
    pub nodes: u64,
}

/// Why a suite cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ForgeError {
    /// A player cannot think as it is asked to, for lack of memory or of a table.
    #[error(transparent)]
    Player(#[from] HostError),
    /// The work could not go on.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// The finds of the games so far, without twins.
struct Harvest<'a> {
    game: &'a dyn AnyGame,
    seen: HashSet<String>,
    finds: Vec<Find>,
    wanted: usize,
}

impl Harvest<'_> {
    fn add(&mut self, find: &Find) {
        // A position that cannot be read is not one of this game, and no find.
        let Ok(position) = self.game.parse_position(&find.position) else { return };
        let twin = position.canonical().text();
        if !self.is_full() && self.seen.insert(twin) {
            self.finds.push(find.clone());
        }
    }

    fn is_full(&self) -> bool {
        self.finds.len() >= self.wanted
    }
}

impl Forge<'_> {
    /// Makes a suite of `wanted` positions, easiest first; fewer where `stop` interrupts it.
    ///
    /// Every game is a unit of `games`: those that are finished are not worked on again. `progress` is called after each
    /// how many games and finds there are.
    pub fn run(
        &self,
        wanted: usize,
        games: &mut Units<Vec<Find>>,
        stop: &Signal,
        progress: &mut dyn FnMut(u64, usize),
    ) -> Result<Vec<Find>, ForgeError> {
        let workers = (0..self.concurrency.max(1)).map(|_| Worker::new(self)).collect::<Result<Vec<_>, _>>()?;
        let mut harvest = Harvest { game: self.game, seen: HashSet::new(), finds: Vec::new(), wanted };
        let mut each = |game: u64, finds: &Vec<Find>| {
            finds.iter().for_each(|find| harvest.add(find));
            progress(game + 1, harvest.finds.len());
            if harvest.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let work = |worker: &mut Worker, game: u64, stop: &Signal| worker.work_on(game, stop);
        games.work(u64::MAX, workers, stop, work, &mut each)?;
        harvest.finds.sort_by_key(|find| find.nodes);
        Ok(harvest.finds)
    }
}
