//! Singular extension: a move that is better than all its siblings by a margin is searched deeper.
//!
//! Anantharaman, Campbell & Hsu, "Singular extensions: adding selectivity to brute-force searching", 1990. Only the move
//! that the table suggests is tested, by a shallow search of all others: where one good move refutes the node, and with
//! `pv` on the principal variation too. If the others reach beta, then with the table's move at least two moves do, and
//! where multi-cut is on the node is cut: the two techniques share their searches (Björnsson, "Selective depth-first
//! game-tree search", 2002, section 8.2).

use crate::limits::Stopped;
use crate::search::{Kind, Node, Price, Scout, Task, Value};
use crate::worker::Worker;
use crate::{Arrival, Bound, Policy, Purpose, Technique};
use plywise_game::{Depth, Evaluate, Game, Window, score};

/// The table's value must be at most this much shallower than the node.
const TRUSTED_PLIES: i32 = 3;

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Finds out whether the table's move stands alone; cuts where, on the contrary, several moves reach beta.
    pub(crate) fn singular<K: Kind>(&mut self, node: &mut Node<G>) -> Result<Option<Value>, Stopped> {
        let params = self.params().singular.clone();
        if !params.on() || node.verifying || node.depth < Depth::plies(params.least_depth) || node.ply == 0 {
            node.singular_move = None;
            return Ok(None);
        }
        if node.singular_move.is_some() {
            return Ok(None);
        }
        let (Some(mv), Some(entry)) = (node.table_move, node.entry) else { return Ok(None) };
        let score = entry.score_at(node.ply);
        let trusted = entry.bound != Bound::Upper && entry.depth >= node.depth - Depth::plies(TRUSTED_PLIES);
        if !trusted || entry.uncertain || score::is_decided(score) {
            return Ok(None);
        }
        self.counters.tried(Technique::Singular);
        let bar = score - params.margin * node.depth.in_hundredths() / 10_000;
        let others = self.search_others(node, mv, bar)?;
        if others.score < bar {
            node.singular_move = Some(mv);
        } else if !K::PV && self.params().multi_cut.on() && bar >= node.window.beta {
            return Ok(Some(Value { score: bar, ..others }));
        }
        Ok(None)
    }

    /// A move that stands alone is searched deeper.
    pub(crate) fn extend_singular(&mut self, node: &Node<G>, mv: G::Move, price: &mut Price) {
        if node.singular_move == Some(mv) {
            self.counters.cut(Technique::Singular);
            let extension = Depth::hundredths(self.params().singular.extension);
            price.full -= extension;
            price.reduced -= extension;
        }
    }

    /// The value of the node without one move, at half the depth.
    fn search_others(&mut self, node: &Node<G>, excluded: G::Move, bar: i32) -> Result<Value, Stopped> {
        let depth = Depth::hundredths((node.depth - Depth::PLY).in_hundredths() / 2);
        let task = Task { depth, window: Window::reaching(bar), verifying: true, ..node.task() };
        // The inner search is of the same node, whose marks it must not change.
        let multi_cut_holds = self.frames[node.ply].multi_cut_holds;
        self.frames[node.ply].excluded = Some(excluded);
        self.announce(node.ply, Arrival::by(Purpose::Singular));
        let value = self.search::<Scout>(node.position, task);
        self.frames[node.ply].excluded = None;
        self.frames[node.ply].multi_cut_holds = multi_cut_holds;
        value
    }
}
