use crate::{Bound, Extension, Likelihood, MovePhase, Prospect, Technique};
use plywise_game::{Depth, Game, Score, Window};
use std::time::Duration;

/// Sees what the search does. Every method does nothing by default, and `()` observes nothing: it costs nothing.
pub trait Observer<G: Game> {
    /// Whether it wants to be told of nodes and moves, by all methods from [`enter`](Observer::enter) on. A search that
    /// is not watched so closely is faster.
    fn sees_nodes(&self) -> bool {
        true
    }

    /// An iteration, or one of its lines, is finished; or it fell outside its window, as `bound` says.
    fn progress(&mut self, _progress: &Progress<G::Move>) {}

    /// The search turns to a move at the root.
    fn root_move(&mut self, _root_move: &RootMove<G::Move>) {}

    /// A node of the main search is entered.
    fn enter(&mut self, _node: &Entered<'_, G>) {}

    /// The node of the main search that was entered last, and not left, is left. Where the search is stopped, the nodes
    /// that are open are not left.
    fn leave(&mut self, _node: &Leaving) {}

    /// The depth is used up at `ply`: quiescence takes over.
    fn horizon(&mut self, _ply: usize) {}

    /// A node of quiescence is entered.
    fn enter_quiescence(&mut self, _node: &Entered<'_, G>) {}

    /// The node of quiescence that was entered last, and not left, is left.
    fn leave_quiescence(&mut self, _node: &Leaving) {}

    /// What mate distance or the table knows narrows the window of the node that is open to this one.
    fn narrowed(&mut self, _window: Window) {}

    /// A technique leaves out moves of the node that is open.
    fn left_out(&mut self, _technique: Technique, _moves: usize) {}

    /// A move of the node at `tried.ply` has been searched.
    fn tried(&mut self, _tried: &Tried<'_, G>) {}

    /// The observer of a helping thread, where there are several; `None` for no observer. The first thread is number 0 and
    /// watched by `self`.
    fn beside(&mut self, _thread: usize) -> Option<Box<dyn Observer<G> + Send>> {
        None
    }
}

impl<G: Game> Observer<G> for () {
    fn sees_nodes(&self) -> bool {
        false
    }
}

/// How far the search has come.
#[derive(Clone, Debug)]
pub struct Progress<M> {
    /// The nominal depth in plies.
    pub depth: i32,
    /// The longest line searched, in plies.
    pub selective_depth: usize,
    /// The rank of this line, from 1, where several were asked for.
    pub line: usize,
    /// Its value for the side to move.
    pub score: Score,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// The time since the search began.
    pub time: Duration,
    /// How many in a thousand entries of the table are in use.
    pub table_permille: usize,
    /// The line itself.
    pub pv: Vec<M>,
}

/// A move at the root that is about to be searched.
#[derive(Clone, Copy, Debug)]
pub struct RootMove<M> {
    /// The nominal depth in plies.
    pub depth: i32,
    /// The move.
    pub mv: M,
    /// Its place in the order, from 1.
    pub number: usize,
    /// The time since the search began.
    pub time: Duration,
}

/// A node that is being entered.
pub struct Entered<'a, G: Game> {
    /// Plies from the root.
    pub ply: usize,
    /// The position.
    pub position: &'a G::Position,
    /// The move that led here; `None` at the root and after a null move.
    pub mv: Option<G::Move>,
    /// What that move was priced by, where it had a price of its own.
    pub extension: Option<Extension>,
    /// The depth left.
    pub depth: Depth,
    /// The window.
    pub window: Window,
    /// What the node is expected to be.
    pub kind: NodeKind,
    /// How the search comes here.
    pub arrival: Arrival,
    /// The nodes that the thread has searched, this one included.
    pub count: u64,
    /// What history says of a move, whatever came before it, in the units of `ordering.history`; 0 where it is not kept.
    pub merit: &'a dyn Fn(G::Move) -> i32,
}

/// What a node is expected to be (Knuth & Moore, "An analysis of alpha-beta pruning", 1975).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// On the principal variation: its exact value is wanted.
    Pv,
    /// One good move will refute it.
    Cut,
    /// Every move will fail low.
    All,
    /// Beyond the horizon.
    Quiescence,
}

/// How the search comes to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// What the node is searched for.
    pub purpose: Purpose,
    /// What the move that led here is searched at.
    pub price: Depth,
    /// What it costs in full: it is searched again at this price where it turns out good at a higher one.
    pub full: Depth,
    /// The number of that move in the order, from 1; 0 where there is none.
    pub number: usize,
    /// The part of the order that it comes from.
    pub phase: Option<MovePhase>,
    /// How likely that move is to raise alpha, where prices are learned.
    pub likelihood: Option<Likelihood>,
}

impl Arrival {
    /// At a node that no move of the order leads to.
    pub(crate) fn by(purpose: Purpose) -> Arrival {
        Arrival { purpose, price: Depth::PLY, full: Depth::PLY, number: 0, phase: None, likelihood: None }
    }
}

/// What a node is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// It is the root.
    Root,
    /// It follows a move of the node before.
    Move,
    /// The move was good at its reduced price: again, at a price in between.
    Step,
    /// The move was good at its reduced price: again, at its full price.
    FullPrice,
    /// The move surprised a null window: again, with the window of the node before.
    OpenWindow,
    /// The null move of the node before.
    NullMove,
    /// A null move of this node is verified.
    Verification,
    /// ProbCut's shallow search of this node.
    ProbCut,
    /// A shallow search of a capture of the node before, for ProbCut on captures.
    CaptureProbCut,
    /// Multi-cut's shallow search of a move of the node before.
    MultiCut,
    /// All moves of this node but one, to see whether that one stands alone.
    Singular,
    /// A move is wanted for this node to begin with.
    InternalDeepening,
    /// Razoring asks quiescence about this node.
    Razoring,
}

impl Purpose {
    /// Whether no move leads to the node: it is the root, or the position of the node before is searched once more.
    pub fn stays(self) -> bool {
        use Purpose::{InternalDeepening, ProbCut, Razoring, Root, Singular, Verification};
        matches!(self, Root | InternalDeepening | ProbCut | Razoring | Singular | Verification)
    }
}

/// A node that is being left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// Plies from the root.
    pub ply: usize,
    /// Its value for the side to move.
    pub score: Score,
    /// Whether the value may not be the minimax value because a node below was left early.
    pub uncertain: bool,
    /// Its evaluation, where it was asked for.
    pub evaluation: Option<Score>,
    /// Why it is left.
    pub end: End,
    /// The nodes that the thread has searched. A solver's nodes count although no observer sees them.
    pub count: u64,
}

/// Why a node is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Its moves are done, or one of them was too good.
    Moves,
    /// A technique cut it.
    Cut(Technique),
    /// The side to move may do nothing, and that is good enough.
    StandPat,
    /// The line has gone far enough beyond the horizon, and is evaluated.
    Evaluated,
    /// The game is drawn, by a rule or because the position came back.
    Draw,
    /// The game is over.
    Over,
}

impl End {
    /// Whether a node of the main search that ends so was evaluated before.
    pub(crate) fn follows_evaluation(self) -> bool {
        use Technique::{MateDistance, Solver, Table};
        !matches!(self, End::Over | End::Draw | End::Cut(MateDistance | Table | Solver))
    }
}

/// A move that has been searched, and how the node stood before it.
pub struct Tried<'a, G: Game> {
    /// Plies from the root to the node.
    pub ply: usize,
    /// The node's position.
    pub position: &'a G::Position,
    /// The move.
    pub mv: G::Move,
    /// Its value for the side to move at the node.
    pub score: Score,
    /// The features of the node before the move was searched.
    pub standing: crate::Standing,
    /// All that the search knew of the move, where the node is explored: there every move has its full price.
    pub explored: Option<Prospect>,
}
