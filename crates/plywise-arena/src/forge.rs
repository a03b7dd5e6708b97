//! Suites of our own: positions with proven answers, from self-play.
//!
//! A player plays itself from random openings. Every position of a game is then a raw piece: it becomes a [`Find`] if a
//! shallow search does not see the answer, a deep one does, an independent search that leaves nothing out confirms it,
//! and no other move is as good. Which games are played and what is found in each follows from the seed and the game's
//! number alone, and finds count in the order of the games: so the suite does not depend on the number of threads.

mod proof;
mod smith;

use crate::local::Local;
use crate::openings::Canonical;
use plywise_game::{Evaluate, Notation, Score};
use plywise_search::TableTooLarge;
use serde::{Deserialize, Serialize};
use smith::Smith;
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Who makes a suite, and how.
pub struct Forge<'a, G: Notation, E> {
    /// Plays the games, and looks at positions first shallowly, then deeply.
    pub player: &'a Local<E>,
    /// Confirms what was found. It must leave nothing out.
    pub prover: &'a Local<E>,
    /// What is asked of a position.
    pub recipe: Recipe,
    /// One position for all that are the same to the rules.
    pub canonical: Canonical<G>,
    /// How many games are worked on at the same time.
    pub concurrency: usize,
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// What the games are drawn from.
    pub seed: u64,
    /// Random moves at the start of each game.
    pub random_plies: usize,
    /// Nodes for each move of the games.
    pub play_nodes: u64,
    /// A game of so many plies is broken off.
    pub longest: usize,
    /// Nodes of the search that must not see the answer.
    pub shallow_nodes: u64,
    /// Nodes of the search that must.
    pub deep_nodes: u64,
    /// The proof must need at least so many nodes...
    pub least_nodes: u64,
    /// ...and may not need more than so many.
    pub proof_nodes: u64,
    /// What else than a forced win is an answer.
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
    /// Scores beyond this count as this: a move that wins more than another that wins everything is no answer.
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

/// What one game gave: a line of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strike {
    /// The game's number, from 0.
    pub game: u64,
    /// What was found in it.
    pub finds: Vec<Find>,
}

/// Why a suite cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ForgeError {
    /// The tables do not fit into memory.
    #[error(transparent)]
    Memory(#[from] TableTooLarge),
    /// A finished game could not be kept.
    #[error("a finished game could not be written to the journal: {0}")]
    Journal(#[source] io::Error),
    /// Not even one thread could be started.
    #[error("no thread can be started: {0}")]
    Threads(#[source] io::Error),
}

/// The finds of the games that count, without twins.
struct Harvest<G: Notation> {
    canonical: Canonical<G>,
    /// Games that are finished before one with a smaller number.
    ahead: BTreeMap<u64, Vec<Find>>,
    counted: u64,
    seen: HashSet<String>,
    finds: Vec<Find>,
    wanted: usize,
}

impl<G: Notation> Harvest<G> {
    fn add(&mut self, strike: Strike) {
        self.ahead.insert(strike.game, strike.finds);
        while !self.is_full()
            && let Some(finds) = self.ahead.remove(&self.counted)
        {
            self.counted += 1;
            finds.into_iter().for_each(|find| self.add_find(find));
        }
    }

    fn add_find(&mut self, find: Find) {
        // A position that cannot be read is not one of this game; whoever wrote it into the journal knows why.
        let Ok(position) = G::parse_position(&find.position) else { return };
        let twin = G::write_position(&(self.canonical)(&position));
        if !self.is_full() && self.seen.insert(twin) {
            self.finds.push(find);
        }
    }

    fn is_full(&self) -> bool {
        self.finds.len() >= self.wanted
    }
}

/// Ends the work of all threads when one of them panics: the game that it leaves out would never be counted.
struct EndOnPanic<'a>(&'a AtomicBool);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl<G: Notation, E: Evaluate<G> + Sync> Forge<'_, G, E> {
    /// Makes a suite of `wanted` positions, easiest first, or what is left of it after the games `finished`.
    ///
    /// A game counts once `keep` has kept it. `progress` is told after each how many games and finds there are.
    pub fn run(
        &self,
        wanted: usize,
        finished: Vec<Strike>,
        keep: &mut dyn FnMut(&Strike) -> io::Result<()>,
        progress: &mut dyn FnMut(u64, usize),
    ) -> Result<Vec<Find>, ForgeError> {
        let done: HashSet<u64> = finished.iter().map(|strike| strike.game).collect();
        let (canonical, seen) = (self.canonical, HashSet::new());
        let mut harvest: Harvest<G> =
            Harvest { canonical, ahead: BTreeMap::new(), counted: 0, seen, finds: Vec::new(), wanted };
        finished.into_iter().for_each(|strike| harvest.add(strike));
        let smiths = (0..self.concurrency.max(1)).map(|_| Smith::new(self)).collect::<Result<Vec<_>, _>>()?;
        let (next, ended) = (AtomicU64::new(0), AtomicBool::new(harvest.is_full()));
        let (sender, strikes) = mpsc::channel();
        let (mut failure, mut threads) = (None, 0);
        thread::scope(|scope| {
            for mut smith in smiths {
                let (next, ended, done, sender) = (&next, &ended, &done, sender.clone());
                let work = move || {
                    let _end = EndOnPanic(ended);
                    while !ended.load(Ordering::Relaxed) {
                        let game = next.fetch_add(1, Ordering::Relaxed);
                        if !done.contains(&game) && sender.send(smith.strike(game)).is_err() {
                            return;
                        }
                    }
                };
                // Fewer threads than were asked for find the same; without any, nothing is found.
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(_) => threads += 1,
                    Err(error) if threads == 0 => failure = Some(ForgeError::Threads(error)),
                    Err(_) => break,
                }
            }
            drop(sender);
            for strike in strikes {
                if ended.load(Ordering::Relaxed) {
                    continue;
                }
                if let Err(error) = keep(&strike) {
                    failure = Some(ForgeError::Journal(error));
                    ended.store(true, Ordering::Relaxed);
                    continue;
                }
                harvest.add(strike);
                progress(harvest.counted, harvest.finds.len());
                ended.store(harvest.is_full(), Ordering::Relaxed);
            }
        });
        harvest.finds.sort_by_key(|find| find.nodes);
        failure.map_or(Ok(harvest.finds), Err)
    }
}
