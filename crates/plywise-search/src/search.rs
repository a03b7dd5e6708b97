//! The search: one function that reads as a list of steps, and the small types that it is written in.

use crate::limits::Stopped;
use crate::ordering::{Candidate, Cursor, MovePhase};
use crate::table::to_table;
use crate::worker::Worker;
use crate::{Algorithm, Bound, Entered, Entry, Observer, Policy, RootMove, Technique, Tried};
use plywise_game::score::{self, INFINITY, MAX_PLY};
use plywise_game::{Depth, Evaluate, Game, Score, Window};
use std::ops::Neg;

/// A score, and whether it may differ from the minimax value because a node below was left early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) score: Score,
    pub(crate) uncertain: bool,
}

impl Value {
    pub(crate) fn certain(score: Score) -> Value {
        Value { score, uncertain: false }
    }
}

impl Neg for Value {
    type Output = Value;
    fn neg(self) -> Value {
        Value { score: -self.score, ..self }
    }
}

/// Whether a node belongs to the principal variation, as a type: each kind is compiled on its own.
pub(crate) trait Kind {
    const PV: bool;
}

/// A node whose exact value is wanted.
pub(crate) enum Pv {}
/// A node that is only asked whether it reaches a bound.
pub(crate) enum Scout {}

impl Kind for Pv {
    const PV: bool = true;
}
impl Kind for Scout {
    const PV: bool = false;
}

/// What a node of the critical tree is expected to be (Knuth & Moore, "An analysis of alpha-beta pruning", 1975).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expect {
    /// On the principal variation.
    Pv,
    /// One good move will refute it.
    Cut,
    /// Every move will fail low.
    All,
}

impl Expect {
    /// What the node after a move is expected to be, if it is not on the principal variation.
    pub(crate) fn child(self) -> Expect {
        match self {
            Expect::Cut => Expect::All,
            Expect::Pv | Expect::All => Expect::Cut,
        }
    }
}

/// What a recursive call is asked to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) depth: Depth,
    pub(crate) window: Window,
    pub(crate) ply: usize,
    pub(crate) expect: Expect,
}

/// A node that is being searched: what every technique may look at.
pub(crate) struct Node<'p, G: Game> {
    pub(crate) position: &'p G::Position,
    pub(crate) hash: u64,
    pub(crate) ply: usize,
    pub(crate) depth: Depth,
    pub(crate) window: Window,
    pub(crate) expect: Expect,
    pub(crate) entry: Option<Entry>,
    pub(crate) table_move: Option<G::Move>,
    pub(crate) cursor: Cursor,
}

impl<'p, G: Game> Node<'p, G> {
    fn new(position: &'p G::Position, hash: u64, task: Task, top: usize) -> Node<'p, G> {
        let Task { depth, window, ply, expect } = task;
        Node { position, hash, ply, depth, window, expect, entry: None, table_move: None, cursor: Cursor::at(top) }
    }

    /// The task that this node was given.
    pub(crate) fn task(&self) -> Task {
        Task { depth: self.depth, window: self.window, ply: self.ply, expect: self.expect }
    }
}

/// How a node stands before its next move is searched: the features that learners and RankCut look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The depth left at the node.
    pub depth: Depth,
    /// The number of the move, from 1.
    pub move_number: usize,
    /// How often a later move turned out best.
    pub best_changes: usize,
    /// The best score so far; −[`INFINITY`](score::INFINITY) before the first move.
    pub best: Score,
    /// The score of the last move.
    pub last: Score,
    /// The lower bound with which the node was entered.
    pub alpha: Score,
    /// The part of the order that the move comes from.
    pub phase: MovePhase,
}

/// What the moves searched so far amount to.
struct Tally<M> {
    best: Score,
    best_move: Option<M>,
    last: Score,
    changes: usize,
    searched: usize,
    uncertain: bool,
}

impl<M: Copy> Tally<M> {
    fn new() -> Tally<M> {
        Tally { best: -INFINITY, best_move: None, last: -INFINITY, changes: 0, searched: 0, uncertain: false }
    }

    /// Takes a move's value into account, and says whether it is the best so far.
    fn add(&mut self, mv: M, value: Value) -> bool {
        self.searched += 1;
        self.last = value.score;
        let better = value.score > self.best;
        if better {
            self.changes += usize::from(self.searched > 1);
            self.best = value.score;
            self.best_move = Some(mv);
        }
        better
    }
}

/// Leaves the node with the value of the technique that cut it, if it did.
macro_rules! cut {
    ($worker:ident, $technique:ident, $value:expr) => {
        if let Some(value) = $value {
            return $worker.cut(Technique::$technique, value);
        }
    };
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>, P: Policy> Worker<'_, G, E, O, P> {
    /// The value of a position, searched as `task` says.
    pub(crate) fn search<K: Kind>(&mut self, position: &G::Position, task: Task) -> Result<Value, Stopped> {
        if task.depth.is_exhausted() || task.ply >= MAX_PLY {
            return self.quiesce(position, task.window, task.ply, 0).map(Value::certain);
        }
        self.count_node(task.ply)?;
        let mv = task.ply.checked_sub(1).and_then(|ply| self.frames[ply].mv);
        let (ply, depth, window) = (task.ply, task.depth, task.window);
        self.observer.enter(&Entered { ply, position, mv, depth, window, is_pv: K::PV });
        self.cut_by = None;
        let value = self.visit::<K>(position, task)?;
        let cut_by = self.cut_by.take();
        self.observer.leave(ply, value.score, cut_by);
        Ok(value)
    }

    /// The steps of a node, in order.
    fn visit<K: Kind>(&mut self, position: &G::Position, task: Task) -> Result<Value, Stopped> {
        // 1. The game may be over, or the line too long to matter.
        let hash = G::hash(position);
        if let Some(score) = self.arrive(position, hash, task.ply) {
            return Ok(Value::certain(score));
        }
        let mut node = Node::new(position, hash, task, self.moves.len());
        cut!(self, MateDistance, self.mate_distance(&mut node));

        // 2. The table may know.
        self.probe_table(&mut node);
        let may_cut = !K::PV && node.ply > 0;
        if may_cut {
            cut!(self, Table, self.table_cutoff(&node));
        }

        // 3. Techniques that cut the node come here.
        // 4. A move to begin with.
        self.internal_deepening::<K>(&mut node)?;
        if may_cut {
            cut!(self, TranspositionCutoffs, self.transposition_cutoffs(&mut node));
        }

        // 5. The moves, one by one.
        let mut tally = Tally::new();
        while let Some(candidate) = self.next_move(&mut node) {
            // Techniques that leave a move out come here, then those that price it.
            let value = self.try_move::<K>(&node, &tally, candidate)?;
            if tally.add(candidate.mv, value) && value.score > node.window.alpha {
                self.note_line::<K>(node.ply, candidate.mv, value.score);
                if value.score >= node.window.beta {
                    tally.uncertain = value.uncertain;
                    break;
                }
            }
            tally.uncertain |= value.uncertain;
        }

        // 6. What was learned.
        let value = match tally.searched {
            0 => Value::certain(score::of_outcome(G::stuck(position), task.ply)),
            _ => self.remember(&node, &tally),
        };
        self.moves.truncate(node.cursor.start);
        Ok(value)
    }

    /// Narrows the window to the scores that a line of this length can have; cuts if none is left.
    fn mate_distance(&mut self, node: &mut Node<G>) -> Option<Value> {
        if !self.params().mate_distance.on() || node.ply == 0 {
            return None;
        }
        self.counters.tried(Technique::MateDistance);
        let alpha = node.window.alpha.max(score::loss_in(node.ply));
        let beta = node.window.beta.min(score::win_in(node.ply + 1));
        if alpha >= beta {
            return Some(Value::certain(alpha));
        }
        node.window = Window::new(alpha, beta);
        None
    }

    /// Searches a move at its price, and again where that is not enough.
    fn try_move<K: Kind>(
        &mut self,
        node: &Node<G>,
        tally: &Tally<G::Move>,
        candidate: Candidate<G::Move>,
    ) -> Result<Value, Stopped> {
        let mv = candidate.mv;
        if node.ply == 0 {
            let (depth, number, time) = (self.iteration, tally.searched + 1, self.gauge.elapsed());
            self.observer.root_move(&RootMove { depth, mv, number, time });
        }
        let after = G::play(node.position, mv);
        self.depart(node.position, node.ply, mv);

        let window = node.window.raise(tally.best);
        let depth = node.depth - Depth::PLY;
        let task = |window: Window, depth: Depth, expect: Expect| Task {
            depth,
            window: -window,
            ply: node.ply + 1,
            expect,
        };
        let whole_window = K::PV && (tally.searched == 0 || self.params().framework.kind() == Algorithm::AlphaBeta);
        let mut value = if whole_window {
            -self.search::<K>(&after, task(window, depth, Expect::Pv))?
        } else {
            -self.search::<Scout>(&after, task(window.scout(), depth, node.expect.child()))?
        };
        let surprising = value.uncertain || (value.score > window.alpha && value.score < window.beta);
        if K::PV && !whole_window && surprising {
            value = -self.search::<K>(&after, task(window, depth, Expect::Pv))?;
        }
        self.observer.tried(&Tried {
            ply: node.ply,
            position: node.position,
            mv,
            score: value.score,
            standing: standing(node, tally, candidate.phase),
        });
        Ok(value)
    }

    /// A move raised alpha: keeps its line where one is wanted.
    fn note_line<K: Kind>(&mut self, ply: usize, mv: G::Move, score: Score) {
        if K::PV || ply == 0 {
            self.extend_pv(ply, mv);
        }
        if ply == 0 {
            self.partial = Some((score, self.frames[0].pv.clone()));
        }
    }

    /// Stores the result of a node in the table and in the order of moves.
    fn remember(&mut self, node: &Node<G>, tally: &Tally<G::Move>) -> Value {
        let improved = tally.best > node.window.alpha;
        if let Some(mv) = tally.best_move.filter(|_| improved) {
            self.learn_order(node, mv, tally.best >= node.window.beta);
        }
        if self.params().table.on() && !self.is_partial_root(node.ply) {
            // A node that failed low knows no best move; an older suggestion is better than none.
            let suggestion = tally.best_move.filter(|_| improved).or(node.table_move);
            let entry = Entry {
                score: to_table(tally.best, node.ply),
                bound: Bound::of(tally.best, node.window),
                depth: node.depth,
                move_code: suggestion.map_or(0, G::move_code),
                uncertain: tally.uncertain,
            };
            self.table.store(node.hash, &entry);
        }
        Value { score: tally.best, uncertain: tally.uncertain }
    }
}

fn standing<G: Game>(node: &Node<G>, tally: &Tally<G::Move>, phase: MovePhase) -> Standing {
    Standing {
        depth: node.depth,
        move_number: tally.searched + 1,
        best_changes: tally.changes,
        best: tally.best,
        last: tally.last,
        alpha: node.window.alpha,
        phase,
    }
}
