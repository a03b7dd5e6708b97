//! What the techniques' tests share: a game whose positions a test spells out, and the search of one node of it.
//!
//! ```text
//! // The evaluation is 10, and there are two moves: a quiet one worth 30 and a capture worth 5 that loses 100.
//! let here = position(10, [quiet(30), capture(5, -100)]);
//! let seen = Ask::cut(here, 3, 50).with("n_best").with("n_best.moves=1").search();
//! assert_eq!(seen.moves(), [0]);
//! ```

pub(crate) use crate::search::{Expect, Value};
pub(crate) use crate::{Bound, End, Entry, Knowledge, Purpose, Technique};
pub(crate) use plywise_game::{Depth, Game, Phase, Score, Window, score};

use crate::limits::Budget;
use crate::search::{NodeRequest, Pv, Scout};
use crate::worker::{Memory, Shared, Worker};
use crate::{Counters, Entered, Leaving, Limits, Observer, Params, Request, Signal, TranspositionTable};
use plywise_game::parameters::Parameters;
use plywise_game::{Evaluate, MoveTraits, Outcome, Side};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A game without a board. Positions with the same description are the same position.
#[derive(Debug)]
pub(crate) enum Told {}

/// A position, and all that the search may ask about it. A test changes what it needs: `Position { in_check: true, ..calm(0) }`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    /// What it is worth to the side to move.
    pub(crate) evaluation: Score,
    /// Without moves the game goes on quietly for ever.
    pub(crate) moves: Vec<Move>,
    /// Where a pass leads, if one is allowed.
    pub(crate) pass: Option<Box<Position>>,
    pub(crate) pass_is_doubtful: bool,
    pub(crate) in_check: bool,
    /// The side to move has lost.
    pub(crate) is_lost: bool,
    pub(crate) phase: Phase,
    /// What correction history knows the position by.
    pub(crate) structure: u8,
    /// What the evaluation's solver says.
    pub(crate) solved: Option<Score>,
}

/// A move, and all that the search may ask about it. The search names it by its place in the list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    pub(crate) to: Position,
    pub(crate) is_tactical: bool,
    pub(crate) exchange: i32,
    pub(crate) class: usize,
    pub(crate) recaptures: bool,
    pub(crate) advances: bool,
}

/// A position that stays worth `evaluation` to the side to move, however long the game goes on.
pub(crate) fn calm(evaluation: Score) -> Position {
    position(evaluation, [])
}

/// A position with these moves.
pub(crate) fn position<const N: usize>(evaluation: Score, moves: [Move; N]) -> Position {
    Position {
        evaluation,
        moves: moves.into(),
        pass: None,
        pass_is_doubtful: false,
        in_check: false,
        is_lost: false,
        phase: Phase::Middlegame,
        structure: 0,
        solved: None,
    }
}

/// A position in which the side to move has lost.
pub(crate) fn lost() -> Position {
    Position { is_lost: true, ..calm(0) }
}

/// A quiet move to a position.
pub(crate) fn to(to: Position) -> Move {
    Move { to, is_tactical: false, exchange: 0, class: 0, recaptures: false, advances: false }
}

/// A quiet move that is worth `value` to the side that makes it.
pub(crate) fn quiet(value: Score) -> Move {
    to(calm(-value))
}

/// The same, but it gives check.
pub(crate) fn check(value: Score) -> Move {
    to(Position { in_check: true, ..calm(-value) })
}

/// A tactical move that is worth `value`, and `exchange` on its square.
pub(crate) fn capture(value: Score, exchange: i32) -> Move {
    Move { is_tactical: true, exchange, ..quiet(value) }
}

/// A quiet move that loses the game: the opponent wins with the next one.
pub(crate) fn blunder() -> Move {
    to(position(0, [to(lost())]))
}

impl Position {
    /// The same, but a pass is allowed and worth `value` to the side that passes.
    pub(crate) fn with_pass(self, value: Score) -> Position {
        Position { pass: Some(Box::new(calm(-value))), ..self }
    }
}

impl Game for Told {
    type Position = Position;
    type Move = u8;

    fn start() -> Position {
        calm(0)
    }

    /// All values are from the view of the side to move: which side that is does not matter.
    fn side_to_move(_: &Position) -> Side {
        Side::First
    }

    fn moves(position: &Position, each: impl FnMut(u8)) {
        if !position.is_lost {
            (0..position.moves.len().max(1) as u8).for_each(each);
        }
    }

    fn play(position: &Position, mv: u8) -> Position {
        match position.moves.get(usize::from(mv)) {
            Some(mv) => mv.to.clone(),
            None => calm(-position.evaluation),
        }
    }

    fn hash(position: &Position) -> u64 {
        let mut hasher = DefaultHasher::new();
        position.hash(&mut hasher);
        hasher.finish()
    }

    fn stuck(_: &Position) -> Outcome {
        Outcome::Loss
    }

    const STRUCTURE_KEYS: usize = 1;

    fn structure_hash(position: &Position, _: usize) -> u64 {
        u64::from(position.structure) << 56
    }

    const MOVE_INDICES: usize = 256;

    fn move_index(_: &Position, mv: u8) -> usize {
        usize::from(mv)
    }

    fn move_code(mv: u8) -> u16 {
        u16::from(mv) + 1
    }

    fn decided(position: &Position) -> Option<Outcome> {
        position.is_lost.then_some(Outcome::Loss)
    }

    const MOVE_CLASSES: usize = 4;

    fn move_class(position: &Position, mv: u8) -> usize {
        told(position, mv).map_or(0, |mv| mv.class)
    }

    fn tactical_value(position: &Position, mv: u8) -> Option<i32> {
        told(position, mv).filter(|mv| mv.is_tactical).map(|_| 0)
    }

    fn exchange_value(position: &Position, mv: u8) -> i32 {
        told(position, mv).map_or(0, |mv| mv.exchange)
    }

    fn in_check(position: &Position) -> bool {
        position.in_check
    }

    fn null_move(position: &Position) -> Option<Position> {
        position.pass.as_deref().cloned()
    }

    fn null_move_doubtful(position: &Position) -> bool {
        position.pass_is_doubtful
    }

    fn move_traits(position: &Position, mv: u8, after: &Position, _: Option<u8>) -> MoveTraits {
        let (recaptures, advances) = told(position, mv).map_or((false, false), |mv| (mv.recaptures, mv.advances));
        MoveTraits { gives_check: after.in_check, recaptures, advances }
    }

    fn phase(position: &Position) -> Phase {
        position.phase
    }
}

fn told(position: &Position, mv: u8) -> Option<&Move> {
    position.moves.get(usize::from(mv))
}

/// The evaluation of the game, which a position tells.
#[derive(Clone)]
pub(crate) struct Evaluation;

impl Evaluate<Told> for Evaluation {
    fn evaluate(&mut self, position: &Position) -> Score {
        position.evaluation
    }

    fn solve(&mut self, position: &Position, _: Depth, _: Window, spend: &mut dyn FnMut(u64) -> u64) -> Option<Score> {
        (spend(1) > 0).then_some(position.solved).flatten()
    }
}

/// The ply at which the node stands unless a test says otherwise: far enough from the root for every technique.
pub(crate) const PLY: usize = 2;

/// A node to search. Every technique is off until the test switches it on.
pub(crate) struct Ask {
    pub(crate) position: Position,
    pub(crate) ply: usize,
    pub(crate) depth: Depth,
    pub(crate) window: Window,
    pub(crate) expect: Expect,
    pub(crate) verifying: bool,
    pub(crate) knowledge: Knowledge,
    pub(crate) params: Params,
}

impl Ask {
    /// Whether a position reaches `beta` in this many plies, where one move is expected to show it.
    pub(crate) fn cut(position: Position, plies: i32, beta: Score) -> Ask {
        let (depth, window, knowledge) = (Depth::plies(plies), Window::reaching(beta), Knowledge::default());
        let (ply, expect, verifying, params) = (PLY, Expect::Cut, false, Params::OFF);
        Ask { position, ply, depth, window, expect, verifying, knowledge, params }
    }

    /// The same where no move is expected to reach it.
    pub(crate) fn all(position: Position, plies: i32, beta: Score) -> Ask {
        Ask { expect: Expect::All, ..Ask::cut(position, plies, beta) }
    }

    /// The value of a position between `alpha` and `beta`, on the principal variation.
    pub(crate) fn pv(position: Position, plies: i32, alpha: Score, beta: Score) -> Ask {
        Ask { expect: Expect::Pv, window: Window::new(alpha, beta), ..Ask::cut(position, plies, beta) }
    }

    /// Sets a parameter, `group.name=value`, or switches on a group.
    pub(crate) fn with(mut self, setting: &str) -> Ask {
        let (path, value) = setting.split_once('=').unwrap_or((setting, "on"));
        self.params.set(path, value).unwrap();
        self
    }

    /// Searches the node.
    pub(crate) fn search(self) -> Seen {
        self.search_after(|_| {})
    }

    /// Searches the node after `prepare` has changed what the worker remembers.
    pub(crate) fn search_after(
        self,
        prepare: impl for<'a> FnOnce(&mut Worker<'a, Told, Evaluation, &'a Params, true>),
    ) -> Seen {
        self.search_between(prepare, |_| {})
    }

    /// The same, and `look` sees what the worker remembers afterwards.
    pub(crate) fn search_between(
        self,
        prepare: impl for<'a> FnOnce(&mut Worker<'a, Told, Evaluation, &'a Params, true>),
        look: impl for<'a> FnOnce(&Worker<'a, Told, Evaluation, &'a Params, true>),
    ) -> Seen {
        let Ask { position, ply, depth, window, expect, verifying, knowledge, params } = self;
        let (table, limits, signal) = (TranspositionTable::new(1).unwrap(), Limits::default(), Signal::new());
        let budget = Budget::new(&limits, &signal, 1, &params.time);
        let prepared = knowledge.prepare(&params);
        let shared = Shared { policy: &params, table: &table, prepared: &prepared, budget: &budget, seed: 0 };
        let mut memory = Memory::new::<Told>(Evaluation);
        let (mut watch, request) = (Watch::default(), Request::new(position.clone()));
        let mut worker = Worker::<Told, Evaluation, &Params, true>::new(&shared, &mut watch, &mut memory, &request);
        worker.iteration = depth.whole_plies() + ply as i32;
        worker.path[ply] = Told::hash(&position);
        worker.frames[..ply].iter_mut().for_each(|frame| frame.mv = Some(0));
        prepare(&mut worker);
        let request = NodeRequest { depth, window, ply, expect, verifying };
        let value = match expect {
            Expect::Pv => worker.search::<Pv>(&position, request),
            _ => worker.search::<Scout>(&position, request),
        };
        look(&worker);
        let (value, counters) = (value.expect("no limit"), std::mem::take(&mut worker.counters));
        let Watch { searches, left_out, narrowed, end, .. } = watch;
        Seen { value, end: end.expect("the node was left"), counters, searches, left_out, narrowed }
    }
}

/// What the table knows of a position: a score and what it means, from a search of this many plies, and the best move.
pub(crate) fn entry(score: Score, bound: Bound, plies: i32, best: u8) -> Entry {
    let (depth, move_code) = (Depth::plies(plies), Told::move_code(best));
    Entry { score, bound, depth, move_code, uncertain: false, on_pv: false, evaluation: None }
}

/// What the search of a node did.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) value: Value,
    pub(crate) end: End,
    pub(crate) counters: Counters,
    /// The searches that the node began, of itself and of its successors, in order.
    pub(crate) searches: Vec<Search>,
    /// How many of its moves each technique left out.
    pub(crate) left_out: Vec<(Technique, usize)>,
    /// Its window, if it was narrowed.
    pub(crate) narrowed: Option<Window>,
}

/// A search that a node began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Search {
    pub(crate) purpose: Purpose,
    /// The move that it follows.
    pub(crate) mv: Option<u8>,
    /// What the move costs there, in hundredths of a ply.
    pub(crate) price: i32,
    pub(crate) depth: Depth,
    pub(crate) window: Window,
    pub(crate) kind: crate::NodeKind,
}

impl Seen {
    /// The technique that cut the node.
    pub(crate) fn cut_by(&self) -> Option<Technique> {
        match self.end {
            End::Cut(technique) => Some(technique),
            _ => None,
        }
    }

    /// The searches of one purpose.
    pub(crate) fn of(&self, purpose: Purpose) -> Vec<Search> {
        self.searches.iter().copied().filter(|search| search.purpose == purpose).collect()
    }

    /// The moves that were searched, in order.
    pub(crate) fn moves(&self) -> Vec<u8> {
        self.of(Purpose::Move).iter().filter_map(|search| search.mv).collect()
    }

    /// What each of them cost at first, in hundredths of a ply.
    pub(crate) fn prices(&self) -> Vec<i32> {
        self.of(Purpose::Move).iter().map(|search| search.price).collect()
    }
}

/// Sees what the first node does, and no more.
#[derive(Default)]
struct Watch {
    open: usize,
    searches: Vec<Search>,
    left_out: Vec<(Technique, usize)>,
    narrowed: Option<Window>,
    end: Option<End>,
}

impl Watch {
    fn entered(&mut self, node: &Entered<'_, Told>) {
        if self.open == 1 {
            let (purpose, price) = (node.arrival.purpose, node.arrival.price.in_hundredths());
            let mv = node.mv.filter(|_| !purpose.stays());
            let Entered { depth, window, kind, .. } = *node;
            self.searches.push(Search { purpose, mv, price, depth, window, kind });
        }
        self.open += 1;
    }

    fn left(&mut self, node: &Leaving) {
        self.open -= 1;
        self.end = Some(node.end);
    }
}

impl Observer<Told> for Watch {
    fn enter(&mut self, node: &Entered<'_, Told>) {
        self.entered(node);
    }

    fn leave(&mut self, node: &Leaving) {
        self.left(node);
    }

    fn enter_quiescence(&mut self, node: &Entered<'_, Told>) {
        self.entered(node);
    }

    fn leave_quiescence(&mut self, node: &Leaving) {
        self.left(node);
    }

    fn narrowed(&mut self, window: Window) {
        if self.open == 1 {
            self.narrowed = Some(window);
        }
    }

    fn left_out(&mut self, technique: Technique, moves: usize) {
        if self.open == 1 {
            self.left_out.push((technique, moves));
        }
    }
}
