use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Games won, drawn and lost, seen by one of the two players.
///
/// ```
/// use plywise_arena::statistics::Wdl;
/// // Lim & Lee, "RankCut", 2006: +40 -10 =74 is 62 %.
/// let wdl = Wdl { wins: 40, draws: 74, losses: 10 };
/// assert_eq!((wdl.games(), wdl.points()), (124, 77.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// Points: one for a win, half for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The same games seen by the other player.
    pub fn mirrored(&self) -> Wdl {
        Wdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Pairs of games from one opening with colours swapped, counted by the half points that the pair gave: 0, ½, 1, 1½, 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Counts one more pair, of which one player scored this many half points (more than 4 count as 4).
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// The same pairs seen by the other player.
    pub fn mirrored(&self) -> Pentanomial {
        let [lost, mostly_lost, even, mostly_won, won] = self.0;
        Pentanomial([won, mostly_won, even, mostly_lost, lost])
    }

    /// The pairs as mini-matches of two games: won, drawn, lost.
    pub fn mini_matches(&self) -> Wdl {
        Wdl { wins: self.0[3] + self.0[4], draws: self.0[2], losses: self.0[0] + self.0[1] }
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, count)| *sum += count);
    }
}

/// Counts of equally likely units of play (games or pairs of games), each with the share of the points that it gave.
pub trait Sample {
    /// The games in one unit.
    const GAMES_PER_UNIT: f64;

    /// Pairs of a share of the points, from 0 to 1 and ascending, and how often it was scored.
    fn outcomes(&self) -> Vec<(f64, u64)>;

    /// The number of units.
    fn units(&self) -> u64 {
        self.outcomes().iter().fold(0, |sum, &(_, count)| sum.saturating_add(count))
    }

    /// The share of the points that was scored; `None` before the first unit.
    fn score(&self) -> Option<f64> {
        let units = self.units();
        (units > 0)
            .then(|| self.outcomes().iter().map(|&(share, count)| share * count as f64).sum::<f64>() / units as f64)
    }
}

impl Sample for Wdl {
    const GAMES_PER_UNIT: f64 = 1.0;

    fn outcomes(&self) -> Vec<(f64, u64)> {
        vec![(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)]
    }
}

impl Sample for Pentanomial {
    const GAMES_PER_UNIT: f64 = 2.0;

    fn outcomes(&self) -> Vec<(f64, u64)> {
        self.0.iter().enumerate().map(|(half_points, &count)| (half_points as f64 / 4.0, count)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_played_has_no_score() {
        assert_eq!(Wdl::default().score(), None);
        assert_eq!(Pentanomial::default().score(), None);
    }

    /// Björnsson, "Selective Depth-First Game-Tree Search", 2002, table 5.5: +328 =16 -278 is 336 of 622, 54.02 %.
    #[test]
    fn the_thesis_match_scores_as_printed() {
        let wdl = Wdl { wins: 328, draws: 16, losses: 278 };
        assert_eq!(wdl.points(), 336.0);
        assert!((wdl.score().unwrap() - 0.5402).abs() < 5e-5);
        assert_eq!(wdl.mirrored().points(), 286.0);
    }

    #[test]
    fn pairs_count_as_mini_matches() {
        let pairs = Pentanomial([1, 2, 3, 4, 5]);
        assert_eq!(pairs.mini_matches(), Wdl { wins: 9, draws: 3, losses: 3 });
        assert_eq!(pairs.mirrored().mini_matches(), pairs.mini_matches().mirrored());
        let mut twice = pairs;
        twice += pairs;
        assert_eq!(twice, Pentanomial([2, 4, 6, 8, 10]));
    }
}
