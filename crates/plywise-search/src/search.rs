//! The search: one function that reads as a list of steps, and the small types that it is written in.

use crate::limits::Stopped;
use crate::ordering::{Before, Candidate, Cursor, MovePhase};
use crate::quiescence::Beyond;
use crate::searcher::Line;
use crate::table::to_table;
use crate::techniques::late_moves::{self, Surprise};
use crate::worker::{Frame, Worker};
use crate::{
    Algorithm, Arrival, Bound, End, Entered, Entry, Leaving, Likelihood, NodeKind, Policy, Prospect, Purpose, RootMove,
    Technique, Tried,
};
use plywise_game::score::{self, INFINITY, MAX_PLY};
use plywise_game::{Depth, Evaluate, Game, Score, Window, random};
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
    /// The same for observers.
    pub(crate) fn kind(self) -> NodeKind {
        match self {
            Expect::Pv => NodeKind::Pv,
            Expect::Cut => NodeKind::Cut,
            Expect::All => NodeKind::All,
        }
    }

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
pub(crate) struct NodeRequest {
    pub(crate) depth: Depth,
    pub(crate) window: Window,
    pub(crate) ply: usize,
    pub(crate) expect: Expect,
    /// A technique searches the node to verify its own verdict: techniques that search must not nest here.
    pub(crate) verifying: bool,
}

/// A node that is being searched: what every technique may look at.
pub(crate) struct Node<'p, G: Game> {
    pub(crate) position: &'p G::Position,
    pub(crate) hash: u64,
    pub(crate) ply: usize,
    pub(crate) depth: Depth,
    pub(crate) window: Window,
    pub(crate) expect: Expect,
    pub(crate) verifying: bool,
    pub(crate) in_check: bool,
    /// What the evaluation was corrected by.
    pub(crate) correction: Score,
    /// The evaluation, corrected and refined by what the table knows; meaningless in check.
    pub(crate) evaluation: Score,
    /// The evaluation is better than when the side was last to move.
    pub(crate) rising: bool,
    /// It stands on the principal variation, or did when the table saw it last.
    pub(crate) on_pv: bool,
    /// What the evaluation itself says, where it was asked.
    pub(crate) own_evaluation: Option<Score>,
    pub(crate) entry: Option<Entry>,
    pub(crate) table_move: Option<G::Move>,
    /// A move that is not to be searched here.
    pub(crate) excluded: Option<G::Move>,
    /// A move that stands alone.
    pub(crate) singular_move: Option<G::Move>,
    /// It does so by far.
    pub(crate) is_far_ahead: bool,
    /// The table's move reaches beta, it says, and other moves come close.
    pub(crate) has_rivals: bool,
    /// Passing would lose the game.
    pub(crate) threatened: bool,
    /// Nothing is left out here and every move has its full price.
    pub(crate) explored: bool,
    pub(crate) cursor: Cursor,
    pub(crate) so_far: SoFar<G::Move>,
}

impl<G: Game> Node<'_, G> {
    /// The request that this node was given.
    pub(crate) fn request(&self) -> NodeRequest {
        let Node { depth, window, ply, expect, verifying, .. } = *self;
        NodeRequest { depth, window, ply, expect, verifying }
    }

    /// The table's move, unless it has been tried or all moves are listed.
    pub(crate) fn unserved_table_move(&self) -> Option<G::Move> {
        self.table_move.filter(|_| self.cursor.awaits_table_move())
    }

    /// How the node stands before a move from this phase of the order.
    pub(crate) fn standing(&self, phase: MovePhase) -> Standing {
        let so_far = &self.so_far;
        Standing {
            depth: self.depth,
            in_check: self.in_check,
            move_number: so_far.searched + 1,
            best_changes: so_far.changes,
            best: so_far.best,
            last: so_far.last,
            alpha: self.window.alpha,
            phase,
        }
    }
}

/// How a node stands before its next move is searched: the features that learners and RankCut look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The depth left at the node.
    pub depth: Depth,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The number of the move, from 1.
    pub move_number: usize,
    /// How often a later move turned out best.
    pub best_changes: usize,
    /// The best score so far; −[`INFINITY`] before the first move.
    pub best: Score,
    /// The score of the last move.
    pub last: Score,
    /// The lower bound with which the node was entered.
    pub alpha: Score,
    /// The part of the order that the move comes from.
    pub phase: MovePhase,
}

/// What the moves searched so far amount to.
pub(crate) struct SoFar<M> {
    pub(crate) best: Score,
    best_move: Option<M>,
    last: Score,
    changes: usize,
    pub(crate) searched: usize,
    pub(crate) searched_table_move: bool,
    pub(crate) uncertain: bool,
    /// RankCut's verdict on the moves to come.
    pub(crate) prune_rest: bool,
    left_out: bool,
}

impl<M: Copy> SoFar<M> {
    fn new() -> SoFar<M> {
        SoFar {
            best: -INFINITY,
            best_move: None,
            last: -INFINITY,
            changes: 0,
            searched: 0,
            searched_table_move: false,
            uncertain: false,
            prune_rest: false,
            left_out: false,
        }
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

    /// Moves were left out that could have reached at most `hope`, where that is known.
    pub(crate) fn bound_by(&mut self, hope: Option<Score>) {
        self.best = self.best.max(hope.unwrap_or(-INFINITY));
        self.left_out = true;
    }

    /// The node has a value already, or a bound of one: were all moves left out one by one, it would look like the end of
    /// the game.
    pub(crate) fn has_value(&self) -> bool {
        self.searched > 0 || self.left_out
    }

    /// While every move loses, none may be left out.
    pub(crate) fn may_leave_out(&self) -> bool {
        self.searched == 0 || self.best > -score::WIN_THRESHOLD
    }
}

/// What a move costs: first `reduced`; where it then raises alpha, `middle` if there is one; last `full`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Price {
    pub(crate) reduced: Depth,
    pub(crate) middle: Option<Depth>,
    pub(crate) full: Depth,
    /// How likely the move is to raise alpha, where somebody watches and prices are learned.
    pub(crate) likelihood: Option<Likelihood>,
}

impl Price {
    fn of(weight: Depth) -> Price {
        Price { reduced: weight, middle: None, full: weight, likelihood: None }
    }
}

/// How a node was left: with which value, and why.
#[derive(Clone, Copy)]
struct Left {
    value: Value,
    end: End,
}

/// Leaves the node with the value of the technique that cut it, if it did.
macro_rules! cut {
    ($worker:ident, $technique:ident, $value:expr) => {
        if let Some(value) = $value {
            $worker.note_cut(Technique::$technique);
            return Ok(Left { value, end: End::Cut(Technique::$technique) });
        }
    };
}

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// The value of a position, searched as `request` says.
    pub(crate) fn search<K: Kind>(&mut self, position: &G::Position, request: NodeRequest) -> Result<Value, Stopped> {
        if request.depth.is_exhausted() || request.ply >= MAX_PLY {
            if WATCHED {
                self.observer.horizon(request.ply);
            }
            return self.quiesce(position, request.window, request.ply, Beyond::HORIZON).map(Value::certain);
        }
        self.count_node(request.ply)?;
        let mv = request.ply.checked_sub(1).and_then(|ply| self.frames[ply].mv);
        let (ply, depth, window) = (request.ply, request.depth, request.window);
        if WATCHED {
            let Frame { extension, arrival, .. } = self.frames[ply];
            let kind = request.expect.kind();
            let (count, history, ordering) = (self.nodes, &self.memory.history, &self.policy.params().ordering);
            let merit = &|mv| history.value(ordering, &Before::default(), G::move_index(position, mv));
            let node = Entered { ply, position, mv, extension, depth, window, kind, arrival, count, merit };
            self.observer.enter(&node);
        }
        let moves_below = self.moves.len();
        let Left { value, end } = self.visit::<K>(position, request)?;
        self.moves.truncate(moves_below);
        if WATCHED {
            let is_evaluated = self.evaluates_nodes && end.follows_evaluation() && !G::in_check(position);
            let evaluation = is_evaluated.then(|| self.frames[ply].evaluation);
            let (Value { score, uncertain }, count) = (value, self.nodes);
            self.observer.leave(&Leaving { ply, score, uncertain, evaluation, end, count });
        }
        Ok(value)
    }

    /// The steps of a node, in order.
    fn visit<K: Kind>(&mut self, position: &G::Position, request: NodeRequest) -> Result<Left, Stopped> {
        // 1. The game may be over, or the line too long to matter.
        if let Some(score) = self.arrive(position, request.ply) {
            return Ok(Left { value: Value::certain(score), end: self.end_on_arrival(position) });
        }
        let mut node = self.open(position, request);
        cut!(self, MateDistance, self.mate_distance(&mut node));

        // 2. The table may know.
        self.probe_table(&mut node);
        let may_cut = !K::PV && node.ply > 0 && node.excluded.is_none();
        if may_cut {
            cut!(self, Table, self.table_cutoff(&mut node));
        }

        // 3. The evaluation may have a faster way to the value; on the principal variation it would hide the moves.
        if may_cut {
            cut!(self, Solver, self.solver(&node)?);
        }

        // 4. Cut the node by its evaluation, by passing, or by a shallow search.
        self.evaluate_node(&mut node);
        if may_cut && !node.in_check {
            cut!(self, ReverseFutility, self.reverse_futility(&node));
            cut!(self, Razoring, self.razoring(&node)?);
            self.fail_high_reductions(&mut node);
            if self.params().transposition_cutoffs.first {
                cut!(self, TranspositionCutoffs, self.transposition_cutoffs(&mut node));
            }
            cut!(self, NullMove, self.null_move(&mut node)?);
            cut!(self, ProbCut, self.probcut(&node)?);
            cut!(self, CaptureProbCut, self.capture_probcut(&mut node)?);
        }

        // 5. Find a move to begin with, or do with less; cut the node by shallow searches of its moves.
        self.internal_deepening::<K>(&mut node)?;
        self.internal_reduction(&mut node);
        if may_cut {
            if !self.params().transposition_cutoffs.first || node.in_check {
                cut!(self, TranspositionCutoffs, self.transposition_cutoffs(&mut node));
            }
            cut!(self, MultiCut, self.multi_cut(&mut node)?);
        }
        if may_cut || K::PV && self.params().singular.pv && node.excluded.is_none() {
            cut!(self, Singular, self.singular::<K>(&mut node)?);
        }

        // 6. The moves, one by one.
        let extensions = &self.params().extensions;
        if extensions.on() && (node.in_check || extensions.one_reply_anywhere) {
            self.generate(&mut node); // An only reply shows only in the whole list.
        }
        loop {
            // 7. Leave moves out: near the horizon the quiet ones to come, all together, before they are ranked;
            if !K::PV
                && node.ply > 0
                && !node.in_check
                && !node.explored
                && node.so_far.may_leave_out()
                && self.quiets_come_next(&mut node)
                && (self.late_move_pruning(&mut node) || self.futility(&mut node))
            {
                self.estimated = true;
            }
            let Some(candidate) = self.next_move(&mut node) else { break };
            if Some(candidate.mv) == node.excluded {
                self.moves.leave_out_last(&node.cursor);
                continue;
            }
            // ... or this one.
            if node.ply > 0
                && !node.explored
                && node.so_far.has_value()
                && node.so_far.may_leave_out()
                && (self.n_best(&node)
                    || self.history_pruning(&node, &candidate)
                    || self.losing_exchanges(&node, &candidate)
                    || self.uncertainty(&mut node, &candidate))
            {
                self.moves.leave_out_last(&node.cursor);
                self.estimated = true;
                continue;
            }

            // 8. Price the move.
            let after = G::play(position, candidate.mv);
            self.depart(position, node.ply, candidate.mv, &after);
            self.prefetch_next(&node);
            let mut price = Price::of(self.extensions(&node, candidate.mv, &after));
            self.extend_singular(&node, candidate.mv, &mut price);
            self.frames[node.ply + 1].extended = price.full < Depth::PLY;
            let is_learned = self.prepared.prices.is_some();
            let prospect = (is_learned || node.explored).then(|| self.prospect(&node, &candidate, &after));
            match &prospect {
                _ if node.explored => {}
                Some(prospect) => {
                    if self.learned_price(&node, &candidate, prospect, &mut price) {
                        self.moves.leave_out_last(&node.cursor);
                        self.estimated = true;
                        continue;
                    }
                }
                None => {
                    self.realization(&node, &candidate, &mut price); // With realization_cap and realization_steps.
                    // An extended move is not reduced. Where realization probability sets the prices, most moves cost
                    // less than a ply and a low price does not mark an extension.
                    if price.full >= Depth::PLY || self.params().realization.on() {
                        self.late_move_reductions(&node, &candidate, &mut price);
                        self.rank_cut(&mut node, &candidate, &mut price);
                    }
                }
            }

            // 9. Search it.
            let explored = prospect.filter(|_| node.explored);
            let value = self.try_move::<K>(&node, &candidate, &after, price, explored)?;
            let alpha = node.window.raise(node.so_far.best).alpha;
            let is_best = node.so_far.add(candidate.mv, value);
            node.so_far.searched_table_move |= candidate.phase == MovePhase::Table;
            if value.score > alpha || is_best && !self.params().rank_cut.until_alpha {
                node.so_far.prune_rest = false;
            }
            if is_best && value.score > node.window.alpha {
                self.note_line::<K>(&node, candidate.mv, value.score);
                if value.score >= node.window.beta {
                    self.frames[node.ply].cutoffs += 1;
                    node.so_far.uncertain = value.uncertain;
                    break;
                }
            }
            node.so_far.uncertain |= value.uncertain;
        }

        // 10. What was learned.
        let is_over = node.so_far.searched == 0 && !node.so_far.left_out && node.excluded.is_none();
        Ok(Left { value: self.close(&node), end: if is_over { End::Over } else { End::Moves } })
    }

    fn open<'p>(&mut self, position: &'p G::Position, request: NodeRequest) -> Node<'p, G> {
        let NodeRequest { depth, window, ply, expect, verifying } = request;
        self.frames[ply].multi_cut_holds = false;
        if let Some(frame) = self.frames.get_mut(ply + 2) {
            frame.cutoffs = 0;
        }
        Node {
            position,
            hash: self.hash_at(ply),
            ply,
            depth,
            window,
            expect,
            verifying,
            in_check: G::in_check(position),
            correction: 0,
            evaluation: 0,
            rising: false,
            on_pv: expect == Expect::Pv,
            own_evaluation: None,
            entry: None,
            table_move: None,
            excluded: self.frames[ply].excluded,
            singular_move: None,
            is_far_ahead: false,
            has_rivals: false,
            threatened: false,
            explored: self.explores(self.hash_at(ply), depth),
            cursor: Cursor::at(self.moves.len()),
            so_far: SoFar::new(),
        }
    }

    /// Whether all moves of a node are looked at, for those who learn.
    fn explores(&self, hash: u64, depth: Depth) -> bool {
        let params = &self.params().exploration;
        params.on() && {
            let place = hash.wrapping_add(depth.in_hundredths() as u64);
            random::number(self.seed, place) % 1000 < params.share as u64
        }
    }

    /// Narrows the window of a node to what its value can be.
    pub(crate) fn narrow(&mut self, node: &mut Node<G>, window: Window) {
        if WATCHED && window != node.window {
            self.observer.narrowed(window);
        }
        node.window = window;
    }

    /// Evaluates the node if a technique will ask; what the table knows about it is the better estimate.
    fn evaluate_node(&mut self, node: &mut Node<G>) {
        // In check there is no evaluation; what was known two plies before stands in for it.
        let before = node.ply.checked_sub(2).map(|ply| self.frames[ply].evaluation);
        self.frames[node.ply].evaluation = before.unwrap_or(0);
        if node.in_check || !self.evaluates_nodes {
            return;
        }
        let known = node.entry.and_then(|entry| entry.evaluation);
        node.evaluation = known.unwrap_or_else(|| self.evaluate(node.position));
        node.own_evaluation = Some(node.evaluation);
        node.correction = self.correction(node.position);
        node.evaluation = kept_in_range(node.evaluation + node.correction);
        node.rising = before.is_some_and(|before| node.evaluation > before);
        self.frames[node.ply].evaluation = node.evaluation;
        if let Some(entry) = node.entry {
            node.evaluation = entry.refine(node.evaluation, node.ply);
        }
    }

    /// Searches a move at its price, and again where that is not enough.
    fn try_move<K: Kind>(
        &mut self,
        node: &Node<G>,
        candidate: &Candidate<G::Move>,
        after: &G::Position,
        price: Price,
        explored: Option<Prospect>,
    ) -> Result<Value, Stopped> {
        let so_far = &node.so_far;
        if node.ply == 0 {
            let (depth, number, time) = (self.iteration, so_far.searched + 1, self.budget.elapsed());
            self.observer.root_move(&RootMove { depth, mv: candidate.mv, number, time });
            self.effort.begin_move(self.nodes);
        }
        let window = node.window.raise(so_far.best);
        let request = |window: Window, price: Depth, expect: Expect| NodeRequest {
            depth: node.depth - price,
            window: -window,
            ply: node.ply + 1,
            expect,
            verifying: false,
        };
        let (number, phase) = (so_far.searched + 1, Some(candidate.phase));
        let mut full = price.full;
        let likelihood = price.likelihood;
        let arrival = |purpose, price, full| Arrival { purpose, price, full, number, phase, likelihood };
        let below = node.ply + 1;
        self.announce(below, arrival(Purpose::Move, price.reduced, full));
        let whole_window = K::PV && (so_far.searched == 0 || self.params().framework.kind() == Algorithm::AlphaBeta);
        let value = if whole_window {
            self.announce(below, arrival(Purpose::Move, full, full));
            -self.search::<K>(after, request(window, price.full, Expect::Pv))?
        } else {
            let scout = |price| request(window.scout(), price, node.expect.child());
            let mut value = -self.search::<Scout>(after, scout(price.reduced))?;
            if let Some(middle) = price.middle.filter(|_| value.score > window.alpha) {
                self.announce(below, arrival(Purpose::Step, middle, full));
                value = -self.search::<Scout>(after, scout(middle))?;
            }
            if value.score > window.alpha {
                full = late_moves::confirmed(Surprise::of(self.params()), price, window.alpha, value.score);
            }
            if !K::PV && value.score > window.alpha && full < price.reduced {
                self.announce(below, arrival(Purpose::FullPrice, full, full));
                value = -self.search::<Scout>(after, scout(full))?;
            }
            let surprising =
                value.uncertain || value.score > window.alpha && (value.score < window.beta || full < price.reduced);
            if K::PV && surprising {
                self.counters.searched_again();
                self.announce(below, arrival(Purpose::OpenWindow, full, full));
                value = -self.search::<K>(after, request(window, full, Expect::Pv))?;
            }
            value
        };
        if self.is_root_of_iteration(node) {
            self.effort.end_move(candidate.mv, self.nodes);
        }
        if WATCHED {
            let (ply, position, mv, score) = (node.ply, node.position, candidate.mv, value.score);
            let standing = node.standing(candidate.phase);
            self.observer.tried(&Tried { ply, position, mv, score, standing, explored });
        }
        Ok(value)
    }

    /// Whether this is the root at the depth of the iteration, and not a shallower search to find its first move.
    fn is_root_of_iteration(&self, node: &Node<G>) -> bool {
        node.ply == 0 && node.depth == Depth::plies(self.iteration)
    }

    /// A move raised alpha: keeps its line where one is wanted.
    fn note_line<K: Kind>(&mut self, node: &Node<G>, mv: G::Move, score: Score) {
        if K::PV || node.ply == 0 {
            self.extend_pv(node.ply, mv);
        }
        if self.is_root_of_iteration(node) {
            let (depth, pv) = (self.iteration, self.frames[0].pv.clone());
            self.partial = Some(Line { score, bound: Bound::Exact, depth, pv });
        }
    }

    /// The value of a node whose moves are done; it goes into the table and into the order of moves.
    fn close(&mut self, node: &Node<G>) -> Value {
        let so_far = &node.so_far;
        if so_far.searched == 0 && !so_far.left_out {
            return Value::certain(match node.excluded {
                // The only move was excluded: it could not stand more alone.
                Some(_) => node.window.alpha,
                None => score::of_outcome(G::stuck(node.position), node.ply),
            });
        }
        let improved = so_far.best > node.window.alpha;
        self.learn_correction(node, so_far.best, so_far.best_move.filter(|_| improved));
        match so_far.best_move.filter(|_| improved) {
            Some(mv) => self.learn_order(node, mv, so_far.best >= node.window.beta),
            None => self.praise_unrefuted(node),
        }
        if self.params().table.on() && !self.is_partial_root(node.ply) && node.excluded.is_none() {
            // A node that failed low knows no best move; an older suggestion is better than none.
            let suggestion = so_far.best_move.filter(|_| improved).or(node.table_move);
            let entry = Entry {
                score: to_table(so_far.best, node.ply),
                bound: Bound::of(so_far.best, node.window),
                depth: node.depth,
                move_code: suggestion.map_or(0, G::move_code),
                uncertain: so_far.uncertain,
                on_pv: node.on_pv,
                evaluation: node.own_evaluation,
            };
            self.table.store(node.hash, &entry);
        }
        Value { score: so_far.best, uncertain: so_far.uncertain }
    }
}

/// An evaluation with what was added to it stays within the range of evaluations.
pub(crate) fn kept_in_range(score: Score) -> Score {
    score.clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT)
}
