//! Statistics from self-play, gathered through the search's observer.

use crate::self_play::SelfPlay;
use plywise_game::{Depth, Evaluate, Game, GameSoFar, Phase, Score, score};
use plywise_search::{
    ClassCounts, ClassTable, Entered, Leaving, MovePhase, Observer, Prediction, ProbCutTable, Progress, RankBound,
    RankCounts, RankState, RankTable, Signal, Standing, Tried,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

/// A table and the number of samples it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered<T> {
    /// The table.
    pub table: T,
    /// The number of samples.
    pub samples: u64,
}

/// A statistic of games of self-play: what each of them says, and the table that this amounts to.
pub trait Statistic<G: Game>: Debug + Sync {
    /// What one game says.
    type Share: Serialize + DeserializeOwned + Send + 'static;
    /// What all games amount to.
    type Table;

    /// What the game with this number says; nothing where `stop` interrupts it.
    fn share<E: Evaluate<G>>(&self, play: &SelfPlay<G, E>, number: u64, stop: &Signal) -> Option<Self::Share>;

    /// The table of these games, in their order.
    fn table(&self, shares: impl IntoIterator<Item = Self::Share>) -> Gathered<Self::Table>;
}

/// How often this or a later move turned out better than the bound, for RankCut (Lim & Lee 2006).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankQuestion {
    /// The width of the score intervals, a quarter of a pawn or what is like it.
    pub unit: Score,
    /// What a later move must exceed to count as better.
    pub bound: RankBound,
    /// Shallower nodes are left out.
    pub least_depth: Depth,
    /// States seen fewer times are left out.
    pub least_count: u64,
}

/// A state and how often a better move came and the state was seen, in short: a game has thousands.
type RankRow = ([u8; 6], bool, u64, u64);

impl<G: Game> Statistic<G> for RankQuestion {
    type Share = Vec<RankRow>;
    type Table = RankTable;

    fn share<E: Evaluate<G>>(&self, play: &SelfPlay<G, E>, number: u64, stop: &Signal) -> Option<Self::Share> {
        let RankQuestion { unit, bound, least_depth, .. } = *self;
        let mut watcher = Watcher::Ranks(RankWatcher::new(unit, bound, least_depth));
        play.play(number, &mut watcher, stop)?;
        let mut counts: Vec<(RankState, RankCounts)> = watcher.into_counts().into_iter().collect();
        counts.sort_unstable_by_key(|(state, _)| *state);
        let row = |(s, c): (RankState, RankCounts)| {
            let numbers = [s.depth, s.move_number, s.best_changes, s.gap, s.drop, s.phase];
            (numbers, s.in_check, c.better, c.seen)
        };
        Some(counts.into_iter().map(row).collect())
    }

    fn table(&self, shares: impl IntoIterator<Item = Self::Share>) -> Gathered<RankTable> {
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
        Gathered { table: RankTable { unit: self.unit, bound: self.bound, counts }, samples }
    }
}

/// The one observer of all statistics, so that the search is compiled for it once.
enum Watcher {
    Nothing,
    Ranks(RankWatcher),
    Scores(ScoreWatcher),
}

impl Watcher {
    fn into_counts(self) -> HashMap<RankState, RankCounts> {
        if let Watcher::Ranks(watcher) = self { watcher.counts } else { HashMap::new() }
    }

    fn into_searches(self) -> Vec<Vec<Score>> {
        if let Watcher::Scores(watcher) = self { watcher.searches } else { Vec::new() }
    }
}

impl<G: Game> Observer<G> for Watcher {
    fn sees_nodes(&self) -> bool {
        matches!(self, Watcher::Ranks(_))
    }

    fn enter(&mut self, node: &Entered<'_, G>) {
        if let Watcher::Ranks(watcher) = self {
            watcher.enter(node.ply, node.depth);
        }
    }

    fn leave(&mut self, _node: &Leaving) {
        if let Watcher::Ranks(watcher) = self {
            watcher.leave();
        }
    }

    fn tried(&mut self, tried: &Tried<'_, G>) {
        if let Watcher::Ranks(watcher) = self {
            watcher.tried(tried.standing, tried.score);
        }
    }

    fn progress(&mut self, progress: &Progress<G::Move>) {
        match self {
            Watcher::Nothing => {}
            Watcher::Ranks(watcher) => watcher.is_decided |= score::is_decided(progress.score),
            Watcher::Scores(watcher) => watcher.progress(progress.depth, progress.score),
        }
    }
}

/// Follows the nodes of a search and counts what became of each state.
struct RankWatcher {
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
    fn new(unit: Score, bound: RankBound, least_depth: Depth) -> RankWatcher {
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

/// How often moves of each class are played where they are available, for realization probability search (Tsuruoka,
/// Yokoyama & Chikayama 2002).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealizationQuestion;

impl<G: Game> Statistic<G> for RealizationQuestion {
    /// By class: how often moves of it were played, and how often available.
    type Share = Vec<(u64, u64)>;
    type Table = ClassTable;

    fn share<E: Evaluate<G>>(&self, play: &SelfPlay<G, E>, number: u64, stop: &Signal) -> Option<Self::Share> {
        let game = play.play(number, &mut Watcher::Nothing, stop)?;
        let mut counter = RealizationCounter::<G>::default();
        counter.add(&game.positions()[0], game.moves());
        Some(counter.classes.iter().map(|class| (class.played, class.available)).collect())
    }

    fn table(&self, shares: impl IntoIterator<Item = Self::Share>) -> Gathered<ClassTable> {
        let mut counter = RealizationCounter::<G>::default();
        for share in shares {
            for (sum, (played, available)) in counter.classes.iter_mut().zip(share) {
                sum.played += played;
                sum.available += available;
            }
        }
        counter.finish()
    }
}

/// Counts classes of moves, available and played, game by game: the same from games that someone else played.
pub struct RealizationCounter<G> {
    classes: Vec<ClassCounts>,
    game: std::marker::PhantomData<fn() -> G>,
}

impl<G: Game> Default for RealizationCounter<G> {
    fn default() -> RealizationCounter<G> {
        let classes = vec![ClassCounts::default(); G::MOVE_CLASSES];
        RealizationCounter { classes, game: std::marker::PhantomData }
    }
}

impl<G: Game> RealizationCounter<G> {
    /// Counts the moves of a game.
    pub fn add(&mut self, start: &G::Position, moves: &[G::Move]) {
        let mut position = start.clone();
        for &mv in moves {
            self.count(&position, mv);
            position = G::play(&position, mv);
        }
    }

    fn count(&mut self, position: &G::Position, played: G::Move) {
        let mut available: Vec<usize> = Vec::new();
        G::moves(position, |mv| available.push(G::move_class(position, mv)));
        available.sort_unstable();
        available.dedup();
        available.into_iter().for_each(|class| self.classes[class].available += 1);
        self.classes[G::move_class(position, played)].played += 1;
    }

    /// The table.
    pub fn finish(self) -> Gathered<ClassTable> {
        // Every move that was played is of one class.
        let samples = self.classes.iter().map(|class| class.played).sum();
        Gathered { table: ClassTable { classes: self.classes }, samples }
    }
}

/// A regression of deep on shallow values, for ProbCut (Buro 1995). Every position of the games is searched to the
/// greatest depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbCutQuestion {
    /// Depths in plies, shallow and deep.
    pub pairs: Vec<(i32, i32)>,
}

/// The phase of a position, by number, and the score of every iteration of its search.
type Iterations = (u8, Vec<Score>);

impl<G: Game> Statistic<G> for ProbCutQuestion {
    type Share = Vec<Iterations>;
    type Table = ProbCutTable;

    fn share<E: Evaluate<G>>(&self, play: &SelfPlay<G, E>, number: u64, stop: &Signal) -> Option<Self::Share> {
        let mut watcher = Watcher::Scores(ScoreWatcher { searches: Vec::new() });
        let game = play.play(number, &mut watcher, stop)?;
        let phases = phases::<G>(&game).into_iter().map(|phase| phase as u8);
        Some(phases.zip(watcher.into_searches()).collect())
    }

    fn table(&self, shares: impl IntoIterator<Item = Self::Share>) -> Gathered<ProbCutTable> {
        let mut sums: HashMap<(i32, i32, u8), Regression> = HashMap::new();
        let mut samples = 0;
        for (phase, scores) in shares.into_iter().flatten() {
            samples += 1;
            for &(shallow, deep) in &self.pairs {
                let value = |depth: i32| scores.get(depth as usize - 1).copied().filter(|s| !score::is_decided(*s));
                if let (Some(x), Some(y)) = (value(shallow), value(deep)) {
                    sums.entry((deep, shallow, phase)).or_default().add(x.into(), y.into());
                }
            }
        }
        let mut rows: Vec<Prediction> = [Phase::Opening, Phase::Middlegame, Phase::Endgame]
            .into_iter()
            .flat_map(|phase| self.pairs.iter().map(move |&(shallow, deep)| (phase, shallow, deep)))
            .filter_map(|(phase, shallow, deep)| sums.get(&(deep, shallow, phase as u8))?.predict(shallow, deep, phase))
            .collect();
        rows.sort_by_key(|row| (row.phase as u8, row.deep, row.shallow));
        Gathered { table: ProbCutTable { rows }, samples }
    }
}

fn phases<G: Game>(game: &GameSoFar<G>) -> Vec<Phase> {
    game.steps().map(|(position, _)| G::phase(position)).collect()
}

/// Keeps the score of every iteration of every search.
struct ScoreWatcher {
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

/// Sums for a line of least squares.
#[derive(Default)]
struct Regression {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
    yy: f64,
}

/// A regression on fewer points says little.
const LEAST_SAMPLES: f64 = 30.0;

impl Regression {
    fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
        self.yy += y * y;
    }

    fn predict(&self, shallow: i32, deep: i32, phase: Phase) -> Option<Prediction> {
        let spread = self.n * self.xx - self.x * self.x;
        if self.n < LEAST_SAMPLES || spread <= 0.0 {
            return None;
        }
        let slope = (self.n * self.xy - self.x * self.y) / spread;
        let intercept = (self.y - slope * self.x) / self.n;
        let residue = self.yy - intercept * self.y - slope * self.xy;
        let sigma = (residue.max(0.0) / (self.n - 2.0)).sqrt();
        Some(Prediction { deep, shallow, phase, slope, intercept, sigma, samples: self.n as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regression_finds_the_line() {
        let mut sums = Regression::default();
        for x in 0..100 {
            let noise = if x % 2 == 0 { 3.0 } else { -3.0 };
            sums.add(x.into(), 2.0 * f64::from(x) + 7.0 + noise);
        }
        let line = sums.predict(2, 4, Phase::Middlegame).unwrap();
        assert!((line.slope - 2.0).abs() < 0.01 && (line.intercept - 7.0).abs() < 0.2, "{line:?}");
        assert!((line.sigma - 3.0).abs() < 0.1, "{line:?}");
    }

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
