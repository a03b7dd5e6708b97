//! Pairs of games as mini-matches, and Student's t over them.

use super::Wdl;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The outcome of Student's test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TTest {
    /// Student's t: positive where the player won more mini-matches than it lost.
    pub t: f64,
    /// The degrees of freedom.
    pub freedom: f64,
    /// The probability of so large a `t`, of either sign, between equal players.
    pub p: f64,
}

/// Compares mini-matches with as many drawn ones, which is what a player scores against itself from openings played
/// with both colours. `None` with fewer than two mini-matches or where all ended alike.
///
/// This is the two-sample test with pooled variance of Björnsson, "Selective Depth-First Game-Tree Search", 2002, table
/// 5.6: its `t` equals that of a one-sample test, but with `2n - 2` degrees of freedom, and only these give the printed
/// probability.
///
/// ```
/// use plywise_arena::statistics::{Wdl, mini_match};
/// let test = mini_match::against_drawn(&Wdl { wins: 69, draws: 200, losses: 42 }).unwrap();
/// assert_eq!((format!("{:.4}", test.t), format!("{:.4}", test.p)), ("2.5861".into(), "0.0099".into()));
/// ```
pub fn against_drawn(matches: &Wdl) -> Option<TTest> {
    let n = matches.games() as f64;
    if n < 2.0 {
        return None;
    }
    let mean = (matches.wins as f64 - matches.losses as f64) / n;
    let squares = (matches.wins + matches.losses) as f64 - n * mean * mean;
    // The drawn sample adds nothing to the squares and doubles the degrees of freedom.
    let freedom = 2.0 * n - 2.0;
    let error = (squares / freedom * 2.0 / n).sqrt();
    if error <= 0.0 || !error.is_finite() {
        return None;
    }
    let t = mean / error;
    let p = 2.0 * StudentsT::new(0.0, 1.0, freedom).ok()?.sf(t.abs());
    Some(TTest { t, freedom, p })
}

/// Compares the results of two players against the same opponents, game by game: Student's two-sample test with pooled
/// variance, as under table 6.2 of the thesis. Positive where the first scored more. `None` with fewer than two games each
/// or where all ended alike.
pub fn scores_differ(first: &Wdl, second: &Wdl) -> Option<TTest> {
    let [a, b] = [first, second].map(|games| games.games() as f64);
    if a < 2.0 || b < 2.0 {
        return None;
    }
    let mean = |games: &Wdl| games.points() / games.games() as f64;
    let squares = |games: &Wdl| {
        let square = |result: f64, count: u64| count as f64 * (result - mean(games)).powi(2);
        square(1.0, games.wins) + square(0.5, games.draws) + square(0.0, games.losses)
    };
    let freedom = a + b - 2.0;
    let error = ((squares(first) + squares(second)) / freedom * (1.0 / a + 1.0 / b)).sqrt();
    if error <= 0.0 || !error.is_finite() {
        return None;
    }
    let t = (mean(first) - mean(second)) / error;
    let p = 2.0 * StudentsT::new(0.0, 1.0, freedom).ok()?.sf(t.abs());
    Some(TTest { t, freedom, p })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_side_sees_the_opposite_t() {
        let matches = Wdl { wins: 69, draws: 200, losses: 42 };
        let (ours, theirs) = (against_drawn(&matches).unwrap(), against_drawn(&matches.mirrored()).unwrap());
        assert_eq!((ours.t, ours.p), (-theirs.t, theirs.p));
        assert_eq!(ours.freedom, 620.0);
    }

    /// Without draws 282 and 260 of 500 points give t = 1.40; the thesis says "over 90 % confidence" (one-sided).
    #[test]
    fn learned_prices_beat_those_set_by_hand_as_the_thesis_says() {
        let of = |wins: u64, draws: u64| Wdl { wins, draws, losses: 500 - wins - draws };
        let test = scores_differ(&of(282, 0), &of(260, 0)).unwrap();
        assert!((1.39..1.41).contains(&test.t) && (0.15..0.17).contains(&test.p), "{test:?}");
        assert!(scores_differ(&of(182, 201), &of(160, 201)).unwrap().p < test.p, "draws make it surer");
        assert_eq!(scores_differ(&Wdl::default(), &of(1, 0)), None);
    }

    #[test]
    fn no_variance_no_test() {
        for matches in [Wdl::default(), Wdl { wins: 1, ..Wdl::default() }, Wdl { draws: 9, ..Wdl::default() }] {
            assert_eq!(against_drawn(&matches), None);
        }
    }
}
