use crate::engine::{self, Event};
use crate::games::Playable;
use plywise_game::epd::Entry;
use plywise_game::{Score, score};
use plywise_net::NetworkEvaluation;
use plywise_search::{Bound, Limits, Progress, Request, Searcher, Signal};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A position of the suite.
pub(crate) struct Problem<G: Playable> {
    /// Its name, or its number where it has none.
    pub(crate) id: String,
    pub(crate) entry: Entry<G>,
}

/// What came out of searching a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Attempt {
    /// The move, as players write it.
    pub(super) best: Option<String>,
    pub(super) score: Score,
    pub(super) depth: i32,
    pub(crate) nodes: u64,
    pub(super) time: Duration,
    /// How often a move was searched again with an open window.
    pub(super) researches: u64,
    pub(crate) solved: bool,
    /// Where the answer was found for good, if it was.
    pub(super) found: Option<Found>,
}

/// When a search has done enough before its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Enough {
    /// Never.
    Limit,
    /// When its move has been right for so many iterations.
    Right(u16),
    /// When it has proved a win. Then this is what solves a position, whatever its answers.
    Proof,
}

/// How far a search had come when its best move became right and stayed so, or its win was proved.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Found {
    pub(super) depth: i32,
    pub(super) nodes: u64,
    pub(super) time: Duration,
}

impl<G: Playable> Problem<G> {
    pub(super) fn new(index: usize, entry: Entry<G>) -> Problem<G> {
        let id = entry.id.clone().unwrap_or_else(|| format!("#{}", index + 1));
        Problem { id, entry }
    }

    /// Whether it can be solved at all; some suites only count nodes.
    pub(crate) fn has_answer(&self) -> bool {
        !self.entry.best.is_empty() || !self.entry.avoid.is_empty()
    }

    /// Searches it until it is enough; then what was used up until its move became right or its win was proved counts.
    /// Gives nothing where `stop` interrupts it.
    pub(crate) fn attempt(
        &self,
        searcher: &mut Searcher<G, NetworkEvaluation<G>>,
        limits: &Limits,
        enough: Enough,
        stop: &Signal,
    ) -> Option<Attempt> {
        let request = Request::new(self.entry.position.clone());
        let signal = stop.child();
        let mut streak = Streak::default();
        let report = engine::search(searcher, &request, limits, &signal, |event| {
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
        let best = engine::best_move(&report, &request);
        let solved = match enough {
            Enough::Proof => streak.found.is_some(),
            _ => self.has_answer() && best.is_some_and(|mv| self.entry.is_solved_by(mv)),
        };
        let found = streak.found.filter(|_| solved);
        let (nodes, time) = match found.filter(|_| enough != Enough::Limit) {
            Some(found) => (found.nodes, found.time),
            None => (report.nodes, report.time),
        };
        let best = best.map(|mv| G::write_move(&request.position, mv));
        let researches = report.counters.researches();
        Some(Attempt { best, score: report.score(), depth: report.depth(), nodes, time, researches, solved, found })
    }

    /// Notes whether the best move of an iteration is right, or its score a proved win.
    fn follow(&self, streak: &mut Streak, progress: &Progress<G::Move>, enough: Enough) {
        if enough == Enough::Proof {
            let Progress { depth, nodes, time, .. } = *progress;
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
        let Progress { depth, nodes, time, .. } = *progress;
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
