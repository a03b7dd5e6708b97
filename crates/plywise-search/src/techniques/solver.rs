//! The evaluation's own solver: an endgame search made for one game, or a table of endings, knows the exact value faster
//! than this search finds it. Whether it is worth asking is the evaluation's to say.

use crate::limits::Stopped;
use crate::search::{Node, Value};
use crate::table::{from_table, to_table};
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game, Score, Window};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Leaves the node with its exact value, or a bound of it, where the evaluation can tell.
    pub(crate) fn solver(&mut self, node: &Node<G>) -> Result<Option<Value>, Stopped> {
        let solved = self.solve(node.position, node.ply, node.depth, node.window)?;
        Ok(solved.map(Value::certain))
    }

    /// The exact value of a position, or a bound of it outside the window, where the evaluation can tell. The nodes of
    /// its solver count as ours, and our limits hold for it.
    pub(crate) fn solve(
        &mut self,
        position: &G::Position,
        ply: usize,
        depth: Depth,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        if !self.params().solver.on() {
            return Ok(None);
        }
        let (budget, nodes) = (self.budget, &mut self.nodes);
        let mut stopped = false;
        let mut spend = |more| {
            let granted = budget.grant(nodes, more);
            stopped |= granted == 0;
            granted
        };
        let within = Window::new(to_table(window.alpha, ply), to_table(window.beta, ply));
        let solved = self.memory.evaluate.solve(position, depth, within, &mut spend);
        if stopped && solved.is_none() {
            return Err(Stopped);
        }
        if solved.is_some() {
            self.counters.tried(Technique::Solver);
        }
        Ok(solved.map(|score| from_table(score, ply)))
    }
}
