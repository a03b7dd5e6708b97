//! How well a shallow search predicts a deep one, for ProbCut (Buro 1995).

use super::watch::{ScoreWatcher, Watcher};
use super::{Statistic, Table};
use crate::self_play::{Players, TypedSelfPlay};
use plywise_game::{Evaluate, Game, Phase, Score, score};
use plywise_search::{Prediction, ProbCutTable, Signal};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The phase of a position, by number, and the score of every iteration of its search.
pub type Iterations = (u8, Vec<Score>);

/// A regression of deep on shallow values. Every position of the games is searched to the greatest depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbCutQuestion {
    /// Depths in plies, shallow and deep.
    pub pairs: Vec<(i32, i32)>,
}

/// What the searches of a game say of their positions.
pub(crate) fn iterations<G: Game, E: Evaluate<G>>(
    play: &TypedSelfPlay<G, E>,
    number: u64,
    stop: &Signal,
) -> Option<Vec<Iterations>> {
    let mut watcher = Watcher::Scores(ScoreWatcher::default());
    let game = play.play(number, &mut watcher, stop)?;
    let phases = game.steps().map(|(position, _)| G::phase(position) as u8);
    Some(phases.zip(watcher.into_searches()).collect())
}

impl Statistic for ProbCutQuestion {
    type Share = Vec<Iterations>;

    fn share(&self, players: &dyn Players, number: u64, stop: &Signal) -> Option<Vec<Iterations>> {
        players.iterations(number, stop)
    }

    fn table(&self, shares: Vec<Vec<Iterations>>) -> Table {
        let mut sums: HashMap<(i32, i32, u8), Regression> = HashMap::new();
        let searches: Vec<Iterations> = shares.into_iter().flatten().collect();
        for (phase, scores) in &searches {
            for &(shallow, deep) in &self.pairs {
                let value = |depth: i32| scores.get(depth as usize - 1).copied().filter(|s| !score::is_decided(*s));
                if let (Some(x), Some(y)) = (value(shallow), value(deep)) {
                    sums.entry((deep, shallow, *phase)).or_default().add(x.into(), y.into());
                }
            }
        }
        let mut rows: Vec<Prediction> = [Phase::Opening, Phase::Middlegame, Phase::Endgame]
            .into_iter()
            .flat_map(|phase| self.pairs.iter().map(move |&(shallow, deep)| (phase, shallow, deep)))
            .filter_map(|(phase, shallow, deep)| sums.get(&(deep, shallow, phase as u8))?.predict(shallow, deep, phase))
            .collect();
        rows.sort_by_key(|row| (row.phase as u8, row.deep, row.shallow));
        Table::ProbCut { table: ProbCutTable { rows }, searches }
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
}
