use super::{Sample, z_95};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::LN_10;

/// How many points of normalised Elo are one standard deviation of a game's result.
///
/// Michel Van den Bergh, "Normalized Elo", 2020: the unit makes normalised and logistic Elo agree for small differences
/// between players who never draw.
pub(super) const NORMALISED_UNIT: f64 = 800.0 / LN_10;

/// The Elo difference at which a player expects this share of the points, infinite at 0 and 1.
///
/// Arpad Elo's logistic curve, as in David-Tabibi et al., "Simulating Human Grandmasters", 2009, appendix B.
///
/// ```
/// // That paper's table 2: 304.5 - 195.5 is 60.9 % and +77.
/// assert_eq!(plywise_arena::statistics::elo_of_score(304.5 / 500.0).round(), 77.0);
/// ```
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    // The odds are written so that a score of one half gives +0, not -0.
    400.0 * (score / (1.0 - score)).log10()
}

/// The share of the points that a player expects who is this many Elo stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// An Elo difference estimated from a sample, with its 95 % error, and the likelihood of superiority.
///
/// Every number is `None` where the sample does not tell: fewer than [`FEWEST_UNITS`] units, of whose spread nothing is
/// known; units that all ended alike, which have no spread to take an error from; a score of 0 % or 100 %, or an interval
/// that reaches one of them, where the curve is infinite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Elo {
    /// The logistic difference.
    pub difference: Option<f64>,
    /// Half the 95 % interval of the logistic difference: of what the score's normal approximation maps to.
    pub error: Option<f64>,
    /// The normalised difference: the advantage in standard deviations of a game, in units that resemble Elo.
    pub normalised: Option<f64>,
    /// Half the 95 % interval of the normalised difference.
    pub normalised_error: Option<f64>,
    /// The probability that the player is the stronger one.
    pub los: Option<f64>,
}

/// Fewer games, or pairs where there are pairs, say nothing about how much results vary.
pub const FEWEST_UNITS: u64 = 5;

impl Elo {
    /// The estimate from a sample.
    pub fn of<S: Sample>(sample: &S) -> Elo {
        let (Some(score), Some(variance), Some(error)) = (sample.score(), sample.variance(), sample.standard_error())
        else {
            return Elo::default();
        };
        if sample.units() < FEWEST_UNITS {
            return Elo::default();
        }
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        let (low, high) = (score - z_95() * error, score + z_95() * error);
        // The deviation of one game, if the games of a unit were independent.
        let game_deviation = (S::GAMES_PER_UNIT * variance).sqrt();
        let normalise = |advantage: f64| match advantage {
            0.0 => Some(0.0),
            _ => finite(advantage / game_deviation * NORMALISED_UNIT),
        };
        let varies = variance > 0.0;
        Elo {
            difference: finite(elo_of_score(score)),
            error: finite((elo_of_score(high) - elo_of_score(low)) / 2.0).filter(|_| varies),
            normalised: normalise(score - 0.5),
            normalised_error: normalise(z_95() * error).filter(|_| varies),
            los: likelihood_of_superiority(score, error),
        }
    }
}

/// The probability that the true score exceeds one half, by the normal approximation.
fn likelihood_of_superiority(score: f64, error: f64) -> Option<f64> {
    match (score - 0.5, error) {
        (0.0, _) => Some(0.5),
        (_, 0.0) => None,
        (advantage, error) => Some(Normal::standard().cdf(advantage / error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Pentanomial, Wdl};

    /// The cases of fastchess's own tests (Disservin/fastchess, app/tests/elo_test.cpp): Elo ± error, normalised Elo ±
    /// error, likelihood of superiority in per cent.
    #[track_caller]
    fn check<S: Sample>(sample: S, logistic: Option<(f64, f64)>, normalised: (f64, f64), los: Option<f64>) {
        let elo = Elo::of(&sample);
        let near = |found: Option<f64>, expected: f64| {
            assert!(found.is_some_and(|found| (found - expected).abs() < 0.006), "{found:?} is not {expected}");
        };
        if let Some((difference, error)) = logistic {
            near(elo.difference, difference);
            near(elo.error, error);
        }
        near(elo.normalised, normalised.0);
        near(elo.normalised_error, normalised.1);
        if let Some(los) = los {
            near(elo.los.map(|los| los * 100.0), los);
        }
    }

    #[test]
    fn games_agree_with_fastchess() {
        check(Wdl { wins: 76, draws: 123, losses: 89 }, None, (-20.76, 40.13), Some(15.53));
        check(Wdl { wins: 136, draws: 111, losses: 96 }, Some((40.70, 30.43)), (49.77, 36.77), Some(99.60));
        check(Wdl { wins: 34, draws: 0, losses: 356 }, None, (-508.44, 34.48), None);
    }

    #[test]
    fn pairs_agree_with_fastchess() {
        check(Pentanomial([34, 54, 63, 64, 75]), Some((55.58, 27.65)), (57.94, 28.28), Some(100.0));
        check(Pentanomial([332, 433, 498, 333, 334]), Some((-8.64, 10.33)), (-9.17, 10.96), Some(5.05));
        check(Pentanomial([7895, 8757, 5685, 568, 9999]), Some((-21.04, 2.95)), (-19.01, 2.65), None);
    }

    /// David-Tabibi et al., 2009, tables 1 and 2. (Their third score, 293-212, does not add up to 500 games; 58.6 % is
    /// 293 of 500, and that gives their +60.)
    #[test]
    fn scores_give_the_papers_differences() {
        for (points, difference) in [(254.5, 6.0), (304.5, 77.0), (293.0, 60.0)] {
            assert_eq!(elo_of_score(points / 500.0).round(), difference);
        }
    }

    #[test]
    fn the_curve_and_its_inverse_agree() {
        for elo in [-1000.0, -35.0, 0.0, 77.0, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn what_a_sample_does_not_tell_is_left_out() {
        assert_eq!(Elo::of(&Wdl::default()), Elo::default());
        // A win and a draw from one opening: 75 %, and no idea how sure that is.
        assert_eq!(Elo::of(&Pentanomial([0, 0, 0, 1, 0])), Elo::default());
        assert_eq!(Elo::of(&Pentanomial([0, 0, 0, 3, 1])), Elo::default());

        let alike = Elo::of(&Pentanomial([0, 0, 0, 9, 0]));
        assert!(alike.difference.is_some_and(|difference| (difference - 190.8).abs() < 0.1));
        assert_eq!(alike, Elo { difference: alike.difference, ..Elo::default() });
        let won = Elo::of(&Wdl { wins: 20, draws: 0, losses: 0 });
        assert_eq!(won, Elo::default());
        let drawn = Elo::of(&Wdl { wins: 0, draws: 9, losses: 0 });
        let even = Some(0.0);
        assert_eq!(drawn, Elo { difference: even, normalised: even, los: Some(0.5), ..Elo::default() });
        let near_all = Elo::of(&Wdl { wins: 9, draws: 1, losses: 0 });
        assert!(near_all.difference.is_some() && near_all.error.is_none() && near_all.normalised_error.is_some());
    }
}
