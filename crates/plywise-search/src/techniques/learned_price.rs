//! Learned prices: a move costs the more, the less likely it is to raise alpha, by all that the search knows of it.
//!
//! RankCut (Lim & Lee 2006) asks whether a better move is still to come, realization probability (Tsuruoka, Yokoyama &
//! Chikayama 2002) how often moves of a class are played, late-move reductions (Romstad 2006) have a formula; Björnsson,
//! "Selective depth-first game-tree search", 2002, section 8.2, names their combination as future work. Here a logistic
//! regression ([`PriceTable`]) gives one probability from all of it, and the price follows as in realization probability
//! search: the logarithm of the probability, capped, confirmed at the full price. It takes the place of the three; and
//! in the place of late-move pruning, a move that costs more than the depth that is left is left out.

mod prospect;
mod table;

pub use prospect::{INPUTS, PriceInput, Prospect};
pub(crate) use table::Prices;
pub use table::{Likelihood, PriceTable, PriceWeights};

use crate::ordering::{Candidate, MovePhase};
use crate::search::{Expect, Node, Price};
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// What the search knows of a move that leads to `after`.
    pub(crate) fn prospect(&self, node: &Node<G>, candidate: &Candidate<G::Move>, after: &G::Position) -> Prospect {
        let is_ranked = matches!(candidate.phase, MovePhase::History | MovePhase::Rest);
        Prospect {
            standing: node.standing(candidate.phase),
            kind: node.expect.kind(),
            class: G::move_class(node.position, candidate.mv),
            merit: is_ranked.then_some(candidate.value),
            gives_check: G::in_check(after),
            evaluation: (!node.in_check && self.evaluates_nodes).then_some(node.evaluation),
            rising: node.rising,
            on_pv: node.on_pv,
            price_before: self.frames[node.ply].price,
            known: node.entry.map(|entry| (entry.bound, entry.score > node.window.alpha)),
            cutoffs: self.frames[node.ply + 1].cutoffs,
        }
    }

    /// Prices a move by its probability; says whether it is left out, because it costs more than there is.
    pub(crate) fn learned_price(
        &mut self,
        node: &Node<G>,
        candidate: &Candidate<G::Move>,
        prospect: &Prospect,
        price: &mut Price,
    ) -> bool {
        let params = &self.policy.params().learned_price;
        let Some(prices) = &self.prepared.prices else { return false };
        if WATCHED {
            price.likelihood = Some(prices.likelihood(prospect));
        }
        // An extended move keeps its price.
        if node.so_far.searched < params.moves as usize
            || node.in_check && !params.in_check
            || candidate.phase < MovePhase::History && !params.early
            || price.full < Depth::PLY
        {
            return false;
        }
        let cost = prices.price(prospect);
        self.counters.tried(Technique::LearnedPrice);
        let is_left_out = params.leave_out
            && node.ply > 0
            && node.expect != Expect::Pv
            && !node.in_check
            && !prospect.gives_check
            && candidate.phase >= MovePhase::History
            && node.so_far.may_leave_out()
            && cost > node.depth + Depth::hundredths(params.spare);
        if is_left_out {
            self.counters.cut(Technique::LearnedPrice);
            self.tell_left_out(Technique::LearnedPrice, 1);
            return true;
        }
        if node.depth < Depth::plies(params.least_depth) {
            return false;
        }
        let cost = cost.min(Depth::hundredths(params.most));
        // At least one ply is left, so that the reply is searched and not only played out.
        let reduced = if cost > Depth::PLY { cost.min(node.depth - Depth::PLY).max(price.full) } else { cost };
        if reduced != price.reduced {
            self.counters.cut(Technique::LearnedPrice);
            price.reduced = reduced;
            price.full = price.full.min(reduced);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::techniques::fixture::*;
    use std::sync::Arc;

    /// A table by which moves of class 0 are certain to raise alpha, those of class 1 do so one time in 32, those of
    /// class 2 hardly ever.
    fn table() -> PriceTable {
        let one = PriceTable::ONE;
        // ln 31 = 3.434.
        let by_class = [16 * one, -3516, -16 * one, 0];
        let weights = PriceInput::ALL.iter().map(|&input| {
            let weights = if input == PriceInput::Class { by_class.into() } else { vec![0; input.bins(4)] };
            PriceWeights { input, weights }
        });
        PriceTable::new(20, 0, weights.collect())
    }

    /// Seven plies, in which a probability of one half costs a ply, and each half of that a ply more.
    fn ask<const N: usize>(moves: [(usize, i32); N]) -> Ask {
        let moves = moves.map(|(class, value)| Move { class, ..quiet(value) });
        price(Ask::all(position(0, moves), 7, 50))
    }

    fn price(ask: Ask) -> Ask {
        let settings = ["learned_price", "learned_price.even=500", "learned_price.scale=100", "learned_price.most=400"];
        let settings = settings.into_iter().chain(["learned_price.leave_out=off"]);
        let ask = settings.fold(ask, Ask::with);
        Ask { knowledge: Knowledge { prices: Some(Arc::new(table())), ..Default::default() }, ..ask }
    }

    #[test]
    fn a_move_costs_the_more_the_less_likely_it_is() {
        // One in 32 is half of a half four times; the least likely is capped.
        assert_eq!(ask([(0, 1), (1, 2), (2, 3), (3, 4), (0, 5)]).search().prices(), [100, 400, 400, 100, 100]);
        let wide = |ask: Ask| ask.with("learned_price.most=2000");
        assert_eq!(wide(ask([(0, 1), (1, 2), (2, 3)])).search().prices(), [100, 500, 600], "one ply is left");
        assert_eq!(wide(ask([(2, 1), (1, 2)])).search().prices(), [100, 500], "the first keeps its price");
        let all = ask([(1, 1), (1, 2), (1, 3)]).with("learned_price.moves=2");
        assert_eq!(all.search().prices(), [100, 100, 400]);
    }

    #[test]
    fn a_surprise_is_confirmed_at_the_full_price() {
        let prices = |ask: Ask| ask.search().of(Purpose::FullPrice).iter().map(|one| one.price).collect::<Vec<_>>();
        assert_eq!(prices(ask([(0, 1), (1, 60), (1, 1)])), [100]);
        assert_eq!(prices(ask([(0, 1), (1, 2), (1, 1)])), [0; 0]);
        assert_eq!(prices(ask([(0, 1), (1, 95)]).with("learned_price.deeper=40")), [0], "a great surprise");
        assert_eq!(prices(ask([(0, 1), (1, 55)]).with("learned_price.shallower=10")), [200], "a small one");
    }

    #[test]
    fn what_is_likely_costs_less_if_asked_to() {
        let ask = ask([(1, 1), (0, 2), (1, 3)]).with("learned_price.least=50");
        assert_eq!(ask.search().prices(), [100, 50, 400]);
    }

    #[test]
    fn a_move_that_costs_more_than_there_is_is_left_out() {
        let leave = |plies| Ask { depth: Depth::plies(plies), ..ask([(0, 1), (1, 2), (0, 3)]) };
        let leave = |plies| leave(plies).with("learned_price.leave_out=on");
        let seen = leave(4).search();
        assert_eq!((seen.moves(), seen.left_out), (vec![0, 2], vec![(Technique::LearnedPrice, 1)]));
        assert_eq!(leave(4).with("learned_price.spare=100").search().moves(), [0, 1, 2]);
        assert_eq!(leave(5).search().moves(), [0, 1, 2], "there is just enough");
        let here = |ask: Ask| ask.position;
        for (why, ask) in [
            ("in check", Ask { position: Position { in_check: true, ..here(leave(2)) }, ..leave(2) }),
            ("on the principal variation", Ask { expect: Expect::Pv, ..leave(2) }),
            ("at the root", Ask { ply: 0, ..leave(2) }),
        ] {
            assert_eq!(ask.search().moves(), [0, 1, 2], "{why}");
        }
        let mut checks = leave(2);
        checks.position.moves[1].to.in_check = true;
        assert_eq!(checks.search().moves(), [0, 1, 2], "a check");
    }

    #[test]
    fn other_moves_keep_their_price() {
        let moves = || [(0, 1), (1, 2)];
        let in_check = || Position { in_check: true, ..ask(moves()).position };
        let mut extended = ask(moves()).with("extensions").with("extensions.check.1=99");
        extended.position.moves[1].to.in_check = true;
        let captures = || position(0, [capture(1, 0), Move { class: 1, ..capture(2, 0) }]);
        let captures = || price(Ask::all(captures(), 7, 50)).with("ordering.tactical");
        for (why, ask) in [
            ("near the horizon", ask(moves()).with("learned_price.least_depth=8")),
            ("in check", Ask { position: in_check(), ..ask(moves()) }.with("learned_price.in_check=off")),
            ("no table", Ask { knowledge: Knowledge::default(), ..ask(moves()) }),
            ("tactical", captures().with("learned_price.early=off")),
            ("extended", extended),
        ] {
            assert!(ask.search().prices().iter().all(|&price| price <= 100), "{why}");
        }
        assert_eq!(captures().search().prices(), [100, 400], "tactical moves have prices too");
    }

    #[test]
    fn it_takes_the_place_of_other_prices() {
        let late = |ask: Ask| {
            let ask = ask.with("late_move_reductions").with("late_move_reductions.moves=1");
            ask.with("late_move_reductions.base=200").with("late_move_pruning").with("late_move_pruning.moves=1")
        };
        assert_eq!(late(ask([(0, 1), (0, 2), (1, 3)])).search().prices(), [100, 100, 400]);
        let two = |setting: &str| {
            let ask = Ask { depth: Depth::plies(1), ..ask([(0, 1), (0, 2), (0, 3)]) };
            late(ask.with(setting)).with("late_move_pruning.growth=0").search().moves()
        };
        assert_eq!(two("learned_price.leave_out=on"), [0, 1, 2], "late-move pruning too");
        assert_eq!(two("learned_price.leave_out=off"), [0], "unless nothing is left out by price");
    }

    #[test]
    fn at_an_explored_node_every_move_has_its_full_price() {
        let all = |ask: Ask| ask.with("exploration").with("exploration.share=1000");
        let dear = || ask([(0, 1), (1, 2), (2, 3)]).with("learned_price.leave_out=on");
        assert_eq!(dear().search().moves(), [0, 1], "the last costs more than there is");
        let seen = all(dear()).search();
        assert_eq!((seen.prices(), seen.left_out), (vec![100; 3], vec![]));
        let few = Ask::all(position(0, [quiet(1), quiet(2), quiet(3)]), 3, 50).with("n_best").with("n_best.moves=1");
        assert_eq!(all(few).search().moves(), [0, 1, 2]);
        let late = Ask::all(position(0, [quiet(1), quiet(2), quiet(3)]), 1, 50).with("late_move_pruning");
        assert_eq!(
            all(late.with("late_move_pruning.moves=1").with("late_move_pruning.growth=0")).search().moves().len(),
            3
        );
    }
}
