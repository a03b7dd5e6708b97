//! Uncertainty cutoffs: a node that was expected to be cut and has not been after most of its moves probably will not
//! be. Then a new principal variation seems to emerge, and it is cheaper to look for its refutation nearer the root. The
//! value so found is marked uncertain; nodes of the principal variation search uncertain moves again, so the value of
//! the search stays the minimax value.
//!
//! Björnsson, Marsland, Schaeffer & Junghanns, "Searching with uncertainty cut-offs", 1997; Björnsson, "Selective
//! depth-first game-tree search", 2002, chapter 4. Tactical moves are always searched.

use crate::ordering::{Candidate, MovePhase};
use crate::search::{Expect, Node};
use crate::worker::Worker;
use crate::{Algorithm, Policy, Technique};
use plywise_game::{Depth, Evaluate, Game};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Leaves out a quiet move once enough moves have failed to cut an expected cut-node.
    pub(crate) fn uncertainty(&mut self, node: &mut Node<G>, candidate: &Candidate<G::Move>) -> bool {
        let params = &self.params().uncertainty;
        // Only principal variation search comes back to what was left uncertain.
        if !params.on()
            || node.expect != Expect::Cut
            || node.depth < Depth::plies(params.least_depth)
            || matches!(candidate.phase, MovePhase::Table | MovePhase::Tactical | MovePhase::Losing)
            || self.params().framework.kind() != Algorithm::Pvs
        {
            return false;
        }
        let left_out =
            node.tally.searched > 0 && node.tally.searched * 100 >= node.cursor.count() * params.ratio as usize;
        self.counters.tried(Technique::Uncertainty);
        if left_out {
            self.counters.cut(Technique::Uncertainty);
            self.tell_left_out(Technique::Uncertainty, 1);
            node.tally.uncertain = true;
        }
        left_out
    }
}
