//! The moves of the current line, and where each node's lie.

use super::{Candidate, MovePhase};

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
    pub(super) fn push(&mut self, cursor: &mut Cursor, mv: M, rank: Option<(MovePhase, i32)>) {
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
    pub(super) fn rank(&mut self, cursor: &mut Cursor, rank: impl Fn(M) -> (MovePhase, i32)) {
        for key in &mut self.keys[cursor.ranked..cursor.end] {
            let number = key.number();
            let (phase, value) = rank(self.moves[cursor.start + number]);
            *key = Key::new(phase, value, number);
        }
        cursor.ranked = cursor.end;
        cursor.best_is_first = false;
        cursor.quiets_are_ranked = true;
    }

    /// All moves of a node, in the order of generation.
    pub(crate) fn of_node(&self, cursor: &Cursor) -> &[M] {
        &self.moves[cursor.start..cursor.end]
    }

    /// The listed moves of a node that have been searched: those that were picked and not left out.
    pub(super) fn searched(&self, cursor: &Cursor) -> impl Iterator<Item = Candidate<M>> + Clone {
        let picked = self.keys[cursor.start..cursor.next].iter();
        picked.filter(|key| !key.is_left_out()).map(|key| self.candidate(cursor, *key))
    }

    /// Notes that the move that was picked last is not searched. The table's move may have come before the list.
    pub(crate) fn leave_out_last(&mut self, cursor: &Cursor) {
        if cursor.next > cursor.start {
            let key = &mut self.keys[cursor.next - 1];
            *key = key.left_out();
        }
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
        let (end, left_out) = (cursor.end - removed, cursor.left_out + removed);
        *cursor = Cursor { ranked, end, left_out, best_is_first: false, ..*cursor };
        (tried, removed)
    }

    #[inline]
    fn candidate(&self, cursor: &Cursor, key: Key) -> Candidate<M> {
        Candidate { mv: self.moves[cursor.start + key.number()], phase: key.phase(), value: key.value() }
    }

    /// The most promising of the ranked moves that are left, moved to the front of them.
    #[inline]
    pub(super) fn best(&mut self, cursor: &mut Cursor) -> Option<Candidate<M>> {
        if !cursor.best_is_first {
            let rest = &mut self.keys[cursor.next..cursor.ranked];
            // Two passes: the first looks at every key without branching, the second stops at the best.
            let best = greatest(rest);
            let place = rest.iter().position(|key| *key == best)?;
            rest.swap(0, place);
            cursor.best_is_first = true;
        }
        Some(self.candidate(cursor, self.keys[cursor.next]))
    }

    /// Takes the most promising of the ranked moves that are left.
    #[inline]
    pub(super) fn pick(&mut self, cursor: &mut Cursor) -> Option<Candidate<M>> {
        let best = self.best(cursor)?;
        cursor.next += 1;
        cursor.best_is_first = false;
        Some(best)
    }

    /// Ranks the best of the remaining moves again, as one that loses this much material.
    pub(super) fn mark_best_as_losing(&mut self, cursor: &mut Cursor, exchange: i32) {
        let key = &mut self.keys[cursor.next];
        *key = Key::new(MovePhase::Losing, exchange, key.number());
        cursor.best_is_first = false;
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
    /// The best of the ranked moves that are left stands at `next`.
    pub(super) best_is_first: bool,
    listed: bool,
    pub(super) table_move_served: bool,
    /// The tactical moves are served, but for those that lose material.
    pub(super) quiets_are_ranked: bool,
}

impl Cursor {
    /// No moves yet, where the move stack ends at `top`.
    pub(crate) fn at(top: usize) -> Cursor {
        Cursor { start: top, next: top, ranked: top, end: top, ..Cursor::default() }
    }

    /// No moves yet, but they are about to be listed; the table's move may have been served before.
    pub(super) fn listing(top: usize, table_move_served: bool) -> Cursor {
        Cursor { listed: true, table_move_served, ..Cursor::at(top) }
    }

    /// Begins again with the first move; what was sorted stays sorted.
    pub(crate) fn rewind(&mut self) {
        self.next = self.start;
        self.best_is_first = false;
        self.quiets_are_ranked = false;
    }

    /// Whether a move that the table suggests would still come first: moves are not listed, and it has not been served.
    pub(crate) fn awaits_table_move(&self) -> bool {
        !self.listed && !self.table_move_served
    }

    /// Whether the node is known to have one move only.
    pub(crate) fn is_only_move(&self) -> bool {
        self.listed && self.count() == 1
    }

    /// Whether the node's moves are listed.
    pub(super) fn is_listed(&self) -> bool {
        self.listed
    }

    /// Whether quiet moves are listed that have no rank yet.
    pub(super) fn has_unranked(&self) -> bool {
        self.ranked < self.end
    }

    /// How many moves the node has, once they are listed.
    pub(crate) fn count(&self) -> usize {
        debug_assert!(self.listed);
        self.end - self.start + self.left_out + usize::from(self.table_move_served)
    }
}

/// How early a move is tried: the greatest key first. From the high end it holds the phase, the value within the phase,
/// and which of its node's moves it is. No two moves of a node share a key, so the order never depends on how often
/// it was asked for, and a key alone tells the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64);

// The parts of a key.
const PHASE: u32 = 48;
const VALUE: u32 = 16;
/// Marks a phase.
const LEFT_OUT: u64 = 1 << 15;

impl Key {
    #[inline]
    fn new(phase: MovePhase, value: i32, number: usize) -> Key {
        debug_assert!(number <= usize::from(u16::MAX), "no game has that many moves in a position");
        let value = u64::from(value as u32 ^ 1 << 31);
        Key((MovePhase::Losing as u64 - phase as u64) << PHASE | value << VALUE | u64::from(!(number as u16)))
    }

    /// A move that has not been ranked yet.
    fn unranked(number: usize) -> Key {
        Key::new(MovePhase::Rest, 0, number)
    }

    /// The same move, noted as one that was picked and is not searched. It keeps its number and has no phase.
    fn left_out(self) -> Key {
        Key(self.0 | LEFT_OUT << PHASE)
    }

    fn is_left_out(self) -> bool {
        self.0 >> PHASE & LEFT_OUT != 0
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

/// The greatest of some keys, or the least of all if there are none. Four at a time: none waits for the comparison before it.
#[inline]
fn greatest(keys: &[Key]) -> Key {
    let (fours, rest) = keys.as_chunks::<4>();
    let mut best = [Key(0); 4];
    for four in fours {
        for i in 0..4 {
            best[i] = best[i].max(four[i]);
        }
    }
    for key in rest {
        best[0] = best[0].max(*key);
    }
    best[0].max(best[1]).max(best[2].max(best[3]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node with the moves 0 to 9: odd ones are tactical with their number as value, the others quiet.
    fn listed() -> (MoveStack<u8>, Cursor) {
        let mut stack = MoveStack::with_capacity(16);
        let mut below = Cursor::at(0);
        stack.push(&mut below, 99, None);
        let mut cursor = Cursor::listing(stack.len(), false);
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
        assert_eq!(stack.searched(&cursor).count(), 10);
    }

    #[test]
    fn a_losing_move_comes_last_and_tells_what_it_loses() {
        let (mut stack, mut cursor) = listed();
        assert_eq!(stack.best(&mut cursor).map(|best| best.mv), Some(9));
        stack.mark_best_as_losing(&mut cursor, -300);
        stack.rank(&mut cursor, quiet_rank);
        assert_eq!(picks(&mut stack, &mut cursor), [7, 5, 3, 1, 4, 0, 2, 6, 8, 9]);
        let last = stack.searched(&cursor).last().unwrap();
        assert_eq!((last.phase, last.value), (MovePhase::Losing, -300));
    }

    #[test]
    fn a_move_that_is_left_out_was_not_searched() {
        let (mut stack, mut cursor) = listed();
        stack.leave_out_last(&cursor);
        for _ in 0..3 {
            stack.pick(&mut cursor);
        }
        stack.leave_out_last(&cursor);
        stack.pick(&mut cursor);
        assert_eq!(stack.searched(&cursor).map(|one| one.mv).collect::<Vec<_>>(), [9, 7, 3]);
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
