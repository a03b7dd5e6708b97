//! Losing exchanges: near the horizon, a move that loses material on the square it goes to is left out.
//!
//! Static exchange evaluation is older than its use for pruning; Reul, "New architectures in computer chess", 2009,
//! describes both. The more depth is left, the more a move must lose. A check may be a sacrifice and is searched, and
//! so is everything while in check.

use crate::ordering::{Candidate, MovePhase};
use crate::search::Node;
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Whether a move loses too much for the depth that is left.
    pub(crate) fn losing_exchanges(&mut self, node: &Node<G>, candidate: &Candidate<G::Move>) -> bool {
        let params = &self.params().losing_exchanges;
        if !params.on() || node.in_check || node.depth > Depth::plies(params.most_depth) {
            return false;
        }
        let (each_ply, exchange) = match candidate.phase {
            MovePhase::Losing => (params.tactical, candidate.value),
            MovePhase::History | MovePhase::Rest => (params.quiet, G::exchange_value(node.position, candidate.mv)),
            MovePhase::Table | MovePhase::Tactical | MovePhase::Killer => return false,
        };
        self.counters.tried(Technique::LosingExchanges);
        let loss = each_ply * node.depth.in_hundredths() / 100;
        let left_out = exchange < -loss && !G::gives_check(node.position, candidate.mv);
        if left_out {
            self.counters.cut(Technique::LosingExchanges);
            self.tell_left_out(Technique::LosingExchanges, 1);
        }
        left_out
    }
}
