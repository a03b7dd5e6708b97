//! The tests of a rate: a share of points or of solved positions.
//!
//! Lim & Lee, "RankCut – A Domain Independent Forward Pruning Method for Games", 2006, after Heinz, 1999; and the
//! winning ratio of Winands & Björnsson, "Enhanced Realization Probability Search", 2008.

/// `z` for a one-sided confidence of 95 %, which is a two-sided one of 90 %.
pub const Z_90: f64 = 1.645;

/// The standard error of the rate `w` over `n` trials: √(w(1-w)/n). `None` without trials or outside 0 to 1.
pub fn standard_error(w: f64, n: u64) -> Option<f64> {
    (n > 0 && (0.0..=1.0).contains(&w)).then(|| (w * (1.0 - w) / n as f64).sqrt())
}

/// The standard error of the number of solved positions: `n √(p(1-p)/n)` for `solved` of `n`. `None` where more are
/// solved than there are, or none is there.
pub fn suite_standard_error(solved: u64, n: u64) -> Option<f64> {
    Some(n as f64 * standard_error(solved as f64 / n as f64, n)?)
}

/// The lower bound `l` on the difference between two rates that holds with the confidence of `z`: where it is positive,
/// the player with the rate `w1` over `n1` games is the stronger one.
///
/// ```
/// use plywise_arena::statistics::rates;
/// // Lim & Lee: +40 -10 =74, 77 of 124 points against the other 47.
/// let l = rates::lower_bound(77.0 / 124.0, 124, 47.0 / 124.0, 124, rates::Z_90).unwrap();
/// assert_eq!(format!("{l:.3}"), "0.099");
/// ```
pub fn lower_bound(w1: f64, n1: u64, w2: f64, n2: u64, z: f64) -> Option<f64> {
    Some((w1 - z * standard_error(w1, n1)?) - (w2 + z * standard_error(w2, n2)?))
}

/// The points scored for each point of the opponent, infinite where it has none.
pub fn winning_ratio(points: f64, against: f64) -> f64 {
    points / against
}

#[cfg(test)]
mod tests {
    use super::super::elo_of_score;
    use super::*;

    /// Lim & Lee, table 1 and the text below it: 2180 positions. The paper cuts after the first decimal.
    #[test]
    fn suites_err_as_in_the_rankcut_paper() {
        for (solved, printed) in [(1678, 19.6), (1777, 18.1), (1848, 16.7)] {
            let found = suite_standard_error(solved, 2180).unwrap();
            assert_eq!((found * 10.0).floor() / 10.0, printed, "{found}");
        }
        assert_eq!(suite_standard_error(3, 2), None);
        assert_eq!(suite_standard_error(0, 0), None);
    }

    /// Winands & Björnsson, tables 2 and 6.
    #[test]
    fn winning_ratios_are_those_of_the_erps_paper() {
        for (points, against, ratio) in [(375.0, 225.0, "1.67"), (372.5, 227.5, "1.64"), (433.0, 167.0, "2.59")] {
            assert_eq!(format!("{:.2}", winning_ratio(points, against)), ratio);
        }
        // The paper cuts 1.637 to 1.63 where rounding gives 1.64.
        assert_eq!(winning_ratio(3.0, 0.0), f64::INFINITY);
    }

    /// Björnsson, 2002, section 5.4: 174.5 to 145.5 is "about 35 points difference" of rating.
    #[test]
    fn the_thesis_chess_match_is_about_35_elo() {
        assert!((elo_of_score(174.5 / 320.0) - 32.0).abs() < 1.0);
    }
}
