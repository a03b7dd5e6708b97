//! ProbCut and Multi-ProbCut: the value of a deep search is predicted from a shallow one by linear regression, and the
//! node is cut where the prediction surely lies outside the window.
//!
//! Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995, and "Experiments with
//! Multi-ProbCut and a new high-quality evaluation function for Othello", 1999: v(deep) = a·v(shallow) + b + e, with the
//! standard deviation σ of e measured for each pair of depths and phase of the game. `threshold` is T, in hundredths.

use crate::knowledge::{Cells, Kept, Row, rows};
use crate::limits::Stopped;
use crate::search::{Node, Scout, Task, Value};
use crate::worker::Worker;
use crate::{Arrival, Policy, Purpose, Technique};
use plywise_game::{Depth, Evaluate, Game, Phase, Score, Window, score};
use serde::{Deserialize, Serialize};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Cuts where a shallow search predicts a value outside the window.
    pub(crate) fn probcut(&mut self, node: &Node<G>) -> Result<Option<Value>, Stopped> {
        let params = self.params().probcut.clone();
        if !params.on() || node.verifying || score::is_decided(node.window.alpha) || score::is_decided(node.window.beta)
        {
            return Ok(None);
        }
        let Some(table) = self.knowledge.probcut.clone() else { return Ok(None) };
        let confidence = f64::from(params.threshold) / 100.0;
        let rows = table.rows_for(node.depth.whole_plies(), G::phase(node.position));
        for row in rows.take(params.pairs as usize) {
            self.counters.tried(Technique::ProbCut);
            let high = row.shallow_bound(node.window.beta, confidence);
            // The evaluation decides which side is worth a try: a shallow search seldom moves far.
            if node.evaluation >= node.window.beta {
                if self.reaches(node, row.shallow, high)? {
                    return Ok(Some(Value::certain(node.window.beta)));
                }
            } else if params.fail_low && node.evaluation <= node.window.alpha {
                let low = row.shallow_bound(node.window.alpha, -confidence);
                if !self.reaches(node, row.shallow, low.saturating_add(1))? {
                    return Ok(Some(Value::certain(node.window.alpha)));
                }
            }
        }
        Ok(None)
    }

    /// Whether a shallow search of the node reaches `bound`.
    fn reaches(&mut self, node: &Node<G>, plies: i32, bound: Score) -> Result<bool, Stopped> {
        if bound.abs() >= score::EVAL_LIMIT {
            return Ok(bound < 0);
        }
        let task = Task { depth: Depth::plies(plies), window: Window::reaching(bound), verifying: true, ..node.task() };
        self.announce(node.ply, Arrival::by(Purpose::ProbCut));
        Ok(self.search::<Scout>(node.position, task)?.score >= bound)
    }
}

/// A regression of deep on shallow values: deep = slope · shallow + intercept, with standard deviation sigma.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The deep search, in plies.
    pub deep: i32,
    /// The shallow search, in plies.
    pub shallow: i32,
    /// The phase of the game.
    pub phase: Phase,
    /// a.
    pub slope: f64,
    /// b.
    pub intercept: f64,
    /// σ.
    pub sigma: f64,
    /// How many positions it rests on.
    pub samples: u64,
}

/// ProbCut's table. `plywise gather probcut` fits it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProbCutTable {
    /// Cheapest first within a depth.
    #[serde(with = "rows")]
    pub rows: Vec<Prediction>,
}

impl ProbCutTable {
    fn rows_for(&self, plies: i32, phase: Phase) -> impl Iterator<Item = &Prediction> {
        self.rows.iter().filter(move |row| row.deep == plies && row.phase == phase && row.slope > 0.0)
    }
}

impl Kept for ProbCutTable {
    const KIND: &'static str = "probcut";
    const COLUMNS: &'static str = "deep shallow phase slope intercept sigma samples";
}

impl Row for Prediction {
    fn write(&self) -> String {
        let Prediction { deep, shallow, phase, slope, intercept, sigma, samples } = *self;
        format!("{deep} {shallow} {} {slope:.4} {intercept:.4} {sigma:.4} {samples}", phase as u8)
    }

    fn read(cells: &mut Cells) -> Option<Prediction> {
        let (deep, shallow) = (cells.number(1..=Depth::MAX.whole_plies())?, cells.number(0..=i32::MAX)?);
        let phase = [Phase::Opening, Phase::Middlegame, Phase::Endgame][cells.number(0..=2usize)?];
        let (slope, intercept, sigma) = (cells.real()?, cells.real()?, cells.real()?);
        let row = Prediction { deep, shallow, phase, slope, intercept, sigma, samples: cells.count()? };
        (shallow < deep && sigma >= 0.0).then_some(row)
    }
}

impl Prediction {
    /// The shallow value from which the deep one is `bound`, `confidence` standard deviations on the safe side.
    fn shallow_bound(&self, bound: Score, confidence: f64) -> Score {
        ((f64::from(bound) + confidence * self.sigma - self.intercept) / self.slope).round() as Score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_lie_on_the_safe_side() {
        let phase = Phase::Middlegame;
        let row = Prediction { deep: 8, shallow: 4, phase, slope: 1.0, intercept: 5.0, sigma: 40.0, samples: 1 };
        assert_eq!(row.shallow_bound(100, 1.5), 155);
        assert_eq!(row.shallow_bound(100, -1.5), 35);
    }
}
