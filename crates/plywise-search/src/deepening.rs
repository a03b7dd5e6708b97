//! The root: iterative deepening, aspiration windows, MTD(f), several lines.

use crate::limits::Stopped;
use crate::lines::Lines;
use crate::search::{Expect, Kind, NodeRequest, Pv, Scout};
use crate::searcher::Line;
use crate::time::{Difficulty, Finished};
use crate::worker::Worker;
use crate::{Algorithm, Arrival, Bound, Policy, Progress, Purpose};
use plywise_game::score::{self, INFINITY};
use plywise_game::{Depth, Evaluate, Game, Score, Window};

/// What a thread is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It decides when the search ends.
    Main,
    /// It fills the table for the others until the main thread ends the search.
    Helper {
        /// The number of its first iteration.
        first_depth: i32,
    },
}

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Searches deeper and deeper until a limit is reached; what the observer was told last is what comes out.
    pub(crate) fn deepen(&mut self, root: &G::Position, wanted: usize, role: Role) -> Lines<G::Move> {
        let all_moves = std::mem::take(&mut self.root_moves);
        let last_depth = self.budget.limits().depth.unwrap_or(i32::MAX).clamp(1, Depth::MAX.whole_plies());
        let first_depth = match role {
            Role::Main => 1,
            Role::Helper { first_depth } => first_depth.min(last_depth),
        };
        let mut lines = Lines::new(wanted.clamp(1, all_moves.len().max(1)));
        let mut difficulty = Difficulty::default();
        for depth in first_depth..=last_depth {
            self.iteration = depth;
            self.estimated = false;
            self.root_moves.clone_from(&all_moves);
            let Ok(finished) = self.iterate(root, &mut lines) else { break };
            if let Some(finished) = finished {
                difficulty.note(&finished, &self.params().time);
            }
            if depth == last_depth {
                // The others need not come as far.
                self.budget.finish();
            }
            let is_over = match role {
                Role::Main => self.budget.is_spent(self.nodes, &difficulty),
                Role::Helper { .. } => self.budget.is_over(),
            };
            if is_over || self.is_answered(lines.first(), all_moves.len()) {
                break;
            }
        }
        if let (None, Some(&mv)) = (lines.first(), all_moves.first()) {
            // Not even one move was searched.
            lines.add(self.guess(root, mv));
        }
        self.tell(&mut lines);
        lines
    }

    /// Whether another iteration could change nothing that matters.
    fn is_answered(&self, best: Option<&Line<G::Move>>, moves: usize) -> bool {
        let limits = self.budget.limits();
        let distance = best.and_then(|line| score::plies_to_end(line.score));
        let is_near = |d: i32| limits.win_within.is_some_and(|plies| (0..=plies).contains(&d));
        // Quiescence finds wins without their last moves. An iteration that goes as far as the win finds them all, and where
        // the depth is limited it is not far away.
        let is_whole = |d: i32| limits.depth.is_none() || best.is_some_and(|line| line.pv.len() as i32 >= d);
        let won = distance.is_some_and(|d| is_near(d) && is_whole(d));
        // On the clock, neither an only move nor a win that cannot become shorter is worth more thought.
        let on_clock = limits.shares_a_clock();
        let settled = moves == 1 || distance.is_some_and(|d| d.abs() <= self.iteration);
        // Where nothing was estimated, deeper searches find the same; a fixed depth is searched all the same.
        let known = !self.estimated && limits.depth.is_none();
        won || known || (on_clock && settled)
    }

    /// One iteration: as many lines as are wanted, each without the first moves of those before it. Says what the first
    /// of them tells about the choice.
    fn iterate(&mut self, root: &G::Position, lines: &mut Lines<G::Move>) -> Result<Option<Finished>, Stopped> {
        let before = lines.best_move();
        let mut finished = None;
        lines.begin_iteration();
        for rank in 0..lines.wanted() {
            self.effort.begin_iteration();
            let score = match self.search_root(root, lines) {
                Ok(score) => score,
                Err(Stopped) => {
                    if rank == 0 {
                        self.keep_partial(root, lines);
                    }
                    return Err(Stopped);
                }
            };
            let Some(line) = self.partial.take() else { break };
            let best = line.pv[0];
            if rank == 0 {
                finished = Some(Finished {
                    depth: self.iteration,
                    score,
                    changed: before.is_some_and(|before| before != best),
                    failed_low: self.effort.failed_low,
                    effort: self.effort.share(best),
                });
            }
            lines.add(Line { score, bound: Bound::Exact, ..line });
            self.tell(lines);
            self.root_moves.retain(|&mv| mv != best);
        }
        Ok(finished)
    }

    /// An iteration that broke off has searched some of the moves: what it found is the least that the position is worth.
    fn keep_partial(&mut self, root: &G::Position, lines: &mut Lines<G::Move>) {
        let Some(line) = self.partial.take() else { return };
        let before = lines.first().map(|line| (line.pv[0], line.score, line.depth));
        // The best move so far usually comes first, but the order follows the table, which other threads change too: a
        // move that has not been compared with it must be worth more than it was.
        if let Some((best, score, _)) = before {
            let is_compared = line.pv[0] == best || self.effort.has_searched(best) || line.bound == Bound::Lower;
            if !is_compared && line.score <= score {
                return;
            }
        }
        // Where all moves lose so far, the one that was being searched when time ran out may save the game.
        let untried = self.frames[0].mv.filter(|&mv| mv != line.pv[0]);
        match (untried, before) {
            (_, Some((_, score, _))) if is_lost(score) && score >= line.score => {}
            (Some(mv), None) if is_lost(line.score) => lines.add(self.guess(root, mv)),
            (Some(mv), Some((_, score, _))) if is_lost(line.score) && !is_lost(score) => lines.give_up(line, mv),
            _ => {
                lines.add(Line { bound: Bound::Lower, depth: before.map_or(line.depth, |(_, _, depth)| depth), ..line })
            }
        }
    }

    /// A line without a search: a player must move.
    fn guess(&mut self, root: &G::Position, mv: G::Move) -> Line<G::Move> {
        Line { score: self.evaluate(root), bound: Bound::Lower, depth: 0, pv: vec![mv] }
    }

    fn search_root(&mut self, root: &G::Position, lines: &mut Lines<G::Move>) -> Result<Score, Stopped> {
        self.partial = None;
        self.moves.truncate(0);
        self.begin(root);
        let guess = lines.next().map(|line| line.score);
        match self.params().framework.kind() {
            Algorithm::Minimax => self.minimax_iteration(root),
            Algorithm::Mtdf => self.mtdf(root, guess.unwrap_or(0)),
            Algorithm::AlphaBeta | Algorithm::Pvs => self.aspiration(root, guess, lines),
        }
    }

    fn minimax_iteration(&mut self, root: &G::Position) -> Result<Score, Stopped> {
        self.announce(0, Arrival::by(Purpose::Root));
        let score = self.minimax(root, self.iteration, 0)?;
        let pv = self.frames[0].pv.clone();
        self.partial = (!pv.is_empty()).then_some(Line { score, bound: Bound::Exact, depth: self.iteration, pv });
        Ok(score)
    }

    /// Searches a window round the last score, wider where the score falls outside.
    fn aspiration(
        &mut self,
        root: &G::Position,
        guess: Option<Score>,
        lines: &mut Lines<G::Move>,
    ) -> Result<Score, Stopped> {
        let aspiration = &self.params().aspiration;
        let narrow = aspiration.on() && self.iteration >= aspiration.least_depth;
        let mut margin = aspiration.window;
        let mut window = match guess.filter(|&guess| narrow && !score::is_decided(guess)) {
            Some(guess) => Window::new(guess - margin, guess + margin),
            None => Window::FULL,
        };
        loop {
            let score = self.search_whole::<Pv>(root, window, Expect::Pv)?;
            let bound = Bound::of(score, window);
            match bound {
                Bound::Exact => return Ok(score),
                // No move may be left at the root, or the value may lie at the edge of the score range.
                _ if window == Window::FULL => return Ok(score),
                Bound::Upper => {
                    window.alpha = widened(score - margin);
                    self.partial = None;
                    self.effort.failed_low = true;
                }
                Bound::Lower => {
                    window.beta = widened(score + margin);
                    self.mark_partial_as_bound();
                }
            }
            margin = margin.saturating_mul(3).min(INFINITY);
            // Beside other lines a bound would only confuse: its move may stand among them.
            if lines.wanted() == 1 {
                let pv = if bound == Bound::Lower { self.frames[0].pv.clone() } else { Vec::new() };
                self.report(&Line { score, bound, depth: self.iteration, pv }, 0);
                lines.overshadow();
            }
        }
    }

    /// MTD(f): null-window searches that close in on the value.
    fn mtdf(&mut self, root: &G::Position, guess: Score) -> Result<Score, Stopped> {
        let mut known = Window::FULL;
        let mut score = guess;
        while known.alpha < known.beta {
            let beta = score.max(known.alpha + 1);
            score = self.search_whole::<Scout>(root, Window::reaching(beta), Expect::Cut)?;
            if score < beta {
                known.beta = score;
            } else {
                known.alpha = score;
                self.mark_partial_as_bound();
            }
        }
        Ok(score)
    }

    /// Searches the root once, with all moves that it may play.
    fn search_whole<K: Kind>(&mut self, root: &G::Position, window: Window, expect: Expect) -> Result<Score, Stopped> {
        self.announce(0, Arrival::by(Purpose::Root));
        self.frames[0].mv = None;
        self.effort.begin_window();
        let request = NodeRequest { depth: Depth::plies(self.iteration), window, ply: 0, expect, verifying: false };
        Ok(self.search::<K>(root, request)?.score)
    }

    /// The line at the root was good enough to leave the window, and may be worth more.
    fn mark_partial_as_bound(&mut self) {
        if let Some(line) = &mut self.partial {
            line.bound = Bound::Lower;
        }
    }

    /// Tells the observer about all lines, unless it knows them.
    pub(crate) fn tell(&mut self, lines: &mut Lines<G::Move>) {
        if lines.take_news() {
            lines.as_slice().iter().enumerate().for_each(|(rank, line)| self.report(line, rank));
        }
    }

    /// Tells the observer about a line.
    fn report(&mut self, line: &Line<G::Move>, rank: usize) {
        let progress = Progress {
            depth: line.depth,
            selective_depth: self.selective_depth,
            line: rank + 1,
            score: line.score,
            bound: line.bound,
            nodes: self.budget.total_nodes(self.nodes),
            time: self.budget.elapsed(),
            table_permille: self.table.permille_full(),
            pv: line.pv.clone(),
        };
        self.observer.progress(&progress);
    }
}

fn is_lost(score: Score) -> bool {
    score::is_decided(score) && score < 0
}

/// A bound of a widened window; beyond what evaluations reach only the full range makes sense.
fn widened(bound: Score) -> Score {
    if bound.abs() > score::EVAL_LIMIT { INFINITY * bound.signum() } else { bound }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Budget;
    use crate::techniques::fixture::*;
    use crate::worker::{Memory, Shared};
    use crate::{Limits, Params, Request, Signal, TranspositionTable};

    type Thread<'a> = Worker<'a, Told, Evaluation, &'a Params, false>;

    /// What a thread of a search under these limits does.
    fn with_thread<T>(position: &Position, limits: &Limits, act: impl FnOnce(&mut Thread) -> T) -> T {
        let (params, table, signal) = (Params::OFF, TranspositionTable::new(1).unwrap(), Signal::new());
        let budget = Budget::new(limits, &signal, 1, &params.time);
        let prepared = Knowledge::default().prepare(&params);
        let shared = Shared { policy: &params, table: &table, prepared: &prepared, budget: &budget, seed: 0 };
        let (mut memory, request) = (Memory::new::<Told>(Evaluation), Request::new(position.clone()));
        act(&mut Worker::new(&shared, &mut (), &mut memory, &request))
    }

    #[test]
    fn a_helper_goes_on_where_the_main_thread_ends() {
        let here = position(0, [quiet(3), quiet(5)]);
        let depth = |role| {
            let limits = Limits { soft_nodes: Some(1), ..Limits::depth(6) };
            with_thread(&here, &limits, |thread| thread.deepen(&here, 1, role).first().map(|line| line.depth))
        };
        assert_eq!(depth(Role::Main), Some(1));
        assert_eq!(depth(Role::Helper { first_depth: 2 }), Some(6));
    }

    #[test]
    fn a_helper_ends_with_the_search() {
        let here = position(0, [quiet(3), quiet(5)]);
        let depth = with_thread(&here, &Limits::default(), |thread| {
            thread.budget.finish();
            thread.deepen(&here, 1, Role::Helper { first_depth: 2 }).first().map(|line| line.depth)
        });
        assert!(depth < Some(3), "{depth:?}");
    }

    /// What is played after an iteration in which move 1 was worth `score` when time ran out; the last one preferred
    /// move 0, worth 30.
    fn kept(score: Score, bound: Bound, best_was_searched: bool) -> (u8, Score) {
        let here = position(0, [quiet(30), quiet(score)]);
        with_thread(&here, &Limits::default(), |thread| {
            let mut lines = Lines::new(1);
            lines.add(Line { score: 30, bound: Bound::Exact, depth: 5, pv: vec![0] });
            lines.begin_iteration();
            thread.effort.begin_iteration();
            if best_was_searched {
                thread.effort.end_move(0, 10);
            }
            thread.partial = Some(Line { score, bound, depth: 6, pv: vec![1] });
            thread.keep_partial(&here, &mut lines);
            (lines.as_slice()[0].pv[0], lines.as_slice()[0].score)
        })
    }

    #[test]
    fn what_was_not_compared_with_the_best_move_must_be_worth_more() {
        assert_eq!(kept(20, Bound::Exact, true), (1, 20), "the best move lost its value");
        assert_eq!(kept(20, Bound::Exact, false), (0, 30), "another thread changed the order");
        assert_eq!(kept(31, Bound::Exact, false), (1, 31));
        assert_eq!(kept(20, Bound::Lower, false), (1, 20), "it left the window upwards");
    }
}
