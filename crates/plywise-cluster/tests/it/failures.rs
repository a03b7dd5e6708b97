//! Whatever breaks, each unit counts once, and users get one sentence about it.

use crate::server::Nats;
use crate::squares::{Squares, expected, job, plain, with_workers, work};
use plywise_cluster::{ClusterError, Job, Server};
use plywise_run::Units;
use plywise_search::Signal;
use std::thread::{self, sleep};
use std::time::Duration;

/// Slow enough that something can happen meanwhile.
fn slow(name: &'static str) -> Squares {
    Squares { delay: Duration::from_millis(5), ..Squares::new(name) }
}

#[test]
fn a_server_that_is_killed_loses_nothing() {
    let Some(nats) = Nats::start() else { return };
    let (results, _) = with_workers(&nats, &[slow("one"), slow("two")], job(false), |place| {
        thread::scope(|scope| {
            scope.spawn(|| {
                sleep(Duration::from_millis(700));
                nats.kill();
                sleep(Duration::from_millis(300));
                nats.restart();
            });
            plain(place, None, 1000)
        })
    });
    assert_eq!(results, expected(1000));
}

#[test]
fn a_server_may_come_back_without_its_disk() {
    let Some(nats) = Nats::start() else { return };
    let (results, _) = with_workers(&nats, &[slow("one"), slow("two")], job(false), |place| {
        thread::scope(|scope| {
            scope.spawn(|| {
                sleep(Duration::from_millis(700));
                nats.kill();
                nats.forget();
                nats.restart();
            });
            plain(place, None, 1000)
        })
    });
    assert_eq!(results, expected(1000));
}

#[test]
fn a_worker_that_leaves_is_replaced() {
    let Some(nats) = Nats::start() else { return };
    let leaving = Signal::new();
    let (results, worker_stats) = with_workers(&nats, &[slow("one")], job(false), |place| {
        thread::scope(|scope| {
            scope.spawn(|| slow("two").serve(&nats.address(), &leaving));
            scope.spawn(|| {
                sleep(Duration::from_millis(1500));
                leaving.stop();
            });
            plain(place, None, 1000)
        })
    });
    assert_eq!(results, expected(1000));
    assert_eq!(worker_stats.len(), 2, "{worker_stats:?}");
}

#[test]
fn a_worker_that_lies_is_shut_out_and_named() {
    let Some(nats) = Nats::start() else { return };
    let workers = [Squares { lies: true, ..slow("liar") }, slow("one"), slow("two")];
    let checked = Job { verify: 1.0, ..job(false) };
    let (results, worker_stats) = with_workers(&nats, &workers, checked, |place| plain(place, None, 300));
    assert_eq!(results, expected(300));
    assert!(worker_stats["liar"].wrong.is_some() && worker_stats["liar"].units == 0, "{worker_stats:?}");
    assert!(worker_stats["one"].wrong.is_none() && worker_stats["two"].wrong.is_none(), "{worker_stats:?}");
}

/// What the work itself knows to be wrong does not count, from any worker.
#[test]
fn a_result_that_cannot_be_one_is_refused() {
    let Some(nats) = Nats::start() else { return };
    let workers = [Squares { lies: true, ..slow("liar") }, slow("one")];
    let (results, worker_stats) = with_workers(&nats, &workers, job(false), |place| {
        let is_square =
            |number: u64, &result: &u64| if number * number == result { Ok(()) } else { Err("no square".into()) };
        let mut units = Units::unkept(is_square).done_by(place).unwrap();
        work(&mut units, 300, Duration::ZERO, |_| true);
        units.into_finished().into_values().collect::<Vec<_>>()
    });
    assert_eq!(results, expected(300));
    assert!(worker_stats["liar"].refused > 0 && worker_stats["liar"].units == 0, "{worker_stats:?}");
}

/// Somebody writes nonsense to every subject: it is dropped, and nothing else changes.
#[test]
fn nonsense_is_dropped() {
    let Some(nats) = Nats::start() else { return };
    let done = Signal::new();
    let (results, _) = with_workers(&nats, &[slow("one")], job(false), |place| {
        thread::scope(|scope| {
            scope.spawn(|| babble(&nats, &done));
            let results = plain(place, None, 300);
            done.stop();
            results
        })
    });
    assert_eq!(results, expected(300));
}

/// Writes what is no message to every listener, in the plain protocol of the server.
fn babble(nats: &Nats, done: &Signal) {
    use std::io::Write;
    let address = nats.address();
    let mut stream = std::net::TcpStream::connect(address.trim_start_matches("nats://")).unwrap();
    stream.write_all(b"CONNECT {\"verbose\":false}\r\n").unwrap();
    while !done.is_stopped() {
        for subject in ["plywise.runs", "plywise.worker.x", "plywise.session.x.results"] {
            for text in ["", "{", "{\"step\":0}\nabc", "\0\0\0\0"] {
                let message = format!("PUB {subject} {}\r\n{text}\r\n", text.len());
                stream.write_all(message.as_bytes()).unwrap();
            }
        }
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_unequal_worker_ends_and_says_why() {
    let Some(nats) = Nats::start() else { return };
    let unequal = [Squares { version: "2", ..Squares::new("old") }, Squares { bench: 8, ..Squares::new("odd") }];
    let words = ["the run needs version 1, and this is 2", "the bench of none counts 7 nodes there and 8 here"];
    let coordinator = crate::squares::lead(&nats, job(false));
    for (worker, words) in unequal.iter().zip(words) {
        let error = worker.serve(&nats.address(), &Signal::new()).unwrap_err();
        assert!(matches!(error, ClusterError::NotEqual(_)) && error.to_string().contains(words), "{error}");
    }
    drop(coordinator);
}

#[test]
fn servers_that_cannot_be_used_are_told_apart() {
    let check = |nats: &Nats, words: &str| {
        let error = Server::connect(&nats.address()).unwrap_err().to_string();
        assert!(error.contains(words) && !error.contains('\n'), "{error}");
    };
    let Some(plain) = Nats::with(&[]) else { return };
    check(&plain, "runs without JetStream");
    let guarded = Nats::with(&["--jetstream", "--user", "me", "--pass", "secret"]).unwrap();
    check(&guarded, "refuses us");
    plain.kill();
    check(&plain, "no NATS server answers at");
}
