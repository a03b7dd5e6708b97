//! Intervals that hold the true value with 95 % confidence, and tests of paired results.

use super::{Elo, Pentanomial, Wdl, score_of_elo, z_95};
use plywise_game::random::Random;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Samples smaller than this are shown, but nothing is concluded from them.
pub const LEAST_SAMPLE: u64 = 30;

/// What is said of a sample below [`LEAST_SAMPLE`].
pub const TOO_FEW: &str = "too few to judge";

/// A 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// The interval that reaches equally far to both sides of `middle`.
    pub fn around(middle: f64, error: f64) -> Interval {
        Interval { low: middle - error, high: middle + error }
    }

    /// Half its width.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether a value lies in it.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Whether two intervals share a value.
    pub fn meets(&self, other: &Interval) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// The interval of `factor` times the value plus `offset`. The factor is positive.
    pub fn scaled(&self, factor: f64, offset: f64) -> Interval {
        Interval { low: factor * self.low + offset, high: factor * self.high + offset }
    }
}

/// The share `count` of `of` with the interval of Wilson, "Probable Inference, the Law of Succession, and Statistical
/// Inference", 1927, which has a width for 0 and 100 % too. `None` of nothing, or where the count exceeds the whole.
///
/// ```
/// use plywise_arena::statistics::share_interval;
/// let all = share_interval(20.0, 20.0).unwrap();
/// assert_eq!((format!("{:.3}", all.low), all.high), ("0.839".into(), 1.0));
/// ```
pub fn share_interval(count: f64, of: f64) -> Option<Interval> {
    if of.is_nan() || of <= 0.0 || !(0.0..=of).contains(&count) {
        return None;
    }
    let (share, z) = (count / of, z_95());
    let squared = z * z / of;
    let middle = (share + squared / 2.0) / (1.0 + squared);
    let error = z * (share * (1.0 - share) / of + squared / (4.0 * of)).sqrt() / (1.0 + squared);
    // Rounding must not leave 0 and 1, which the formula gives at the ends.
    let low = if count == 0.0 { 0.0 } else { (middle - error).max(0.0) };
    let high = if count == of { 1.0 } else { (middle + error).min(1.0) };
    Some(Interval { low, high })
}

/// The interval of the share of the points: the one of [`Elo`], which uses draws and pairs, on the scale of the score.
pub fn score_interval(games: &Wdl, pairs: &Pentanomial) -> Option<Interval> {
    let Elo { difference, error, .. } = Elo::of(games, pairs)?;
    Some(Interval { low: score_of_elo(difference - error), high: score_of_elo(difference + error) })
}

/// The mean of values with Student's interval; without one for fewer than two values.
pub fn mean_interval(values: &[f64]) -> Option<(f64, Option<Interval>)> {
    let n = values.len() as f64;
    if values.is_empty() {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let quantile = StudentsT::new(0.0, 1.0, n - 1.0).ok().map(|student| student.inverse_cdf(0.975));
    Some((mean, quantile.map(|quantile| Interval::around(mean, quantile * (variance / n).sqrt()))))
}

/// How often the positions are drawn anew.
const REDRAWS: usize = 1000;

/// The ratio of two sums over positions, such as the nodes of two searches, with its bootstrap interval: the positions are
/// drawn anew with replacement, and the interval holds 95 % of the ratios (Efron & Tibshirani, "An Introduction to the
/// Bootstrap", 1993, chapter 13). The draws follow from a fixed seed. One position has no interval.
///
/// ```
/// use plywise_arena::statistics::ratio_interval;
/// let (ratio, interval) = ratio_interval(&[(50.0, 100.0), (100.0, 200.0)]).unwrap();
/// assert_eq!((ratio, interval.unwrap().error()), (0.5, 0.0));
/// ```
pub fn ratio_interval(pairs: &[(f64, f64)]) -> Option<(f64, Option<Interval>)> {
    let ratio = |(above, below): (f64, f64)| above / below;
    let add = |sum: (f64, f64), pair: &(f64, f64)| (sum.0 + pair.0, sum.1 + pair.1);
    let whole = pairs.iter().fold((0.0, 0.0), add);
    if whole.1 <= 0.0 {
        return None;
    }
    if pairs.len() < 2 {
        return Some((ratio(whole), None));
    }
    let mut ratios: Vec<f64> = (0..REDRAWS as u64)
        .map(|number| {
            let mut random = Random::stream(REDRAW_SEED, number);
            let drawn = (0..pairs.len()).map(|_| &pairs[random.below(pairs.len())]);
            ratio(drawn.fold((0.0, 0.0), add))
        })
        .filter(|ratio| ratio.is_finite())
        .collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| ratios.get(((ratios.len() as f64 - 1.0) * share).round() as usize).copied();
    let interval = at(0.025).zip(at(0.975)).map(|(low, high)| Interval { low, high });
    Some((ratio(whole), interval))
}

/// The seed of the bootstrap: the same sample has the same interval every time.
const REDRAW_SEED: u64 = 1993;

/// The probability of so uneven an exchange of solved positions, `lost` against `gained`, between players who solve
/// equally many: the exact two-sided test of McNemar, "Note on the sampling error of the difference between correlated
/// proportions or percentages", 1947. 1 without any exchange.
///
/// ```
/// assert!((plywise_arena::statistics::mcnemar(0, 6) - 2.0 / 64.0).abs() < 1e-12);
/// ```
pub fn mcnemar(lost: u64, gained: u64) -> f64 {
    let (n, fewer) = (lost + gained, lost.min(gained));
    // The sum of the binomial coefficients up to the smaller one, in logarithms: n may be large.
    let mut term = -(n as f64) * std::f64::consts::LN_2;
    let mut sum = term.exp();
    for k in 0..fewer {
        term += ((n - k) as f64 / (k + 1) as f64).ln();
        sum += term.exp();
    }
    (2.0 * sum).min(1.0)
}

/// The difference between two shares of the same `of` positions, by what the second player lost and gained, with the
/// interval of Agresti & Min, "Simple improved confidence intervals for comparing matched proportions", 2005: half a
/// position is added to each of the four counts. `None` of nothing.
pub fn exchange_interval(lost: u64, gained: u64, of: u64) -> Option<(f64, Interval)> {
    if of == 0 || lost + gained > of {
        return None;
    }
    let (lost, gained, n) = (lost as f64, gained as f64, of as f64 + 2.0);
    let middle = (gained - lost) / n;
    let error = z_95() * ((lost + gained + 1.0) - (gained - lost).powi(2) / n).sqrt() / n;
    Some(((gained - lost) / of as f64, Interval::around(middle, error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_is_that_of_the_textbooks() {
        let Interval { low, high } = share_interval(10.0, 20.0).unwrap();
        assert_eq!((format!("{low:.4}"), format!("{high:.4}")), ("0.2993".into(), "0.7007".into()));
        let none = share_interval(0.0, 10.0).unwrap();
        assert!(none.low == 0.0 && (0.27..0.28).contains(&none.high), "{none:?}");
        assert_eq!((share_interval(0.0, 0.0), share_interval(2.0, 1.0)), (None, None));
    }

    #[test]
    fn draws_and_pairs_narrow_the_interval_of_a_score() {
        let games = |wins, draws, losses| Wdl { wins, draws, losses };
        let none = Pentanomial::default();
        let decided = score_interval(&games(50, 0, 50), &none).unwrap();
        let drawn = score_interval(&games(10, 80, 10), &none).unwrap();
        assert!(drawn.error() < 0.6 * decided.error(), "{drawn:?} {decided:?}");
        let split = score_interval(&games(50, 0, 50), &Pentanomial([0, 0, 50, 0, 0])).unwrap();
        assert!(split.error() < 0.2 * decided.error(), "won and lost from each opening: {split:?}");
        assert!(decided.contains(0.5) && !score_interval(&games(30, 0, 0), &none).unwrap().contains(0.8));
    }

    #[test]
    fn one_odd_position_widens_a_percentage_of_nodes() {
        let even: Vec<(f64, f64)> = (0..100).map(|i| (80.0 + f64::from(i % 3), 100.0)).collect();
        let (ratio, narrow) = ratio_interval(&even).unwrap();
        assert!((0.80..0.82).contains(&ratio) && narrow.unwrap().error() < 0.01);
        let mut odd = even.clone();
        odd[0] = (8000.0, 100.0);
        let (_, wide) = ratio_interval(&odd).unwrap();
        assert!(wide.unwrap().error() > 0.5, "{wide:?}");
        assert_eq!(ratio_interval(&odd), ratio_interval(&odd));
        assert_eq!((ratio_interval(&[]), ratio_interval(&[(1.0, 2.0)])), (None, Some((0.5, None))));
    }

    #[test]
    fn mcnemar_counts_coins() {
        assert_eq!((mcnemar(0, 0), mcnemar(3, 3)), (1.0, 1.0));
        // 2 (1 + 10) / 2^10.
        assert!((mcnemar(1, 9) - 22.0 / 1024.0).abs() < 1e-12);
        assert_eq!(mcnemar(1, 9), mcnemar(9, 1));
        assert!(mcnemar(4000, 6000) < 1e-60);
    }

    #[test]
    fn an_exchange_has_an_interval_that_knows_of_pairs() {
        let (difference, interval) = exchange_interval(5, 15, 1000).unwrap();
        assert_eq!(difference, 0.01);
        assert!(interval.low > 0.0, "{interval:?}");
        assert!(exchange_interval(5, 6, 1000).unwrap().1.contains(0.0));
        let (none, interval) = exchange_interval(0, 0, 40).unwrap();
        assert!(none == 0.0 && interval.low < 0.0 && interval.high > 0.0);
        assert_eq!(exchange_interval(0, 0, 0), None);
    }

    #[test]
    fn a_mean_of_few_values_is_uncertain() {
        let (mean, interval) = mean_interval(&[1.0, 2.0, 3.0]).unwrap();
        // t(0.975, 2) = 4.3027, and the deviation of the mean is 1 / sqrt(3).
        assert!(mean == 2.0 && (interval.unwrap().error() - 4.3027 / 3f64.sqrt()).abs() < 1e-3, "{interval:?}");
        assert_eq!((mean_interval(&[]), mean_interval(&[1.0])), (None, Some((1.0, None))));
    }
}
