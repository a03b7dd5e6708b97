//! `learn extensions`: what moves cost in the search, by following the gradient of the number of nodes; see
//! [`control`](crate::control) for the method.

mod offline;
mod online;
mod play;

use crate::LearnableGame;
use crate::control::{Descent, Slots, Tunable};
use plywise_arena::engine::{Engine, Examination};
use plywise_game::parameters::{ParameterError, Parameters};
use plywise_host::{AnyGame, AnyPosition, HostError, Move, WrittenSetup};
use plywise_run::{Job, JobError, Workplace};
use plywise_search::Params;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// `learn extensions`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LearnExtensions {
    /// The name of the game.
    pub game: String,
    /// How it learns.
    pub way: Way,
    /// The search that learns.
    pub player: WrittenSetup,
    /// What is learned.
    pub tunables: Vec<Tunable>,
    /// The learning rate.
    pub rate: f64,
    /// How much of its last change each value repeats.
    pub momentum: f64,
    /// Nodes for a position, or for a move of a game.
    pub nodes: u64,
    /// How many times all positions are gone through, or how many games are played.
    pub iterations: u64,
    /// What everything random follows from.
    pub seed: u64,
    /// The positions with their answers, each a line of EPD; none in play.
    pub suite: Vec<String>,
    /// Seconds that an engine in another process may take for one position.
    pub patience: u64,
}

/// By how much a price is altered off-line, in plies, to see what that does: a small change often leaves every tree as it
/// is, because most moves cost a whole ply.
pub const OFFLINE_DELTA: f64 = 0.5;

/// By how much a price is altered on-line: the nodes that would be missing are counted one by one.
pub const ONLINE_DELTA: f64 = 0.1;

/// The learning rate from a suite.
pub const SUITE_RATE: f64 = 1.0;

/// The learning rate in play.
pub const PLAY_RATE: f64 = 0.5;

/// How prices are learned.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// Every position is searched once more with each value altered (algorithm 13 of the thesis).
    Offline {
        /// Who is examined instead of the player.
        engine: Option<Examined>,
        /// Whether the tunables are the prices of extensions, and not other parameters or options.
        prices: bool,
    },
    /// One search of each position counts along for all prices (algorithm 12).
    Online {
        /// By how much a price is altered, in plies.
        delta: f64,
    },
    /// Games against an opponent, in which positions that were misjudged teach.
    Play {
        /// By how much a price is altered, in plies.
        delta: f64,
        /// Who is played against.
        opponent: WrittenSetup,
        /// A value that falls by more than this makes a position critical.
        drop: i32,
        /// Below this value a game is lost and teaches no more.
        lost: i32,
        /// Random moves at the start of each pair of games.
        random_plies: u16,
    },
}

/// An engine in another process that is examined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Examined {
    /// The engine.
    pub engine: Engine,
    /// How it is asked.
    pub examination: Examination,
}

/// What learning reports while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It begins.
    Begun {
        /// How many positions or games are left to do.
        left: u64,
    },
    /// A position is searched, or a game played.
    Done,
}

/// What was learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedExtensions {
    /// How many positions there are; none in play.
    pub positions: usize,
    /// The passes over all positions, or the games, that were finished.
    pub iterations: Vec<Iteration>,
    /// The iteration with the fewest nodes, whose values count; in play the last ones do.
    pub best: Option<usize>,
    /// The values that count.
    pub learned: Vec<f64>,
    /// What was learned from which move, in play.
    pub log: String,
    /// What ended it early, if anything did.
    pub fault: Option<String>,
}

/// One pass over all positions, or one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// The nodes that all positions took.
    pub nodes: u64,
    /// How many were solved; in play, the lessons of the game.
    pub solved: usize,
    /// The values with which they were searched.
    pub weights: Vec<f64>,
    /// The length of the gradient that followed from it, relative to the nodes.
    pub gradient: f64,
}

impl LearnedExtensions {
    /// What passes over a suite taught.
    fn of_passes(
        positions: usize,
        iterations: Vec<Iteration>,
        fault: Option<String>,
    ) -> Result<LearnedExtensions, JobError> {
        let best = (0..iterations.len()).min_by_key(|&place| iterations[place].nodes);
        match (best, fault) {
            (Some(place), fault) => {
                let learned = iterations[place].weights.clone();
                Ok(LearnedExtensions { positions, iterations, best, learned, log: String::new(), fault })
            }
            (None, Some(fault)) => Err(JobError::Failed(fault)),
            (None, None) => Err(JobError::Interrupted),
        }
    }
}

impl Job for LearnExtensions {
    const NAME: &'static str = "learn extensions";
    // How long an engine may take for an answer does not decide what it answers.
    const MAY_GROW: &'static [&'static str] = &["iterations", "patience"];
    type Game = Arc<dyn LearnableGame>;
    type Event = Event;
    type Outcome = LearnedExtensions;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<LearnedExtensions, JobError> {
        match &self.way {
            Way::Offline { engine, .. } => offline::learn(self, engine.as_ref(), &**game, workplace, watch),
            Way::Online { delta } => online::learn(self, *delta, &**game, workplace, watch),
            Way::Play { .. } => play::learn(self, &**game, workplace, watch),
        }
    }
}

impl LearnExtensions {
    /// How many seconds an engine may take for a position of this many nodes.
    pub fn usual_patience(nodes: u64) -> u64 {
        30 + nodes / 5000
    }

    /// The prices of extensions that the tunables are, if they are.
    fn slots(&self) -> Option<Slots> {
        match self.way {
            Way::Offline { prices: false, .. } => None,
            Way::Offline { .. } | Way::Online { .. } => Some(Slots::BY_CLASS),
            Way::Play { .. } => Some(Slots::BY_CLASS_AND_PHASE),
        }
    }

    /// Sets what is learned to these values.
    pub fn apply(&self, values: &[f64], params: &mut Params) -> Result<(), ParameterError> {
        match self.slots() {
            Some(slots) => slots.write(values, params),
            None => self.tunables.iter().zip(values).try_for_each(|(tunable, &value)| {
                tunable.paths.iter().try_for_each(|path| params.set(path, &tunable.setting(value).to_string()))
            }),
        }
    }

    fn descent(&self) -> Descent {
        Descent::new(self.tunables.clone(), self.rate, self.momentum)
    }

    fn setup(&self, game: &dyn AnyGame) -> Result<plywise_host::Setup, JobError> {
        self.player.read(game).map_err(JobError::input)
    }

    /// The positions of the suite.
    fn suite(&self, game: &dyn AnyGame) -> Result<Vec<SolvedPosition>, JobError> {
        let text = self.suite.join("\n");
        let entries = game.read_epd(Box::new(text.as_bytes()));
        let solved = |entry: plywise_host::SuiteEntry| SolvedPosition { position: entry.position, answers: entry.best };
        entries.map(|entry| entry.map(solved).map_err(JobError::input)).collect()
    }

    /// How many positions are searched at the same time.
    fn jobs(&self, workplace: &Workplace) -> usize {
        workplace.jobs.clamp(1, self.suite.len().max(1))
    }
}

/// A position and the moves that solve it.
struct SolvedPosition {
    position: AnyPosition,
    answers: Vec<Move>,
}

fn refused(error: HostError) -> JobError {
    JobError::input(error)
}
