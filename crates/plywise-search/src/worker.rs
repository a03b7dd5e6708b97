//! One thread of a search. A [`Worker`] owns what its recursion changes: the line that is being searched, with a frame
//! for each ply, the moves of its nodes, its count of nodes, and its observer. It borrows what outlives the search (the
//! thread's [`Memory`]) and what all threads share ([`Shared`]). `deepening.rs` drives it from the root, `search.rs` and
//! `quiescence.rs` recurse in it, and each technique adds its function to it.

use crate::effort::Effort;
use crate::knowledge::Prepared;
use crate::limits::{Budget, Pace, Stopped};
use crate::ordering::{History, MoveStack};
use crate::searcher::Line;
use crate::techniques::Counters;
use crate::techniques::correction::Corrections;
use crate::{Arrival, End, Extension, Observer, Params, Policy, Purpose, Request, Technique, TranspositionTable};
use plywise_game::score::{self, MAX_PLY};
use plywise_game::{Depth, Evaluate, Game, Score};

/// What a thread learns in one search and keeps for the next.
pub(crate) struct Memory<E> {
    pub(crate) history: History,
    pub(crate) corrections: Corrections,
    /// The thread's own evaluation, with its caches.
    pub(crate) evaluate: E,
}

impl<E> Memory<E> {
    pub(crate) fn new<G: Game>(evaluate: E) -> Memory<E> {
        Memory {
            history: History::new(G::MOVE_INDICES, G::CAPTURE_INDICES),
            corrections: Corrections::default(),
            evaluate,
        }
    }
}

/// What is remembered about each ply of the line that is being searched.
pub(crate) struct Frame<G: Game> {
    /// Moves that refuted siblings at this ply.
    pub(crate) killers: [Option<G::Move>; 2],
    /// The move being searched from this ply; `None` for a null move.
    pub(crate) mv: Option<G::Move>,
    /// The index of the move that led here, where moves are judged by those before them.
    pub(crate) previous_index: Option<usize>,
    /// The same where it is quiet and may be praised.
    pub(crate) quiet_index: Option<usize>,
    /// Plies of the line since the last move that cannot be undone.
    pub(crate) reversible: usize,
    /// The move that led here was extended.
    pub(crate) extended: bool,
    /// What the move that led here was priced by, where it had a price of its own.
    pub(crate) extension: Option<Extension>,
    /// The multi-cut condition held here, but a layered multi-cut did not cut.
    pub(crate) multi_cut_holds: bool,
    /// How many moves on the way here were extended twice.
    pub(crate) doubles: i32,
    /// How many nodes at this ply reached beta since the node two plies before began.
    pub(crate) cutoffs: u32,
    /// A move that a search of this node leaves out.
    pub(crate) excluded: Option<G::Move>,
    /// How the search comes here, where somebody watches.
    pub(crate) arrival: Arrival,
    /// What the move that led here is searched at.
    pub(crate) price: Depth,
    /// The evaluation here, or the last one before for the same side.
    pub(crate) evaluation: Score,
    /// The best line found from here.
    pub(crate) pv: Vec<G::Move>,
}

impl<G: Game> Default for Frame<G> {
    fn default() -> Frame<G> {
        Frame {
            killers: [None; 2],
            mv: None,
            previous_index: None,
            quiet_index: None,
            reversible: 0,
            extended: false,
            extension: None,
            multi_cut_holds: false,
            doubles: 0,
            cutoffs: 0,
            excluded: None,
            arrival: Arrival::by(Purpose::Root),
            price: Depth::PLY,
            evaluation: 0,
            pv: Vec::new(),
        }
    }
}

/// What the threads of one search share.
pub(crate) struct Shared<'a, P> {
    pub(crate) policy: &'a P,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) prepared: &'a Prepared,
    pub(crate) budget: &'a Budget<'a>,
    pub(crate) seed: u64,
}

/// One thread's search. Its observer sees nodes only where it is `WATCHED`: else they cost nothing.
pub(crate) struct Worker<'a, G: Game, E, P, const WATCHED: bool> {
    pub(crate) policy: P,
    pub(crate) observer: &'a mut (dyn Observer<G> + 'a),
    pub(crate) table: &'a TranspositionTable,
    pub(crate) budget: &'a Budget<'a>,
    /// What the tables of techniques say.
    pub(crate) prepared: &'a Prepared,
    /// A technique is on that looks at the evaluation of nodes.
    pub(crate) evaluates_nodes: bool,
    /// The seed of variety.
    pub(crate) seed: u64,
    pub(crate) memory: &'a mut Memory<E>,
    pub(crate) nodes: u64,
    pub(crate) pace: Pace,
    pub(crate) selective_depth: usize,
    pub(crate) counters: Counters,
    /// The nominal depth of the running iteration, in plies.
    pub(crate) iteration: i32,
    /// The best line of the running iteration at the root, as far as it goes.
    pub(crate) partial: Option<Line<G::Move>>,
    /// What the running iteration does at the root.
    pub(crate) effort: Effort<G::Move>,
    /// The moves that may be played at the root.
    pub(crate) root_moves: Vec<G::Move>,
    /// How many moves the rules allow there.
    pub(crate) root_move_count: usize,
    /// One frame for each ply.
    pub(crate) frames: Vec<Frame<G>>,
    /// The moves of all nodes on the current line.
    pub(crate) moves: MoveStack<G::Move>,
    /// Hashes of the current line, from the root.
    pub(crate) path: Vec<u64>,
    /// Hashes of positions that stood at least twice in the game before the root.
    pub(crate) stood_twice: Vec<u64>,
    /// The running iteration relied on an estimate somewhere: the evaluation, a technique, or a value of the table. One
    /// that did not has found the value that every deeper one would find.
    pub(crate) estimated: bool,
}

impl<'a, G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'a, G, E, &'a P, WATCHED> {
    /// A thread that is ready to search what is asked.
    pub(crate) fn new(
        shared: &Shared<'a, P>,
        observer: &'a mut (dyn Observer<G> + 'a),
        memory: &'a mut Memory<E>,
        request: &Request<G>,
    ) -> Self {
        let Shared { policy, table, prepared, budget, seed } = *shared;
        let params = policy.params();
        let mut root_moves = G::legal_moves(&request.position);
        let root_move_count = root_moves.len();
        if !request.only.is_empty() {
            root_moves.retain(|mv| request.only.contains(mv));
        }
        let frames: Vec<Frame<G>> = std::iter::repeat_with(Frame::default).take(FRAMES).collect();
        Worker {
            policy,
            observer,
            table,
            budget,
            prepared,
            evaluates_nodes: Technique::ALL.iter().any(|each| each.reads_evaluation() && each.is_on(params)),
            seed,
            memory,
            nodes: 0,
            pace: Pace::new(),
            selective_depth: 0,
            counters: Counters::default(),
            iteration: 0,
            partial: None,
            effort: Effort::new(),
            root_moves,
            root_move_count,
            frames,
            moves: MoveStack::with_capacity(MAX_PLY * 64),
            path: vec![0; FRAMES],
            stood_twice: repeated(&request.history),
            estimated: false,
        }
    }
}

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    #[inline(always)]
    pub(crate) fn params(&self) -> &Params {
        self.policy.params()
    }

    /// Counts a node, and stops where a limit is reached.
    #[inline]
    pub(crate) fn count_node(&mut self, ply: usize) -> Result<(), Stopped> {
        let nodes = self.nodes + 1;
        if self.pace.is_due(nodes) {
            self.budget.look(nodes, &mut self.pace)?;
        }
        self.nodes = nodes;
        self.selective_depth = self.selective_depth.max(ply);
        Ok(())
    }

    /// Notes how the search is about to come to a node: all of it where somebody watches, else the price.
    #[inline(always)]
    pub(crate) fn announce(&mut self, ply: usize, arrival: Arrival) {
        self.frames[ply].price = arrival.price;
        if WATCHED {
            self.frames[ply].arrival = arrival;
        }
    }

    /// Says that a technique leaves out moves of the node that is open, where somebody watches.
    #[inline(always)]
    pub(crate) fn tell_left_out(&mut self, technique: Technique, moves: usize) {
        if WATCHED && moves > 0 {
            self.observer.left_out(technique, moves);
        }
    }

    /// The evaluation of a position, kept within its range.
    pub(crate) fn evaluate(&mut self, position: &G::Position) -> Score {
        let score = self.memory.evaluate.evaluate(position).saturating_add(self.variety(position));
        score.clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT)
    }

    /// The hash of the position at `ply` of the current line, which was put there on the way to it.
    #[inline]
    pub(crate) fn hash_at(&self, ply: usize) -> u64 {
        self.path[ply]
    }

    /// Puts the root on the path.
    pub(crate) fn begin(&mut self, root: &G::Position) {
        self.path[0] = G::hash(root);
    }

    /// Says how the game ended in a position of the path, if it did.
    pub(crate) fn arrive(&mut self, position: &G::Position, ply: usize) -> Option<Score> {
        debug_assert_eq!(self.hash_at(ply), G::hash(position));
        self.frames[ply].pv.clear();
        if ply == 0 {
            return None;
        }
        if let Some(outcome) = G::decided(position) {
            return Some(score::of_outcome(outcome, ply));
        }
        let repeats = self.params().repetition.on() && self.repeats(ply);
        (repeats || G::drawn_by_rule(position)).then_some(score::DRAW)
    }

    /// Why a position that has a score on arrival has one, where somebody watches.
    pub(crate) fn end_on_arrival(&self, position: &G::Position) -> End {
        if WATCHED && G::decided(position).is_some() { End::Over } else { End::Draw }
    }

    /// Whether this position stood before: once on the current line, or twice in the game.
    fn repeats(&self, ply: usize) -> bool {
        let (hash, reversible) = (self.hash_at(ply), self.frames[ply].reversible);
        let on_line = (2..=reversible).step_by(2).any(|back| self.path[ply - back] == hash);
        // An irreversible move on the line, or a pass, shuts the game off.
        on_line || reversible == ply && self.stood_twice.contains(&hash)
    }

    /// Notes the move that leads from `ply` to the next node, and puts that on the path.
    #[inline]
    pub(crate) fn depart(&mut self, position: &G::Position, ply: usize, mv: G::Move, after: &G::Position) {
        self.path[ply + 1] = G::hash(after);
        let reversible = self.frames[ply].reversible + 1;
        self.frames[ply].mv = Some(mv);
        let ordering = &self.params().ordering;
        let counts = ordering.replies + ordering.follow_ups + ordering.plans > 0;
        let may_praise = ordering.unrefuted > 0 && G::tactical_value(position, mv).is_none();
        self.frames[ply + 1].previous_index = counts.then(|| G::move_index(position, mv));
        self.frames[ply + 1].quiet_index = may_praise.then(|| G::move_index(position, mv));
        self.frames[ply + 1].reversible = if G::is_irreversible(position, mv) { 0 } else { reversible };
        self.frames[ply + 1].extended = false;
        self.frames[ply + 1].extension = None;
        self.frames[ply + 1].doubles = self.frames[ply].doubles;
    }

    /// Notes that the next node follows a null move. Nothing before it can come back.
    pub(crate) fn depart_by_null(&mut self, ply: usize, after: &G::Position) {
        self.path[ply + 1] = G::hash(after);
        self.frames[ply].mv = None;
        self.frames[ply + 1].previous_index = None;
        self.frames[ply + 1].quiet_index = None;
        self.frames[ply + 1].reversible = 0;
        self.frames[ply + 1].extended = false;
        self.frames[ply + 1].extension = None;
        self.frames[ply + 1].doubles = self.frames[ply].doubles;
    }

    /// Makes `mv` followed by the next ply's line the best line from `ply`.
    pub(crate) fn extend_pv(&mut self, ply: usize, mv: G::Move) {
        let (above, below) = self.frames.split_at_mut(ply + 1);
        let pv = &mut above[ply].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&below[0].pv);
    }

    /// Whether this is the root with some of its moves left out: its value is not that of the position.
    pub(crate) fn is_partial_root(&self, ply: usize) -> bool {
        ply == 0 && self.root_moves.len() < self.root_move_count
    }

    /// Notes that a technique cut a node.
    pub(crate) fn note_cut(&mut self, technique: Technique) {
        self.counters.cut(technique);
        self.estimated |= !matches!(technique, Technique::Solver | Technique::MateDistance);
    }
}

/// The line may grow to this length; one more frame lets the last node look at its successor.
pub(crate) const FRAMES: usize = MAX_PLY + 2;

/// The hashes that occur more than once.
fn repeated(history: &[u64]) -> Vec<u64> {
    let mut sorted = history.to_vec();
    sorted.sort_unstable();
    let mut twice: Vec<u64> = sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    twice.dedup();
    twice
}
