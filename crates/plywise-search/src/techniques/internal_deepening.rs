//! Internal iterative deepening: where the table suggests no move, a shallower search of the node finds one to try
//! first (Anantharaman, "A statistical study of selective min-max search in computer chess", 1990).

use crate::limits::Stopped;
use crate::search::{Kind, Node, NodeRequest};
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
        let request = NodeRequest { depth: node.depth - Depth::plies(params.reduction), ..node.request() };
        self.counters.tried(Technique::InternalDeepening);
        self.announce(node.ply, Arrival::by(Purpose::InternalDeepening));
        self.search::<K>(node.position, request)?;
        node.table_move = self.table.probe(node.hash).and_then(|entry| self.move_of(node, entry.move_code));
        if node.table_move.is_some() {
            self.counters.cut(Technique::InternalDeepening);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    fn ask() -> Ask {
        let here = position(0, [quiet(1), quiet(9)]);
        Ask::pv(here, 4, -100, 100).with("table").with("internal_deepening")
    }

    #[test]
    fn a_shallower_search_finds_the_move_to_begin_with() {
        let seen = ask().search();
        assert_eq!(seen.searches[0].purpose, Purpose::InternalDeepening);
        assert_eq!(seen.searches[0].depth, Depth::plies(2));
        assert_eq!(seen.moves()[0], 1);
        let without = ask().with("internal_deepening=off").search();
        assert_eq!(without.moves()[0], 0, "the order of the list");
    }

    #[test]
    fn it_is_for_deep_nodes_of_the_principal_variation_without_a_move_of_the_table() {
        let known = ask().search_after(|worker| {
            let here = Told::hash(&ask().position);
            worker.table.store(here, &entry(1, Bound::Exact, 1, 0));
        });
        for (why, seen) in [
            ("near the horizon", ask().with("internal_deepening.least_depth=5").search()),
            ("a cut-node", Ask { expect: Expect::Cut, ..ask() }.search()),
            ("no table", ask().with("table=off").search()),
            ("the table has a move", known),
        ] {
            assert!(seen.of(Purpose::InternalDeepening).is_empty(), "{why}");
            assert_eq!(seen.moves()[0], 0, "{why}");
        }
    }
}
