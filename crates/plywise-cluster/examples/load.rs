//! How many units a second go through the queue, and in how much memory. With a server (`nats-server --jetstream`):
//!
//!     cargo run --release -p plywise-cluster --example load -- worker nats://127.0.0.1:4222 &
//!     cargo run --release -p plywise-cluster --example load -- lead nats://127.0.0.1:4222 100000
//!
//! A unit is the square of its number: all that is measured is the way there and back, and the journal.
#![allow(clippy::print_stdout)]

use plywise_cluster::{AssignedJob, Job, JobRunner, Passport, QueueCoordinator, Server, WorkerOptions, serve};
use plywise_run::{Executor, Manifest, Units};
use plywise_search::Signal;
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["worker", address] => work(address),
        ["lead", address, units] => lead(address, units.parse()?),
        _ => Err("load worker URL, or load lead URL UNITS".into()),
    }
}

fn lead(address: &str, count: u64) -> Result<(), Box<dyn Error>> {
    let job = Job {
        title: "squares".into(),
        run: None,
        passport: passport("none"),
        speed: 1.0,
        in_steps: false,
        verify: 0.0,
        work: Vec::new(),
    };
    let coordinator = Arc::new(QueueCoordinator::open(Server::connect(address)?, job, |news| println!("{news}"))?);
    let folder = tempfile::tempdir()?;
    let units = Units::<u64>::open(folder.path(), &Manifest::default(), false, |_, _| Ok(()))?;
    let mut units = units.done_by(&Executor::Coordinator(coordinator.clone()))?;
    let mut first = None;
    let mut each = |_, _: &u64| {
        first.get_or_insert_with(Instant::now);
        ControlFlow::Continue(())
    };
    squares(&mut units, count, &mut each)?;
    let seconds = first.map_or(0.0, |first| first.elapsed().as_secs_f64());
    let sum: u64 = units.finished().values().fold(0, |sum, square| sum.wrapping_add(*square));
    let expected = (0..count).fold(0, |sum: u64, number| sum.wrapping_add(number * number));
    assert_eq!((units.finished().len() as u64, sum), (count, expected));
    println!("{count} units in {seconds:.2} s, {:.0} a second", count as f64 / seconds);
    println!("coordinator: {}", memory());
    coordinator.worker_stats().iter().for_each(|(worker, stats)| println!("{worker}: {} units", stats.units));
    Ok(())
}

fn work(address: &str) -> Result<(), Box<dyn Error>> {
    let Passport { version, build, .. } = passport("none");
    let name = format!("worker-{}", std::process::id());
    let options = WorkerOptions { name, machine: "here".into(), version, build, cores: 2, jobs: 2 };
    serve(&Server::connect(address)?, options, &Squares, &Signal::new(), &|news| println!("{news}; {}", memory()))?;
    Ok(())
}

struct Squares;

impl JobRunner for Squares {
    fn passport(&self, game: &str) -> Result<(Passport, f64), String> {
        Ok((passport(game), 1.0))
    }

    fn objection(&self, _: &[u8]) -> Option<String> {
        None
    }

    fn run(&self, task: AssignedJob) -> Result<(), String> {
        let mut units =
            Units::<u64>::default().done_by(&Executor::Worker(task.worker)).map_err(|error| error.to_string())?;
        squares(&mut units, u64::MAX, &mut |_, _| ControlFlow::Continue(())).map_err(|error| error.to_string())
    }
}

fn squares(
    units: &mut Units<u64>,
    end: u64,
    each: &mut dyn FnMut(u64, &u64) -> ControlFlow<()>,
) -> Result<(), plywise_run::WorkError> {
    let square = |(): &mut (), number: u64, _: &Signal| Some(number * number);
    units.work(end, vec![(); 2], &Signal::new(), square, each)
}

fn passport(game: &str) -> Passport {
    Passport { version: "1".into(), build: "load".into(), game: game.to_owned(), bench: 1 }
}

/// The most memory that this process has had.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown");
    format!("{} at most", peak.trim())
}
