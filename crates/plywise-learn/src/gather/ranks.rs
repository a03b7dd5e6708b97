//! How often this or a later move turned out better than the bound, for RankCut (Lim & Lee 2006).

use super::watch::{RankWatcher, Watcher};
use super::{Statistic, Table};
use crate::self_play::{Players, TypedSelfPlay};
use plywise_game::{Evaluate, Game, Score};
use plywise_search::{RankBound, RankCounts, RankState, RankTable, Signal};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which states of nodes are counted, and what counts as better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankQuestion {
    /// The width of the score intervals, a quarter of a pawn or what is like it.
    pub unit: Score,
    /// What a later move must exceed to count as better.
    pub bound: RankBound,
    /// Nodes with less depth left, in plies, are not counted.
    pub least_depth: i32,
    /// States seen fewer times are left out.
    pub least_count: u64,
    /// Count whether the move itself is better, instead of this or a later one: Π instead of Π′.
    #[serde(default)]
    pub single: bool,
    /// Count moves of the phases before history too, which no search reduces.
    #[serde(default)]
    pub early: bool,
}

/// A state and how often a better move came and the state was seen, in short: a game has thousands.
pub type RankRow = ([u8; 6], bool, u64, u64);

/// What the searches of a game say, in the order of the states.
pub(crate) fn ranks<G: Game, E: Evaluate<G>>(
    play: &TypedSelfPlay<G, E>,
    question: &RankQuestion,
    number: u64,
    stop: &Signal,
) -> Option<Vec<RankRow>> {
    let mut watcher = Watcher::Ranks(RankWatcher::new(*question));
    play.play(number, &mut watcher, stop)?;
    let mut counts: Vec<(RankState, RankCounts)> = watcher.into_counts().into_iter().collect();
    counts.sort_unstable_by_key(|(state, _)| *state);
    let row = |(s, c): (RankState, RankCounts)| {
        let numbers = [s.depth, s.move_number, s.best_changes, s.gap, s.drop, s.phase];
        (numbers, s.in_check, c.better, c.seen)
    };
    Some(counts.into_iter().map(row).collect())
}

impl Statistic for RankQuestion {
    type Share = Vec<RankRow>;

    fn share(&self, players: &dyn Players, number: u64, stop: &Signal) -> Option<Vec<RankRow>> {
        players.ranks(self, number, stop)
    }

    fn table(&self, shares: Vec<Vec<RankRow>>) -> Table {
        let mut counts: BTreeMap<RankState, RankCounts> = BTreeMap::new();
        for (numbers, in_check, better, seen) in shares.into_iter().flatten() {
            let [depth, move_number, best_changes, gap, drop, phase] = numbers;
            let state = RankState { depth, in_check, move_number, best_changes, gap, drop, phase };
            let sum = counts.entry(state).or_default();
            sum.better += better;
            sum.seen += seen;
        }
        let samples = counts.values().map(|counts| counts.seen).sum();
        counts.retain(|_, counts| counts.seen >= self.least_count);
        Table::RankCut { table: RankTable { unit: self.unit, bound: self.bound, counts }, samples }
    }
}
