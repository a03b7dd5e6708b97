//! What watches the searches of self-play.

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
    unit: Score,
    bound: RankBound,
    least_depth: Depth,
    /// The nodes on the current line, each with the moves tried so far.
    open: Vec<Vec<(Standing, Score)>>,
    /// The search has found a forced win or loss. What it still does, deeper and deeper, is like no other search.
    is_decided: bool,
    counts: HashMap<RankState, RankCounts>,
}

impl RankWatcher {
    pub(super) fn new(unit: Score, bound: RankBound, least_depth: Depth) -> RankWatcher {
        RankWatcher { unit, bound, least_depth, open: Vec::new(), is_decided: false, counts: HashMap::new() }
    }

    /// A node is done: from its last move to its first, the best score still to come is known.
    fn settle(&mut self, tried: &[(Standing, Score)]) {
        let mut best_to_come = -score::INFINITY;
        for (standing, score) in tried.iter().rev() {
            best_to_come = best_to_come.max(*score);
            if standing.phase < MovePhase::History || standing.move_number == 1 || standing.depth < self.least_depth {
                continue;
            }
            let bar = match self.bound {
                RankBound::Best => standing.best,
                RankBound::Alpha => standing.best.max(standing.alpha),
                RankBound::Margin(margin) => standing.best.saturating_add(margin),
            };
            let counts = self.counts.entry(RankState::of(standing, self.unit)).or_default();
            counts.seen += 1;
            counts.better += u64::from(best_to_come > bar);
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
        let (unit, bound, least_depth) = (20, RankBound::Best, Depth::ZERO);
        let mut watcher = RankWatcher::new(unit, bound, least_depth);
        watcher.settle(&tried);
        let better = |i: usize| watcher.counts[&RankState::of(&tried[i].0, 20)];
        assert_eq!(better(1), RankCounts { better: 1, seen: 1 });
        assert_eq!(better(2), RankCounts { better: 1, seen: 1 });
        assert_eq!(better(3), RankCounts { better: 0, seen: 1 });
        assert_eq!(watcher.counts.len(), 3);
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
        let mut watcher = RankWatcher::new(20, RankBound::Alpha, Depth::ZERO);
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
