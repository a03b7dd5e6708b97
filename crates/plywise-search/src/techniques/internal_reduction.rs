//! Internal iterative reduction: where the table suggests no move, the order is poor and the search costs most. Less depth
//! finds a move, which comes first when the node is searched again.
//!
//! Ed Schröder, in the program Rebel; described by him in "Internal Iterative Reductions", 2020. Internal iterative
//! deepening, which it stands in for, searches the node twice at once.

use crate::search::{Expect, Node};
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Takes depth off a node without a move to begin with. Where every move will fail low, none is better than others.
    pub(crate) fn internal_reduction(&mut self, node: &mut Node<G>) {
        let params = &self.params().internal_reduction;
        if !params.on()
            || !self.params().table.on()
            || node.ply == 0
            || node.excluded.is_some()
            || node.expect == Expect::All
            || node.depth < Depth::plies(params.least_depth)
        {
            return;
        }
        let reduction = Depth::hundredths(params.reduction);
        self.counters.tried(Technique::InternalReduction);
        if node.table_move.is_none() {
            self.counters.cut(Technique::InternalReduction);
            node.depth -= reduction;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    fn ask() -> Ask {
        Ask::cut(position(0, [quiet(1), quiet(2)]), 4, 50).with("table").with("internal_reduction")
    }

    /// The depth left after the first move.
    fn left(seen: &Seen) -> Depth {
        seen.of(Purpose::Move)[0].depth
    }

    #[test]
    fn a_node_without_a_move_of_the_table_is_searched_shallower() {
        assert_eq!(left(&ask().search()), Depth::plies(2));
        let here = Told::hash(&ask().position);
        let depth = |worker: &crate::TranspositionTable| worker.probe(here).map(|entry| entry.depth);
        let mut stored = None;
        ask().search_between(|_| {}, |worker| stored = depth(worker.table));
        assert_eq!(stored, Some(Depth::plies(3)), "the table holds what was searched");
        let on_pv = Ask { expect: Expect::Pv, window: Window::new(-100, 100), ..ask() };
        assert_eq!(left(&on_pv.search()), Depth::plies(2));
    }

    #[test]
    fn other_nodes_keep_their_depth() {
        let here = Told::hash(&ask().position);
        let known = ask().search_after(|worker| worker.table.store(here, &entry(1, Bound::Upper, 1, 0)));
        for (why, seen) in [
            ("the table has a move", known),
            ("near the horizon", ask().with("internal_reduction.least_depth=5").search()),
            ("every move will fail low", Ask { expect: Expect::All, ..ask() }.search()),
            ("no table", ask().with("table=off").search()),
        ] {
            assert_eq!(left(&seen), Depth::plies(3), "{why}");
        }
    }
}
