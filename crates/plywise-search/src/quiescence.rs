//! Quiescence: at the horizon, tactical moves are played out before the position is evaluated. The side to move may stand
//! pat instead, unless it is in check (Beal, "A generalised quiescence search algorithm", 1990).
//!
//! Where every ply has many tactical moves, lines of them run out too late: a line ends where it is one of too many. That
//! depends on the moves of the line alone, not on the window, so quiescence keeps one value for each position.

use crate::limits::Stopped;
use crate::params::Quiescence;
use crate::search::kept_in_range;
use crate::table::to_table;
use crate::worker::{Frame, Worker};
use crate::{Arrival, Bound, End, Entered, Entry, Leaving, NodeKind, Policy, Purpose, Technique};
use plywise_game::score::{self, INFINITY, MAX_PLY};
use plywise_game::{Depth, Evaluate, Game, Score, Window};

/// How a node of quiescence was left.
pub(crate) struct QuiescenceResult {
    pub(crate) score: Score,
    /// The evaluation, corrected.
    pub(crate) evaluation: Option<Score>,
    /// What the evaluation itself says.
    pub(crate) own_evaluation: Option<Score>,
    pub(crate) end: End,
}

impl QuiescenceResult {
    /// The line is not played on.
    pub(crate) fn evaluated(score: Score) -> QuiescenceResult {
        QuiescenceResult { score, evaluation: Some(score), own_evaluation: Some(score), end: End::Evaluated }
    }

    pub(crate) fn without_evaluation(score: Score, end: End) -> QuiescenceResult {
        QuiescenceResult { score, evaluation: None, own_evaluation: None, end }
    }
}

/// How far a line has gone beyond the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// Plies after the horizon.
    plies: i32,
    /// It is one of this many: the product of the numbers of moves that its nodes had to choose from.
    lines: u64,
}

impl Beyond {
    /// Where quiescence begins.
    pub const HORIZON: Beyond = Beyond { plies: 0, lines: 1 };

    /// The next ply of a line that could have gone on in `choices` ways.
    pub fn next(self, choices: usize) -> Beyond {
        Beyond { plies: self.plies + 1, lines: self.lines.saturating_mul(choices as u64) }
    }

    /// Whether a line that has come so far is played on, and not just evaluated.
    pub fn goes_on(self, quiescence: &Quiescence) -> bool {
        quiescence.on() && self.plies < quiescence.plies && self.lines <= quiescence.breadth as u64
    }

    fn is_horizon(self) -> bool {
        self.plies == 0
    }
}

/// The moves that a node of quiescence may try: all of them to get out of check, else the tactical ones and perhaps checks.
pub(crate) fn for_each_move<G: Game>(
    params: &Quiescence,
    position: &G::Position,
    in_check: bool,
    beyond: Beyond,
    mut each: impl FnMut(G::Move),
) {
    if in_check {
        G::moves(position, each);
    } else if params.checks && beyond.is_horizon() {
        G::moves(position, |mv| {
            if G::tactical_value(position, mv).is_some() || G::gives_check(position, mv) {
                each(mv);
            }
        });
    } else {
        G::tactical_moves(position, each);
    }
}

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// The value of a position at the horizon, or `beyond` it.
    pub(crate) fn quiesce(
        &mut self,
        position: &G::Position,
        window: Window,
        ply: usize,
        beyond: Beyond,
    ) -> Result<Score, Stopped> {
        self.count_node(ply)?;
        if WATCHED {
            self.tell_entered(position, window, ply);
        }
        let calm = self.calm(position, window, ply, beyond)?;
        if WATCHED {
            self.tell_left(&calm, ply);
        }
        Ok(calm.score)
    }

    /// Tells who watches that a node of quiescence is left.
    pub(crate) fn tell_left(&mut self, calm: &QuiescenceResult, ply: usize) {
        let (&QuiescenceResult { score, evaluation, end, .. }, count) = (calm, self.nodes);
        self.observer.leave_quiescence(&Leaving { ply, score, uncertain: false, evaluation, end, count });
    }

    /// Tells who watches that a node of quiescence is entered.
    pub(crate) fn tell_entered(&mut self, position: &G::Position, window: Window, ply: usize) {
        let mv = ply.checked_sub(1).and_then(|ply| self.frames[ply].mv);
        let Frame { extension, arrival, .. } = self.frames[ply];
        let (depth, kind, count, merit) = (Depth::ZERO, NodeKind::Quiescence, self.nodes, &|_| 0);
        let node = Entered { ply, position, mv, extension, depth, window, kind, arrival, count, merit };
        self.observer.enter_quiescence(&node);
    }

    #[inline(always)]
    fn calm(
        &mut self,
        position: &G::Position,
        window: Window,
        ply: usize,
        beyond: Beyond,
    ) -> Result<QuiescenceResult, Stopped> {
        if let Some(score) = self.arrive(position, ply) {
            return Ok(QuiescenceResult::without_evaluation(score, self.end_on_arrival(position)));
        }
        if beyond.is_horizon()
            && let Some(score) = self.solve(position, ply, Depth::ZERO, window)?
        {
            return Ok(QuiescenceResult::without_evaluation(score, End::Cut(Technique::Solver)));
        }
        if let Some(score) = self.stuck_score(position, ply) {
            return Ok(QuiescenceResult::without_evaluation(score, End::Over));
        }
        self.estimated = true;
        if !self.may_go_on(ply, beyond) {
            let score = self.evaluate(position);
            return Ok(QuiescenceResult::evaluated(score));
        }
        // The value of a line's later nodes depends on how long the line may still become, so only its first is stored, unless
        // asked to.
        let quiescence = &self.params().quiescence;
        let uses_table =
            (beyond.is_horizon() && quiescence.table || quiescence.table_beyond) && self.params().table.on();
        let entry = uses_table.then(|| self.table.probe(self.hash_at(ply))).flatten();
        if let Some(score) = entry.and_then(|entry| self.known_at_horizon(&entry, window, ply)) {
            return Ok(QuiescenceResult::without_evaluation(score, End::Cut(Technique::Table)));
        }
        let (calm, best_move) = self.quiesce_moves(position, window, ply, beyond, entry)?;
        let best = calm.score;
        if uses_table {
            let entry = Entry {
                score: to_table(best, ply),
                bound: Bound::of(best, window),
                depth: Depth::ZERO,
                move_code: best_move.map_or(0, G::move_code),
                uncertain: false,
                on_pv: false,
                evaluation: calm.own_evaluation,
            };
            self.table.store(self.hash_at(ply), &entry);
        }
        Ok(calm)
    }

    fn quiesce_moves(
        &mut self,
        position: &G::Position,
        mut window: Window,
        ply: usize,
        beyond: Beyond,
        entry: Option<Entry>,
    ) -> Result<(QuiescenceResult, Option<G::Move>), Stopped> {
        let in_check = G::in_check(position);
        let mut best = -INFINITY;
        let (mut stand_pat, mut own_evaluation) = (None, None);
        if !in_check {
            let known = entry.and_then(|entry| entry.evaluation);
            let own = known.unwrap_or_else(|| self.evaluate(position));
            own_evaluation = Some(own);
            best = kept_in_range(own + self.correction(position));
            stand_pat = Some(best);
            window = window.raise(best);
            if best >= window.beta {
                let (evaluation, end) = (stand_pat, End::StandPat);
                return Ok((QuiescenceResult { score: best, evaluation, own_evaluation, end }, None));
            }
        }
        let mut best_move = None;
        let mut number = 0;
        let suggestion = entry.filter(|_| self.params().quiescence.table_beyond).map_or(0, |entry| entry.move_code);
        let mut cursor = self.generate_for_quiescence(position, ply, in_check, beyond, suggestion);
        let next = beyond.next(cursor.count());
        while let Some(candidate) = self.next_in_quiescence(position, ply, &mut cursor) {
            if self.params().quiescence.few_evasions && in_check && candidate.is_quiet() && best > -score::WIN_THRESHOLD
            {
                continue;
            }
            if let Some(hope) = self.hopeless(position, candidate.mv, stand_pat, window.alpha) {
                best = best.max(hope);
                continue;
            }
            number += 1;
            let after = G::play(position, candidate.mv);
            self.depart(position, ply, candidate.mv, &after);
            let phase = Some(candidate.phase);
            self.announce(ply + 1, Arrival { number, phase, ..Arrival::by(Purpose::Move) });
            let value = -self.quiesce(&after, -window, ply + 1, next)?;
            if value > best {
                best = value;
                best_move = Some(candidate.mv);
                window = window.raise(value);
                if value >= window.beta {
                    break;
                }
            }
        }
        self.moves.truncate(cursor.start);
        let (evaluation, end) = (stand_pat, End::Moves);
        Ok((QuiescenceResult { score: best, evaluation, own_evaluation, end }, best_move))
    }

    /// The score of a position without a move: the game is over there, which an evaluation does not know.
    pub(crate) fn stuck_score(&self, position: &G::Position, ply: usize) -> Option<Score> {
        G::is_stuck(position).then(|| score::of_outcome(G::stuck(position), ply))
    }

    pub(crate) fn may_go_on(&self, ply: usize, beyond: Beyond) -> bool {
        beyond.goes_on(&self.params().quiescence) && ply < MAX_PLY
    }

    pub(crate) fn is_left_out_of_quiescence(&self, position: &G::Position, mv: G::Move) -> bool {
        self.params().quiescence.leave_out_losing && G::loses_exchange(position, mv)
    }

    /// What a tactical move could reach at most, if that is too little to try it: it loses material, or what its
    /// exchanges win does not lift the evaluation to alpha. Never in check, where standing pat is not possible.
    fn hopeless(&self, position: &G::Position, mv: G::Move, stand_pat: Option<Score>, alpha: Score) -> Option<Score> {
        let (stand_pat, params) = (stand_pat?, &self.params().quiescence);
        if params.margin == 0 {
            return self.is_left_out_of_quiescence(position, mv).then_some(-INFINITY);
        }
        // Most moves need no more than the bounds. That a move wins too little is judged by its exact value: a loose bound
        // would leave the node with a loose value, which costs more nodes than exchanges cost time.
        let (least, _) = G::exchange_bounds(position, mv);
        let hope = |gain| stand_pat + gain + params.margin;
        if least >= 0 && hope(least) > alpha {
            return None;
        }
        let gain = G::exchange_value(position, mv);
        if gain < 0 && params.leave_out_losing {
            return Some(-INFINITY);
        }
        (hope(gain) <= alpha && !G::gives_check(position, mv)).then_some(hope(gain))
    }

    fn known_at_horizon(&mut self, entry: &Entry, window: Window, ply: usize) -> Option<Score> {
        self.counters.tried(Technique::Table);
        let fits = !self.params().table.equal_depth_only || entry.depth == Depth::ZERO;
        let settled = fits.then(|| entry.settles(window, ply)).flatten()?;
        self.counters.cut(Technique::Table);
        Some(settled)
    }
}
