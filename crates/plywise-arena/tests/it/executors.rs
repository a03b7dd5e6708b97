//! Games that are played for somebody else.

use crate::players::{Local, Style};
use crate::{contest, openings};
use plywise_arena::Limits;
use plywise_arena::matches::{Ending, GameRecord, Silent};
use plywise_run::{Executor, Worker};
use plywise_search::{Signal, TimeControl};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A process elsewhere that wants two games, and accepts all that it is sent.
#[derive(Debug)]
struct Other {
    slowness: f64,
    wanted: Mutex<Vec<u64>>,
    delivered: Mutex<Vec<(u64, Vec<u8>)>>,
}

impl Worker for Other {
    fn is_in_steps(&self) -> bool {
        false
    }

    fn remembered(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn jobs(&self) -> usize {
        1
    }

    fn slowness(&self) -> f64 {
        self.slowness
    }

    fn begin(&self, _: &Signal) -> u64 {
        0
    }

    fn next(&self, _: u64) -> Option<u64> {
        self.wanted.lock().unwrap().pop()
    }

    fn deliver(&self, _: u64, number: u64, result: Vec<u8>) {
        self.delivered.lock().unwrap().push((number, result));
    }

    fn fail(&self, _: u64, number: u64) {
        panic!("game {number} was not played");
    }

    fn results(&self, _: u64) -> Vec<(u64, Vec<u8>)> {
        self.delivered.lock().unwrap().clone()
    }
}

/// How many of two games with a second on the clock are lost on time by players who take 0.9 s for every move.
fn lost_on_time(slowness: f64) -> usize {
    let (one, two) = (Style::Slow(Duration::from_millis(900)), Style::Slow(Duration::from_millis(900)));
    let (one, two) = (Local { name: "one", style: one }, Local { name: "two", style: two });
    let openings = openings();
    let mut contest = contest([&one, &two], &openings, 2, 1);
    let control = TimeControl { moves: None, base: Duration::from_secs(1), increment: Duration::ZERO };
    contest.entries.iter_mut().for_each(|entry| entry.limits = Limits::clock(control));
    let help = Other { slowness, wanted: Mutex::new(vec![1, 0]), delivered: Mutex::default() };
    let mut records: Vec<GameRecord> = Vec::new();
    let mut keep = |record: &GameRecord| {
        records.push(record.clone());
        Ok(())
    };
    contest.run_at(&Executor::Worker(Arc::new(help)), &[], &mut keep, &Silent, &Signal::new()).unwrap();
    assert_eq!(records.len(), 2);
    records.iter().filter(|record| matches!(record.ending, Ending::Fault { .. })).count()
}

#[test]
fn who_plays_on_a_slower_machine_has_more_time() {
    assert_eq!(lost_on_time(1.0), 2);
    assert_eq!(lost_on_time(5.0), 0);
}
