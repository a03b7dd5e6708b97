//! Minimax, as in the textbook: the definition that every other algorithm is tested against. It shares the rules of
//! the game's end and of quiescence with the search, and nothing else.

use crate::limits::Stopped;
use crate::quiescence::{self, Beyond, QuiescenceResult};
use crate::worker::Worker;
use crate::{Arrival, End, Entered, Leaving, NodeKind, Policy, Purpose};
use plywise_game::score::{self, INFINITY, MAX_PLY};
use plywise_game::{Depth, Evaluate, Game, Score, Window};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// The minimax value of a position, `depth` plies deep, and its line.
    pub(crate) fn minimax(&mut self, position: &G::Position, depth: i32, ply: usize) -> Result<Score, Stopped> {
        if depth <= 0 || ply >= MAX_PLY {
            return self.minimax_quiescence(position, ply, Beyond::HORIZON);
        }
        self.count_node(ply)?;
        if WATCHED {
            let mv = ply.checked_sub(1).and_then(|ply| self.frames[ply].mv);
            let (depth, window, kind) = (Depth::plies(depth), Window::FULL, NodeKind::Pv);
            let (arrival, count) = (self.frames[ply].arrival, self.nodes);
            let (extension, merit) = (None, &|_| 0);
            let node = Entered { ply, position, mv, extension, depth, window, kind, arrival, count, merit };
            self.observer.enter(&node);
        }
        let (score, end) = self.minimax_node(position, depth, ply)?;
        if WATCHED {
            let (uncertain, evaluation, count) = (false, None, self.nodes);
            self.observer.leave(&Leaving { ply, score, uncertain, evaluation, end, count });
        }
        Ok(score)
    }

    fn minimax_node(&mut self, position: &G::Position, depth: i32, ply: usize) -> Result<(Score, End), Stopped> {
        if let Some(score) = self.arrive(position, ply) {
            return Ok((score, self.end_on_arrival(position)));
        }
        let mut best = -INFINITY;
        for (number, mv) in (1..).zip(G::legal_moves(position)) {
            if ply == 0 && !self.root_moves.contains(&mv) {
                continue;
            }
            let after = G::play(position, mv);
            self.depart(position, ply, mv, &after);
            self.announce(ply + 1, Arrival { number, ..Arrival::by(Purpose::Move) });
            let value = -self.minimax(&after, depth - 1, ply + 1)?;
            if value > best {
                best = value;
                self.extend_pv(ply, mv);
            }
        }
        Ok(match best {
            best if best == -INFINITY => (score::of_outcome(G::stuck(position), ply), End::Over),
            best => (best, End::Moves),
        })
    }

    fn minimax_quiescence(&mut self, position: &G::Position, ply: usize, beyond: Beyond) -> Result<Score, Stopped> {
        self.count_node(ply)?;
        if WATCHED {
            self.tell_entered(position, Window::FULL, ply);
        }
        let result = self.quiescence_node(position, ply, beyond)?;
        if WATCHED {
            self.tell_left(&result, ply);
        }
        Ok(result.score)
    }

    fn quiescence_node(
        &mut self,
        position: &G::Position,
        ply: usize,
        beyond: Beyond,
    ) -> Result<QuiescenceResult, Stopped> {
        if let Some(score) = self.arrive(position, ply) {
            return Ok(QuiescenceResult::without_evaluation(score, self.end_on_arrival(position)));
        }
        if let Some(score) = self.stuck_score(position, ply) {
            return Ok(QuiescenceResult::without_evaluation(score, End::Over));
        }
        if !self.may_go_on(ply, beyond) {
            let score = self.evaluate(position);
            return Ok(QuiescenceResult::evaluated(score));
        }
        let in_check = G::in_check(position);
        let evaluation = (!in_check).then(|| self.evaluate(position));
        let mut best = evaluation.unwrap_or(-INFINITY);
        let mut moves = Vec::new();
        quiescence::for_each_move::<G>(&self.params().quiescence, position, in_check, beyond, |mv| moves.push(mv));
        let next = beyond.next(moves.len());
        if !in_check {
            moves.retain(|&mv| !self.is_left_out_of_quiescence(position, mv));
        }
        for (number, mv) in (1..).zip(moves) {
            let after = G::play(position, mv);
            self.depart(position, ply, mv, &after);
            self.announce(ply + 1, Arrival { number, ..Arrival::by(Purpose::Move) });
            best = best.max(-self.minimax_quiescence(&after, ply + 1, next)?);
        }
        Ok(QuiescenceResult { score: best, evaluation, own_evaluation: evaluation, end: End::Moves })
    }
}
