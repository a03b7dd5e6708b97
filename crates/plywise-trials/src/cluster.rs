//! A run on other machines while somebody hostile is on the same server: every unit counts once, honest workers are not shut
//! out, and the run comes to its end.

// A NATS server, workers that compute squares, and the hostile peer are those of the cluster's own tests.
#[path = "../../plywise-cluster/tests/it/peer.rs"]
mod peer;
#[allow(dead_code, clippy::print_stderr)]
#[path = "../../plywise-cluster/tests/it/server.rs"]
mod server;
#[allow(dead_code)]
#[path = "../../plywise-cluster/tests/it/squares.rs"]
mod squares;

use crate::trial::{Failure, Trial};
use peer::{Mischief, Peer};
use plywise_cluster::Job;
use plywise_game::random::Random;
use plywise_run::Units;
use plywise_search::Signal;
use server::Nats;
use squares::{Squares, expected, job, with_workers};
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// The squares of a run.
const UNITS: u64 = 100;

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial { group: "cluster", name: "hostile peer".into(), short: 3, long: 500, case: Box::new(case) }]
}

fn case(_: u64, random: &mut Random) -> Result<(), Failure> {
    // Without a server there is nothing to try.
    let Some(nats) = Nats::start() else { return Ok(()) };
    let mischief: Vec<Mischief> = Mischief::ALL.into_iter().filter(|_| random.one_in(2)).collect();
    let seed = random.bits();
    let verify = if random.one_in(3) { 1.0 } else { 0.0 };
    let delay = Duration::from_millis(random.bits() % 6);
    let input = format!("{mischief:?}, verify {verify}, {delay:?} for each unit");
    let workers = ["one", "two"].map(|name| Squares { delay, ..Squares::new(name) });
    let done = Signal::new();
    let (results, tallies) = with_workers(&nats, &workers, Job { verify, ..job(false) }, |place| {
        thread::scope(|scope| {
            scope.spawn(|| harass(&nats, &mischief, seed, &done));
            let check = |number: u64, found: &u64| match number * number == *found {
                true => Ok(()),
                false => Err("it is no square".to_owned()),
            };
            let mut units = Units::unkept(check).done_by(place).map_err(|error| error.to_string())?;
            let square = |(): &mut (), number: u64, _: &Signal| Some(number * number);
            let outcome = units.work(UNITS, vec![()], &done, square, &mut |_, _| ControlFlow::Continue(()));
            done.stop();
            outcome.map_err(|error| error.to_string())?;
            Ok::<_, String>(units.into_finished().into_values().collect::<Vec<u64>>())
        })
    });
    let fail = |problem: String| Failure::new(problem, input.clone());
    let results = results.map_err(fail)?;
    if results != expected(UNITS) {
        return Err(fail(format!("{} of {UNITS} units within {} s", results.len(), PATIENCE.as_secs())));
    }
    let honest = tallies.iter().filter(|(name, _)| ["one", "two"].contains(&name.as_str()));
    match honest.into_iter().find(|(_, counts)| counts.refused > 0 || counts.wrong.is_some()) {
        Some((name, counts)) => Err(fail(format!("worker {name} is honest, and is noted for {counts:?}"))),
        None => Ok(()),
    }
}

/// Answers what is heard on the server, until the run is over or has taken too long.
fn harass(nats: &Nats, mischief: &[Mischief], seed: u64, done: &Signal) {
    /// The consumer takes seconds to come back.
    const MOST_REMOVED: usize = 1;
    let (mut peer, mut random, begun, mut removed) = (Peer::at(nats), Random::new(seed), Instant::now(), 0);
    while !done.is_stopped() {
        if begun.elapsed() > PATIENCE {
            done.stop();
        }
        let Some(heard) = peer.hear() else { continue };
        for kind in mischief {
            if *kind == Mischief::NoConsumer {
                if removed == MOST_REMOVED || !random.one_in(50) {
                    continue;
                }
                removed += 1;
            }
            peer.do_mischief(*kind, &heard, random.bits());
        }
    }
}
