//! What watches the searches of self-play.

use super::RankQuestion;
use crate::prices::PriceWatcher;
use plywise_game::{Depth, Game, Score, score};
use plywise_search::{
    Entered, Leaving, MovePhase, Observer, Progress, RankBound, RankCounts, RankState, Standing, Tried,
};
use std::collections::HashMap;

/// The one observer of all statistics, so that the search is compiled for it once.
pub(crate) enum Watcher {
    Nothing,
    Ranks(RankWatcher),
    Scores(ScoreWatcher),
    Prices(PriceWatcher),
}

impl Watcher {
    pub(super) fn into_counts(self) -> HashMap<RankState, RankCounts> {
        if let Watcher::Ranks(watcher) = self { watcher.counts } else { HashMap::new() }
    }

    pub(super) fn into_searches(self) -> Vec<Vec<Score>> {
        if let Watcher::Scores(watcher) = self { watcher.searches } else { Vec::new() }
    }
}

impl<G: Game> Observer<G> for Watcher {
    fn sees_nodes(&self) -> bool {
        matches!(self, Watcher::Ranks(_) | Watcher::Prices(_))
    }

    fn enter(&mut self, node: &Entered<'_, G>) {
        if let Watcher::Ranks(watcher) = self {
            watcher.enter(node.ply, node.depth);
        }
        if let Watcher::Prices(watcher) = self {
            watcher.enter(node.ply, node.depth);
        }
    }

    fn leave(&mut self, _node: &Leaving) {
        if let Watcher::Ranks(watcher) = self {
            watcher.leave();
        }
    }

    fn tried(&mut self, tried: &Tried<'_, G>) {
        match self {
            Watcher::Ranks(watcher) => watcher.tried(tried.standing, tried.score),
            Watcher::Prices(watcher) => watcher.tried(tried.explored.as_ref(), tried.score),
            Watcher::Nothing | Watcher::Scores(_) => {}
        }
    }

    fn progress(&mut self, progress: &Progress<G::Move>) {
        match self {
            Watcher::Nothing => {}
            Watcher::Ranks(watcher) => watcher.is_decided |= score::is_decided(progress.score),
            Watcher::Prices(watcher) => watcher.is_decided |= score::is_decided(progress.score),
            Watcher::Scores(watcher) => watcher.progress(progress.depth, progress.score),
        }
    }
}

/// Follows the nodes of a search and counts what became of each state.
pub(crate) struct RankWatcher {
    question: RankQuestion,
    /// The nodes on the current line, each with the moves tried so far.
    open: Vec<Vec<(Standing, Score)>>,
    /// The search has found a forced win or loss. What it still does, deeper and deeper, is like no other search.
    is_decided: bool,
    counts: HashMap<RankState, RankCounts>,
}

impl RankWatcher {
    pub(super) fn new(question: RankQuestion) -> RankWatcher {
        RankWatcher { question, open: Vec::new(), is_decided: false, counts: HashMap::new() }
    }

    /// A node is done: from its last move to its first, the best score still to come is known.
    fn settle(&mut self, tried: &[(Standing, Score)]) {
        let RankQuestion { unit, bound, least_depth, single, early, .. } = self.question;
        let mut best_to_come = -score::INFINITY;
        for (standing, score) in tried.iter().rev() {
            best_to_come = best_to_come.max(*score);
            let is_early = standing.phase < MovePhase::History && !early;
            if is_early || standing.move_number == 1 || standing.depth < Depth::plies(least_depth) {
                continue;
            }
            let bar = match bound {
                RankBound::Best => standing.best,
                RankBound::Alpha => standing.best.max(standing.alpha),
                RankBound::Margin(margin) => standing.best.saturating_add(margin),
            };
            let counts = self.counts.entry(RankState::of(standing, unit)).or_default();
            counts.seen += 1;
            counts.better += u64::from(if single { *score } else { best_to_come } > bar);
        }
    }

    fn enter(&mut self, ply: usize, depth: Depth) {
        // A search that was broken off never left its nodes. Each begins with one ply.
        if ply == 0 {
            self.open.clear();
            self.is_decided &= depth > Depth::PLY;
        }
        self.open.push(Vec::new());
    }

    fn leave(&mut self) {
        if let Some(tried) = self.open.pop()
            && !self.is_decided
        {
            self.settle(&tried);
        }
    }

    fn tried(&mut self, standing: Standing, score: Score) {
        if let Some(node) = self.open.last_mut() {
            node.push((standing, score));
        }
    }
}

/// Keeps the score of every iteration of every search.
#[derive(Default)]
pub(crate) struct ScoreWatcher {
    searches: Vec<Vec<Score>>,
}

impl ScoreWatcher {
    fn progress(&mut self, depth: i32, score: Score) {
        if depth == 1 {
            self.searches.push(Vec::new());
        }
        // An iteration may report several times; the last report holds.
        if let Some(scores) = self.searches.last_mut() {
            scores.truncate(depth as usize - 1);
            scores.push(score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_counts_as_better_if_any_later_move_is() {
        let standing = |move_number, best, last| Standing {
            depth: Depth::plies(5),
            in_check: false,
            move_number,
            best_changes: 0,
            best,
            last,
            alpha: 0,
            phase: MovePhase::Rest,
        };
        let tried = [
            (standing(1, -score::INFINITY, -score::INFINITY), 10),
            (standing(2, 10, 10), 5),
            (standing(3, 10, 5), 30),
            (standing(4, 30, 30), 20),
        ];
        let counted = |question: RankQuestion, tried: &[(Standing, Score)]| {
            let mut watcher = RankWatcher::new(question);
            watcher.settle(tried);
            let of = |(standing, _): &(Standing, Score)| watcher.counts.get(&RankState::of(standing, 20));
            tried.iter().map(|tried| of(tried).map(|counts| counts.better)).collect::<Vec<_>>()
        };
        let question = question(RankBound::Best);
        assert_eq!(counted(question, &tried), [None, Some(1), Some(1), Some(0)]);
        let single = RankQuestion { single: true, ..question };
        assert_eq!(counted(single, &tried), [None, Some(0), Some(1), Some(0)], "only the move itself");
        let killer = tried.map(|(standing, score)| (Standing { phase: MovePhase::Killer, ..standing }, score));
        assert_eq!(counted(question, &killer), [None; 4], "phases before history");
        let early = RankQuestion { early: true, ..question };
        assert_eq!(counted(early, &killer), [None, Some(1), Some(1), Some(0)]);
    }

    fn question(bound: RankBound) -> RankQuestion {
        RankQuestion { unit: 20, bound, least_depth: 0, least_count: 1, single: false, early: false }
    }

    #[test]
    fn what_follows_a_proven_win_does_not_count() {
        let standing = Standing {
            depth: Depth::plies(5),
            in_check: false,
            move_number: 2,
            best_changes: 0,
            best: 0,
            last: 0,
            alpha: 0,
            phase: MovePhase::Rest,
        };
        let mut watcher = RankWatcher::new(question(RankBound::Alpha));
        let mut seen_after = |depth: i32, is_decided: bool| {
            watcher.enter(0, Depth::plies(depth));
            watcher.is_decided |= is_decided;
            watcher.tried(standing, 5);
            watcher.leave();
            watcher.counts.values().map(|counts| counts.seen).sum::<u64>()
        };
        assert_eq!(seen_after(4, false), 1);
        assert_eq!(seen_after(5, true), 1, "the search that found the win");
        assert_eq!(seen_after(6, false), 1, "and those that go deeper");
        assert_eq!(seen_after(1, false), 2, "but not the search of the next move");
    }
}
