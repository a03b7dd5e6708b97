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
use plywise_game::{Depth, Evaluate, Game};

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

    /// The same move as one that loses material.
    fn losing(self) -> Key {
        Key(self.0 & ((1 << PHASE) - 1))
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

    /// Adds a move of the node whose moves begin at `start`.
    #[inline]
    fn push(&mut self, start: usize, mv: M, (phase, value): (MovePhase, i32)) {
        self.keys.push(Key::new(phase, value, self.keys.len() - start));
        self.moves.push(mv);
    }

    /// All moves of a node, in the order of generation.
    pub(crate) fn of_node(&self, cursor: &Cursor) -> &[M] {
        &self.moves[cursor.start..cursor.end]
    }

    /// The moves of a node that have been tried.
    fn tried(&self, cursor: &Cursor) -> impl Iterator<Item = Candidate<M>> {
        self.keys[cursor.start..cursor.next].iter().map(|key| self.candidate(cursor, *key))
    }

    #[inline]
    fn candidate(&self, cursor: &Cursor, key: Key) -> Candidate<M> {
        Candidate { mv: self.moves[cursor.start + key.number()], phase: key.phase() }
    }

    /// Takes the most promising of the moves that are left.
    #[inline]
    pub(crate) fn pick(&mut self, cursor: &mut Cursor) -> Option<Candidate<M>> {
        let rest = &mut self.keys[cursor.next..cursor.end];
        // Two passes: the first looks at every key without branching, the second stops at the best.
        let best = rest.iter().copied().max()?;
        let place = rest.iter().position(|key| *key == best)?;
        rest.swap(0, place);
        cursor.next += 1;
        Some(self.candidate(cursor, best))
    }

    /// Puts the move that was picked last back, as one that loses material.
    fn put_back_as_losing(&mut self, cursor: &mut Cursor) {
        cursor.next -= 1;
        self.keys[cursor.next] = self.keys[cursor.next].losing();
    }
}

/// Where a node's moves lie on the move stack, and how far they have been tried.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    pub(crate) start: usize,
    pub(crate) next: usize,
    pub(crate) end: usize,
    generated: bool,
    table_move_served: bool,
}

impl Cursor {
    /// No moves yet, where the move stack ends at `top`.
    pub(crate) fn at(top: usize) -> Cursor {
        Cursor { start: top, next: top, end: top, ..Cursor::default() }
    }

    /// Begins again with the first move; what was sorted stays sorted.
    pub(crate) fn rewind(&mut self) {
        self.next = self.start;
    }

    /// Whether the node is known to have one move only.
    pub(crate) fn is_only_move(&self) -> bool {
        self.generated && self.count() == 1
    }

    /// How many moves the node has, once they are generated.
    pub(crate) fn count(&self) -> usize {
        debug_assert!(self.generated);
        self.end - self.start + usize::from(self.table_move_served)
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

    #[inline]
    fn rank<G: Game<Move = M>>(&self, position: &G::Position, mv: M) -> (MovePhase, i32) {
        if self.ordering.tactical == 1
            && let Some(value) = G::tactical_value(position, mv)
        {
            (MovePhase::Tactical, value)
        } else if self.killers[0] == Some(mv) {
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
                return Some(Candidate { mv, phase: MovePhase::Table });
            }
            self.generate(node);
        }
        loop {
            let picked = self.moves.pick(&mut node.cursor)?;
            let loses = picked.phase == MovePhase::Tactical && G::exchange_value(node.position, picked.mv) < 0;
            if !loses {
                return Some(picked);
            }
            self.moves.put_back_as_losing(&mut node.cursor);
        }
    }

    /// Lists the node's moves on the move stack, each with its key.
    pub(crate) fn generate(&mut self, node: &mut Node<G>) {
        if node.cursor.generated {
            return;
        }
        let start = self.moves.len();
        let table_move = node.table_move;
        let order = Order::new(&self.policy.params().ordering, &self.memory.history, &self.frames[node.ply]);
        let (moves, allowed) = (&mut self.moves, &self.root_moves);
        let served = node.cursor.table_move_served;
        G::moves(node.position, |mv| {
            if Some(mv) == table_move {
                if !served {
                    moves.push(start, mv, (MovePhase::Table, 0));
                }
            } else if node.ply > 0 || allowed.contains(&mv) {
                moves.push(start, mv, order.rank::<G>(node.position, mv));
            }
        });
        let end = self.moves.len();
        node.cursor = Cursor { start, next: start, end, generated: true, ..node.cursor };
    }

    /// Lists the moves that quiescence tries: the tactical ones, or all of them to get out of check.
    pub(crate) fn generate_for_quiescence(&mut self, position: &G::Position, ply: usize, in_check: bool) -> Cursor {
        let start = self.moves.len();
        let order = Order::new(&self.policy.params().ordering, &self.memory.history, &self.frames[ply]);
        let moves = &mut self.moves;
        let each = |mv| moves.push(start, mv, order.rank::<G>(position, mv));
        if in_check {
            G::moves(position, each);
        } else {
            G::tactical_moves(position, each);
        }
        Cursor { start, next: start, end: self.moves.len(), generated: true, ..Cursor::default() }
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
        let bonus = bonus(node.depth);
        let before = self.frames[node.ply].answers;
        for candidate in self.moves.tried(&node.cursor) {
            if candidate.mv != best && candidate.is_quiet() {
                self.memory.history.blame(before, G::move_index(node.position, candidate.mv), bonus);
            }
        }
        self.memory.history.reward(before, G::move_index(node.position, best), bonus);
    }
}

fn bonus(depth: Depth) -> i32 {
    let plies = depth.whole_plies().max(1);
    (plies * plies).min(400)
}
