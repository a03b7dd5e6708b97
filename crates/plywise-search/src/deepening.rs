//! The root: iterative deepening, aspiration windows, MTD(f), several lines.

use crate::limits::Stopped;
use crate::lines::Lines;
use crate::search::{Expect, Pv, Scout, Task};
use crate::searcher::Line;
use crate::worker::Worker;
use crate::{Algorithm, Arrival, Bound, Policy, Progress, Purpose};
use plywise_game::score::{self, INFINITY};
use plywise_game::{Depth, Evaluate, Game, Score, Window};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Searches deeper and deeper until a limit is reached; what the observer was told last is what comes out.
    pub(crate) fn deepen(&mut self, root: &G::Position, wanted: usize, first_depth: i32) -> Lines<G::Move> {
        let all_moves = std::mem::take(&mut self.root_moves);
        let last_depth = self.budget.limits().depth.unwrap_or(i32::MAX).clamp(1, Depth::MAX.whole_plies());
        let mut lines = Lines::new(wanted.clamp(1, all_moves.len().max(1)));
        let mut instability = 1.0;
        for depth in first_depth.min(last_depth)..=last_depth {
            self.iteration = depth;
            self.estimated = false;
            self.root_moves.clone_from(&all_moves);
            let before = lines.best_move();
            let finished = self.iterate(root, &mut lines);
            let after = lines.best_move();
            instability = 1.0 + (instability - 1.0) / 2.0 + if before == after { 0.0 } else { 0.6 };
            if finished.is_err() || self.is_done(lines.first(), all_moves.len(), instability) {
                break;
            }
        }
        if let (None, Some(&mv)) = (lines.first(), all_moves.first()) {
            // Not even one iteration was granted, but a player must move.
            lines.add(Line { score: self.evaluate(root), bound: Bound::Lower, depth: 0, pv: vec![mv] });
        }
        self.tell(&mut lines);
        lines
    }

    fn is_done(&self, best: Option<&Line<G::Move>>, moves: usize, instability: f64) -> bool {
        let limits = self.budget.limits();
        let distance = best.and_then(|line| score::plies_to_end(line.score));
        let won = limits.win_within.is_some_and(|plies| distance.is_some_and(|d| (0..=plies).contains(&d)));
        // On the clock, neither an only move nor a win that cannot become shorter is worth more thought.
        let on_clock = limits.shares_a_clock();
        let settled = moves == 1 || distance.is_some_and(|d| d.abs() <= self.iteration);
        // Where nothing was estimated, deeper searches find the same; a fixed depth is searched all the same.
        let known = !self.estimated && limits.depth.is_none();
        won || known || (on_clock && settled) || !self.budget.has_time_for_another(instability)
    }

    /// One iteration: as many lines as are wanted, each without the first moves of those before it.
    fn iterate(&mut self, root: &G::Position, lines: &mut Lines<G::Move>) -> Result<(), Stopped> {
        lines.begin_iteration();
        for rank in 0..lines.wanted() {
            let score = match self.search_root(root, lines) {
                Ok(score) => score,
                Err(Stopped) => {
                    if rank == 0 {
                        self.keep_partial(lines);
                    }
                    return Err(Stopped);
                }
            };
            let Some(line) = self.partial.take() else { return Ok(()) };
            let best = line.pv[0];
            lines.add(Line { score, bound: Bound::Exact, ..line });
            self.tell(lines);
            self.root_moves.retain(|&mv| mv != best);
        }
        Ok(())
    }

    /// The first move of a broken-off iteration is the best of the last one, so what it leaves is at least as good.
    fn keep_partial(&mut self, lines: &mut Lines<G::Move>) {
        let Some(line) = self.partial.take() else { return };
        let depth = lines.first().map_or(line.depth, |first| first.depth);
        lines.add(Line { depth, ..line });
    }

    fn search_root(&mut self, root: &G::Position, lines: &mut Lines<G::Move>) -> Result<Score, Stopped> {
        self.partial = None;
        self.moves.truncate(0);
        self.begin(root);
        let guess = lines.next().map(|line| line.score);
        match self.params().framework.kind() {
            Algorithm::Minimax => self.define(root),
            Algorithm::Mtdf => self.converge(root, guess.unwrap_or(0)),
            Algorithm::AlphaBeta | Algorithm::Pvs => self.aspire(root, guess, lines),
        }
    }

    fn define(&mut self, root: &G::Position) -> Result<Score, Stopped> {
        self.announce(0, Arrival::by(Purpose::Root));
        let score = self.minimax(root, self.iteration, 0)?;
        let pv = self.frames[0].pv.clone();
        self.partial = (!pv.is_empty()).then_some(Line { score, bound: Bound::Exact, depth: self.iteration, pv });
        Ok(score)
    }

    /// Searches a window round the last score, wider where the score falls outside.
    fn aspire(
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
            self.announce(0, Arrival::by(Purpose::Root));
            let score = self.search::<Pv>(root, self.root_task(window, Expect::Pv))?.score;
            let bound = Bound::of(score, window);
            match bound {
                Bound::Exact => return Ok(score),
                // No move may be left at the root, or the value may lie at the edge of the score range.
                _ if window == Window::FULL => return Ok(score),
                Bound::Upper => {
                    window.alpha = widened(score - margin);
                    self.partial = None;
                }
                Bound::Lower => {
                    window.beta = widened(score + margin);
                    self.mark_partial_as_bound();
                }
            }
            margin = margin.saturating_mul(3).min(INFINITY);
            // Beside other lines a bound would only confuse: its move may stand among them.
            if lines.wanted() == 1 {
                let pv = self.frames[0].pv.clone();
                self.report(&Line { score, bound, depth: self.iteration, pv }, 0);
                lines.overshadow();
            }
        }
    }

    /// MTD(f): null-window searches that close in on the value.
    fn converge(&mut self, root: &G::Position, guess: Score) -> Result<Score, Stopped> {
        let mut known = Window::FULL;
        let mut score = guess;
        while known.alpha < known.beta {
            let beta = score.max(known.alpha + 1);
            self.announce(0, Arrival::by(Purpose::Root));
            score = self.search::<Scout>(root, self.root_task(Window::reaching(beta), Expect::Cut))?.score;
            if score < beta {
                known.beta = score;
            } else {
                known.alpha = score;
                self.mark_partial_as_bound();
            }
        }
        Ok(score)
    }

    fn root_task(&self, window: Window, expect: Expect) -> Task {
        Task { depth: Depth::plies(self.iteration), window, ply: 0, expect, verifying: false }
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

/// A bound of a widened window; beyond what evaluations reach only the full range makes sense.
fn widened(bound: Score) -> Score {
    if bound.abs() > score::EVAL_LIMIT { INFINITY * bound.signum() } else { bound }
}
