//! The order in which moves are tried: the table's move, winning tactical moves, killers, quiet moves by history, and
//! last the tactical moves that lose material.
//!
//! Killers: Akl & Newborn, "The principal continuation and the killer heuristic", 1977. History: Schaeffer, "The history
//! heuristic and alpha-beta search enhancements in practice", 1989. Replies are history that depends on the move before, as
//! countermoves do: Uiterwijk, "The countermove heuristic", 1992. Relative history: Winands, van der Werf, van den
//! Herik & Uiterwijk, "The relative history heuristic", 2006.

mod history;
mod rank;
mod stack;

pub(crate) use history::{History, LARGEST_MERIT};
pub(crate) use stack::{Cursor, MoveStack};

use crate::Policy;
use crate::search::Node;
use crate::worker::Worker;
use history::LARGEST_LESSON;
use plywise_game::{Evaluate, Game};
use rank::Order;

/// The part of the order that a move belongs to, in the order of trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MovePhase {
    /// The table suggested it.
    Table,
    /// A tactical move that does not lose material.
    Tactical,
    /// It refuted a sibling.
    Killer,
    /// A quiet move with a good record.
    History,
    /// A quiet move without one.
    Rest,
    /// A tactical move that loses material.
    Losing,
}

/// A move to try, and the part of the order it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<M> {
    pub(crate) mv: M,
    pub(crate) phase: MovePhase,
    /// What places it within its phase; of a move that loses material, what it loses, below 0.
    pub(crate) value: i32,
}

impl<M> Candidate<M> {
    /// Whether it is a quiet move of the ordinary kind: not the table's, not tactical.
    pub(crate) fn is_quiet(&self) -> bool {
        matches!(self.phase, MovePhase::Killer | MovePhase::History | MovePhase::Rest)
    }
}

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// The next move to try at this node. Moves are generated only when the table's move did not do, and quiet moves are
    /// ranked only when the tactical ones did not.
    pub(crate) fn next_move(&mut self, node: &mut Node<G>) -> Option<Candidate<G::Move>> {
        if let Some(mv) = node.unserved_table_move() {
            node.cursor.table_move_served = true;
            return Some(Candidate { mv, phase: MovePhase::Table, value: 0 });
        }
        if !node.cursor.quiets_are_ranked && self.quiets_come_next(node) && node.cursor.has_unranked() {
            self.rank_quiets(node.position, node.ply, &mut node.cursor);
        }
        self.moves.pick(&mut node.cursor)
    }

    /// Whether the quiet moves come next: the table's move is served, and what tactical moves are left lose material.
    pub(crate) fn quiets_come_next(&mut self, node: &mut Node<G>) -> bool {
        if node.cursor.quiets_are_ranked {
            return true;
        }
        if node.unserved_table_move().is_some() {
            return false;
        }
        self.generate(node);
        let losing_last = self.params().ordering.losing_last;
        loop {
            let is_known_to_win = node.cursor.best_is_first;
            let Some(best) = self.moves.best(&mut node.cursor) else { return true };
            if best.phase != MovePhase::Tactical || is_known_to_win {
                return best.phase > MovePhase::Tactical;
            }
            let exchange = if losing_last { G::exchange_value(node.position, best.mv) } else { 0 };
            if exchange >= 0 {
                return false;
            }
            self.moves.mark_best_as_losing(&mut node.cursor, exchange);
        }
    }

    fn rank_quiets(&mut self, position: &G::Position, ply: usize, cursor: &mut Cursor) {
        let order = Order::new(&self.policy.params().ordering, &self.memory.history, &self.frames[ply]);
        self.moves.rank(cursor, |mv| order.quiet::<G>(position, mv));
    }

    /// The next move to try in quiescence.
    pub(crate) fn next_in_quiescence(
        &mut self,
        position: &G::Position,
        ply: usize,
        cursor: &mut Cursor,
    ) -> Option<Candidate<G::Move>> {
        let picked = self.moves.pick(cursor);
        if picked.is_some() || !cursor.has_unranked() {
            return picked;
        }
        self.rank_quiets(position, ply, cursor);
        self.moves.pick(cursor)
    }

    /// Lists the node's moves on the move stack.
    pub(crate) fn generate(&mut self, node: &mut Node<G>) {
        if node.cursor.is_listed() {
            return;
        }
        let order = Order::new(&self.policy.params().ordering, &self.memory.history, &self.frames[node.ply]);
        let (moves, allowed) = (&mut self.moves, &self.root_moves);
        let served = node.cursor.table_move_served;
        let mut cursor = Cursor::listing(moves.len(), served);
        G::moves(node.position, |mv| {
            if Some(mv) == node.table_move {
                if !served {
                    moves.push(&mut cursor, mv, Some((MovePhase::Table, 0)));
                }
            } else if node.ply > 0 || allowed.contains(&mv) {
                moves.push(&mut cursor, mv, order.tactical::<G>(node.position, mv));
            }
        });
        node.cursor = cursor;
    }

    /// Lists the moves that quiescence tries: the tactical ones, or all of them to get out of check.
    pub(crate) fn generate_for_quiescence(&mut self, position: &G::Position, ply: usize, in_check: bool) -> Cursor {
        let order = Order::new(&self.policy.params().ordering, &self.memory.history, &self.frames[ply]);
        let moves = &mut self.moves;
        let mut cursor = Cursor::listing(moves.len(), false);
        let each = |mv| moves.push(&mut cursor, mv, order.tactical::<G>(position, mv));
        if in_check {
            G::moves(position, each);
        } else {
            G::tactical_moves(position, each);
        }
        cursor
    }

    /// What history says about a quiet move, within ±[`LARGEST_MERIT`].
    pub(crate) fn merit(&self, node: &Node<G>, mv: G::Move) -> i32 {
        let (ordering, before) = (&self.params().ordering, self.frames[node.ply].previous_index);
        let merit = self.memory.history.value(ordering, before, G::move_index(node.position, mv));
        merit.clamp(-LARGEST_MERIT, LARGEST_MERIT)
    }

    /// A quiet move turned out best: remember it, and blame those that were tried before it.
    pub(crate) fn learn_order(&mut self, node: &Node<G>, best: G::Move, cuts: bool) {
        if G::tactical_value(node.position, best).is_some() {
            return;
        }
        let killers = &mut self.frames[node.ply].killers;
        if cuts && killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        if self.policy.params().ordering.history == 0 {
            return;
        }
        let plies = node.depth.whole_plies().max(1);
        let bonus = (self.policy.params().ordering.lesson * plies * plies).min(LARGEST_LESSON);
        let before = self.frames[node.ply].previous_index;
        for candidate in self.moves.tried(&node.cursor) {
            if candidate.mv != best && candidate.is_quiet() {
                self.memory.history.blame(before, G::move_index(node.position, candidate.mv), bonus);
            }
        }
        self.memory.history.reward(before, G::move_index(node.position, best), bonus);
    }
}
