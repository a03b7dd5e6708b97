//! Late-move pruning and reductions: quiet moves that come late in the order rarely turn out best.
//!
//! Romstad, "An introduction to late move reductions", 2006. The reduction grows with the logarithms of depth and move
//! number; a good history takes some of it off.

use crate::logarithm::hundred_ln;
use crate::ordering::{Candidate, LARGEST_MERIT, MovePhase};
use crate::search::{Expect, Node, Price};
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Leaves out the quiet moves to come where enough moves have been searched for the depth that is left.
    pub(crate) fn late_move_pruning(&mut self, node: &mut Node<G>) -> bool {
        let params = &self.params().late_move_pruning;
        if !params.on() || node.depth > Depth::plies(params.most_depth) {
            return false;
        }
        let plies = node.depth.whole_plies().max(1);
        let share = if node.rising { 100 } else { params.falling };
        let enough = (params.moves + params.growth * plies * plies / 100) * share;
        node.so_far.searched as i32 * 100 >= enough && self.leave_out_quiets(node, Technique::LateMovePruning, None)
    }

    /// Raises the price of a late quiet move, until it surprises.
    pub(crate) fn late_move_reductions(&mut self, node: &Node<G>, candidate: &Candidate<G::Move>, price: &mut Price) {
        let params = &self.params().late_move_reductions;
        if !params.on()
            || node.in_check
            || node.so_far.searched < params.moves as usize
            || node.depth < Depth::plies(params.least_depth)
            || candidate.phase < MovePhase::History
            || candidate.phase == MovePhase::Losing
        {
            return;
        }
        let growth = logarithm(node.depth.whole_plies()) * logarithm(node.so_far.searched as i32 + 1) / params.divisor;
        let merit = self.merit(node, candidate.mv) * params.history / LARGEST_MERIT;
        let falling = if node.rising { 0 } else { params.falling };
        let cut_node = if node.expect == Expect::Cut { params.cut_node } else { 0 };
        let reduction = Depth::hundredths((params.base + growth - merit + falling + cut_node).max(0));
        // At least one ply is left, so that the reply is searched and not only played out.
        let reduced = (price.reduced + reduction).min(node.depth - Depth::PLY).max(price.reduced);
        self.counters.tried(Technique::LateMoveReductions);
        if reduced > price.reduced {
            self.counters.cut(Technique::LateMoveReductions);
            price.reduced = reduced;
        }
    }
}

/// A hundred times the natural logarithm of a small number.
fn logarithm(n: i32) -> i32 {
    const TABLE: [i32; 64] = {
        let mut table = [0; 64];
        let mut n = 1;
        while n < 64 {
            table[n] = hundred_ln(n as u64);
            n += 1;
        }
        table
    };
    TABLE[n.clamp(1, 63) as usize]
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    /// At two plies, one move and one more for each ply squared: five are enough.
    fn prune(plies: i32) -> Ask {
        let here = position(0, [1, 2, 3, 4, 5, 6, 7].map(quiet));
        Ask::all(here, plies, 50).with("late_move_pruning").with("late_move_pruning.moves=1")
    }

    #[test]
    fn quiet_moves_after_enough_others_are_left_out() {
        let seen = prune(2).search();
        assert_eq!(seen.moves(), [0, 1, 2, 3, 4]);
        assert_eq!(seen.left_out, [(Technique::LateMovePruning, 2)]);
        // Where the evaluation does not rise, part of them is enough.
        assert_eq!(prune(2).with("late_move_pruning.falling=60").search().moves(), [0, 1, 2]);
        let rising = prune(2).with("late_move_pruning.falling=60");
        assert_eq!(rising.search_after(|worker| worker.frames[0].evaluation = -1).moves(), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn late_move_pruning_spares_other_nodes() {
        let last_is_check = position(0, [quiet(1), quiet(2), check(3)]);
        let losing = position(0, [blunder(), blunder(), blunder()]);
        for (why, ask, moves) in [
            ("deep", prune(2).with("late_move_pruning.most_depth=1"), 7),
            ("in check", Ask { position: Position { in_check: true, ..prune(2).position }, ..prune(2) }, 7),
            ("on the principal variation", Ask { expect: Expect::Pv, ..prune(2) }, 7),
            ("a check", Ask { position: last_is_check, ..prune(1) }, 3),
            ("every move loses", Ask { position: losing, ..prune(2).with("late_move_pruning.growth=0") }, 3),
        ] {
            assert_eq!(ask.search().moves().len(), moves, "{why}");
        }
    }

    fn reduce(position: Position) -> Ask {
        Ask::all(position, 4, 50).with("late_move_reductions").with("late_move_reductions.moves=2")
    }

    #[test]
    fn late_quiet_moves_cost_more() {
        let seen = reduce(position(0, [1, 2, 3, 4].map(quiet))).search();
        // 0.40 + ln 4 · ln 3 / 2.25 and 0.40 + ln 4 · ln 4 / 2.25.
        assert_eq!(seen.prices(), [100, 100, 100 + 107, 100 + 125]);
        let dear = reduce(position(0, [1, 2, 3].map(quiet))).with("late_move_reductions.base=300");
        assert_eq!(dear.search().prices(), [100, 100, 300], "a ply is left");
    }

    #[test]
    fn a_late_move_that_surprises_is_searched_at_its_full_price() {
        let seen = reduce(position(0, [1, 2, 60].map(quiet))).search();
        assert_eq!(
            seen.of(Purpose::FullPrice).iter().map(|again| (again.mv, again.price)).collect::<Vec<_>>(),
            [(Some(2), 100)]
        );
        assert_eq!(seen.value.score, 60);
    }

    #[test]
    fn late_move_reductions_spare_other_moves() {
        let late = || position(0, [1, 2, 3].map(quiet));
        let with_killers = reduce(late()).with("late_move_reductions.moves=1");
        let killers = with_killers.search_after(|worker| worker.frames[PLY].killers = [Some(2), Some(1)]);
        assert_eq!((killers.moves(), killers.prices()[1]), (vec![2, 1, 0], 100), "killers");
        let losing = position(0, [capture(1, -1), capture(2, -1), capture(3, -1)]);
        for (why, ask) in [
            ("near the horizon", reduce(late()).with("late_move_reductions.least_depth=5")),
            ("in check", reduce(Position { in_check: true, ..late() })),
            ("tactical", reduce(position(0, [capture(1, 0), capture(2, 0), capture(3, 0)]))),
            ("tactical that lose material", reduce(losing)),
            ("early", reduce(late()).with("late_move_reductions.moves=3")),
        ] {
            assert_eq!(ask.search().prices(), [100; 3], "{why}");
        }
    }
}
