//! Futility pruning and its relatives: near the horizon, the evaluation already tells how the search will end.
//!
//! Schaeffer, "Experiments in search and knowledge", 1986; Heinz, "Extended futility pruning", 1998, and "AEL pruning",
//! 2000, which adds limited razoring. Reverse futility asks the same question at beta.

use crate::limits::Stopped;
use crate::quiescence::Beyond;
use crate::search::{Node, Value};
use crate::worker::Worker;
use crate::{Arrival, Policy, Purpose, Technique};
use plywise_game::{Depth, Evaluate, Game, Score, score};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Cuts where the evaluation exceeds beta by so much that a shallow search would not bring it down.
    pub(crate) fn reverse_futility(&mut self, node: &Node<G>) -> Option<Value> {
        let params = &self.params().reverse_futility;
        if !params.on() || node.depth > Depth::plies(params.most_depth) || score::is_decided(node.window.beta) {
            return None;
        }
        let rising = if node.rising { Depth::hundredths(params.rising) } else { Depth::ZERO };
        let margin = scaled(params.margin, (node.depth - rising).max(Depth::ZERO));
        self.counters.tried(Technique::ReverseFutility);
        (node.evaluation - margin >= node.window.beta).then_some(Value::certain(node.evaluation - margin))
    }

    /// Cuts where the evaluation is far below alpha and quiescence finds nothing that lifts it.
    pub(crate) fn razoring(&mut self, node: &Node<G>) -> Result<Option<Value>, Stopped> {
        let params = &self.params().razoring;
        if !params.on() || node.depth > Depth::plies(params.most_depth) || score::is_decided(node.window.alpha) {
            return Ok(None);
        }
        if node.evaluation + scaled(params.margin, node.depth) > node.window.alpha {
            return Ok(None);
        }
        self.counters.tried(Technique::Razoring);
        self.announce(node.ply, Arrival::by(Purpose::Razoring));
        let score = self.quiesce(node.position, node.window, node.ply, Beyond::HORIZON)?;
        Ok((score <= node.window.alpha).then_some(Value::certain(score)))
    }

    /// Leaves out the quiet moves to come where none of them can lift the evaluation to alpha.
    pub(crate) fn futility(&mut self, node: &mut Node<G>) -> bool {
        let params = &self.params().futility;
        if !params.on() || node.depth > Depth::plies(params.most_depth) || score::is_decided(node.window.alpha) {
            return false;
        }
        // The depth after the move decides: 0 plies or less is a frontier node.
        let margin = match (node.depth - Depth::PLY).in_hundredths() {
            ..=0 => params.frontier,
            1..=100 => params.pre_frontier,
            101..=200 => params.pre_pre_frontier,
            _ => return false,
        };
        let hope = node.evaluation + margin;
        hope <= node.window.alpha && self.leave_out_quiets(node, Technique::Futility, Some(hope))
    }
}

fn scaled(margin_per_ply: Score, depth: Depth) -> Score {
    margin_per_ply * depth.in_hundredths() / 100
}
