use super::{Pentanomial, Sample, Wdl, z_95};
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

/// An Elo difference estimated from games, with its 95 % error, and the likelihood of superiority.
///
/// The units are the complete pairs of games and, for half a unit, an odd game without its second. Without pairs they are
/// single games. The interval is Wilson's (Edwin Wilson, "Probable Inference, the Law of Succession, and Statistical
/// Inference", 1927) for as many independent games as would make the score as uncertain as the units do. On Elo's curve
/// it reaches equally far to both sides, and it exists for every result:
///
/// - A score of 0 or 100 % counts as if half of one more game had gone to the other player.
/// - The spread of the units is estimated with one more unit that varies as two decisive games between equal players do.
///   So pairs that all ended alike have a spread, and with many pairs the addition does not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// The estimate from games and the pairs among them; `None` before the first game. Where only the pairs are known,
    /// `games` is empty. Where more than one game is in no pair, the pairs do not count: single games are the sample.
    ///
    /// ```
    /// use plywise_arena::statistics::{Elo, Pentanomial, Wdl};
    /// let elo = Elo::of(&Wdl::default(), &Pentanomial([34, 54, 63, 64, 75])).unwrap();
    /// assert_eq!(format!("{:.1} ± {:.1}", elo.difference, elo.error), "55.6 ± 27.6");
    /// ```
    pub fn of(games: &Wdl, pairs: &Pentanomial) -> Option<Elo> {
        let sample = match games.games().checked_sub(pairs.pairs().saturating_mul(2)) {
            _ if pairs.pairs() == 0 => Spread::of_games(games)?,
            Some(0) | None => Spread::of_pairs(pairs, None)?,
            Some(1) => Spread::of_pairs(pairs, Some(games.points() - 2.0 * total(pairs)))?,
            Some(_) => Spread::of_games(games)?,
        };
        let Spread { score, units, variance } = sample;
        let error = (variance / units).sqrt();
        // Twice the units are games, and one more is shared where one side has all points.
        let least = 0.5 / (2.0 * units + 1.0);
        let estimate = score.clamp(least, 1.0 - least);
        let game_deviation = (2.0 * variance).sqrt();
        let normalise = |advantage: f64| advantage / game_deviation * NORMALISED_UNIT;
        Some(Elo {
            difference: elo_of_score(estimate),
            error: NORMALISED_UNIT * (z_95() * error / (2.0 * estimate * (1.0 - estimate))).asinh(),
            normalised: normalise(score - 0.5),
            normalised_error: normalise(z_95() * error),
            los: Normal::standard().cdf((score - 0.5) / error),
        })
    }
}

/// The variance of the share of the points that two games give which equal players decide independently of each other.
const DECISIVE_PAIR: f64 = 1.0 / 8.0;

/// How a sample scored, and how much.
struct Spread {
    /// The share of the points.
    score: f64,
    /// Pairs, of which a single game is half a one.
    units: f64,
    /// The variance of the share that a pair gives.
    variance: f64,
}

impl Spread {
    fn of_games(games: &Wdl) -> Option<Spread> {
        let (score, squares, count) = (games.score()?, squares(games)?, games.units() as f64);
        // The share of a pair varies half as much as that of a game, and a game is half a unit.
        let variance = (squares / 4.0 + DECISIVE_PAIR) / ((count - 1.0) / 2.0 + 1.0);
        Some(Spread { score, units: count / 2.0, variance })
    }

    fn of_pairs(pairs: &Pentanomial, odd: Option<f64>) -> Option<Spread> {
        let (mean, squares, count) = (pairs.score()?, squares(pairs)?, pairs.units() as f64);
        // An odd game spreads the pairs as much as it must, whatever its second will be: a pair of 1 – 1 may follow.
        let (points, units) = odd.map_or((0.0, count), |points| (points, count + 0.5));
        let apart = odd.map_or(0.0, |points| mean - mean.clamp(points / 2.0, (points + 1.0) / 2.0));
        let score = (total(pairs) + points / 2.0) / units;
        Some(Spread { score, units, variance: (squares + apart * apart + DECISIVE_PAIR) / count })
    }
}

/// The sum of the shares that all units gave.
fn total<S: Sample>(sample: &S) -> f64 {
    sample.outcomes().iter().map(|&(share, count)| share * count as f64).sum()
}

/// The sum of the squares by which the shares differ from their mean; `None` before the first unit.
fn squares<S: Sample>(sample: &S) -> Option<f64> {
    let mean = sample.score()?;
    Some(sample.outcomes().iter().map(|&(share, count)| (share - mean).powi(2) * count as f64).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_games(wins: u64, draws: u64, losses: u64) -> Elo {
        Elo::of(&Wdl { wins, draws, losses }, &Pentanomial::default()).unwrap()
    }

    fn of_pairs(pairs: [u64; 5]) -> Elo {
        Elo::of(&Wdl::default(), &Pentanomial(pairs)).unwrap()
    }

    /// The cases of fastchess's own tests (Disservin/fastchess, app/tests/elo_test.cpp): Elo ± error, normalised Elo ±
    /// error, likelihood of superiority in per cent. Its intervals are Wald's without an added unit. With hundreds of
    /// games both agree within one per cent.
    #[track_caller]
    fn check(elo: Elo, logistic: Option<(f64, f64)>, normalised: (f64, f64), los: Option<f64>) {
        let near = |found: f64, expected: f64| {
            let allowed = 0.006 + 0.01 * expected.abs();
            assert!((found - expected).abs() < allowed, "{found} is not {expected}");
        };
        if let Some((difference, error)) = logistic {
            assert!((elo.difference - difference).abs() < 0.006, "{} is not {difference}", elo.difference);
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
        check(of_games(76, 123, 89), None, (-20.76, 40.13), Some(15.53));
        check(of_games(136, 111, 96), Some((40.70, 30.43)), (49.77, 36.77), Some(99.60));
        check(of_games(34, 0, 356), None, (-508.44, 34.48), None);
    }

    #[test]
    fn pairs_agree_with_fastchess() {
        check(of_pairs([34, 54, 63, 64, 75]), Some((55.58, 27.65)), (57.94, 28.28), Some(100.0));
        check(of_pairs([332, 433, 498, 333, 334]), Some((-8.64, 10.33)), (-9.17, 10.96), Some(5.05));
        check(of_pairs([7895, 8757, 5685, 568, 9999]), Some((-21.04, 2.95)), (-19.01, 2.65), None);
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

    /// By Wilson's formula 10 of 20 games are 0.2993 to 0.7007. Here the spread is estimated, and a little wider.
    #[test]
    fn single_games_have_nearly_wilsons_interval() {
        let Elo { difference, error, .. } = of_games(10, 0, 10);
        let wilson = elo_of_score(0.7007);
        assert!(difference.abs() < 1e-9 && (wilson..1.03 * wilson).contains(&error), "{error}");
    }

    #[test]
    fn every_result_has_an_interval() {
        assert_eq!(Elo::of(&Wdl::default(), &Pentanomial::default()), None);
        let won = of_pairs([0, 0, 0, 0, 10]);
        // The exact interval of 20 wins in 20 games by Clopper and Pearson begins at +278.
        assert!((200.0..300.0).contains(&(won.difference - won.error)), "{won:?}");
        assert!(won.los > 0.999, "{won:?}");
        let alike = of_pairs([0, 0, 3000, 0, 0]);
        assert!(alike.difference == 0.0 && (0.1..1.0).contains(&alike.error) && alike.los == 0.5, "{alike:?}");
        let few = of_pairs([0, 0, 0, 1, 0]);
        assert!(few.error > few.difference, "two games prove nothing: {few:?}");
    }

    /// What an odd game adds is between what the pair before it and the pairs that it can become say, or near them.
    #[test]
    fn the_error_does_not_flip_with_the_parity() {
        let pairs = [4, 3, 6, 2, 3];
        let even = of_pairs(pairs).error;
        for (points, odd) in [(0, [0, 0, 1]), (1, [0, 1, 0]), (2, [1, 0, 0])] {
            // Any games with the right sum of points make the pairs.
            let games = Wdl { wins: 14 + odd[0], draws: 5 + odd[1], losses: 17 + odd[2] };
            assert_eq!(Wdl { wins: 14, draws: 5, losses: 17 }.points(), 2.0 * total(&Pentanomial(pairs)));
            let between = Elo::of(&games, &Pentanomial(pairs)).unwrap().error;
            let next = [0, 1, 2].map(|second| {
                let mut pairs = Pentanomial(pairs);
                pairs.add(points + second);
                Elo::of(&Wdl::default(), &pairs).unwrap().error
            });
            let (least, most) = next.iter().fold((even, even), |(least, most), &e| (e.min(least), e.max(most)));
            assert!(least * 0.97 < between && between < most * 1.03, "{even} {between} {next:?}");
        }
    }
}
