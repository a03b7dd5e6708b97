//! Fits [what a score is worth](plywise_game::chances) to games of self-play: the curves that make the results most likely.

use crate::data::{self, DataError, PackedGame};
use crate::{LearnableGame, Source};
use plywise_game::chances::{Chances, Curve, Outlook};
use plywise_game::pgn::GameResult;
use plywise_game::{GameInfo, Notation, Phase, Score, Side, score};

use plywise_run::{Job, JobError, Workplace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The curves that make the results of games most likely. A phase without a position keeps the rule of thumb.
pub fn fit_chances(score_counts: &ScoreCounts) -> Chances {
    let mut chances = Chances::UNFITTED;
    for (curve, counts) in chances.curves.iter_mut().zip(&score_counts.phases) {
        if !counts.is_empty() {
            *curve = fit(counts);
        }
    }
    chances
}

/// How often positions with a score were won, drawn and lost by the side to move.
type Counts = BTreeMap<Score, [u64; 3]>;

/// How the games went on from the positions of each phase.
#[derive(Clone, Debug, Default)]
pub struct ScoreCounts {
    phases: [Counts; 3],
}

/// Scores closer together than this are counted as one.
const STEP: Score = 5;

impl ScoreCounts {
    /// Counts a position.
    pub fn add(&mut self, phase: Phase, score: Score, result: GameResult, side: Side) {
        let Some(points) = result.points(side).filter(|_| !score::is_decided(score)) else { return };
        let counts = self.phases[phase as usize].entry(score.div_euclid(STEP) * STEP + STEP / 2).or_default();
        counts[(2.0 - 2.0 * points) as usize] += 1;
    }

    /// Counts the positions of a game, each with what its search thought of it.
    pub(crate) fn add_game<G: Notation>(&mut self, info: &GameInfo<G>, game: &PackedGame) -> Result<(), DataError> {
        for (ply, position) in game.plies.iter().zip(&game.replay(info)?.positions) {
            if let Some(score) = ply.score.get() {
                self.add(G::phase(position), score, game.result, G::side_to_move(position));
            }
        }
        Ok(())
    }

    /// How many positions of a phase were counted.
    pub fn positions(&self, phase: Phase) -> u64 {
        self.phases[phase as usize].values().flatten().sum()
    }

    /// What is left to be surprised about, in bits for each position, if these are the chances.
    pub fn surprise(&self, phase: Phase, curve: &Curve) -> f64 {
        surprise(&self.phases[phase as usize], curve) / self.positions(phase).max(1) as f64
    }
}

/// The information in the results that the curve does not have, in bits.
fn surprise(counts: &Counts, curve: &Curve) -> f64 {
    let of_score = |(&score, counts): (&Score, &[u64; 3])| {
        let Outlook { win, draw, loss } = curve.outlook(score);
        // A result that was thought impossible costs much, but not everything.
        let bits = |chance: f64, count: u64| -(chance.max(1e-6).log2()) * count as f64;
        bits(win, counts[0]) + bits(draw, counts[1]) + bits(loss, counts[2])
    };
    counts.iter().map(of_score).sum()
}

/// The range of both numbers of a curve, in the evaluation's unit.
const LEAST: f64 = 0.01;
const MOST: f64 = 10_000.0;

/// The curve with the least surprise, by steps that become shorter wherever none of them leads down.
fn fit(counts: &Counts) -> Curve {
    let mut best = Curve::new(20.0, 100.0);
    let mut least = surprise(counts, &best);
    let mut step = 2.0;
    while step > 1.0005 {
        let Curve { even, scale } = best;
        let tries = [(even * step, scale), (even / step, scale), (even, scale * step), (even, scale / step)];
        // Few games, or games that all end alike, would let a number grow beyond all bounds.
        let tries = tries.map(|(even, scale)| Curve::new(even.clamp(LEAST, MOST), scale.clamp(LEAST, MOST)));
        let tried = tries.map(|tried| (surprise(counts, &tried), tried));
        match tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(bits, _)| *bits < least) {
            Some((bits, better)) => (least, best) = (bits, better),
            None => step = f64::sqrt(step),
        }
    }
    best
}

/// `learn chances`: what scores are worth, from the results of games of `forge data`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LearnChances {
    /// The name of the game.
    pub game: String,
    /// The games.
    pub data: Vec<Source>,
}

/// What came out of [`LearnChances`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LearnedChances {
    /// How many games were read.
    pub games: u64,
    /// The curves of the phases from which there are positions.
    pub curves: Vec<PhaseCurve>,
}

/// What scores are worth in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseCurve {
    /// The phase: `opening`, `middlegame` or `endgame`.
    pub phase: Phase,
    /// A score wins with a chance of one half here.
    pub even: f64,
    /// This much more lifts that to 73 %.
    pub scale: f64,
    /// How many positions it rests on.
    pub positions: u64,
    /// What is left to be surprised about, in bits for each position.
    pub surprise: f64,
}

impl PhaseCurve {
    /// The curve.
    pub fn curve(&self) -> Curve {
        Curve::new(self.even, self.scale)
    }
}

impl Job for LearnChances {
    const NAME: &'static str = "learn chances";
    type Game = Arc<dyn LearnableGame>;
    type Event = ();
    type Outcome = LearnedChances;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        _: &(dyn Fn(()) + Sync),
    ) -> Result<LearnedChances, JobError> {
        let game = &**game;
        let (mut counts, mut games) = (ScoreCounts::default(), 0);
        for source in &self.data {
            data::read_source(game, source, &workplace.stop, &mut |packed| {
                games += 1;
                game.count_scores(&packed, &mut counts)
            })?;
        }
        let fitted = fit_chances(&counts);
        let phases = [Phase::Opening, Phase::Middlegame, Phase::Endgame].into_iter();
        let curve = |phase: Phase| {
            let (curve, positions) = (fitted.curves[phase as usize], counts.positions(phase));
            let (even, scale, surprise) = (curve.even, curve.scale, counts.surprise(phase, &curve));
            PhaseCurve { phase, even, scale, positions, surprise }
        };
        let curves: Vec<PhaseCurve> = phases.filter(|phase| counts.positions(*phase) > 0).map(curve).collect();
        match curves.is_empty() {
            true => Err(JobError::input("the games have no position with a score and a result")),
            false => Ok(LearnedChances { games, curves }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_game::random::Random;

    #[test]
    fn the_curve_that_made_the_results_is_found() {
        let truth = Curve::new(120.0, 70.0);
        let (mut random, mut score_counts) = (Random::new(1), ScoreCounts::default());
        for _ in 0..40_000 {
            let score = (1000.0 * random.fraction()) as Score - 500;
            let (outlook, draw) = (truth.outlook(score), random.fraction());
            let result = match draw {
                _ if draw < outlook.win => GameResult::Win(Side::Second),
                _ if draw < outlook.win + outlook.draw => GameResult::Draw,
                _ => GameResult::Win(Side::First),
            };
            score_counts.add(Phase::Endgame, score, result, Side::Second);
        }
        let fitted = fit_chances(&score_counts).curves[Phase::Endgame as usize];
        assert!((fitted.even - 120.0).abs() < 6.0 && (fitted.scale - 70.0).abs() < 4.0, "{fitted:?}");
        assert!(
            score_counts.surprise(Phase::Endgame, &fitted)
                < score_counts.surprise(Phase::Endgame, &Chances::UNFITTED.curves[0])
        );
        assert_eq!(score_counts.positions(Phase::Opening), 0);
        let mut drawn = ScoreCounts::default();
        (0..10).for_each(|score| drawn.add(Phase::Opening, score, GameResult::Draw, Side::First));
        assert!(fit_chances(&drawn).curves[0].even <= MOST, "games that are all drawn");
    }
}
