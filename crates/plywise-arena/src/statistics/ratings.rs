use super::{Wdl, z_95};
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_10;

/// Who scored what against whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crosstable {
    names: Vec<String>,
    /// Row-major: the results of the row's player against the column's.
    results: Vec<Wdl>,
}

impl Crosstable {
    /// A table without games.
    pub fn new(names: impl IntoIterator<Item = String>) -> Crosstable {
        let names: Vec<String> = names.into_iter().collect();
        let results = vec![Wdl::default(); names.len() * names.len()];
        Crosstable { names, results }
    }

    /// The players.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Adds games of `player` against `opponent`. Games of a player against itself, or of one who is not in the table,
    /// count nothing.
    pub fn add(&mut self, player: usize, opponent: usize, games: Wdl) {
        let n = self.names.len();
        if player != opponent && player < n && opponent < n {
            self.results[player * n + opponent] += games;
            self.results[opponent * n + player] += games.mirrored();
        }
    }

    /// The games of `player` against `opponent`, none where either is not in the table.
    pub fn games(&self, player: usize, opponent: usize) -> Wdl {
        let n = self.names.len();
        if player < n && opponent < n { self.results[player * n + opponent] } else { Wdl::default() }
    }

    /// All games of `player`.
    pub fn total(&self, player: usize) -> Wdl {
        let mut total = Wdl::default();
        for opponent in 0..self.names.len() {
            total += self.games(player, opponent);
        }
        total
    }
}

/// One player's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The player.
    pub name: String,
    /// Elo above the average of all players.
    pub elo: f64,
    /// Half the 95 % interval of `elo`.
    pub error: f64,
    /// What the player scored.
    pub games: Wdl,
}

/// The ratings under which the results of a tournament were most likely.
///
/// Bradley & Terry, "Rank Analysis of Incomplete Block Designs", 1952, with a draw as half a win and half a loss, and
/// errors from the curvature of the likelihood at its maximum. The curvature treats every game as won or lost, so with
/// many draws the errors are on the large side.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// One for each player of the table, in its order.
    pub ratings: Vec<Rating>,
    /// Whether a drawn game between each two who met had to be added, because somebody or some group won or lost
    /// everything against the rest and no finite rating is the most likely one.
    pub regularised: bool,
    covariance: Vec<Vec<f64>>,
}

/// Why players cannot be rated together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingsError {
    /// There are groups that never met.
    #[error("'{0}' and '{1}' cannot be rated together: no chain of games connects them")]
    Disconnected(String, String),
}

/// Elo for one unit of the natural logarithm of the odds.
const ELO_PER_NAT: f64 = 400.0 / LN_10;

/// Newton's method has converged when no rating moves by more than this, in natural logarithms of the odds.
const CONVERGED: f64 = 1e-12;

/// Far more steps than Newton's method needs.
const STEPS: usize = 500;

/// A step of Newton's method is cut to this, so that it cannot overshoot into the flat part of the curve.
const LONGEST_STEP: f64 = 1.0;

impl Ratings {
    /// Rates the players of `table`.
    pub fn fit(table: &Crosstable) -> Result<Ratings, RatingsError> {
        let n = table.names.len();
        let met = |i: usize, j: usize| table.games(i, j).games() > 0;
        if let Some(stranger) = reachable(n, met).iter().position(|&reached| !reached) {
            return Err(RatingsError::Disconnected(table.names[0].clone(), table.names[stranger].clone()));
        }
        // Ford, "Solution of a Ranking Problem from Binary Comparisons", 1957: the maximum is finite exactly if
        // everybody can be reached from anybody by a chain of points scored.
        let scored = |i: usize, j: usize| table.games(i, j).points() > 0.0;
        let regularised = !(all(&reachable(n, scored)) && all(&reachable(n, |i, j| scored(j, i))));
        let extra = |i: usize, j: usize| if regularised && met(i, j) { 0.5 } else { 0.0 };
        let points = |i: usize, j: usize| table.games(i, j).points() + extra(i, j);
        let games = |i: usize, j: usize| table.games(i, j).games() as f64 + 2.0 * extra(i, j);

        let mut strength = vec![0.0; n];
        for _ in 0..STEPS {
            let gradient: Vec<f64> = (0..n)
                .map(|i| (0..n).map(|j| points(i, j) - games(i, j) * expected(strength[i] - strength[j])).sum())
                .collect();
            let covariance = covariance(&information(&strength, games));
            let step: Vec<f64> =
                covariance.iter().map(|row| row.iter().zip(&gradient).map(|(c, g)| c * g).sum()).collect();
            let longest = step.iter().fold(0.0, |longest: f64, s: &f64| longest.max(s.abs()));
            let scale = if longest > LONGEST_STEP { LONGEST_STEP / longest } else { 1.0 };
            for (strength, step) in strength.iter_mut().zip(&step) {
                *strength += scale * step;
            }
            if longest < CONVERGED {
                break;
            }
        }

        let covariance = covariance(&information(&strength, games));
        let ratings = (0..n)
            .map(|i| Rating {
                name: table.names[i].clone(),
                elo: strength[i] * ELO_PER_NAT,
                error: z_95() * covariance[i][i].max(0.0).sqrt() * ELO_PER_NAT,
                games: table.total(i),
            })
            .collect();
        Ok(Ratings { ratings, regularised, covariance })
    }

    /// The Elo difference between two players and half its 95 % interval; `None` where either does not exist.
    pub fn difference(&self, player: usize, opponent: usize) -> Option<(f64, f64)> {
        let (a, b) = (self.ratings.get(player)?, self.ratings.get(opponent)?);
        let c = &self.covariance;
        let variance = c[player][player] + c[opponent][opponent] - 2.0 * c[player][opponent];
        Some((a.elo - b.elo, z_95() * variance.max(0.0).sqrt() * ELO_PER_NAT))
    }
}

/// The expected share of the points at this advantage, in natural logarithms of the odds.
fn expected(advantage: f64) -> f64 {
    1.0 / (1.0 + (-advantage).exp())
}

/// Who can be reached from the first of `n` by steps that `edge` allows.
fn reachable(n: usize, edge: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut reached = vec![false; n];
    let mut frontier: Vec<usize> = (0..n.min(1)).collect();
    while let Some(i) = frontier.pop() {
        if !std::mem::replace(&mut reached[i], true) {
            frontier.extend((0..n).filter(|&j| edge(i, j)));
        }
    }
    reached
}

fn all(reached: &[bool]) -> bool {
    reached.iter().all(|&reached| reached)
}

/// The negative second derivatives of the log-likelihood.
fn information(strength: &[f64], games: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    let n = strength.len();
    let mut information = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            let p = expected(strength[i] - strength[j]);
            let weight = games(i, j) * p * (1.0 - p);
            information[i][i] += weight;
            information[i][j] -= weight;
        }
    }
    information
}

/// The inverse of the information on the ratings that add up to zero. The information knows only differences and so
/// cannot be inverted by itself; adding a constant to every entry fixes the sum and nothing else.
fn covariance(information: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = information.len();
    let constant = 1.0 / n as f64;
    let mut rows: Vec<Vec<f64>> = information
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let left = row.iter().map(|x| x + constant);
            left.chain((0..n).map(|j| f64::from(i == j))).collect()
        })
        .collect();
    // Gauss and Jordan; the matrix is positive definite, so the diagonal never vanishes and no pivoting is needed.
    for pivot in 0..n {
        let scale = rows[pivot][pivot];
        rows[pivot].iter_mut().for_each(|x| *x /= scale);
        let pivot_row = rows[pivot].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row[pivot];
            if i != pivot && factor != 0.0 {
                row.iter_mut().zip(&pivot_row).for_each(|(x, p)| *x -= factor * p);
            }
        }
    }
    rows.iter().map(|row| row[n..].iter().map(|x| x - constant).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{elo_of_score, rates};

    fn table(names: &[&str], wins: &[&[u64]]) -> Crosstable {
        let mut table = Crosstable::new(names.iter().map(|name| name.to_string()));
        for (i, row) in wins.iter().enumerate() {
            for (j, &wins) in row.iter().enumerate() {
                table.add(i, j, Wdl { wins, ..Wdl::default() });
            }
        }
        table
    }

    /// Agresti, "Categorical Data Analysis", second edition, 2002, section 10.6: the American League's eastern division
    /// of 1987. Table 10.11 prints the strengths relative to Baltimore; of the standard errors the text says only that
    /// they are about 0.3.
    #[test]
    fn the_textbook_case_is_reproduced() {
        let names = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"];
        let wins: [&[u64]; 7] = [
            &[0, 7, 9, 7, 7, 9, 11],
            &[6, 0, 7, 5, 11, 9, 9],
            &[4, 6, 0, 7, 7, 8, 12],
            &[6, 8, 6, 0, 6, 7, 10],
            &[6, 2, 6, 7, 0, 7, 12],
            &[4, 4, 5, 6, 6, 0, 6],
            &[2, 4, 1, 3, 1, 7, 0],
        ];
        let ratings = Ratings::fit(&table(&names, &wins)).unwrap();
        assert!(!ratings.regularised);
        for (team, strength) in [1.58, 1.44, 1.29, 1.25, 1.11, 0.68].into_iter().enumerate() {
            let (elo, interval) = ratings.difference(team, 6).unwrap();
            assert_eq!(format!("{:.2}", elo / ELO_PER_NAT), format!("{strength:.2}"), "{}", names[team]);
            assert_eq!(format!("{:.1}", interval / z_95() / ELO_PER_NAT), "0.3", "{}", names[team]);
        }
        assert!(ratings.ratings.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
    }

    #[test]
    fn two_players_differ_by_their_score() {
        let mut table = Crosstable::new(["a".into(), "b".into()]);
        table.add(0, 1, Wdl { wins: 40, draws: 74, losses: 10 });
        let (difference, error) = Ratings::fit(&table).unwrap().difference(0, 1).unwrap();
        let score = 77.0 / 124.0;
        assert!((difference - elo_of_score(score)).abs() < 1e-6);
        // The delta method: dElo/dscore times the standard error of the rate.
        let expected = z_95() * rates::standard_error(score, 124).unwrap() / (score * (1.0 - score)) * ELO_PER_NAT;
        assert!((error - expected).abs() < 1e-6);
    }

    /// The covariance is defined by undoing the information on ratings that add up to zero: their product must take the
    /// average off and do nothing else. The information here has the shape of three players who met unequally often.
    #[test]
    fn the_covariance_inverts_the_information() {
        let games = |i: usize, j: usize| [[0.0, 10.0, 3.0], [10.0, 0.0, 25.0], [3.0, 25.0, 0.0]][i][j];
        let information = information(&[0.4, -0.1, -0.3], games);
        let covariance = covariance(&information);
        for (i, row) in covariance.iter().enumerate() {
            for j in 0..3 {
                let product: f64 = row.iter().zip(&information).map(|(c, information)| c * information[j]).sum();
                assert!((product - (f64::from(i == j) - 1.0 / 3.0)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_clean_score_is_rated_with_a_virtual_draw() {
        let ratings = Ratings::fit(&table(&["a", "b", "c"], &[&[0, 10, 10], &[0, 0, 5], &[0, 5, 0]])).unwrap();
        assert!(ratings.regularised);
        assert!(ratings.ratings[0].elo.is_finite() && ratings.ratings[0].elo > 200.0);
    }

    #[test]
    fn strangers_are_not_compared() {
        let table = table(&["a", "b", "c", "d"], &[&[0, 1], &[1, 0], &[0, 0, 0, 1], &[0, 0, 1, 0]]);
        let error = Ratings::fit(&table).unwrap_err();
        assert_eq!(error.to_string(), "'a' and 'c' cannot be rated together: no chain of games connects them");
    }

    #[test]
    fn tiny_tables_do_not_fail() {
        assert_eq!(Ratings::fit(&Crosstable::new([])).unwrap().ratings, []);
        assert_eq!(Ratings::fit(&Crosstable::new(["a".into()])).unwrap().ratings[0].elo, 0.0);
    }
}
