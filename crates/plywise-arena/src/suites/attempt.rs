use plywise_game::{Score, score};
use plywise_host::{Ask, Engine, Event, Move, SuiteEntry};
use plywise_search::{Bound, Limits, Progress, Signal};
use serde::{Deserialize, Serialize};
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
        let mut streak = Streak::default();
        let report = engine.search(&ask, limits, &signal, &mut |event| {
            if let Event::Progress(progress) = event {
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
        let researches = report.counters.researches();
        Some(Attempt { best, score: report.score(), depth: report.depth(), nodes, time, researches, solved, found })
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
