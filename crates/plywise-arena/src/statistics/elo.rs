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
/// The error is half the width of the interval that the score's normal approximation maps to. It is infinite where the
/// interval reaches 0 % or 100 %. A sample whose units all ended alike at another score has no variance, and its error
/// is zero: that says that it does not vary, as pairs of games between equal players do not, and not that it is large.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Elo {
    /// The logistic difference.
    pub difference: f64,
    /// Half the 95 % interval of the logistic difference.
    pub error: f64,
    /// The normalised difference: the advantage in standard deviations of a game, in units that resemble Elo.
    pub normalised: f64,
    /// Half the 95 % interval of the normalised difference.
    pub normalised_error: f64,
    /// The probability that the player is the stronger one.
    pub los: f64,
}

impl Elo {
    /// The estimate from a sample; `None` before its first unit.
    pub fn of<S: Sample>(sample: &S) -> Option<Elo> {
        let (score, variance, error) = (sample.score()?, sample.variance()?, sample.standard_error()?);
        let (low, high) = (score - z_95() * error, score + z_95() * error);
        // The deviation of one game, if the games of a unit were independent.
        let game_deviation = (S::GAMES_PER_UNIT * variance).sqrt();
        let normalise = |advantage: f64| match advantage {
            0.0 => 0.0,
            _ => advantage / game_deviation * NORMALISED_UNIT,
        };
        let difference = elo_of_score(score);
        // A clean score has no variance either, but nobody is infinitely stronger with certainty.
        let is_clean = difference.is_infinite();
        Some(Elo {
            difference,
            error: match error {
                _ if is_clean => f64::INFINITY,
                0.0 => 0.0,
                _ => (elo_of_score(high) - elo_of_score(low)) / 2.0,
            },
            normalised: normalise(score - 0.5),
            normalised_error: if is_clean { f64::INFINITY } else { normalise(z_95() * error) },
            los: likelihood_of_superiority(score, error),
        })
    }
}

/// The probability that the true score exceeds one half, by the normal approximation.
fn likelihood_of_superiority(score: f64, error: f64) -> f64 {
    match (score - 0.5, error) {
        (0.0, _) => 0.5,
        (advantage, 0.0) => f64::from(advantage > 0.0),
        (advantage, error) => Normal::standard().cdf(advantage / error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Pentanomial, Wdl};

    /// The cases of fastchess's own tests (Disservin/fastchess, app/tests/elo_test.cpp): Elo ± error, normalised Elo ±
    /// error, likelihood of superiority in per cent.
    fn check<S: Sample>(sample: S, logistic: Option<(f64, f64)>, normalised: (f64, f64), los: Option<f64>) {
        let elo = Elo::of(&sample).unwrap();
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 0.006, "{found} is not {expected}");
        if let Some((difference, error)) = logistic {
            near(elo.difference, difference);
            near(elo.error, error);
        }
        near(elo.normalised, normalised.0);
        near(elo.normalised_error, normalised.1);
        if let Some(los) = los {
            near(elo.los * 100.0, los);
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
    fn extreme_samples_stay_numbers() {
        let won = Elo::of(&Wdl { wins: 3, draws: 0, losses: 0 }).unwrap();
        assert_eq!((won.difference, won.error, won.los), (f64::INFINITY, f64::INFINITY, 1.0));
        let drawn = Elo::of(&Wdl { wins: 0, draws: 9, losses: 0 }).unwrap();
        assert_eq!((drawn.difference, drawn.error, drawn.normalised, drawn.los), (0.0, 0.0, 0.0, 0.5));
        let near_all = Elo::of(&Wdl { wins: 9, draws: 1, losses: 0 }).unwrap();
        assert_eq!(near_all.error, f64::INFINITY);
        assert_eq!(Elo::of(&Wdl::default()), None);
    }
}
