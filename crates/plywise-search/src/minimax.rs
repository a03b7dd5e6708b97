//! Minimax, as in the textbook: the definition that every other algorithm is tested against. It shares the rules of
//! the game's end and of quiescence with the search, and nothing else.

use crate::Policy;
use crate::limits::Stopped;
use crate::quiescence::Beyond;
use crate::worker::Worker;
use plywise_game::score::{self, INFINITY, MAX_PLY};
use plywise_game::{Evaluate, Game, Score};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// The minimax value of a position, `depth` plies deep, and its line.
    pub(crate) fn minimax(&mut self, position: &G::Position, depth: i32, ply: usize) -> Result<Score, Stopped> {
        if depth <= 0 || ply >= MAX_PLY {
            return self.minimax_quiescence(position, ply, Beyond::HORIZON);
        }
        self.count_node(ply)?;
        if let Some(score) = self.arrive(position, ply) {
            return Ok(score);
        }
        let mut best = -INFINITY;
        for mv in G::legal_moves(position) {
            if ply == 0 && !self.root_moves.contains(&mv) {
                continue;
            }
            let after = G::play(position, mv);
            self.depart(position, ply, mv, &after);
            let value = -self.minimax(&after, depth - 1, ply + 1)?;
            if value > best {
                best = value;
                self.extend_pv(ply, mv);
            }
        }
        Ok(if best == -INFINITY { score::of_outcome(G::stuck(position), ply) } else { best })
    }

    fn minimax_quiescence(&mut self, position: &G::Position, ply: usize, beyond: Beyond) -> Result<Score, Stopped> {
        self.count_node(ply)?;
        if let Some(score) = self.arrive(position, ply) {
            return Ok(score);
        }
        if !self.may_go_on(ply, beyond) {
            return Ok(self.evaluate(position));
        }
        let in_check = G::in_check(position);
        let mut best = if in_check { -INFINITY } else { self.evaluate(position) };
        let mut moves = Vec::new();
        if in_check {
            G::moves(position, |mv| moves.push(mv));
        } else {
            G::tactical_moves(position, |mv| moves.push(mv));
        }
        let next = beyond.next(moves.len());
        if !in_check {
            moves.retain(|&mv| !self.is_left_out_of_quiescence(position, mv));
        }
        for mv in moves {
            let after = G::play(position, mv);
            self.depart(position, ply, mv, &after);
            best = best.max(-self.minimax_quiescence(&after, ply + 1, next)?);
        }
        Ok(if best == -INFINITY { score::of_outcome(G::stuck(position), ply) } else { best })
    }
}
