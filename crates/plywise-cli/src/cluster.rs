//! Runs on other machines: what a coordinator tells them, and what a worker does with it.

mod engines;

use crate::commands::bench;
use crate::games::Games;
use crate::jobs::AnyJob;
use crate::runs::RunArgs;
use crate::{Failure, Result};
pub(crate) use engines::Allowed;
use plywise_arena::commit_test::Workshop;
use plywise_cluster::{AssignedJob, ClusterError, Job, JobRunner, Passport, QueueCoordinator, Server, WorkerStats};
use plywise_host::AnyGame;
use plywise_learn::LearnableGame;
use plywise_run::{Executor, Job as RunJob, Workplace, digest, digest_file};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Every mistake of the cluster is one that its user can mend.
pub(crate) fn refusal(error: ClusterError) -> Failure {
    Failure::input(error)
}

/// The digest of this program's file.
pub(crate) fn own_build() -> String {
    std::env::current_exe().and_then(|program| digest_file(&program)).unwrap_or_default()
}

/// Who this program is for a game, and its nodes a second.
fn passport(game: &dyn AnyGame) -> Result<(Passport, f64)> {
    let bench::Measurement { nodes, time } = bench::quick(game)?;
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let passport = Passport { version, build: own_build(), game: game.name().to_owned(), bench: nodes };
    Ok((passport, nodes as f64 / time.as_secs_f64().max(1e-6)))
}

/// Opens a job to the workers that the arguments name.
pub(crate) fn open(game: &dyn AnyGame, run: &RunArgs, job: &AnyJob) -> Result<QueueCoordinator> {
    let Some(address) = &run.workers else { return Err(Failure::input("no workers are named")) };
    if run.verify.is_some() && job.is_on_the_clock() {
        return Err(Failure::input("--verify compares results, and those on the clock differ: use --nodes or --depth"));
    }
    let server = Server::connect(address).map_err(refusal)?;
    let (passport, speed) = passport(game)?;
    let job = Job {
        title: job.title(),
        run: run.run.as_deref().map(run_name),
        passport,
        speed,
        in_steps: job.is_in_steps(),
        verify: run.verify.unwrap_or(0.0) / 100.0,
        work: serde_json::to_vec(job).map_err(|error| Failure::Failed(error.to_string()))?,
    };
    let say = |news: &str| {
        // A lost reader is no reason to fail.
        let _ = writeln!(io::stderr(), "{news}");
    };
    QueueCoordinator::open(server, job, say).map_err(refusal)
}

/// The same name for the same run directory of this machine.
fn run_name(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    digest(format!("{} {}", machine(), path.display()).as_bytes())
}

/// The name of this machine.
pub(crate) fn machine() -> String {
    let name =
        ["/proc/sys/kernel/hostname", "/etc/hostname"].iter().find_map(|file| std::fs::read_to_string(file).ok());
    let name = name.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    if name.trim().is_empty() { "unknown".to_owned() } else { name.trim().to_owned() }
}

/// Says on standard error what each worker did.
pub(crate) fn tell(coordinator: &QueueCoordinator) {
    let mut lines: Vec<String> = coordinator.worker_stats().iter().map(|(name, stats)| describe(name, stats)).collect();
    let malformed = coordinator.malformed();
    lines.extend((malformed > 0).then(|| format!("{malformed} messages could not be read and were dropped")));
    for line in lines {
        // A lost reader is no reason to fail.
        let _ = writeln!(io::stderr(), "{line}");
    }
}

fn describe(name: &str, stats: &WorkerStats) -> String {
    let WorkerStats { units, faults, refused, failed, wrong } = *stats;
    let mut text = format!("worker {name}: {units} units");
    let counts = [(faults, "with a player that failed"), (refused, "not valid"), (failed, "not done")];
    for (count, words) in counts.iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!(", {count} {words}"));
    }
    if let Some(unit) = wrong {
        text.push_str(&format!(
            "; its answer to unit {unit} was wrong, it was shut out, and its other units are suspect"
        ));
    }
    text
}

/// This program as a worker.
pub(crate) struct WorkerProgram<'a> {
    pub(crate) games: Games<'a>,
    pub(crate) jobs: u16,
    pub(crate) allowed: Vec<Allowed>,
    /// Where engines may be built from sources that coordinators send, if they may.
    pub(crate) workshop: Option<Workshop>,
}

impl WorkerProgram<'_> {
    /// Reads the job of a coordinator. The engines that it starts are this worker's own.
    fn read(&self, work: &[u8]) -> Result<AnyJob, String> {
        let mut job: AnyJob =
            serde_json::from_slice(work).map_err(|error| format!("its job cannot be read: {error}"))?;
        job.engines().into_iter().try_for_each(|engine| engines::admit(engine, &self.allowed))?;
        job.build_in(self.workshop.clone())?;
        Ok(job)
    }

    /// Runs a job for a coordinator, which keeps the results.
    fn work<J: RunJob<Game = Arc<dyn AnyGame>>>(
        &self,
        job: &J,
        game: &str,
        workplace: &Workplace,
    ) -> Result<J::Outcome, Failure> {
        Ok(job.run(&self.games.game(game)?, workplace, &|_| {})?)
    }

    /// The same for a job of a learner.
    fn learn<J: RunJob<Game = Arc<dyn LearnableGame>>>(&self, job: &J, game: &str, workplace: &Workplace) -> Result {
        job.run(&self.games.learnable(game)?, workplace, &|_| {})?;
        Ok(())
    }
}

impl JobRunner for WorkerProgram<'_> {
    fn passport(&self, game: &str) -> Result<(Passport, f64), String> {
        self.games.game(game).and_then(|game| passport(&*game)).map_err(|failure| failure.to_string())
    }

    fn objection(&self, work: &[u8]) -> Option<String> {
        self.read(work).err()
    }

    /// Runs the job of a coordinator. It writes nothing outside a folder of its own, and starts no engine but allowed ones.
    fn run(&self, task: AssignedJob) -> Result<(), String> {
        let job = self.read(&task.work)?;
        let executor = Executor::Worker(task.worker.clone());
        let workplace = Workplace { executor, ..Workplace::local(self.jobs.into(), &task.stop) };
        let game = job.game();
        let outcome = match &job {
            AnyJob::Match(job) => self
                .work(job, game, &workplace)
                .and_then(|outcome| outcome.failure.map_or(Ok(()), |failure| Err(failure.into()))),
            AnyJob::Test(job) => self
                .work(&**job, game, &workplace)
                .and_then(|outcome| outcome.games.failure.map_or(Ok(()), |failure| Err(failure.into()))),
            AnyJob::Suite(job) => self.work(job, game, &workplace).map(drop),
            AnyJob::ForgeGames(job) => self.work(job, game, &workplace),
            AnyJob::ForgeSuite(job) => self.work(job, game, &workplace).map(drop),
            AnyJob::ForgeData(job) => self.learn(job, game, &workplace),
            AnyJob::Gather(job) => self.learn(job, game, &workplace),
            AnyJob::LearnPrices(job) => self.learn(job, game, &workplace),
            AnyJob::LearnSpsa(job) => self.learn(job, game, &workplace),
            AnyJob::LearnExtensions(job) => self.learn(job, game, &workplace),
            AnyJob::EvolveCoeval(job) => self.learn(job, game, &workplace),
            AnyJob::EvolveSearch(job) => self.learn(job, game, &workplace),
        };
        match outcome {
            Ok(()) | Err(Failure::Interrupted) => Ok(()),
            Err(failure) => Err(failure.to_string()),
        }
    }
}
