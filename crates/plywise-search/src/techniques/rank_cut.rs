//! RankCut: moves are ordered, so once no better move is likely to come, the rest is searched shallower.
//!
//! Lim & Lee, "RankCut: a domain independent forward pruning method for games", 2006. What is likely comes from a table
//! of counts, Π′(f): how often, in a state f of the node, this or a later move turned out better than the bound. A move
//! that does turn out better clears the verdict; extended moves are never touched; tactical moves and killers come
//! before it starts. With a table of Π(f), the frequency with which the move itself turned out better, `single` judges
//! each move alone.

use crate::knowledge::{Cells, LearnedTable, Row, rows};
use crate::ordering::{Candidate, MovePhase};
use crate::search::{Node, Price, Standing};
use crate::worker::Worker;
use crate::{Policy, Technique, params};
use plywise_game::{Depth, Evaluate, Game, Score, score};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Raises the price of a move where a better one has become unlikely.
    pub(crate) fn rank_cut(&mut self, node: &mut Node<G>, candidate: &Candidate<G::Move>, price: &mut Price) {
        let params = &self.params().rank_cut;
        if !params.on()
            || candidate.phase < MovePhase::History
            || node.so_far.searched == 0
            || node.depth < Depth::plies(params.least_depth)
        {
            return;
        }
        let unlikely = node.so_far.prune_rest && !params.single
            || (self.prepared.rank_verdicts.as_ref())
                .is_some_and(|verdicts| verdicts.is_unlikely(&node.standing(candidate.phase)));
        let (reduction, confirm) = (Depth::hundredths(params.reduction), params.confirm);
        self.counters.tried(Technique::RankCut);
        if unlikely {
            self.counters.cut(Technique::RankCut);
            node.so_far.prune_rest = true;
            price.reduced += reduction;
            if !confirm {
                price.full += reduction;
            }
        }
    }
}

/// The state f of a node before its next move, discretised as in the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RankState {
    /// The depth in whole plies, at most [`RankState::DEPTHS`].
    pub depth: u8,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The number of the move, at most [`RankState::MOVES`].
    pub move_number: u8,
    /// How often the best move has changed, at most [`RankState::CHANGES`].
    pub best_changes: u8,
    /// The interval of best − alpha.
    pub gap: u8,
    /// The interval of last − best.
    pub drop: u8,
    /// The phase of the order: 0 history, 1 rest, 2 losing tactical moves, 3 the table's move and other tactical ones, 4
    /// killers. Only moves of the first three are reduced.
    pub phase: u8,
}

impl RankState {
    /// Greater depths count as this one.
    pub const DEPTHS: u8 = 12;
    /// Later moves count as this one.
    pub const MOVES: u8 = 40;
    /// More changes count as this many.
    pub const CHANGES: u8 = 4;
    /// The number of phases.
    pub const PHASES: u8 = 5;

    /// The state of a node, with differences sorted into intervals of the evaluation's `unit`.
    pub fn of(standing: &Standing, unit: Score) -> RankState {
        RankState {
            depth: standing.depth.whole_plies().clamp(0, Self::DEPTHS.into()) as u8,
            in_check: standing.in_check,
            move_number: standing.move_number.min(Self::MOVES.into()) as u8,
            best_changes: standing.best_changes.min(Self::CHANGES.into()) as u8,
            gap: interval(standing.best.saturating_sub(standing.alpha), unit),
            drop: interval(standing.last.saturating_sub(standing.best), unit),
            phase: match standing.phase {
                MovePhase::History => 0,
                MovePhase::Rest => 1,
                MovePhase::Losing => 2,
                MovePhase::Table | MovePhase::Tactical => 3,
                MovePhase::Killer => 4,
            },
        }
    }
}

/// Which of seven intervals a difference falls into.
fn interval(difference: Score, unit: Score) -> u8 {
    [-12, -4, -1]
        .map(|n: Score| n.saturating_mul(unit))
        .into_iter()
        .chain([-1, 0, unit])
        .take_while(|&edge| difference > edge)
        .count() as u8
}

/// Which states make a better move too unlikely: the table, decided for one set of parameters.
#[derive(Debug)]
pub(crate) struct RankVerdicts {
    unit: Score,
    unlikely: Vec<bool>,
}

impl RankVerdicts {
    fn is_unlikely(&self, standing: &Standing) -> bool {
        self.unlikely[RankState::of(standing, self.unit).index()]
    }
}

impl RankState {
    /// Its place among all states, the depth changing slowest.
    fn index(&self) -> usize {
        let digits = [
            (self.depth, Self::DEPTHS + 1),
            (self.in_check.into(), 2),
            (self.move_number, Self::MOVES + 1),
            (self.best_changes, Self::CHANGES + 1),
            (self.gap, 7),
            (self.drop, 7),
            (self.phase, Self::PHASES),
        ];
        digits.into_iter().fold(0, |index, (digit, base)| index * usize::from(base) + usize::from(digit))
    }

    /// The number of states.
    const COUNT: usize = (Self::DEPTHS as usize + 1)
        * 2
        * (Self::MOVES as usize + 1)
        * (Self::CHANGES as usize + 1)
        * (7 * 7 * Self::PHASES as usize);
}

/// How often a state was seen, and how often this or a later move turned out better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankCounts {
    /// How often a better move came.
    pub better: u64,
    /// How often the state was seen.
    pub seen: u64,
}

impl RankTable {
    /// How much the probabilities of another table differ on average over what that one saw, in states that both know;
    /// all, where they share none.
    pub fn distance(&self, other: &RankTable) -> f64 {
        if self.counts.is_empty() && other.counts.is_empty() {
            return 0.0;
        }
        let (mut sum, mut seen) = (0.0, 0.0);
        for (state, theirs) in &other.counts {
            if let Some(ours) = self.counts.get(state) {
                let share = |counts: &RankCounts| counts.better as f64 / counts.seen.max(1) as f64;
                sum += (share(ours) - share(theirs)).abs() * theirs.seen as f64;
                seen += theirs.seen as f64;
            }
        }
        if seen > 0.0 { sum / seen } else { 1.0 }
    }
}

/// RankCut's table: counts for each state. `plywise gather rankcut` counts them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankTable {
    /// The width of the intervals into which differences of scores are sorted, in the evaluation's unit.
    pub unit: Score,
    /// The bound that counts as better: the best score so far, alpha, or the best score plus a margin.
    pub bound: RankBound,
    /// The counts.
    #[serde(rename = "rows", with = "rows")]
    pub counts: BTreeMap<RankState, RankCounts>,
}

/// The bound x of Π_x: what a move must exceed to count as better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RankBound {
    /// The best score so far.
    #[default]
    Best,
    /// The alpha with which the node was entered, or the best score if that is higher.
    Alpha,
    /// The best score so far and this much more.
    Margin(Score),
}

impl LearnedTable for RankTable {
    const KIND: &'static str = "rank_cut";
    const COLUMNS: &'static str = "depth in_check move_number best_changes gap drop phase better seen";

    fn check(&self, _move_classes: usize) -> Result<(), String> {
        if !(1..=score::EVAL_LIMIT).contains(&self.unit) {
            return Err(format!("its unit is {}, but must lie between 1 and {}", self.unit, score::EVAL_LIMIT));
        }
        Ok(())
    }
}

impl Row for (RankState, RankCounts) {
    fn write(&self) -> String {
        let (RankState { depth, in_check, move_number, best_changes, gap, drop, phase }, counts) = self;
        let (in_check, RankCounts { better, seen }) = (u8::from(*in_check), counts);
        format!("{depth} {in_check} {move_number} {best_changes} {gap} {drop} {phase} {better} {seen}")
    }

    fn read(cells: &mut Cells) -> Option<(RankState, RankCounts)> {
        let state = RankState {
            depth: cells.number(0..=RankState::DEPTHS)?,
            in_check: cells.number(0..=1u8)? == 1,
            move_number: cells.number(0..=RankState::MOVES)?,
            best_changes: cells.number(0..=RankState::CHANGES)?,
            gap: cells.number(0..=6)?,
            drop: cells.number(0..=6)?,
            phase: cells.number(0..=RankState::PHASES - 1)?,
        };
        let counts = RankCounts { better: cells.count()?, seen: cells.count()? };
        (counts.better <= counts.seen).then_some((state, counts))
    }
}

impl RankTable {
    /// In which states this or a later move is better less than `threshold` hundredths of a percent of the time. Only
    /// those count that were seen often enough; a depth at which a state was not is treated like the next lower one, if
    /// `deeper` says so.
    pub(crate) fn verdicts(&self, params: &params::RankCut) -> RankVerdicts {
        let mut unlikely = vec![false; RankState::COUNT];
        // The counts are sorted by depth, and so what is known of a greater depth overrides.
        for (state, counts) in &self.counts {
            if counts.seen >= params.least_count as u64 {
                let verdict = counts.better * 10_000 < counts.seen * params.threshold as u64;
                let last = if params.deeper { RankState::DEPTHS } else { state.depth };
                for depth in state.depth..=last {
                    unlikely[RankState { depth, ..*state }.index()] = verdict;
                }
            }
        }
        RankVerdicts { unit: self.unit, unlikely }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::techniques::fixture::*;
    use std::sync::Arc;

    #[test]
    fn differences_fall_into_seven_intervals() {
        let intervals: Vec<u8> =
            [-9000, -240, -239, -80, -79, -20, -19, -1, 0, 1, 20, 21].iter().map(|&d| interval(d, 20)).collect();
        assert_eq!(intervals, [0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6]);
    }

    #[test]
    fn every_state_has_its_own_place() {
        let last = RankState {
            depth: RankState::DEPTHS,
            in_check: true,
            move_number: RankState::MOVES,
            best_changes: RankState::CHANGES,
            gap: 6,
            drop: 6,
            phase: RankState::PHASES - 1,
        };
        assert_eq!(last.index(), RankState::COUNT - 1);
    }

    #[test]
    fn deeper_nodes_are_treated_like_the_deepest_that_were_seen() {
        let state =
            |depth| RankState { depth, in_check: false, move_number: 9, best_changes: 0, gap: 3, drop: 2, phase: 0 };
        let counts = [(state(3), 1, 2000), (state(5), 200, 2000), (state(7), 0, 10)];
        let counts = counts.map(|(state, better, seen)| (state, RankCounts { better, seen })).into();
        let table = RankTable { unit: 20, bound: RankBound::Alpha, counts };
        let verdicts = table.verdicts(&Params::DEFAULT.rank_cut);
        let unlikely = |depth: u8| verdicts.unlikely[state(depth).index()];
        assert_eq!((2..=8).map(unlikely).collect::<Vec<_>>(), [false, true, true, false, false, false, false]);
        let verdicts = table.verdicts(&params::RankCut { deeper: false, ..Params::DEFAULT.rank_cut });
        let unlikely = |depth: u8| verdicts.unlikely[state(depth).index()];
        assert_eq!((2..=8).map(unlikely).collect::<Vec<_>>(), [false, true, false, false, false, false, false]);
    }

    /// Seven plies, with a table that finds a better move unlikely before the first and the second move,
    /// whatever went before.
    fn ask<const N: usize>(moves: [Move; N]) -> Ask {
        let mut counts = BTreeMap::new();
        for (gap, drop) in (0..7).flat_map(|gap| (0..7).map(move |drop| (gap, drop))) {
            for (move_number, phase) in [(1, 0), (1, 1), (2, 0), (2, 1)] {
                let state = RankState { depth: 7, in_check: false, move_number, best_changes: 0, gap, drop, phase };
                counts.insert(state, RankCounts { better: 0, seen: 1000 });
            }
        }
        let rank_cut = Some(Arc::new(RankTable { unit: 20, bound: RankBound::Best, counts }));
        let ask = Ask::all(position(0, moves), 7, 50).with("rank_cut");
        Ask { knowledge: Knowledge { rank_cut, ..Default::default() }, ..ask }
    }

    #[test]
    fn the_rest_costs_more_once_a_better_move_is_unlikely() {
        assert_eq!(ask([3, 2, 1].map(quiet)).search().prices(), [100, 200, 200]);
    }

    #[test]
    fn a_better_move_clears_the_verdict() {
        assert_eq!(ask([3, 2, 9, 1].map(quiet)).search().prices(), [100, 200, 200, 100]);
        let until_alpha = ask([3, 2, 9, 1].map(quiet)).with("rank_cut.until_alpha=on").search();
        assert_eq!(until_alpha.prices(), [100, 200, 200, 200], "unless it has to raise alpha");
    }

    #[test]
    fn each_move_is_judged_alone_if_asked_to() {
        // Nothing is known of moves after the second one.
        assert_eq!(ask([4, 3, 2, 1].map(quiet)).with("rank_cut.single=on").search().prices(), [100, 200, 100, 100]);
    }

    #[test]
    fn a_surprise_is_confirmed_if_asked_to() {
        let moves = || [quiet(3), quiet(60)];
        let confirmed = |seen: Seen| seen.of(Purpose::FullPrice).len();
        assert_eq!(confirmed(ask(moves()).search()), 0);
        assert_eq!(confirmed(ask(moves()).with("rank_cut.confirm=on").search()), 1);
    }

    #[test]
    fn other_moves_and_nodes_keep_their_price() {
        let knowledge = Knowledge::default();
        for (why, ask) in [
            ("tactical", ask([capture(3, 0), capture(2, 0)])),
            ("near the horizon", ask([3, 2].map(quiet)).with("rank_cut.least_depth=8")),
            ("seen too seldom", ask([3, 2].map(quiet)).with("rank_cut.least_count=1001")),
            ("no table", Ask { knowledge, ..ask([3, 2].map(quiet)) }),
            ("extended", ask([quiet(3), check(2)]).with("extensions").with("extensions.check.1=99")),
        ] {
            assert!(ask.search().prices().iter().all(|&price| price <= 100), "{why}");
        }
    }
}
