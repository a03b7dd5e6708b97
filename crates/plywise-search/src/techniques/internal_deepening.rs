//! Internal iterative deepening: where the table suggests no move, a shallower search of the node finds one to try
//! first (Anantharaman, "A statistical study of selective min-max search in computer chess", 1990).

use crate::limits::Stopped;
use crate::search::{Kind, Node, Task};
use crate::worker::Worker;
use crate::{Arrival, Policy, Purpose, Technique};
use plywise_game::{Depth, Evaluate, Game};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Gives a node of the principal variation a move to begin with.
    pub(crate) fn internal_deepening<K: Kind>(&mut self, node: &mut Node<G>) -> Result<(), Stopped> {
        let params = &self.params().internal_deepening;
        let wanted = K::PV && params.on() && node.table_move.is_none() && self.params().table.on();
        if !wanted || node.depth < Depth::plies(params.least_depth) {
            return Ok(());
        }
        let task = Task { depth: node.depth - Depth::plies(params.reduction), ..node.task() };
        self.counters.tried(Technique::InternalDeepening);
        self.announce(node.ply, Arrival::by(Purpose::InternalDeepening));
        self.search::<K>(node.position, task)?;
        node.table_move = self.table.probe(node.hash).and_then(|entry| self.move_of(node, entry.move_code));
        if node.table_move.is_some() {
            self.counters.cut(Technique::InternalDeepening);
        }
        Ok(())
    }
}
