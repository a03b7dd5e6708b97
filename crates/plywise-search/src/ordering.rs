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

pub(crate) use history::{Before, History, LARGEST_MERIT, taught};
pub(crate) use stack::{Cursor, MoveStack};

use crate::quiescence::{self, Beyond};
use crate::search::Node;
use crate::worker::Worker;
use crate::{Policy, params};
use history::LARGEST_LESSON;
use plywise_game::{Depth, Evaluate, Game};
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
            if !losing_last || G::exchange_bounds(node.position, best.mv).0 >= 0 {
                return false;
            }
            let exchange = G::exchange_value(node.position, best.mv);
            if exchange >= 0 {
                return false;
            }
            self.moves.mark_best_as_losing(&mut node.cursor, exchange);
        }
    }

    fn rank_quiets(&mut self, position: &G::Position, ply: usize, cursor: &mut Cursor) {
        let order = Order::new(&self.policy.params().ordering, &self.memory.history, &self.frames, ply);
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
        let order = Order::new(&self.policy.params().ordering, &self.memory.history, &self.frames, node.ply);
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

    /// Lists the moves that quiescence tries. The one with the code `suggestion` comes first.
    pub(crate) fn generate_for_quiescence(
        &mut self,
        position: &G::Position,
        ply: usize,
        in_check: bool,
        beyond: Beyond,
        suggestion: u16,
    ) -> Cursor {
        let order = Order::new(&self.policy.params().ordering, &self.memory.history, &self.frames, ply);
        let moves = &mut self.moves;
        let mut cursor = Cursor::listing(moves.len(), false);
        quiescence::for_each_move::<G>(&self.policy.params().quiescence, position, in_check, beyond, |mv| {
            let is_suggested = suggestion != 0 && G::move_code(mv) == suggestion;
            let rank = if is_suggested { Some((MovePhase::Table, 0)) } else { order.tactical::<G>(position, mv) };
            moves.push(&mut cursor, mv, rank);
        });
        cursor
    }

    /// What history says about a quiet move, within ±[`LARGEST_MERIT`].
    pub(crate) fn merit(&self, node: &Node<G>, mv: G::Move) -> i32 {
        let ordering = &self.params().ordering;
        let before = Before::at(ordering, &self.frames, node.ply);
        let merit = self.memory.history.value(ordering, &before, G::move_index(node.position, mv));
        merit.clamp(-LARGEST_MERIT, LARGEST_MERIT)
    }

    /// A move turned out best: remember it, and blame those that were searched before it. A quiet move says nothing for
    /// tactical ones, which it did not compete with; but each tactical move that was searched in vain is blamed.
    pub(crate) fn learn_order(&mut self, node: &Node<G>, best: G::Move, cuts: bool) {
        let is_tactical = |mv| G::tactical_value(node.position, mv).is_some();
        let ordering = &self.policy.params().ordering;
        let bonus = lesson(ordering, node.depth);
        // The table's move is not on the list where it came first.
        let table_move = node.table_move.filter(|&mv| node.so_far.searched_table_move && mv != best);
        let in_vain = self.moves.searched(&node.cursor).filter(|one| one.mv != best);
        if ordering.captures > 0 && G::CAPTURE_INDICES > 0 {
            let listed = in_vain.clone().filter(|one| matches!(one.phase, MovePhase::Tactical | MovePhase::Losing));
            for mv in table_move.filter(|&mv| is_tactical(mv)).into_iter().chain(listed.map(|one| one.mv)) {
                self.memory.history.teach_capture(G::capture_index(node.position, mv), -bonus);
            }
            if is_tactical(best) {
                self.memory.history.teach_capture(G::capture_index(node.position, best), bonus);
            }
        }
        if is_tactical(best) {
            return;
        }
        let killers = &mut self.frames[node.ply].killers;
        if cuts && killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        if ordering.history == 0 {
            return;
        }
        let before = Before::at(ordering, &self.frames, node.ply);
        let listed = in_vain.filter(Candidate::is_quiet).map(|one| one.mv);
        for mv in table_move.filter(|&mv| !is_tactical(mv)).into_iter().chain(listed) {
            self.memory.history.blame(&before, G::move_index(node.position, mv), bonus);
        }
        self.memory.history.reward(&before, G::move_index(node.position, best), bonus);
    }

    /// No move of this node raised alpha: the quiet move that led here was good.
    pub(crate) fn praise_unrefuted(&mut self, node: &Node<G>) {
        let ordering = &self.policy.params().ordering;
        if ordering.unrefuted == 0 || ordering.history == 0 || node.ply == 0 || node.excluded.is_some() {
            return;
        }
        if let Some(index) = self.frames[node.ply].quiet_index {
            let bonus = lesson(ordering, node.depth) * ordering.unrefuted / 100;
            let before = Before::at(ordering, &self.frames, node.ply - 1);
            self.memory.history.reward(&before, index, bonus);
        }
    }
}

/// What a node of this depth teaches history.
fn lesson(ordering: &params::Ordering, depth: Depth) -> i32 {
    let plies = depth.whole_plies().max(1);
    (ordering.lesson * plies * plies).min(LARGEST_LESSON)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::techniques::fixture::*;

    /// What history says of each move of a position after it was searched.
    fn lessons(ask: Ask, moves: u8, table_move: Option<u8>) -> Vec<i32> {
        let (position, mut merits) = (ask.position.clone(), Vec::new());
        let prepared = ask.with("ordering.table_move").with("table").with("ordering.history=1");
        prepared.search_between(
            |worker| {
                if let Some(mv) = table_move {
                    worker.table.store(Told::hash(&position), &entry(0, Bound::Lower, 0, mv));
                }
            },
            |worker| {
                let ordering = &worker.params().ordering;
                let merit =
                    |mv| worker.memory.history.value(ordering, &Before::default(), Told::move_index(&position, mv));
                merits = (0..moves).map(merit).collect();
            },
        );
        merits
    }

    #[test]
    fn moves_that_were_searched_in_vain_are_blamed_and_no_others() {
        // The second of three moves loses material where it lands, and is left out.
        let gift = || Move { exchange: -500, ..quiet(0) };
        let here = || position(0, [quiet(1), gift(), quiet(60)]);
        let spared = lessons(Ask::cut(here(), 2, 50).with("losing_exchanges"), 3, None);
        assert!(spared[0] < 0 && spared[1] == 0 && spared[2] > 0, "{spared:?}");
        let searched = lessons(Ask::cut(here(), 2, 50), 3, None);
        assert!(searched[0] < 0 && searched[1] < 0 && searched[2] > 0, "{searched:?}");
    }

    #[test]
    fn a_quiet_move_that_no_reply_refutes_is_praised() {
        // Black's only reply loses; White's cut teaches 4, and the node after it 1 at the most.
        let merit = |first: fn(Position) -> Move, percent: i32| {
            let here = position(0, [first(position(0, [quiet(-60)])), quiet(1)]);
            lessons(Ask::cut(here, 2, 50).with(&format!("ordering.unrefuted={percent}")), 2, None)[0]
        };
        assert_eq!([0, 100, 200].map(|percent| merit(to, percent)), [4, 5, 6]);
        let tactical = |after| Move { is_tactical: true, ..to(after) };
        assert_eq!(merit(tactical, 200), 0);
    }

    #[test]
    fn a_table_move_that_failed_is_blamed() {
        let here = || position(0, [quiet(60), quiet(1), quiet(2)]);
        let merits = lessons(Ask::cut(here(), 2, 50), 3, Some(1));
        assert!(merits[0] > 0 && merits[1] < 0 && merits[2] == 0, "{merits:?}");
        let good = lessons(Ask::cut(here(), 2, 50), 3, Some(0));
        assert!(good[0] > 0 && good[1] == 0 && good[2] == 0, "{good:?}");
    }
}
