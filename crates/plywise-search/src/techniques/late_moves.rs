//! Late-move pruning and reductions: quiet moves that come late in the order rarely turn out best.
//!
//! Romstad, "An introduction to late move reductions", 2006. The reduction grows with the logarithms of depth and move
//! number; a good history takes some of it off.

use crate::logarithm::hundred_ln;
use crate::ordering::{Candidate, LARGEST_MERIT, MovePhase};
use crate::params::LateMoveReductions;
use crate::search::{Node, Price};
use crate::worker::Worker;
use crate::{NodeKind, Params, Policy, Technique};
use plywise_game::{Depth, Evaluate, Game, Score};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Leaves out the quiet moves to come where enough moves have been searched for the depth that is left.
    pub(crate) fn late_move_pruning(&mut self, node: &mut Node<G>) -> bool {
        let params = &self.params().late_move_pruning;
        // Where prices are learned, they decide.
        let is_priced = self.prepared.prices.is_some() && self.params().learned_price.leave_out;
        if !params.on() || is_priced || node.depth > Depth::plies(params.most_depth) {
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
        let is_losing = candidate.phase == MovePhase::Losing;
        if !params.on()
            || node.in_check && !params.in_check
            || node.so_far.searched < params.moves as usize
            || node.depth < Depth::plies(params.least_depth)
            || candidate.phase < MovePhase::History
            || is_losing && !params.losing
        {
            return;
        }
        let merit = if is_losing { 0 } else { self.merit(node, candidate.mv) };
        let number = node.so_far.searched + 1;
        let formula = params.formula(node.depth, number, merit, node.rising, node.expect.kind());
        let on_pv = if node.on_pv { params.on_pv } else { 0 };
        let cutoffs = if self.frames[node.ply + 1].cutoffs > MANY_CUTOFFS { params.cutoffs } else { 0 };
        let is_tactical = |mv| G::tactical_value(node.position, mv).is_some();
        let tactical = match params.tactical_table_move {
            0 => 0,
            more => {
                if node.table_move.is_some_and(is_tactical) {
                    more
                } else {
                    0
                }
            }
        };
        let reduction = formula - on_pv + cutoffs + tactical;
        let reduction = Depth::hundredths(reduction.max(0));
        // At least one ply is left, so that the reply is searched and not only played out.
        let reduced = (price.reduced + reduction).min(node.depth - Depth::PLY).max(price.reduced);
        self.counters.tried(Technique::LateMoveReductions);
        if reduced > price.reduced {
            self.counters.cut(Technique::LateMoveReductions);
            price.reduced = reduced;
        }
    }
}

impl LateMoveReductions {
    /// The reduction by depth, number and history of a move and by the kind of its node, in hundredths of a ply; what
    /// else counts comes on top.
    pub fn formula(&self, depth: Depth, number: usize, merit: i32, rising: bool, kind: NodeKind) -> i32 {
        let growth = logarithm(depth.whole_plies()) * logarithm(number.min(LAST) as i32) / self.divisor;
        let falling = if rising { 0 } else { self.falling };
        let cut_node = if kind == NodeKind::Cut { self.cut_node } else { 0 };
        let pv = if kind == NodeKind::Pv { self.pv } else { 0 };
        self.base + growth - merit * self.history / LARGEST_MERIT + falling + cut_node - pv
    }
}

/// Later moves count as this one.
const LAST: usize = 63;

/// What makes a surprise great, and what small; 0 where that makes no difference.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Surprise {
    deeper: Score,
    shallower: Score,
}

impl Surprise {
    pub(crate) fn of(params: &Params) -> Surprise {
        let (learned, late) = (&params.learned_price, &params.late_move_reductions);
        match (learned.on(), late.on()) {
            (true, _) => Surprise { deeper: learned.deeper, shallower: learned.shallower },
            (false, true) => Surprise { deeper: late.deeper, shallower: late.shallower },
            (false, false) => Surprise::default(),
        }
    }
}

/// The price at which a reduced move that surprised, with a value above `alpha`, is searched again: a ply deeper where
/// the surprise is great, and a ply shallower where it is small.
pub(crate) fn confirmed(surprise: Surprise, price: Price, alpha: Score, value: Score) -> Depth {
    let is_small = surprise.shallower > 0 && value < alpha.saturating_add(surprise.shallower);
    match price.reduced > price.full {
        true if surprise.deeper > 0 && value > alpha.saturating_add(surprise.deeper) => price.full - Depth::PLY,
        true if is_small && price.full + Depth::PLY < price.reduced => price.full + Depth::PLY,
        _ => price.full,
    }
}

/// More replies than this that reached beta are many.
const MANY_CUTOFFS: u32 = 3;

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
    use super::*;
    use crate::techniques::fixture::*;
    use crate::worker::Frame;

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

    /// What the third of three moves costs more than without a setting, in hundredths of a ply.
    fn more_with(setting: &str, ask: Ask, prepare: fn(&mut Frame<Told>)) -> i32 {
        let price = |ask: Ask| {
            let prices = ask.search_after(|worker| prepare(&mut worker.frames[PLY + 1])).prices();
            prices[2]
        };
        let same = || Ask {
            position: ask.position.clone(),
            params: ask.params.clone(),
            knowledge: Knowledge::default(),
            ..ask
        };
        price(same().with(setting)) - price(same())
    }

    #[test]
    fn reductions_depend_on_the_node() {
        let here = || reduce(position(0, [1, 2, 3].map(quiet))).with("late_move_reductions.base=30");
        let on_pv = || Ask { expect: Expect::Pv, window: Window::new(0, 100), depth: Depth::plies(6), ..here() };
        let in_check = || Ask { position: Position { in_check: true, ..here().position }, ..here() };
        let losing = || Ask { position: position(0, [1, 2, 3].map(|value| capture(value, -1))), ..here() };
        let losing = || losing().with("ordering.tactical").with("ordering.losing_last");
        for (setting, ask, more) in [
            ("late_move_reductions.pv=20", on_pv(), -20),
            ("late_move_reductions.pv=20", here(), 0),
            ("late_move_reductions.on_pv=30", on_pv(), -30),
            ("late_move_reductions.on_pv=30", here(), 0),
            ("late_move_reductions.in_check=on", in_check(), 97),
            ("late_move_reductions.losing=on", losing(), 97),
        ] {
            assert_eq!(more_with(setting, ask, |_| {}), more, "{setting}");
        }
        assert_eq!(more_with("late_move_reductions.cutoffs=20", here(), |frame| frame.cutoffs = 2), 20, "and two more");
        assert_eq!(more_with("late_move_reductions.cutoffs=20", here(), |frame| frame.cutoffs = 1), 0);
    }

    #[test]
    fn a_tactical_table_move_makes_the_others_dearer() {
        let price = |setting: &str, table_move: u8| {
            let here = position(0, [capture(1, 0), quiet(2), quiet(3)]);
            let hash = Told::hash(&here);
            let ask = reduce(here).with("table").with("ordering.table_move").with("late_move_reductions.base=30");
            let known = entry(0, Bound::Lower, 0, table_move);
            ask.with(setting).search_after(|worker| worker.table.store(hash, &known)).prices()[2]
        };
        let more = |table_move| {
            let [off, on] = [0, 20].map(|more| format!("late_move_reductions.tactical_table_move={more}"));
            price(&on, table_move) - price(&off, table_move)
        };
        assert_eq!((more(0), more(1)), (20, 0));
    }

    #[test]
    fn a_great_surprise_is_searched_deeper_and_a_small_one_shallower() {
        let params = |deeper, shallower| Surprise { deeper, shallower };
        let price =
            |reduced| Price { reduced: Depth::hundredths(reduced), middle: None, full: Depth::PLY, likelihood: None };
        let again = |params, reduced, value| confirmed(params, price(reduced), 50, value).in_hundredths();
        assert_eq!(again(params(0, 0), 400, 900), 100);
        assert_eq!([50, 91].map(|value| again(params(40, 0), 400, value)), [100, 0]);
        assert_eq!([59, 60].map(|value| again(params(0, 10), 400, value)), [200, 100]);
        assert_eq!(again(params(0, 10), 200, 51), 100, "it was searched at that price before");
        assert_eq!(again(params(40, 10), 100, 900), 100, "it was not reduced");
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
