//! Cutoffs by what the transposition table knows: about this node, or about one of its successors.
//!
//! The second kind is called enhanced transposition cutoffs: Schaeffer & Plaat, "New advances in alpha-beta searching",
//! 1996.

use crate::search::{Node, Value};
use crate::worker::Worker;
use crate::{Bound, Entry, Policy, Technique};
use plywise_game::{Depth, Evaluate, Game, Window};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Looks the node up: its entry, and the move that it suggests.
    pub(crate) fn probe_table(&mut self, node: &mut Node<G>) {
        if !self.params().table.on() {
            return;
        }
        node.entry = self.table.probe(node.hash);
        if let Some(entry) = node.entry
            && self.params().ordering.table_move
        {
            node.table_move = self.move_of(node, entry.move_code);
        }
    }

    /// Asks for the entry of the successor that the node departs to, if it will be looked up.
    #[inline]
    pub(crate) fn prefetch_next(&self, node: &Node<G>) {
        let params = self.params();
        let at_horizon = params.quiescence.on() && params.quiescence.table;
        if params.table.on() && (node.depth > Depth::PLY || at_horizon) {
            self.table.prefetch(self.hash_at(node.ply + 1));
        }
    }

    /// The move with this code, if it may be played here.
    pub(crate) fn move_of(&self, node: &Node<G>, code: u16) -> Option<G::Move> {
        let mv = (code != 0).then(|| G::move_from_code(node.position, code)).flatten()?;
        (node.ply > 0 || self.root_moves.contains(&mv)).then_some(mv)
    }

    /// Cuts where the node's own entry answers the question; where it does not, its bound may narrow the window.
    pub(crate) fn table_cutoff(&mut self, node: &mut Node<G>) -> Option<Value> {
        let entry = node.entry?;
        self.counters.tried(Technique::Table);
        if !self.is_deep_enough(&entry, node.depth) {
            return None;
        }
        let settled = entry.settles(node.window, node.ply).map(Value::certain);
        if settled.is_none() && self.params().table.narrow && !entry.uncertain {
            let (score, Window { alpha, beta }) = (entry.score_at(node.ply), node.window);
            match entry.bound {
                Bound::Lower if score < beta => self.narrow(node, Window::new(alpha.max(score), beta)),
                Bound::Upper if score > alpha => self.narrow(node, Window::new(alpha, beta.min(score))),
                _ => {}
            }
        }
        settled
    }

    /// Cuts where the entry of a successor refutes the node.
    pub(crate) fn transposition_cutoffs(&mut self, node: &mut Node<G>) -> Option<Value> {
        let params = self.params();
        if !params.transposition_cutoffs.on()
            || !params.table.on()
            || node.depth < Depth::plies(params.transposition_cutoffs.least_depth)
        {
            return None;
        }
        self.counters.tried(Technique::TranspositionCutoffs);
        self.generate(node);
        let window = -node.window;
        self.moves.of_node(&node.cursor).iter().find_map(|&mv| {
            let after = G::play(node.position, mv);
            let entry = self.table.probe(G::hash(&after))?;
            let score = self
                .is_deep_enough(&entry, node.depth - Depth::PLY)
                .then(|| entry.settles(window, node.ply + 1))
                .flatten()?;
            (-score >= node.window.beta).then_some(Value::certain(-score))
        })
    }

    fn is_deep_enough(&self, entry: &Entry, depth: Depth) -> bool {
        if self.params().table.equal_depth_only { entry.depth == depth } else { entry.depth >= depth }
    }
}
