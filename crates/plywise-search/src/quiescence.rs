//! Quiescence: at the horizon, tactical moves are played out before the position is evaluated. The side to move may stand
//! pat instead, unless it is in check (Beal, "A generalised quiescence search algorithm", 1990).
//!
//! Where every ply has many tactical moves, lines of them run out too late: a line ends where it is one of too many. That
//! depends on the moves of the line alone, not on the window, so quiescence keeps one value for each position.

use crate::limits::Stopped;
use crate::params::Quiescence;
use crate::table::to_table;
use crate::worker::{Frame, Worker};
use crate::{Arrival, Bound, End, Entered, Entry, Leaving, NodeKind, Policy, Purpose, Technique};
use plywise_game::score::{self, INFINITY, MAX_PLY};
use plywise_game::{Depth, Evaluate, Game, Score, Window};

/// How a node of quiescence was left.
pub(crate) struct QuiescenceResult {
    pub(crate) score: Score,
    pub(crate) evaluation: Option<Score>,
    pub(crate) end: End,
}

impl QuiescenceResult {
    pub(crate) fn without_evaluation(score: Score, end: End) -> QuiescenceResult {
        QuiescenceResult { score, evaluation: None, end }
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
        let (&QuiescenceResult { score, evaluation, end }, count) = (calm, self.nodes);
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
            return Ok(QuiescenceResult { score, evaluation: Some(score), end: End::Evaluated });
        }
        // The value of a line's later nodes depends on how long the line may still become, so only its first is stored.
        let uses_table = beyond.is_horizon() && self.params().quiescence.table && self.params().table.on();
        if uses_table && let Some(score) = self.known_at_horizon(window, ply) {
            return Ok(QuiescenceResult::without_evaluation(score, End::Cut(Technique::Table)));
        }
        let (calm, best_move) = self.quiesce_moves(position, window, ply, beyond)?;
        let best = calm.score;
        if uses_table {
            let entry = Entry {
                score: to_table(best, ply),
                bound: Bound::of(best, window),
                depth: Depth::ZERO,
                move_code: best_move.map_or(0, G::move_code),
                uncertain: false,
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
    ) -> Result<(QuiescenceResult, Option<G::Move>), Stopped> {
        let in_check = G::in_check(position);
        let mut best = -INFINITY;
        let mut stand_pat = None;
        if !in_check {
            best = self.evaluate(position);
            stand_pat = Some(best);
            window = window.raise(best);
            if best >= window.beta {
                return Ok((QuiescenceResult { score: best, evaluation: stand_pat, end: End::StandPat }, None));
            }
        }
        let mut best_move = None;
        let mut number = 0;
        let mut cursor = self.generate_for_quiescence(position, ply, in_check);
        let next = beyond.next(cursor.count());
        while let Some(candidate) = self.next_in_quiescence(position, ply, &mut cursor) {
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
        Ok((QuiescenceResult { score: best, evaluation: stand_pat, end: End::Moves }, best_move))
    }

    /// The score of a position without a move: the game is over there, which an evaluation does not know.
    pub(crate) fn stuck_score(&self, position: &G::Position, ply: usize) -> Option<Score> {
        G::is_stuck(position).then(|| score::of_outcome(G::stuck(position), ply))
    }

    pub(crate) fn may_go_on(&self, ply: usize, beyond: Beyond) -> bool {
        beyond.goes_on(&self.params().quiescence) && ply < MAX_PLY
    }

    pub(crate) fn is_left_out_of_quiescence(&self, position: &G::Position, mv: G::Move) -> bool {
        self.params().quiescence.leave_out_losing && G::exchange_value(position, mv) < 0
    }

    /// What a tactical move could reach at most, if that is too little to try it: it loses material, or what its
    /// exchanges win does not lift the evaluation to alpha. Never in check, where nobody can stand pat.
    fn hopeless(&self, position: &G::Position, mv: G::Move, stand_pat: Option<Score>, alpha: Score) -> Option<Score> {
        let (stand_pat, params) = (stand_pat?, &self.params().quiescence);
        if params.margin == 0 {
            return self.is_left_out_of_quiescence(position, mv).then_some(-INFINITY);
        }
        let gain = G::exchange_value(position, mv);
        if gain < 0 && params.leave_out_losing {
            return Some(-INFINITY);
        }
        let hope = stand_pat + gain + params.margin;
        (hope <= alpha && !G::gives_check(position, mv)).then_some(hope)
    }

    fn known_at_horizon(&mut self, window: Window, ply: usize) -> Option<Score> {
        let entry = self.table.probe(self.hash_at(ply))?;
        self.counters.tried(Technique::Table);
        let fits = !self.params().table.equal_depth_only || entry.depth == Depth::ZERO;
        let settled = fits.then(|| entry.settles(window, ply)).flatten()?;
        self.counters.cut(Technique::Table);
        Some(settled)
    }
}
