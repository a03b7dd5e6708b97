//! Work that is as simple as work can be: squares of numbers.

use super::server::Nats;
use plywise_cluster::{
    AssignedJob, Job, JobRunner, Passport, QueueCoordinator, Server, WorkerOptions, WorkerStats, serve,
};
use plywise_run::{Executor, Manifest, Units};
use plywise_search::Signal;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// A worker that computes squares.
#[derive(Clone, Debug)]
pub struct Squares {
    pub name: &'static str,
    pub version: &'static str,
    pub bench: u64,
    /// How long each takes it.
    pub delay: Duration,
    /// Whether later numbers follow from earlier ones.
    pub in_steps: bool,
    /// Whether it lies.
    pub lies: bool,
    /// Instead of squares, a number of bytes of noise.
    pub size: usize,
}

impl Squares {
    pub fn new(name: &'static str) -> Squares {
        Squares { name, version: "1", bench: 7, delay: Duration::ZERO, in_steps: false, lies: false, size: 0 }
    }

    /// Works until it is stopped.
    pub fn serve(&self, address: &str, stop: &Signal) -> Result<(), plywise_cluster::ClusterError> {
        let (version, build) = (self.version.to_owned(), "b".to_owned());
        let (name, machine) = (self.name.to_owned(), "here".to_owned());
        let options = WorkerOptions { name, machine, version, build, cores: 2, jobs: 2 };
        serve(&Server::connect(address)?, options, self, stop, &|_| {})
    }
}

impl JobRunner for Squares {
    fn passport(&self, game: &str) -> Result<(Passport, f64), String> {
        let (version, build) = (self.version.to_owned(), "b".to_owned());
        Ok((Passport { version, build, game: game.to_owned(), bench: self.bench }, 1000.0))
    }

    fn objection(&self, work: &[u8]) -> Option<String> {
        (work != WORK).then(|| "these are no squares".to_owned())
    }

    fn run(&self, task: AssignedJob) -> Result<(), String> {
        let executor = Executor::Worker(task.worker);
        if self.in_steps {
            in_steps(&executor, None);
        } else if self.size > 0 {
            large(&executor, 3, self.size);
        } else {
            let mut units = Units::<u64>::default().done_by(&executor).map_err(|error| error.to_string())?;
            let (delay, lies) = (self.delay, u64::from(self.lies));
            let square = |(): &mut (), number: u64, _: &Signal| {
                thread::sleep(delay);
                Some(number * number + lies)
            };
            let _ = units.work(u64::MAX, vec![(); 2], &task.stop, square, &mut |_, _| ControlFlow::Continue(()));
        }
        Ok(())
    }
}

/// The job that workers know.
const WORK: &[u8] = b"squares";

pub fn job(in_steps: bool) -> Job {
    Job {
        title: "squares".into(),
        run: Some("squares".into()),
        passport: Passport { version: "1".into(), build: "b".into(), game: "none".into(), bench: 7 },
        speed: 1000.0,
        in_steps,
        verify: 0.0,
        work: WORK.to_vec(),
    }
}

pub fn lead(nats: &Nats, job: Job) -> Arc<QueueCoordinator> {
    Arc::new(QueueCoordinator::open(Server::connect(&nats.address()).unwrap(), job, |_| {}).unwrap())
}

/// Runs something with workers at its side; what it gives, and what each of them did.
pub fn with_workers<R>(
    nats: &Nats,
    workers: &[Squares],
    job: Job,
    run: impl FnOnce(&Executor) -> R,
) -> (R, BTreeMap<String, WorkerStats>) {
    let stop = Signal::new();
    thread::scope(|scope| {
        for worker in workers {
            let (stop, address) = (&stop, nats.address());
            scope.spawn(move || worker.serve(&address, stop));
        }
        let coordinator = lead(nats, job);
        let result = run(&Executor::Coordinator(coordinator.clone()));
        let worker_stats = coordinator.worker_stats();
        drop(coordinator);
        stop.stop();
        (result, worker_stats)
    })
}

/// Squares of the numbers below `end`, as long as `more` holds.
pub fn work(units: &mut Units<u64>, end: u64, delay: Duration, more: impl Fn(u64) -> bool) {
    let square = |(): &mut (), number: u64, _: &Signal| {
        thread::sleep(delay);
        Some(number * number)
    };
    let mut each =
        |number: u64, _: &u64| if more(number + 1) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    units.work(end, vec![(); 2], &Signal::new(), square, &mut each).unwrap();
}

pub fn expected(end: u64) -> Vec<u64> {
    (0..end).map(|number| number * number).collect()
}

fn units(executor: &Executor, folder: Option<&Path>) -> Units<u64> {
    let units = match folder {
        Some(folder) => Units::open(folder, &Manifest::default(), false, |_, _| Ok(())).unwrap(),
        None => Units::default(),
    };
    units.done_by(executor).unwrap()
}

/// All squares below a number.
pub fn plain(executor: &Executor, folder: Option<&Path>, end: u64) -> Vec<u64> {
    let mut units = units(executor, folder);
    work(&mut units, end, Duration::ZERO, |_| true);
    units.into_finished().into_values().collect()
}

/// Steps of 30 units, each of which adds up what all earlier steps found.
pub fn in_steps(executor: &Executor, folder: Option<&Path>) -> Vec<u64> {
    const STEPS: u64 = 4;
    const UNITS: u64 = 30;
    let mut units = units(executor, folder);
    for step in 0..STEPS {
        let sum: u64 =
            units.finished().range(..step * UNITS).map(|(_, value)| value).fold(0, |a, b| a.wrapping_add(*b));
        let find = |(): &mut (), number: u64, _: &Signal| Some(sum.wrapping_mul(31).wrapping_add(number));
        let mut each = |_, _: &u64| ControlFlow::Continue(());
        units.work((step + 1) * UNITS, vec![(); 2], &Signal::new(), find, &mut each).unwrap();
    }
    units.into_finished().into_values().collect()
}

/// Numbers that cannot be made smaller.
pub fn noise(seed: u64, size: usize) -> Vec<u32> {
    let next = |state: u64| state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let states = std::iter::successors(Some(seed + 1), |state| Some(next(*state)));
    states.take(size / 8).map(|state| (state >> 32) as u32).collect()
}

pub fn large(executor: &Executor, end: u64, size: usize) -> Vec<Vec<u32>> {
    let mut units = Units::<Vec<u32>>::default().done_by(executor).unwrap();
    let make = |(): &mut (), number: u64, _: &Signal| Some(noise(number, size));
    units.work(end, vec![(); 2], &Signal::new(), make, &mut |_, _| ControlFlow::Continue(())).unwrap();
    units.into_finished().into_values().collect()
}
