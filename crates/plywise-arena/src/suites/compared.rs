use super::Attempt;
use crate::statistics::{Interval, LEAST_SAMPLE, exchange_interval, mcnemar, ratio_interval};
use serde::Serialize;

/// What one player made of a suite, measured against another who searched the same positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Its nodes as a share of the other's, with the interval that follows from drawing the positions anew.
    pub nodes: Option<(f64, Option<Interval>)>,
    /// Its time, the same way.
    pub time: Option<(f64, Option<Interval>)>,
    /// The places of the positions that the other solves and it does not.
    pub lost: Vec<usize>,
    /// The places of the positions that it solves and the other does not.
    pub gained: Vec<usize>,
    /// What it solves more, as a share of the positions that can be solved.
    pub more: Option<(f64, Interval)>,
    /// The probability of so uneven an exchange between players who solve equally many, by McNemar's test.
    pub p: f64,
    /// Whether there are enough positions to conclude anything.
    pub is_judged: bool,
}

impl Compared {
    /// Compares attempts at the same positions, of which `answers` can be solved.
    pub fn of(with: &[Attempt], without: &[Attempt], answers: usize) -> Compared {
        let share = |of: fn(&Attempt) -> f64| {
            let pairs: Vec<(f64, f64)> = with.iter().zip(without).map(|(a, b)| (of(a), of(b))).collect();
            ratio_interval(&pairs)
        };
        let places = |solved_by: &[Attempt], not_by: &[Attempt]| -> Vec<usize> {
            let both = solved_by.iter().zip(not_by).enumerate();
            both.filter(|(_, (a, b))| a.solved && !b.solved).map(|(place, _)| place).collect()
        };
        let (lost, gained) = (places(without, with), places(with, without));
        let [fewer, more] = [&lost, &gained].map(|places| places.len() as u64);
        Compared {
            nodes: share(|attempt| attempt.nodes as f64),
            time: share(|attempt| attempt.time.as_secs_f64()),
            more: exchange_interval(fewer, more, answers as u64),
            p: mcnemar(fewer, more),
            is_judged: with.len() as u64 >= LEAST_SAMPLE,
            lost,
            gained,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn attempts(of: impl Fn(u64) -> (u64, bool)) -> Vec<Attempt> {
        let attempt = |i| {
            let (nodes, solved) = of(i);
            let time = Duration::from_millis(nodes);
            Attempt { best: None, score: 0, depth: 1, nodes, time, researches: 0, solved, found: None }
        };
        (0..40).map(attempt).collect()
    }

    #[test]
    fn nodes_and_exchanges_have_intervals() {
        let without = attempts(|i| (1000 + i, i < 20));
        let with = attempts(|i| (500 + 10 * i, (5..32).contains(&i)));
        let found = Compared::of(&with, &without, 40);
        assert_eq!((found.lost, found.gained), ((0..5).collect(), (20..32).collect::<Vec<_>>()));
        let (share, interval) = found.nodes.unwrap();
        assert!(interval.unwrap().contains(share) && (0.6..0.8).contains(&share), "{share} {interval:?}");
        let (more, interval) = found.more.unwrap();
        assert!(more == 7.0 / 40.0 && interval.contains(0.0) && found.p > 0.05, "{interval:?} {}", found.p);
        assert!(found.is_judged && !Compared::of(&with[..29], &without[..29], 29).is_judged);
    }

    #[test]
    fn a_player_differs_in_nothing_from_itself() {
        let same = attempts(|i| (100 + i, i % 2 == 0));
        let found = Compared::of(&same, &same, 40);
        assert_eq!((found.nodes.unwrap().0, found.p, found.lost.len()), (1.0, 1.0, 0));
        assert_eq!(found.nodes.unwrap().1.unwrap().error(), 0.0);
    }
}
