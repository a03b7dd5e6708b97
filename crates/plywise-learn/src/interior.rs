//! What a search knows besides its root: interior nodes with their values or bounds, to learn from (Veness, Silver, Uther
//! & Blair, "Bootstrapping from game tree search", 2009).

use plywise_game::random::Random;
use plywise_game::{Depth, Game, Score, Window, score};
use plywise_search::{Bound, End, Entered, Leaving, Observer, Purpose};
use std::cell::RefCell;

/// A position within a search.
#[derive(Clone, Debug)]
pub(crate) struct InteriorNode<G: Game> {
    /// The position.
    pub position: G::Position,
    /// Its value for the side to move.
    pub score: Score,
    /// Whether that is its value or a bound on it.
    pub bound: Bound,
    /// The depth with which it was searched.
    pub depth: Depth,
}

/// An observer that keeps a sample of the interior nodes.
pub(crate) struct InteriorNodes<G: Game> {
    least_depth: Depth,
    every: usize,
    random: Random,
    /// Nodes that were entered and not left, each if it may be kept.
    open: Vec<Option<(G::Position, Window, Depth)>>,
    kept: Vec<InteriorNode<G>>,
}

impl<G: Game> InteriorNodes<G> {
    /// Keeps one in `every` nodes that have at least this depth left.
    pub fn new(least_depth: Depth, every: usize, seed: u64) -> InteriorNodes<G> {
        InteriorNodes { least_depth, every, random: Random::new(seed), open: Vec::new(), kept: Vec::new() }
    }

    /// What was kept since it was asked last.
    pub fn take(&mut self) -> Vec<InteriorNode<G>> {
        std::mem::take(&mut self.kept)
    }
}

impl<G: Game> Observer<G> for InteriorNodes<G> {
    fn enter(&mut self, node: &Entered<'_, G>) {
        if node.ply == 0 && node.arrival.purpose == Purpose::Root {
            // A search that was stopped left its nodes open.
            self.open.clear();
        }
        // The root is known anyway; a search that leaves one move out has another value, and a null move is no position of the game.
        let is_ordinary = node.ply > 0 && !matches!(node.arrival.purpose, Purpose::Singular | Purpose::NullMove);
        let may_be_kept = is_ordinary && node.depth >= self.least_depth && self.random.one_in(self.every.max(1));
        self.open.push(may_be_kept.then(|| (node.position.clone(), node.window, node.depth)));
    }

    fn leave(&mut self, node: &Leaving) {
        let Some(Some((position, window, depth))) = self.open.pop() else { return };
        if node.end != End::Moves || node.uncertain || score::is_decided(node.score) {
            return;
        }
        let bound = match node.score {
            score if score >= window.beta => Bound::Lower,
            score if score <= window.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        self.kept.push(InteriorNode { position, score: node.score, bound, depth });
    }
}

/// Watches for somebody who reads what was kept between the searches.
pub(crate) struct Watcher<'a, G: Game>(pub(crate) &'a RefCell<InteriorNodes<G>>);

impl<G: Game> Observer<G> for Watcher<'_, G> {
    fn enter(&mut self, node: &Entered<'_, G>) {
        self.0.borrow_mut().enter(node);
    }

    fn leave(&mut self, node: &Leaving) {
        self.0.borrow_mut().leave(node);
    }
}
