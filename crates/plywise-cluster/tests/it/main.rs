//! The cluster with a real server on loopback. Without `nats-server` these tests say so and test nothing; `./test` fails
//! where it cannot be had.
#![allow(clippy::print_stderr)]

mod failures;
mod hostile;
#[allow(dead_code)]
mod peer;
mod server;
mod squares;

use plywise_cluster::{Server, roster};
use plywise_run::{Executor, Units};
use server::Nats;
use squares::{Squares, expected, in_steps, job, lead, plain, with_workers};
use std::time::{Duration, Instant};

#[test]
fn every_unit_counts_once_whoever_does_it() {
    let Some(nats) = Nats::start() else { return };
    let workers = [Squares::new("one"), Squares::new("two"), Squares::new("three")];
    let (results, worker_stats) = with_workers(&nats, &workers, job(false), |place| plain(place, None, 2000));
    assert_eq!(results, expected(2000));
    assert_eq!(worker_stats.values().map(|stats| stats.units).sum::<u64>(), 2000);
    assert!(worker_stats.len() >= 2, "one worker did it all: {worker_stats:?}");
}

#[test]
fn steps_follow_from_each_other_on_every_machine() {
    let Some(nats) = Nats::start() else { return };
    let alone = in_steps(&Executor::Local, None);
    let workers = [Squares::new("one"), Squares::new("two")].map(|worker| Squares { in_steps: true, ..worker });
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = with_workers(&nats, &workers, job(true), |place| in_steps(place, Some(folder.path())));
    assert_eq!(results, alone);
    // A coordinator that is started again tells its helpers what is finished.
    let journal = folder.path().join("journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let half: String = text.lines().take(70).map(|line| format!("{line}\n")).collect();
    std::fs::write(&journal, half).unwrap();
    let (results, worker_stats) =
        with_workers(&nats, &workers, job(true), |place| in_steps(place, Some(folder.path())));
    assert_eq!(results, alone);
    let left = text.lines().count() as u64 - 70;
    assert_eq!(worker_stats.values().map(|stats| stats.units).sum::<u64>(), left);
}

#[test]
fn enough_ends_the_work_of_others_within_a_second() {
    let Some(nats) = Nats::start() else { return };
    let workers = [Squares { delay: Duration::from_millis(20), ..Squares::new("one") }];
    let mut ended = None;
    let ((), _) = with_workers(&nats, &workers, job(false), |place| {
        let mut units = Units::<u64>::default().done_by(place).unwrap();
        squares::work(&mut units, u64::MAX, Duration::ZERO, |number| number < 30);
        assert_eq!(units.finished().range(..30).count(), 30);
        ended = Some(Instant::now());
    });
    // The coordinator has tidied up, and the worker has left its endless command.
    assert!(ended.is_some_and(|ended| ended.elapsed() < Duration::from_secs(1)), "{:?}", ended.map(|e| e.elapsed()));
}

#[test]
fn results_may_be_larger_than_a_message() {
    let Some(nats) = Nats::start() else { return };
    let workers = [Squares { size: 3 << 20, ..Squares::new("one") }];
    let (results, _) = with_workers(&nats, &workers, job(false), |place| squares::large(place, 3, 3 << 20));
    assert_eq!(results, (0..3).map(|number| squares::noise(number, 3 << 20)).collect::<Vec<_>>());
}

#[test]
fn workers_are_listed_while_they_are_there_and_after() {
    let Some(nats) = Nats::start() else { return };
    let (_, _) = with_workers(&nats, &[Squares::new("one")], job(false), |place| plain(place, None, 50));
    let server = Server::connect(&nats.address()).unwrap();
    let seen = roster(&server).unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].presence.name.as_str(), seen[0].presence.version.as_str()), ("one", "1"));
    assert!(seen[0].ago < Duration::from_secs(30));
}

#[test]
fn a_session_leaves_nothing_behind() {
    let Some(nats) = Nats::start() else { return };
    drop(lead(&nats, job(false)));
    let listing = nats.stored();
    assert!(listing.iter().all(|name| !name.starts_with("plywise-run")), "{listing:?}");
}

#[path = "../../examples/scaling/loads.rs"]
mod loads;

/// What docs/cluster.md says about the match under a sequential test.
#[test]
fn a_long_match_scales() {
    let efficiency = |workers| plywise_cluster::simulate(&loads::load(loads::LOADS[1]), workers).efficiency;
    assert!(efficiency(16) >= 0.95 && efficiency(256) >= 0.9, "{} and {}", efficiency(16), efficiency(256));
}
