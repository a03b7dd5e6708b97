//! How fast two builds are, in turn, so that what else the machine does meets both.

use super::workshop::Built;
use plywise_run::{Executor, Job, JobError, Workplace};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Measures the bench of two builds in rounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MeasureSpeed {
    /// What the builds are made from.
    pub(super) sources: [String; 2],
    /// Their bench commands.
    pub(super) benches: [Option<String>; 2],
    /// How often each is measured.
    #[serde(default)]
    pub(super) rounds: u64,
}

/// One round: the nodes a second of the new build and of the old one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Nodes a second.
    pub speeds: [u64; 2],
    /// Nodes of the bench.
    pub nodes: [u64; 2],
}

/// What the rounds come to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// The median of the nodes a second of the new build.
    pub new: f64,
    /// The same of the old one.
    pub old: f64,
    /// The median over the rounds of how much faster the new build is: 0.05 is 5 %.
    pub difference: f64,
    /// The least and the greatest difference of a round.
    pub range: [f64; 2],
    /// How many rounds.
    pub rounds: usize,
}

impl Speed {
    /// The speed that these rounds show.
    pub fn of(rounds: &[Round]) -> Option<Speed> {
        let differences =
            sorted(rounds.iter().map(|round| round.speeds[0] as f64 / round.speeds[1].max(1) as f64 - 1.0));
        let side = |side: usize| median(&sorted(rounds.iter().map(|round| round.speeds[side] as f64)));
        Some(Speed {
            new: side(0)?,
            old: side(1)?,
            difference: median(&differences)?,
            range: [*differences.first()?, *differences.last()?],
            rounds: rounds.len(),
        })
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => Some((sorted.get(middle.checked_sub(1)?)? + sorted.get(middle)?) / 2.0),
        _ => sorted.get(middle).copied(),
    }
}

impl Job for MeasureSpeed {
    const NAME: &'static str = "test speed";
    const MAY_GROW: &'static [&'static str] = &["rounds"];
    type Game = [Built; 2];
    type Event = Round;
    type Outcome = Vec<Round>;

    fn run(
        &self,
        builds: &[Built; 2],
        workplace: &Workplace,
        watch: &(dyn Fn(Round) + Sync),
    ) -> Result<Vec<Round>, JobError> {
        // Others would measure other machines.
        let here = Workplace { executor: Executor::Local, ..workplace.clone() };
        let mut units = here.units(self, Some(self.rounds), |_, _: &Round| Ok(()))?;
        let problem = std::sync::Mutex::new(None);
        let work = |(): &mut (), number: u64, stop: &Signal| match measure(builds, number, stop) {
            Ok(round) => round,
            Err(error) => {
                problem.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                None
            }
        };
        let mut each = |_, round: &Round| {
            watch(*round);
            ControlFlow::Continue(())
        };
        units.work(self.rounds, vec![()], &workplace.stop, work, &mut each)?;
        match problem.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(units.into_finished().into_values().collect()),
        }
    }
}

/// One round, which begins with the one and then with the other. Nothing if a build has no bench.
fn measure(builds: &[Built; 2], number: u64, stop: &Signal) -> Result<Option<Round>, JobError> {
    let mut round = Round { speeds: [0; 2], nodes: [0; 2] };
    let first = (number % 2) as usize;
    for side in [first, 1 - first] {
        let Some(bench) = builds[side].bench(stop)? else { return Ok(None) };
        (round.nodes[side], round.speeds[side]) = (bench.nodes, bench.speed.unwrap_or_default());
    }
    Ok(Some(round))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_not_moved_by_one_disturbed_round() {
        let round = |new, old| Round { speeds: [new, old], nodes: [7, 7] };
        let speed = Speed::of(&[round(110, 100), round(220, 200), round(10, 100)]).unwrap();
        assert_eq!((speed.new, speed.old), (110.0, 100.0));
        assert!((speed.difference - 0.1).abs() < 1e-9 && (speed.range[0] + 0.9).abs() < 1e-9, "{speed:?}");
        let speed = Speed::of(&[round(100, 100), round(120, 100)]).unwrap();
        assert!((speed.difference - 0.1).abs() < 1e-9);
        assert_eq!(Speed::of(&[]), None);
    }
}
