use plywise_game::{Score, score};
use plywise_host::{Ask, Engine, Event, Move, SuiteEntry};
use plywise_search::{Bound, Counters, Limits, Progress, Signal, Technique};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// A position of a suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Its name, or its number if it has none.
    pub id: String,
    /// What the suite says of it.
    pub entry: SuiteEntry,
}

/// What came out of searching a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The move, as players write it.
    pub best: Option<String>,
    /// Its score.
    pub score: Score,
    /// The depth of the last finished iteration.
    pub depth: i32,
    /// The nodes that count.
    pub nodes: u64,
    /// The time that counts.
    pub time: Duration,
    /// How often a move was searched again with an open window.
    pub researches: u64,
    /// Whether its move is right, or its win was proved.
    pub solved: bool,
    /// Where the answer was found for good, if it was.
    pub found: Option<Found>,
    /// The nodes up to the end of each finished iteration, from depth 1.
    #[serde(default)]
    pub iterations: Vec<u64>,
    /// What each technique did, by its name; without those that were never tried.
    #[serde(default)]
    pub acts: BTreeMap<String, Acts>,
}

/// How often a technique was tried in a search, and how often it had an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acts {
    /// How often it was tried.
    pub tries: u64,
    /// How often it cut, left out or repriced.
    pub effects: u64,
}

impl Acts {
    /// What each technique did in a search.
    fn of(counters: &Counters) -> BTreeMap<String, Acts> {
        let acts = |technique| Acts { tries: counters.tries(technique), effects: counters.cuts(technique) };
        let all = Technique::ALL.iter().map(|&technique| (technique.name().to_owned(), acts(technique)));
        all.filter(|(_, acts)| *acts != Acts::default()).collect()
    }
}

/// When a search has done enough before its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Enough {
    /// Never.
    Limit,
    /// When its move has been right for this many iterations.
    Right(u16),
    /// When it has proved a win. Then this is what solves a position, whatever its answers.
    Proof,
}

/// How far a search had come when its best move became right and stayed so, or its win was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The depth.
    pub depth: i32,
    /// The nodes until then.
    pub nodes: u64,
    /// The time until then.
    pub time: Duration,
}

impl Problem {
    /// The position of this index in its suite.
    pub fn new(index: usize, entry: SuiteEntry) -> Problem {
        let id = entry.id.clone().unwrap_or_else(|| format!("#{}", index + 1));
        Problem { id, entry }
    }

    /// Whether it can be solved at all; some suites only count nodes.
    pub fn has_answer(&self) -> bool {
        !self.entry.best.is_empty() || !self.entry.avoid.is_empty()
    }

    /// Searches it until it is enough; then what was used up until its move became right or its win was proved counts.
    /// `None` if `stop` interrupts it.
    pub fn attempt(&self, engine: &mut dyn Engine, limits: &Limits, enough: Enough, stop: &Signal) -> Option<Attempt> {
        let ask = Ask::new(&self.entry.position);
        let signal = stop.child();
        let (mut streak, mut iterations) = (Streak::default(), Vec::new());
        let report = engine.search(&ask, limits, &signal, &mut |event| {
            if let Event::Progress(progress) = event {
                let depth = progress.depth.max(0) as usize;
                if progress.bound == Bound::Exact && depth > iterations.len() {
                    iterations.resize(depth, progress.nodes);
                }
                self.follow(&mut streak, progress, enough);
                let is_enough = match enough {
                    Enough::Limit => false,
                    Enough::Right(iterations) => streak.iterations >= iterations,
                    Enough::Proof => streak.found.is_some(),
                };
                if is_enough {
                    signal.stop();
                }
            }
        });
        if stop.is_stopped() {
            return None;
        }
        let best = ask.best_move(&report);
        let solved = match enough {
            Enough::Proof => streak.found.is_some(),
            _ => self.has_answer() && best.is_some_and(|mv| self.entry.is_solved_by(mv)),
        };
        let found = streak.found.filter(|_| solved);
        let (nodes, time) = match found.filter(|_| enough != Enough::Limit) {
            Some(found) => (found.nodes, found.time),
            None => (report.nodes, report.time),
        };
        let best = best.map(|mv| self.entry.position.write_move(mv));
        Some(Attempt {
            best,
            score: report.score(),
            depth: report.depth(),
            nodes,
            time,
            researches: report.counters.researches(),
            solved,
            found,
            iterations,
            acts: Acts::of(&report.counters),
        })
    }

    /// Notes whether the best move of an iteration is right, or its score a proved win.
    fn follow(&self, streak: &mut Streak, progress: &Progress<Move>, enough: Enough) {
        let Progress { depth, nodes, time, .. } = *progress;
        if enough == Enough::Proof {
            if progress.bound != Bound::Upper && progress.score >= score::WIN_THRESHOLD {
                streak.found.get_or_insert(Found { depth, nodes, time });
            }
            return;
        }
        let Some(&mv) = progress.pv.first().filter(|_| self.has_answer()) else { return };
        if !self.entry.is_solved_by(mv) {
            *streak = Streak::default();
            return;
        }
        streak.found.get_or_insert(Found { depth, nodes, time });
        // An iteration that fell outside its window is not over.
        streak.iterations += u16::from(progress.bound == Bound::Exact);
    }
}

/// Iterations in a row whose best move is right.
#[derive(Default)]
struct Streak {
    iterations: u16,
    found: Option<Found>,
}
