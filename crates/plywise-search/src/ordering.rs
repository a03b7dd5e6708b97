//! The order in which moves are tried: the table's move, winning tactical moves, killers, quiet moves by history, and
//! last the tactical moves that lose material.
//!
//! Killers: Akl & Newborn, "The principal continuation and the killer heuristic", 1977. History: Schaeffer, "The history
//! heuristic and alpha-beta search enhancements in practice", 1989. Replies are history that depends on the move before, as
//! countermoves do: Uiterwijk, "The countermove heuristic", 1992. Relative history: Winands, van der Werf, van den
//! Herik & Uiterwijk, "The relative history heuristic", 2006.

use crate::params;
use crate::search::Node;
use crate::worker::{Frame, Worker};
use crate::{Observer, Policy};
use plywise_game::{Evaluate, Game};

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

/// How early a move is tried: the greatest key first. From the high end it holds the phase, the value within the phase,
/// and which of its node's moves it is. No two moves of a node share a key, so that the order never depends on how often
/// it was asked for, and a key alone tells the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64);

// The parts of a key.
const PHASE: u32 = 48;
const VALUE: u32 = 16;

impl Key {
    #[inline]
    fn new(phase: MovePhase, value: i32, number: usize) -> Key {
        debug_assert!(number <= usize::from(u16::MAX), "no game has so many moves in a position");
        let value = u64::from(value as u32 ^ 1 << 31);
        Key((MovePhase::Losing as u64 - phase as u64) << PHASE | value << VALUE | u64::from(!(number as u16)))
    }

    /// A move that has not been ranked yet.
    fn unranked(number: usize) -> Key {
        Key::new(MovePhase::Rest, 0, number)
    }

    /// What places the move within its phase.
    #[inline]
    fn value(self) -> i32 {
        (self.0 >> VALUE) as i32 ^ 1 << 31
    }

    #[inline]
    fn phase(self) -> MovePhase {
        match self.0 >> PHASE {
            0 => MovePhase::Losing,
            1 => MovePhase::Rest,
            2 => MovePhase::History,
            3 => MovePhase::Killer,
            4 => MovePhase::Tactical,
            _ => MovePhase::Table,
        }
    }

    /// Which of its node's moves it is, in the order of generation.
    #[inline]
    fn number(self) -> usize {
        usize::from(!(self.0 as u16))
    }
}

/// The moves of all nodes on the current line, one after the other, and beside them their keys. Only keys change places.
pub(crate) struct MoveStack<M> {
    moves: Vec<M>,
    keys: Vec<Key>,
}

impl<M: Copy> MoveStack<M> {
    pub(crate) fn with_capacity(capacity: usize) -> MoveStack<M> {
        MoveStack { moves: Vec::with_capacity(capacity), keys: Vec::with_capacity(capacity) }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.moves.truncate(len);
        self.keys.truncate(len);
    }

    /// Adds a move to the node at the top. One with a rank goes to those that can be picked, before the others.
    #[inline]
    fn push(&mut self, cursor: &mut Cursor, mv: M, rank: Option<(MovePhase, i32)>) {
        let number = cursor.end - cursor.start;
        self.moves.push(mv);
        match rank {
            Some((phase, value)) => {
                self.keys.push(Key::new(phase, value, number));
                self.keys.swap(cursor.ranked, cursor.end);
                cursor.ranked += 1;
            }
            None => self.keys.push(Key::unranked(number)),
        }
        cursor.end += 1;
    }

    /// Ranks the moves of a node that have no rank yet.
    fn rank(&mut self, cursor: &mut Cursor, rank: impl Fn(M) -> (MovePhase, i32)) {
        for key in &mut self.keys[cursor.ranked..cursor.end] {
            let number = key.number();
            let (phase, value) = rank(self.moves[cursor.start + number]);
            *key = Key::new(phase, value, number);
        }
        cursor.ranked = cursor.end;
    }

    /// All moves of a node, in the order of generation.
    pub(crate) fn of_node(&self, cursor: &Cursor) -> &[M] {
        &self.moves[cursor.start..cursor.end]
    }

    /// The moves of a node that have been tried.
    fn tried(&self, cursor: &Cursor) -> impl Iterator<Item = Candidate<M>> {
        self.keys[cursor.start..cursor.next].iter().map(|key| self.candidate(cursor, *key))
    }

    /// Of the quiet moves that are left, keeps those that `keep` says; how many there were, and how many it removed.
    pub(crate) fn retain_quiets(&mut self, cursor: &mut Cursor, keep: impl Fn(M) -> bool) -> (usize, usize) {
        let (mut tried, mut removed) = (0, 0);
        let mut ranked = cursor.ranked;
        for at in cursor.next..cursor.end {
            let candidate = self.candidate(cursor, self.keys[at]);
            let remove = candidate.is_quiet() && !keep(candidate.mv);
            tried += usize::from(candidate.is_quiet());
            self.keys[at - removed] = self.keys[at];
            removed += usize::from(remove);
            ranked -= usize::from(remove && at < cursor.ranked);
        }
        *cursor = Cursor { ranked, end: cursor.end - removed, left_out: cursor.left_out + removed, ..*cursor };
        (tried, removed)
    }

    #[inline]
    fn candidate(&self, cursor: &Cursor, key: Key) -> Candidate<M> {
        Candidate { mv: self.moves[cursor.start + key.number()], phase: key.phase(), value: key.value() }
    }

    /// Takes the most promising of the ranked moves that are left.
    #[inline]
    fn pick(&mut self, cursor: &mut Cursor) -> Option<Candidate<M>> {
        let rest = &mut self.keys[cursor.next..cursor.ranked];
        // Two passes: the first looks at every key without branching, the second stops at the best.
        let best = rest.iter().copied().max()?;
        let place = rest.iter().position(|key| *key == best)?;
        rest.swap(0, place);
        cursor.next += 1;
        Some(self.candidate(cursor, best))
    }

    /// Puts the move that was picked last back, as one that loses so much material.
    fn put_back_as_losing(&mut self, cursor: &mut Cursor, exchange: i32) {
        cursor.next -= 1;
        let key = &mut self.keys[cursor.next];
        *key = Key::new(MovePhase::Losing, exchange, key.number());
    }
}

/// Where a node's moves lie on the move stack, and how far they have been tried. Quiet moves are ranked only once the
/// tactical ones did not do: most cuts come before, and what history says is costly to look up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    pub(crate) start: usize,
    next: usize,
    /// The moves from here on have no rank yet.
    ranked: usize,
    end: usize,
    /// Moves that were left out before they were picked.
    left_out: usize,
    generated: bool,
    table_move_served: bool,
}

impl Cursor {
    /// No moves yet, where the move stack ends at `top`.
    pub(crate) fn at(top: usize) -> Cursor {
        Cursor { start: top, next: top, ranked: top, end: top, ..Cursor::default() }
    }

    /// Begins again with the first move; what was sorted stays sorted.
    pub(crate) fn rewind(&mut self) {
        self.next = self.start;
    }

    /// Whether the node is known to have one move only.
    pub(crate) fn is_only_move(&self) -> bool {
        self.generated && self.count() == 1
    }

    /// Whether quiet moves are listed that have no rank yet.
    fn has_unranked(&self) -> bool {
        self.ranked < self.end
    }

    /// How many moves the node has, once they are generated.
    pub(crate) fn count(&self) -> usize {
        debug_assert!(self.generated);
        self.end - self.start + self.left_out + usize::from(self.table_move_served)
    }
}

/// What quiet moves have achieved so far in this search and the ones before it.
pub(crate) struct History {
    merit: Vec<i32>,
    /// By the move and the one before it; pairs share a slot where there are too many of them. Empty until it is used.
    replies: Vec<i16>,
    hits: Vec<u32>,
    tries: Vec<u32>,
}

/// Merits stay within ± this: the closer to it, the less another success adds.
pub(crate) const LARGEST_MERIT: i32 = 1 << 14;
/// One cut changes a merit by this at the most.
const LARGEST_LESSON: i32 = LARGEST_MERIT / 8;
/// Slots for replies.
const REPLIES: usize = 1 << 18;
/// Relative history is a fraction of this.
const WHOLE: u64 = 1 << 14;

impl History {
    pub(crate) fn new(indices: usize) -> History {
        History { merit: vec![0; indices], replies: Vec::new(), hits: vec![0; indices], tries: vec![0; indices] }
    }

    /// The merit of a move, by its index and that of the move before it, within ±2^14.
    #[inline]
    fn value(&self, ordering: &params::Ordering, before: Option<usize>, index: usize) -> i32 {
        let alone = match ordering.history {
            0 => 0,
            1 => self.merit[index],
            _ => (u64::from(self.hits[index]) * WHOLE / u64::from(self.tries[index].max(1))) as i32,
        };
        match before {
            Some(before) if ordering.replies > 0 => {
                let reply = self.replies.get(reply_slot(before, index)).map_or(0, |&merit| merit.into());
                (alone * 100 + reply * ordering.replies) / (100 + ordering.replies)
            }
            _ => alone,
        }
    }

    fn reward(&mut self, before: Option<usize>, index: usize, bonus: i32) {
        self.shift(before, index, bonus);
        self.hits[index] = self.hits[index].saturating_add(bonus as u32);
        self.tries[index] = self.tries[index].saturating_add(bonus as u32);
    }

    fn blame(&mut self, before: Option<usize>, index: usize, malus: i32) {
        self.shift(before, index, -malus);
        self.tries[index] = self.tries[index].saturating_add(malus as u32);
    }

    fn shift(&mut self, before: Option<usize>, index: usize, by: i32) {
        let shifted = |merit: i32| merit + by - merit * by.abs() / LARGEST_MERIT;
        self.merit[index] = shifted(self.merit[index]);
        if let Some(before) = before {
            self.replies.resize(REPLIES, 0);
            let reply = &mut self.replies[reply_slot(before, index)];
            *reply = shifted((*reply).into()) as i16;
        }
    }

    /// Lets old experience fade before the next search.
    pub(crate) fn fade(&mut self) {
        self.merit.iter_mut().for_each(|merit| *merit /= 2);
        self.replies.iter_mut().for_each(|merit| *merit /= 2);
        self.hits.iter_mut().for_each(|hits| *hits /= 2);
        self.tries.iter_mut().for_each(|tries| *tries /= 2);
    }
}

/// The slot of a pair of moves: numbers that are prime and large spread neighbours over the table.
fn reply_slot(before: usize, index: usize) -> usize {
    (before.wrapping_mul(0x9e37_79b1) ^ index.wrapping_mul(0x85eb_ca77)) >> 7 & (REPLIES - 1)
}

/// What the order of a node's moves depends on.
struct Order<'a, M> {
    ordering: &'a params::Ordering,
    history: &'a History,
    /// Only as many as are in use.
    killers: [Option<M>; 2],
    before: Option<usize>,
}

impl<'a, M: Copy + Eq> Order<'a, M> {
    fn new<G: Game<Move = M>>(ordering: &'a params::Ordering, history: &'a History, frame: &Frame<G>) -> Order<'a, M> {
        let [first, second] = frame.killers;
        let killers = [first.filter(|_| ordering.killers > 0), second.filter(|_| ordering.killers > 1)];
        Order { ordering, history, killers, before: frame.answers }
    }

    /// The rank of a tactical move.
    #[inline]
    fn tactical<G: Game<Move = M>>(&self, position: &G::Position, mv: M) -> Option<(MovePhase, i32)> {
        let value = if self.ordering.tactical == 1 { G::tactical_value(position, mv) } else { None };
        value.map(|value| (MovePhase::Tactical, value))
    }

    /// The rank of a move that is not tactical.
    #[inline]
    fn quiet<G: Game<Move = M>>(&self, position: &G::Position, mv: M) -> (MovePhase, i32) {
        if self.killers[0] == Some(mv) {
            (MovePhase::Killer, 1)
        } else if self.killers[1] == Some(mv) {
            (MovePhase::Killer, 0)
        } else {
            let merit = self.history.value(self.ordering, self.before, G::move_index(position, mv));
            (if merit > 0 { MovePhase::History } else { MovePhase::Rest }, merit)
        }
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>, P: Policy> Worker<'_, G, E, O, P> {
    /// The next move to try at this node. Moves are generated only when the table's move did not do.
    pub(crate) fn next_move(&mut self, node: &mut Node<G>) -> Option<Candidate<G::Move>> {
        if !node.cursor.generated {
            if let Some(mv) = node.table_move.filter(|_| !node.cursor.table_move_served) {
                node.cursor.table_move_served = true;
                return Some(Candidate { mv, phase: MovePhase::Table, value: 0 });
            }
            self.generate(node);
        }
        loop {
            if !node.cursor.has_unranked() {
                self.leave_out_quiets(node);
            }
            let picked = self.moves.pick(&mut node.cursor);
            match picked.map(|picked| (picked.phase, picked.mv)) {
                Some((MovePhase::Tactical, mv)) => {
                    let exchange = G::exchange_value(node.position, mv);
                    if exchange >= 0 {
                        return picked;
                    }
                    self.moves.put_back_as_losing(&mut node.cursor, exchange);
                }
                // Quiet moves come before those that lose material.
                Some((MovePhase::Losing, _)) | None if node.cursor.has_unranked() => {
                    node.cursor.next -= usize::from(picked.is_some());
                    self.leave_out_quiets(node);
                    self.rank_quiets(node.position, node.ply, &mut node.cursor);
                }
                _ => return picked,
            }
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
        if node.cursor.generated {
            return;
        }
        let order = Order::new(&self.policy.params().ordering, &self.memory.history, &self.frames[node.ply]);
        let (moves, allowed) = (&mut self.moves, &self.root_moves);
        let served = node.cursor.table_move_served;
        let mut cursor = Cursor { generated: true, table_move_served: served, ..Cursor::at(moves.len()) };
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
        let mut cursor = Cursor { generated: true, ..Cursor::at(moves.len()) };
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
        let (ordering, before) = (&self.params().ordering, self.frames[node.ply].answers);
        self.memory.history.value(ordering, before, G::move_index(node.position, mv))
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
        let before = self.frames[node.ply].answers;
        for candidate in self.moves.tried(&node.cursor) {
            if candidate.mv != best && candidate.is_quiet() {
                self.memory.history.blame(before, G::move_index(node.position, candidate.mv), bonus);
            }
        }
        self.memory.history.reward(before, G::move_index(node.position, best), bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node with the moves 0 to 9: odd ones are tactical with their number as value, the others quiet.
    fn listed() -> (MoveStack<u8>, Cursor) {
        let mut stack = MoveStack::with_capacity(16);
        let mut below = Cursor::at(0);
        stack.push(&mut below, 99, None);
        let mut cursor = Cursor { generated: true, ..Cursor::at(stack.len()) };
        for mv in 0..10 {
            stack.push(&mut cursor, mv, (mv % 2 == 1).then_some((MovePhase::Tactical, mv.into())));
        }
        (stack, cursor)
    }

    fn picks(stack: &mut MoveStack<u8>, cursor: &mut Cursor) -> Vec<u8> {
        std::iter::from_fn(|| stack.pick(cursor).map(|picked| picked.mv)).collect()
    }

    /// 4 is a killer; of the others, the smaller the better.
    fn quiet_rank(mv: u8) -> (MovePhase, i32) {
        if mv == 4 { (MovePhase::Killer, 0) } else { (MovePhase::Rest, -i32::from(mv)) }
    }

    #[test]
    fn quiet_moves_wait_for_their_ranks() {
        let (mut stack, mut cursor) = listed();
        assert_eq!(picks(&mut stack, &mut cursor), [9, 7, 5, 3, 1]);
        assert!(cursor.has_unranked());
        stack.rank(&mut cursor, quiet_rank);
        assert_eq!(picks(&mut stack, &mut cursor), [4, 0, 2, 6, 8]);
        assert_eq!(stack.tried(&cursor).count(), 10);
    }

    #[test]
    fn a_losing_move_comes_last_and_tells_what_it_loses() {
        let (mut stack, mut cursor) = listed();
        assert_eq!(stack.pick(&mut cursor).map(|picked| picked.mv), Some(9));
        stack.put_back_as_losing(&mut cursor, -300);
        stack.rank(&mut cursor, quiet_rank);
        assert_eq!(picks(&mut stack, &mut cursor), [7, 5, 3, 1, 4, 0, 2, 6, 8, 9]);
        let last = stack.tried(&cursor).last().unwrap();
        assert_eq!((last.phase, last.value), (MovePhase::Losing, -300));
    }

    #[test]
    fn only_quiet_moves_that_are_left_are_removed() {
        for ranked_before in [false, true] {
            let (mut stack, mut cursor) = listed();
            assert_eq!(stack.pick(&mut cursor).map(|picked| picked.mv), Some(9));
            if ranked_before {
                stack.rank(&mut cursor, quiet_rank);
            }
            assert_eq!(stack.retain_quiets(&mut cursor, |mv| mv >= 6), (5, 3));
            stack.rank(&mut cursor, quiet_rank);
            assert_eq!(picks(&mut stack, &mut cursor), [7, 5, 3, 1, 6, 8]);
            assert_eq!(cursor.count(), 10, "what was left out is still a move of the node");
        }
    }
}
