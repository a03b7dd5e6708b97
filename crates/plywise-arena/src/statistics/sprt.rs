use super::elo::NORMALISED_UNIT;
use super::{Pentanomial, Sample, Wdl, score_of_elo};
use serde::{Deserialize, Serialize};

/// What the Elo bounds of a test mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Differences on Elo's logistic curve: the expected score.
    Logistic,
    /// The expected advantage divided by the standard deviation of a game, which fixes the length of the test whatever
    /// the openings and the number of draws.
    Normalised,
}

/// A sequential probability ratio test between two Elo differences.
///
/// Abraham Wald, "Sequential Tests of Statistical Hypotheses", 1945. The log-likelihood ratio is the generalised one:
/// each hypothesis is represented by the distribution of results that fits the sample best among those that have its
/// Elo difference. Michel Van den Bergh, "Comments on Normalized Elo", 2021; fishtest, OpenBench and fastchess do the
/// same, and agree to their printed digits.
///
/// ```
/// use plywise_arena::statistics::{Decision, EloModel, Pentanomial, Sprt};
/// let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05, EloModel::Normalised).unwrap();
/// let llr = sprt.llr(&Pentanomial([365, 16618, 36229, 16974, 390]));
/// assert_eq!(format!("{llr:.2}"), "2.25");
/// assert_eq!(sprt.decide(llr), Decision::Continue);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// Why the parameters of a test make no sense.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are in the wrong order, equal, or not numbers.
    #[error("the lower Elo bound of an SPRT must be below the upper one, but {0} is not below {1}")]
    Bounds(f64, f64),
    /// A hypothesis is so far off that its scores cannot be told from 0 or 100 %.
    #[error("the Elo bounds of an SPRT must lie between -{FARTHEST} and {FARTHEST}, but {0} does not")]
    TooFar(f64),
    /// An error probability is out of range.
    #[error("the error probabilities of an SPRT must be above 0 and add up to less than 1, but {0} and {1} do not")]
    Probabilities(f64, f64),
}

/// No Elo bound of a test is farther from 0 than this.
const FARTHEST: f64 = 5000.0;

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// More games are needed.
    Continue,
    /// The lower difference is accepted: the change is not the improvement that was asked for.
    H0,
    /// The higher difference is accepted.
    H1,
}

/// A test with the games so far: what a progress line and a report show.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below this the lower difference is accepted.
    pub lower: f64,
    /// At or above this the higher difference is accepted.
    pub upper: f64,
    /// The lower difference.
    pub elo0: f64,
    /// The higher difference.
    pub elo1: f64,
    /// What the differences mean.
    pub model: EloModel,
    /// What follows.
    pub decision: Decision,
}

impl Sprt {
    /// A test of `elo0` against `elo1`: `alpha` is the probability of accepting `elo1` where `elo0` holds, `beta` that
    /// of the opposite error.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Sprt, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Bounds(elo0, elo1));
        }
        if let Some(far) = [elo0, elo1].into_iter().find(|elo| elo.abs() > FARTHEST) {
            return Err(SprtError::TooFar(far));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Probabilities(alpha, beta));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// Wald's bounds on the log-likelihood ratio, the lower one first.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the higher difference to the lower one. Zero before the first unit.
    pub fn llr<S: Sample>(&self, sample: &S) -> f64 {
        if sample.units() == 0 {
            return 0.0;
        }
        let empirical = Distribution::of(sample);
        let fit = |elo: f64| match self.model {
            EloModel::Logistic => empirical.fitted_to_mean(score_of_elo(elo)),
            EloModel::Normalised => empirical.fitted_to_advantage(S::GAMES_PER_UNIT.sqrt() * elo / NORMALISED_UNIT),
        };
        let (p0, p1) = (fit(self.elo0), fit(self.elo1));
        let ratios = p1.iter().zip(&p0).map(|(p1, p0)| (p1 / p0).ln());
        empirical.units * empirical.probabilities.iter().zip(ratios).map(|(p, ratio)| p * ratio).sum::<f64>()
    }

    /// What a log-likelihood ratio decides.
    pub fn decide(&self, llr: f64) -> Decision {
        match self.bounds() {
            (lower, _) if llr <= lower => Decision::H0,
            (_, upper) if llr >= upper => Decision::H1,
            _ => Decision::Continue,
        }
    }

    /// The state of the test after these games: by pairs where there are any, else game by game.
    pub fn state(&self, games: &Wdl, pairs: &Pentanomial) -> SprtState {
        let llr = if pairs.pairs() > 0 { self.llr(pairs) } else { self.llr(games) };
        let (lower, upper) = self.bounds();
        SprtState { llr, lower, upper, elo0: self.elo0, elo1: self.elo1, model: self.model, decision: self.decide(llr) }
    }
}

/// Stands for an outcome that was never seen, as in fishtest and fastchess: without it a hypothesis that needs the
/// outcome could not be fitted at all.
const UNSEEN: f64 = 1e-3;

/// The fixed point of [`Distribution::nearby_fit`] is reached when no probability moves by more than this.
const FIT_TOLERANCE: f64 = 1e-9;

/// An end to the fixed-point iteration for samples on which it circles. A handful of rounds is the rule.
const FIT_ROUNDS: usize = 50;

/// The most standard deviations for which the fixed point is the best fit: 120 points of normalised Elo over pairs.
const NEARBY: f64 = 0.5;

/// Steps of the ladder of means in [`Distribution::best_fit`] at each outcome, down to a billionth.
const MEANS: u32 = 60;

/// Each step of that ladder is as many halvings.
const MEAN_STEP: f64 = 0.5;

/// As many halvings as make two neighbouring means one.
const MEAN_HALVINGS: u32 = 50;

/// More halvings of the multiplier change no digit.
const TILT_HALVINGS: u32 = 100;

/// The empirical distribution of a sample over its outcomes.
struct Distribution {
    units: f64,
    shares: Vec<f64>,
    probabilities: Vec<f64>,
}

impl Distribution {
    fn of<S: Sample>(sample: &S) -> Distribution {
        let outcomes = sample.outcomes();
        let counts: Vec<f64> = outcomes.iter().map(|&(_, n)| if n == 0 { UNSEEN } else { n as f64 }).collect();
        let units: f64 = counts.iter().sum();
        Distribution {
            units,
            shares: outcomes.iter().map(|&(share, _)| share).collect(),
            probabilities: counts.iter().map(|n| n / units).collect(),
        }
    }

    /// The most likely distribution among those with this expected share (Van den Bergh, proposition 1.1).
    fn fitted_to_mean(&self, mean: f64) -> Vec<f64> {
        let excess: Vec<f64> = self.shares.iter().map(|share| share - mean).collect();
        // No bound is so far off that its score is 0 or 1, so there are outcomes to both sides of it.
        self.tilted(&excess).unwrap_or_else(|| self.probabilities.clone())
    }

    /// The most likely distribution among those whose mean exceeds one half by this many standard deviations (Van den
    /// Bergh, section 4.1).
    fn fitted_to_advantage(&self, deviations: f64) -> Vec<f64> {
        if deviations == 0.0 {
            return self.fitted_to_mean(0.5);
        }
        let nearby = if deviations.abs() <= NEARBY { self.nearby_fit(deviations) } else { None };
        nearby.unwrap_or_else(|| self.best_fit(deviations))
    }

    /// The fit as a fixed point of the constraint's gradient, because the deviation is that of the distribution sought.
    /// A hundred times quicker than [`best_fit`](Distribution::best_fit), and the same up to [`NEARBY`]. Beyond that it may
    /// find another stationary point, or none.
    fn nearby_fit(&self, deviations: f64) -> Option<Vec<f64>> {
        let mut fitted = vec![1.0 / self.shares.len() as f64; self.shares.len()];
        for _ in 0..FIT_ROUNDS {
            let mean = self.mean(&fitted);
            let variance: f64 = fitted.iter().zip(&self.shares).map(|(p, share)| p * (share - mean).powi(2)).sum();
            let next = self.tilted(&self.gradient(deviations, mean, variance.sqrt()))?;
            let moved = next.iter().zip(&fitted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            fitted = next;
            if moved < FIT_TOLERANCE {
                return Some(fitted);
            }
        }
        None
    }

    /// The fit by its mean, which fixes the deviation and with it the gradient of the constraint. Every distribution that
    /// may be the most likely one is fitted to the gradient at its own mean, so each mean is tried at which that changes
    /// from too low to too high or back.
    fn best_fit(&self, deviations: f64) -> Vec<f64> {
        let fit = |mean: f64| self.tilted(&self.gradient(deviations, mean, (mean - 0.5) / deviations));
        let excess = |mean: f64| Some(self.mean(&fit(mean)?) - mean);
        let mut best: Option<(f64, Vec<f64>)> = None;
        let mut last: Option<(f64, f64)> = None;
        for mean in self.means(deviations.signum()) {
            let Some(here) = excess(mean) else {
                last = None;
                continue;
            };
            if let Some((mut low, sign)) = last.replace((mean, here))
                && (sign > 0.0) != (here > 0.0)
            {
                let mut high = mean;
                for _ in 0..MEAN_HALVINGS {
                    let middle = low + (high - low) / 2.0;
                    match excess(middle) {
                        Some(found) if (found > 0.0) == (sign > 0.0) => low = middle,
                        _ => high = middle,
                    }
                }
                if let Some(found) = fit(low) {
                    let likelihood = self.log_likelihood(&found);
                    if best.as_ref().is_none_or(|(best, _)| likelihood > *best) {
                        best = Some((likelihood, found));
                    }
                }
            }
        }
        best.map_or_else(|| self.probabilities.clone(), |(_, found)| found)
    }

    /// Means on the side of one half that `sign` says, in order. They are dense where the deviation can be small against
    /// the advantage: near the outcomes.
    fn means(&self, sign: f64) -> Vec<f64> {
        let ladder = (0..MEANS).map(|step| 0.5f64.powf(f64::from(step) * MEAN_STEP));
        let around = |share: f64| ladder.clone().flat_map(move |apart| [share - apart / 2.0, share + apart / 2.0]);
        let mut means: Vec<f64> = self.shares.iter().copied().flat_map(around).collect();
        means.retain(|mean| (mean - 0.5) * sign > 0.0 && (0.0..=1.0).contains(mean));
        means.sort_by(f64::total_cmp);
        means
    }

    /// How fast the advantage grows against the deviations asked for, with the probability of each outcome.
    fn gradient(&self, deviations: f64, mean: f64, sigma: f64) -> Vec<f64> {
        let of = |share: &f64| share - 0.5 - 0.5 * deviations * sigma * (1.0 + ((share - mean) / sigma).powi(2));
        self.shares.iter().map(of).collect()
    }

    fn mean(&self, probabilities: &[f64]) -> f64 {
        probabilities.iter().zip(&self.shares).map(|(p, share)| p * share).sum()
    }

    /// The logarithm of the likelihood of the sample, for each of its units.
    fn log_likelihood(&self, fitted: &[f64]) -> f64 {
        self.probabilities.iter().zip(fitted).map(|(seen, p)| seen * p.ln()).sum()
    }

    /// The most likely distribution under which `constraint` has expectation zero: `p / (1 + θ constraint)` for the one
    /// multiplier θ that makes it so. `None` where the constraint has one sign and cannot be met.
    fn tilted(&self, constraint: &[f64]) -> Option<Vec<f64>> {
        let least = constraint.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = constraint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(least < 0.0 && greatest > 0.0) {
            return None;
        }
        let weighted = || self.probabilities.iter().zip(constraint);
        // The expectation falls from +∞ to -∞ between the two poles, so halving the interval always finds its root.
        let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
        for _ in 0..TILT_HALVINGS {
            let theta = low + (high - low) / 2.0;
            let expectation: f64 = weighted().map(|(p, c)| p * c / (1.0 + theta * c)).sum();
            if expectation > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
        }
        let theta = low + (high - low) / 2.0;
        Some(weighted().map(|(p, c)| p / (1.0 + theta * c)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<S: Sample>(model: EloModel, elo0: f64, elo1: f64, sample: S, expected: f64) {
        let llr = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap().llr(&sample);
        // fastchess's tests print two digits and allow one per cent.
        let allowed = 0.01 * (1.0 + expected.abs());
        assert!((llr - expected).abs() < allowed, "{llr} is not {expected}");
    }

    /// Disservin/fastchess, app/tests/sprt_test.cpp: every case of the models that we have, but for samples with one
    /// kind of outcome only, whose expected values changed with fastchess's way of regularising them.
    #[test]
    fn games_agree_with_fastchess() {
        use EloModel::{Logistic, Normalised};
        check(Normalised, 0.0, 2.0, Wdl { wins: 36433, draws: 68692, losses: 36027 }, 0.92);
        check(Normalised, -1.75, 0.25, Wdl { wins: 10871, draws: 20431, losses: 10650 }, 2.30);
        check(Logistic, 0.5, 2.5, Wdl { wins: 21404, draws: 40708, losses: 21184 }, -1.57);
        check(Logistic, 0.0, 2.0, Wdl { wins: 57433, draws: 106593, losses: 57030 }, -2.59);
    }

    #[test]
    fn pairs_agree_with_fastchess() {
        use EloModel::{Logistic, Normalised};
        check(Normalised, 0.0, 2.0, Pentanomial([365, 16618, 36229, 16974, 390]), 2.25);
        check(Normalised, -1.75, 0.25, Pentanomial([127, 4883, 10712, 5150, 104]), 3.01);
        check(Logistic, 0.5, 2.5, Pentanomial([223, 9863, 21279, 10037, 246]), -3.07);
        check(Logistic, 0.0, 2.0, Pentanomial([871, 26175, 55983, 26678, 821]), -4.98);
    }

    #[test]
    fn walds_bounds_decide() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::Logistic).unwrap();
        let (lower, upper) = sprt.bounds();
        assert_eq!((format!("{lower:.2}"), format!("{upper:.2}")), ("-2.94".into(), "2.94".into()));
        assert_eq!(sprt.decide(2.95), Decision::H1);
        assert_eq!(sprt.decide(-2.95), Decision::H0);
        assert_eq!(sprt.decide(0.0), Decision::Continue);
        assert_eq!(sprt.llr(&Wdl::default()), 0.0);
    }

    #[test]
    fn a_test_that_makes_no_sense_is_refused() {
        assert!(Sprt::new(5.0, 5.0, 0.05, 0.05, EloModel::Logistic).is_err());
        assert!(Sprt::new(f64::NAN, 5.0, 0.05, 0.05, EloModel::Logistic).is_err());
        let far = Sprt::new(0.0, 20_000.0, 0.05, 0.05, EloModel::Logistic).unwrap_err().to_string();
        assert_eq!(far, "the Elo bounds of an SPRT must lie between -5000 and 5000, but 20000 does not");
        assert!(Sprt::new(0.0, 5.0, 0.0, 0.05, EloModel::Logistic).is_err());
        assert!(Sprt::new(0.0, 5.0, 0.5, 0.5, EloModel::Logistic).is_err());
    }

    /// No counts and no bounds may hang it or make it answer something that is not a number.
    #[test]
    fn extreme_samples_stay_numbers() {
        for model in [EloModel::Logistic, EloModel::Normalised] {
            for (elo0, elo1) in [(0.0, 5.0), (-3000.0, 3000.0), (-0.001, 0.001), (500.0, FARTHEST)] {
                let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap();
                for counts in [[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1], [1, 0, 0, 0, 1], [u64::MAX / 8; 5]] {
                    let llr = sprt.llr(&Pentanomial(counts));
                    assert!(!llr.is_nan(), "{model:?} {elo0} {elo1} {counts:?} gives {llr}");
                }
            }
        }
    }
    #[test]
    fn who_lost_everything_is_not_accepted() {
        let llr = |counts: [u64; 5], elo1: f64| {
            Sprt::new(0.0, elo1, 0.05, 0.05, EloModel::Normalised).unwrap().llr(&Pentanomial(counts))
        };
        assert!(llr([40, 0, 0, 0, 0], 240.0) < -3.0);
        assert!(llr([14, 3, 37, 2, 4], 250.0) < -3.0);
    }

    /// Every distribution of up to this many pairs.
    fn all_pairs(most: u64) -> Vec<[u64; 5]> {
        let counts = 0..=most;
        let mut found = Vec::new();
        for a in counts.clone() {
            for b in 0..=most - a {
                for c in 0..=most - a - b {
                    for d in 0..=most - a - b - c {
                        found.extend((0..=most - a - b - c - d).map(|e| [a, b, c, d, e]));
                    }
                }
            }
        }
        found.retain(|counts| counts.iter().sum::<u64>() > 0);
        found
    }

    /// A fit has the advantage that it must have, and the quick way finds the best one.
    #[test]
    fn every_fit_is_the_best_with_its_advantage() {
        for counts in all_pairs(4) {
            let sample = Distribution::of(&Pentanomial(counts));
            for deviations in [-2.0, -NEARBY, -0.01, 0.01, 0.1, NEARBY, 0.7, 2.0, 10.0] {
                let fitted = sample.fitted_to_advantage(deviations);
                let mean = sample.mean(&fitted);
                let variance: f64 =
                    fitted.iter().zip(&sample.shares).map(|(p, share)| p * (share - mean).powi(2)).sum();
                let (sum, found) = (fitted.iter().sum::<f64>(), (mean - 0.5) / variance.sqrt());
                let is_met = (sum - 1.0).abs() < 1e-6 && (found - deviations).abs() < 1e-4 * deviations.abs();
                assert!(is_met, "{counts:?} {deviations}: {sum} {found} {fitted:?}");
                let best = sample.best_fit(deviations);
                let (ours, theirs) = (sample.log_likelihood(&fitted), sample.log_likelihood(&best));
                assert!((ours - theirs).abs() < 1e-6, "{counts:?} {deviations}: {fitted:?} {ours} {best:?} {theirs}");
            }
        }
    }
}
