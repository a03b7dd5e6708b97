//! How a run scales, without machines: units with measured durations on simulated workers.
//!
//! Time is that of an event queue, and everything random comes from a seed: the same load gives the same course.

use plywise_game::random::Random;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Load {
    /// Durations of units in seconds, as measured; units take them in turn, shuffled by the seed.
    pub durations: Vec<f64>,
    /// How many units count. A sequential test is decided by the units before it, in the order of their numbers; what is
    /// under way then is thrown away. Without a test, all units that there are.
    pub units: u64,
    /// Whether more units are begun while the last ones that count are under way, as under a sequential test.
    pub has_test: bool,
    /// Seconds from a worker's wish to its unit: the way to the queue and back.
    pub latency: f64,
    /// Seconds that the coordinator needs to keep a result and hand out another unit.
    pub keeping: f64,
    /// The seed.
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// Workers, each with one unit at a time.
    pub workers: usize,
    /// Seconds until the last unit that counts was kept.
    pub time: f64,
    /// The time of one worker without any overhead, divided by the time of all: 1 is perfect.
    pub efficiency: f64,
    /// Units that were begun and thrown away.
    pub wasted: u64,
}

/// Runs a load on a number of workers.
pub fn simulate(load: &Load, workers: usize) -> Course {
    let mut random = Random::new(load.seed);
    let mut draw = || random.pick(&load.durations).copied().unwrap_or(0.0);
    let most = if load.has_test { u64::MAX } else { load.units };
    // Events: when a worker has finished a unit. Times are whole nanoseconds, so that they have an order.
    let mut events: BinaryHeap<Reverse<(u64, usize, u64)>> = BinaryHeap::new();
    let (mut next, mut useful, mut left) = (0, 0.0, load.units);
    let mut begin = |events: &mut BinaryHeap<_>, worker: usize, now: u64, next: &mut u64, useful: &mut f64| {
        if *next < most {
            let duration = draw();
            if *next < load.units {
                *useful += duration;
            }
            events.push(Reverse((now + nanoseconds(load.latency + duration), worker, *next)));
            *next += 1;
        }
    };
    for worker in 0..workers {
        begin(&mut events, worker, 0, &mut next, &mut useful);
    }
    // The coordinator takes one result after another.
    let (mut free, mut end) = (0, 0);
    while let Some(Reverse((finished, worker, unit))) = events.pop() {
        free = free.max(finished) + nanoseconds(load.keeping);
        if unit < load.units {
            (left, end) = (left - 1, free);
            if left == 0 {
                break;
            }
        }
        begin(&mut events, worker, free, &mut next, &mut useful);
    }
    let time = end as f64 / 1e9;
    let wasted = next - load.units;
    Course { workers, time, efficiency: useful / (time * workers as f64), wasted }
}

fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load() -> Load {
        Load { durations: vec![1.0], units: 1024, has_test: false, latency: 0.0, keeping: 0.0, seed: 1 }
    }

    #[test]
    fn equal_units_divide_evenly() {
        for workers in [1, 2, 256, 1024] {
            let course = simulate(&load(), workers);
            assert!((course.efficiency - 1.0).abs() < 1e-6 && course.wasted == 0, "{course:?}");
            assert!((course.time - 1024.0 / workers as f64).abs() < 1e-6);
        }
        // Half of the workers have nothing to do.
        assert!((simulate(&load(), 2048).efficiency - 0.5).abs() < 1e-6);
    }

    #[test]
    fn the_way_and_the_coordinator_cost_what_they_take() {
        let slow = simulate(&Load { latency: 0.25, ..load() }, 16);
        assert!((slow.efficiency - 0.8).abs() < 1e-6, "{slow:?}");
        // One result in 10 ms is 100 a second, however many workers there are.
        let busy = simulate(&Load { keeping: 0.01, units: 10_000, ..load() }, 1000);
        assert!((busy.time - 101.0).abs() < 1.0, "{busy:?}");
    }

    #[test]
    fn a_decided_test_throws_away_what_is_under_way() {
        let course = simulate(&Load { has_test: true, durations: vec![0.5, 1.0, 2.0], ..load() }, 64);
        assert!(course.wasted > 0 && course.wasted <= 128, "{course:?}");
        assert_eq!(course, simulate(&Load { has_test: true, durations: vec![0.5, 1.0, 2.0], ..load() }, 64));
    }
}
