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
            node.so_far.searched > 0 && node.so_far.searched * 100 >= node.cursor.count() * params.ratio as usize;
        self.counters.tried(Technique::Uncertainty);
        if left_out {
            self.counters.cut(Technique::Uncertainty);
            self.tell_left_out(Technique::Uncertainty, 1);
            node.so_far.uncertain = true;
        }
        left_out
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    /// Half of the moves are looked at before an expected cut-node is left.
    fn ask(position: Position) -> Ask {
        Ask::cut(position, 2, 50).with("uncertainty").with("uncertainty.ratio=50")
    }

    const VALUES: [Score; 4] = [1, 2, 3, 4];

    #[test]
    fn a_node_that_should_have_been_cut_by_now_is_left_with_an_uncertain_value() {
        let seen = ask(position(0, VALUES.map(quiet))).search();
        assert_eq!(seen.moves(), [0, 1]);
        assert_eq!(seen.left_out, [(Technique::Uncertainty, 1); 2]);
        assert_eq!(seen.value, Value { score: 2, uncertain: true });
    }

    #[test]
    fn a_node_that_is_cut_in_time_is_certain() {
        let seen = ask(position(0, [1, 60, 3, 4].map(quiet))).search();
        assert_eq!(seen.value, Value::certain(60));
    }

    #[test]
    fn other_nodes_and_tactical_moves_are_searched() {
        let here = || position(0, VALUES.map(quiet));
        let tactical = || position(0, VALUES.map(|value| capture(value, value - 3)));
        for (why, ask) in [
            ("expected to fail low", Ask { expect: Expect::All, ..ask(here()) }),
            ("on the principal variation", Ask { expect: Expect::Pv, ..ask(here()) }),
            ("at the frontier", ask(here()).with("uncertainty.least_depth=3")),
            ("an algorithm that does not come back", ask(here()).with("framework.algorithm=alphabeta")),
            ("tactical moves, some of which lose material", ask(tactical())),
            ("every move loses", ask(position(0, [blunder(), blunder(), blunder(), blunder()]))),
        ] {
            let seen = ask.search();
            assert_eq!((seen.moves().len(), seen.value.uncertain), (4, false), "{why}");
        }
    }
}
