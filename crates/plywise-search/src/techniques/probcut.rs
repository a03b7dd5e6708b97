//! ProbCut and Multi-ProbCut: the value of a deep search is predicted from a shallow one by linear regression, and the
//! node is cut where the prediction surely lies outside the window.
//!
//! Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995, and "Experiments with
//! Multi-ProbCut and a new high-quality evaluation function for Othello", 1999: v(deep) = a·v(shallow) + b + e, with the
//! standard deviation σ of e measured for each pair of depths and phase of the game. `threshold` is T, in hundredths.

use crate::knowledge::{Cells, LearnedTable, Row, rows};
use crate::limits::Stopped;
use crate::search::{Node, NodeRequest, Scout, Value};
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
        let Some(predictions) = &self.prepared.predictions else { return Ok(None) };
        let confidence = f64::from(params.threshold) / 100.0;
        let rows = predictions.of(node.depth.whole_plies(), G::phase(node.position));
        for row in rows.iter().take(params.pairs as usize) {
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
        let request = NodeRequest {
            depth: Depth::plies(plies),
            window: Window::reaching(bound),
            verifying: true,
            ..node.request()
        };
        self.announce(node.ply, Arrival::by(Purpose::ProbCut));
        Ok(self.search::<Scout>(node.position, request)?.score >= bound)
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
    /// The predictions that can be used, by depth and phase.
    pub(crate) fn predictions(&self) -> Predictions {
        let mut predictions = Predictions::default();
        for row in self.rows.iter().filter(|row| row.slope > 0.0) {
            let place = Predictions::place(row.deep, row.phase);
            if predictions.by_place.len() <= place {
                predictions.by_place.resize_with(place + 1, Vec::new);
            }
            predictions.by_place[place].push(*row);
        }
        predictions
    }
}

/// The rows of a table where a node finds its own at once.
#[derive(Debug, Default)]
pub(crate) struct Predictions {
    by_place: Vec<Vec<Prediction>>,
}

impl Predictions {
    /// The predictions of searches of this many plies in this phase, cheapest first.
    fn of(&self, plies: i32, phase: Phase) -> &[Prediction] {
        self.by_place.get(Predictions::place(plies, phase)).map_or(&[], Vec::as_slice)
    }

    fn place(plies: i32, phase: Phase) -> usize {
        plies.max(0) as usize * 3 + phase as usize
    }
}

impl LearnedTable for ProbCutTable {
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
    use crate::techniques::fixture::*;
    use std::sync::Arc;

    #[test]
    fn bounds_lie_on_the_safe_side() {
        let phase = Phase::Middlegame;
        let row = Prediction { deep: 8, shallow: 4, phase, slope: 1.0, intercept: 5.0, sigma: 40.0, samples: 1 };
        assert_eq!(row.shallow_bound(100, 1.5), 155);
        assert_eq!(row.shallow_bound(100, -1.5), 35);
    }

    /// Four plies are predicted from one, within 15 points for the usual confidence of 1.5 standard deviations.
    fn ask(evaluation: Score, best: Score) -> Ask {
        let phase = Phase::Middlegame;
        let row = Prediction { deep: 4, shallow: 1, phase, slope: 1.0, intercept: 0.0, sigma: 10.0, samples: 1 };
        let probcut = Some(Arc::new(ProbCutTable { rows: vec![row] }));
        let ask = Ask::cut(position(evaluation, [quiet(best)]), 4, 50).with("probcut");
        Ask { knowledge: Knowledge { probcut, ..Default::default() }, ..ask }
    }

    #[test]
    fn a_shallow_value_far_outside_the_window_cuts() {
        let high = ask(60, 65).search();
        assert_eq!((high.cut_by(), high.value.score), (Some(Technique::ProbCut), 50));
        assert_eq!(high.searches[0].depth, Depth::PLY);
        let low = ask(0, 34).search();
        assert_eq!((low.cut_by(), low.value.score), (Some(Technique::ProbCut), 49));
    }

    #[test]
    fn a_shallow_value_near_the_window_does_not() {
        for ask in [ask(60, 64), ask(0, 35), ask(0, 34).with("probcut.fail_low=off")] {
            assert_eq!(ask.search().cut_by(), None);
        }
    }

    #[test]
    fn nodes_without_a_prediction_are_not_looked_at() {
        let changed = |change: fn(&mut Ask)| {
            let mut ask = ask(60, 65);
            change(&mut ask);
            ask
        };
        for (why, ask) in [
            ("another depth", changed(|ask| ask.depth = Depth::plies(5))),
            ("another part of the game", changed(|ask| ask.position.phase = Phase::Endgame)),
            ("no table", changed(|ask| ask.knowledge.probcut = None)),
            ("verifying", changed(|ask| ask.verifying = true)),
            ("in check", changed(|ask| ask.position.in_check = true)),
            ("on the principal variation", changed(|ask| ask.expect = Expect::Pv)),
            ("beta is a win", changed(|ask| ask.window = Window::reaching(score::win_in(20)))),
        ] {
            let seen = ask.search();
            assert_eq!((seen.cut_by(), seen.of(Purpose::ProbCut)), (None, vec![]), "{why}");
        }
    }
}
