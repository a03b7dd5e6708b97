//! Mate-distance pruning: a line that has become longer than a win already found cannot matter.

use crate::search::{Node, Value};
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Evaluate, Game, Window, score};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Narrows the window to the scores that a line of this length can have; cuts if none is left.
    pub(crate) fn mate_distance(&mut self, node: &mut Node<G>) -> Option<Value> {
        if !self.params().mate_distance.on() || node.ply == 0 {
            return None;
        }
        self.counters.tried(Technique::MateDistance);
        let alpha = node.window.alpha.max(score::loss_in(node.ply));
        let beta = node.window.beta.min(score::win_in(node.ply + 1));
        if alpha >= beta {
            return Some(Value::certain(alpha));
        }
        self.narrow(node, Window::new(alpha, beta));
        None
    }
}
