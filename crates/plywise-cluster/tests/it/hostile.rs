//! Whatever somebody else publishes, an honest worker is not shut out and the run comes to its end.

use crate::peer::{Mischief, Peer};
use crate::server::Nats;
use crate::squares::{Squares, expected, job, plain, with_workers, work};
use plywise_cluster::{QueueCoordinator, Server};
use plywise_run::{Executor, Units};
use plywise_search::Signal;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Squares of two honest workers while a peer does its mischief.
fn among(mischief: &[Mischief]) {
    const UNITS: u64 = 150;
    let Some(nats) = Nats::start() else { return };
    let done = Signal::new();
    let workers = ["one", "two"].map(|name| Squares { delay: Duration::from_millis(5), ..Squares::new(name) });
    let begun = Instant::now();
    let (results, worker_stats) = with_workers(&nats, &workers, job(false), |place| {
        thread::scope(|scope| {
            scope.spawn(|| {
                let (mut peer, mut number) = (Peer::at(&nats), 0);
                while !done.is_stopped() {
                    // A run that takes so long hangs.
                    if begun.elapsed() > Duration::from_secs(30) {
                        done.stop();
                    }
                    let Some(heard) = peer.hear() else { continue };
                    mischief.iter().for_each(|kind| peer.do_mischief(*kind, &heard, number));
                    number += 1;
                }
            });
            // What is no square is refused.
            let is_square =
                |number: u64, &found: &u64| (number * number == found).then_some(()).ok_or("no square".into());
            let mut units = Units::unkept(is_square).done_by(place).unwrap();
            let square = |(): &mut (), number: u64, _: &Signal| Some(number * number);
            units.work(UNITS, vec![()], &done, square, &mut |_, _| ControlFlow::Continue(())).unwrap();
            done.stop();
            units.into_finished().into_values().collect::<Vec<_>>()
        })
    });
    assert_eq!(results, expected(UNITS));
    let honest = |name: &str| worker_stats.get(name).map_or(0, |stats| stats.units);
    assert_eq!(honest("one") + honest("two"), UNITS, "{worker_stats:?}");
    assert!(
        ["one", "two"].iter().all(|name| worker_stats.get(*name).is_none_or(|stats| stats.refused == 0)),
        "{worker_stats:?}"
    );
}

#[test]
fn nobody_speaks_in_the_name_of_another() {
    among(&[Mischief::Changed, Mischief::Forged]);
}

#[test]
fn rubbish_copies_and_parts_change_nothing() {
    among(&[Mischief::Rubbish, Mischief::Copied, Mischief::Parts]);
}

/// Every user of the server can remove the consumer from which workers take units.
#[test]
fn a_run_without_its_consumer_gets_another() {
    let Some(nats) = Nats::start() else { return };
    let workers = [Squares { delay: Duration::from_millis(5), ..Squares::new("one") }];
    let (results, _) = with_workers(&nats, &workers, job(false), |place| {
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut peer = Peer::at(&nats);
                // The worker has begun when it delivers.
                while let Some(heard) = peer.hear().or_else(|| peer.hear()) {
                    if heard.subject.ends_with(".results") {
                        return peer.do_mischief(Mischief::NoConsumer, &heard, 0);
                    }
                }
            });
            plain(place, None, 300)
        })
    });
    assert_eq!(results, expected(300));
}

/// A coordinator whose sentences are collected.
fn talking(nats: &Nats) -> (Arc<QueueCoordinator>, Arc<Mutex<Vec<String>>>) {
    let said = Arc::new(Mutex::new(Vec::new()));
    let log = said.clone();
    let say = move |sentence: &str| log.lock().unwrap().push(sentence.to_owned());
    (Arc::new(QueueCoordinator::open(Server::connect(&nats.address()).unwrap(), job(false), say).unwrap()), said)
}

#[test]
fn a_run_without_workers_says_so_at_once() {
    let Some(nats) = Nats::start() else { return };
    let begun = Instant::now();
    let (coordinator, said) = talking(&nats);
    assert!(begun.elapsed() < Duration::from_secs(5));
    let sentence = said.lock().unwrap().join(" ");
    assert!(sentence.contains("no worker is at nats://") && sentence.contains("plywise worker nats://"), "{sentence}");
    drop(coordinator);
}

#[test]
fn a_run_whose_only_worker_is_shut_out_says_so_and_goes_on_with_the_next() {
    let Some(nats) = Nats::start() else { return };
    let (stop, address) = (Signal::new(), nats.address());
    let (coordinator, said) = talking(&nats);
    let results = thread::scope(|scope| {
        scope.spawn(|| Squares { lies: true, ..Squares::new("liar") }.serve(&address, &stop));
        scope.spawn(|| {
            let is_said = || said.lock().unwrap().iter().any(|sentence| sentence.contains("liar is shut out"));
            let begun = Instant::now();
            while !is_said() && begun.elapsed() < Duration::from_secs(20) {
                thread::sleep(Duration::from_millis(10));
            }
            Squares::new("honest").serve(&address, &stop)
        });
        let is_square = |number: u64, &found: &u64| (number * number == found).then_some(()).ok_or("no square".into());
        let mut units = Units::unkept(is_square).done_by(&Executor::Coordinator(coordinator.clone())).unwrap();
        work(&mut units, 50, Duration::ZERO, |_| true);
        stop.stop();
        units.into_finished().into_values().collect::<Vec<_>>()
    });
    assert_eq!(results, expected(50));
    let said = said.lock().unwrap().join("\n");
    assert!(
        said.contains("worker liar is shut out: 3 of its results were not valid, the last because no square"),
        "{said}"
    );
    assert!(said.contains("waits for another worker"), "{said}");
    assert_eq!(coordinator.worker_stats()["honest"].units, 50);
}
