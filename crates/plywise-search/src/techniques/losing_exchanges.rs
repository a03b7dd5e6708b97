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

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    /// A quiet move that loses material where it lands.
    fn gift(exchange: i32) -> Move {
        Move { exchange, ..quiet(0) }
    }

    /// Two plies: a tactical move must lose more than 200, a quiet one more than 120.
    fn ask(position: Position) -> Ask {
        Ask::all(position, 2, 50).with("losing_exchanges")
    }

    #[test]
    fn moves_that_lose_too_much_are_left_out() {
        let seen = ask(position(0, [capture(0, -201), quiet(0), gift(-121)])).search();
        assert_eq!(seen.moves(), [1]);
        assert_eq!(seen.left_out, [(Technique::LosingExchanges, 1); 2]);
        let harmless = ask(position(0, [capture(0, -200), quiet(0), gift(-120)]));
        assert_eq!(harmless.search().moves(), [1, 2, 0], "just not too much");
    }

    #[test]
    fn where_every_move_loses_material_one_is_searched() {
        let seen = ask(position(0, [gift(-900), gift(-900), gift(-900)])).search();
        assert_eq!(seen.moves(), [0], "a node without any move would be the end of the game");
        assert_eq!(seen.left_out, [(Technique::LosingExchanges, 1); 2]);
    }

    #[test]
    fn other_moves_and_nodes_are_spared() {
        let here = || position(0, [quiet(0), gift(-121)]);
        let lost = position(0, [blunder(), gift(-900)]);
        for (why, ask) in [
            ("deep", ask(here()).with("losing_exchanges.most_depth=1")),
            ("at the root", Ask { ply: 0, ..ask(here()) }),
            ("in check", ask(Position { in_check: true, ..here() })),
            ("a check", ask(position(0, [quiet(0), Move { exchange: -900, ..check(0) }]))),
            ("every other move loses the game", ask(lost)),
        ] {
            assert_eq!(ask.search().moves(), [0, 1], "{why}");
        }
        let killer = ask(here()).search_after(|worker| worker.frames[PLY].killers[0] = Some(1));
        assert_eq!(killer.moves(), [1, 0], "a killer");
    }
}
