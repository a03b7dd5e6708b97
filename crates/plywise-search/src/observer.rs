use crate::{Bound, Extension, Technique};
use plywise_game::{Depth, Game, Score, Window};
use std::time::Duration;

/// Sees what the search does. Every method does nothing by default, and `()` observes nothing: it costs nothing.
pub trait Observer<G: Game> {
    /// Whether it wants to be told of nodes and moves, by [`enter`](Observer::enter), [`horizon`](Observer::horizon),
    /// [`leave`](Observer::leave) and [`tried`](Observer::tried). A search that nobody watches so closely is faster.
    fn sees_nodes(&self) -> bool {
        true
    }

    /// An iteration, or one of its lines, is finished; or it fell outside its window, as `bound` says.
    fn progress(&mut self, _progress: &Progress<G::Move>) {}

    /// The search turns to a move at the root.
    fn root_move(&mut self, _root_move: &RootMove<G::Move>) {}

    /// A node of the main search is entered.
    fn enter(&mut self, _node: &Entered<'_, G>) {}

    /// The depth is used up at `ply`: quiescence takes over, and nothing is told of it.
    fn horizon(&mut self, _ply: usize) {}

    /// The node at `ply` is left with this score, cut by a technique or searched to its end.
    fn leave(&mut self, _ply: usize, _score: Score, _cut_by: Option<Technique>) {}

    /// A move of the node at `tried.ply` has been searched.
    fn tried(&mut self, _tried: &Tried<'_, G>) {}
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
    /// Whether the node belongs to the principal variation.
    pub is_pv: bool,
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
}
