//! Jobs that other machines can help with.

use crate::cli::Command;
use crate::cluster;
use crate::commands::{evolve, learn};
use crate::runs::RunArgs;
use crate::{Failure, Result};
use plywise_arena::commit_test::{TestCommits, Workshop};
use plywise_arena::engine::Engine;
use plywise_arena::forge::ForgeSuite;
use plywise_arena::matches::{ForgeGames, PlayMatch};
use plywise_arena::suites::RunSuite;
use plywise_arena::{Entrant, Limits};
use plywise_host::AnyGame;
use plywise_learn::evolution::{EvolveCoeval, EvolveSearch};
use plywise_learn::extensions::{LearnExtensions, Way};
use plywise_learn::tuning::LearnSpsa;
use plywise_learn::{ForgeData, Gather, LearnPrices, LearnableGame};
use plywise_run::{Cores, Executor, Job, Workplace};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// A job with units, as it travels to workers: everything that they need is in it, and it names no file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", content = "job", rename_all = "kebab-case")]
pub(crate) enum AnyJob {
    Match(PlayMatch),
    Test(Box<TestCommits>),
    Suite(RunSuite),
    ForgeGames(ForgeGames),
    ForgeSuite(ForgeSuite),
    ForgeData(ForgeData),
    Gather(Gather),
    LearnPrices(LearnPrices),
    LearnSpsa(LearnSpsa),
    LearnExtensions(LearnExtensions),
    EvolveCoeval(EvolveCoeval),
    EvolveSearch(EvolveSearch),
}

macro_rules! jobs {
    ($($Kind:ident($Job:ty)),*) => {
        $(impl From<$Job> for AnyJob {
            fn from(job: $Job) -> AnyJob {
                AnyJob::$Kind(job)
            }
        })*
    };
}

jobs!(
    LearnPrices(LearnPrices),
    Match(PlayMatch),
    Suite(RunSuite),
    ForgeGames(ForgeGames),
    ForgeSuite(ForgeSuite),
    ForgeData(ForgeData),
    Gather(Gather),
    LearnSpsa(LearnSpsa),
    LearnExtensions(LearnExtensions),
    EvolveCoeval(EvolveCoeval),
    EvolveSearch(EvolveSearch)
);

impl From<TestCommits> for AnyJob {
    fn from(job: TestCommits) -> AnyJob {
        AnyJob::Test(Box::new(job))
    }
}

impl AnyJob {
    /// The name of its game.
    pub(crate) fn game(&self) -> &str {
        match self {
            AnyJob::Match(job) => &job.game,
            AnyJob::Test(job) => &job.contest.game,
            AnyJob::Suite(job) => &job.game,
            AnyJob::ForgeGames(job) => &job.game,
            AnyJob::ForgeSuite(job) => &job.game,
            AnyJob::ForgeData(job) => &job.game,
            AnyJob::Gather(job) => &job.game,
            AnyJob::LearnPrices(job) => &job.game,
            AnyJob::LearnSpsa(job) => &job.game,
            AnyJob::LearnExtensions(job) => &job.game,
            AnyJob::EvolveCoeval(job) => &job.game,
            AnyJob::EvolveSearch(job) => &job.game,
        }
    }

    /// What people call it.
    pub(crate) fn title(&self) -> String {
        let name = match self {
            AnyJob::Match(_) => PlayMatch::NAME,
            AnyJob::Test(_) => TestCommits::NAME,
            AnyJob::Suite(_) => RunSuite::NAME,
            AnyJob::ForgeGames(_) => ForgeGames::NAME,
            AnyJob::ForgeSuite(_) => ForgeSuite::NAME,
            AnyJob::ForgeData(_) => ForgeData::NAME,
            AnyJob::Gather(_) => Gather::NAME,
            AnyJob::LearnPrices(_) => LearnPrices::NAME,
            AnyJob::LearnSpsa(_) => LearnSpsa::NAME,
            AnyJob::LearnExtensions(_) => LearnExtensions::NAME,
            AnyJob::EvolveCoeval(_) => EvolveCoeval::NAME,
            AnyJob::EvolveSearch(_) => EvolveSearch::NAME,
        };
        format!("{name} {}", self.game())
    }

    /// Whether later units follow from the results of earlier ones.
    pub(crate) fn is_in_steps(&self) -> bool {
        match self {
            AnyJob::Match(_)
            | AnyJob::Test(_)
            | AnyJob::Suite(_)
            | AnyJob::ForgeGames(_)
            | AnyJob::ForgeSuite(_)
            | AnyJob::ForgeData(_) => false,
            AnyJob::Gather(job) => job.until_stable.is_some(),
            AnyJob::LearnPrices(job) => job.rounds > 1,
            AnyJob::LearnSpsa(_) | AnyJob::LearnExtensions(_) | AnyJob::EvolveCoeval(_) | AnyJob::EvolveSearch(_) => {
                true
            }
        }
    }

    /// Whether its results hang on the clock.
    pub(crate) fn is_on_the_clock(&self) -> bool {
        let is_timed = |limits: &Limits| limits.movetime.is_some() || limits.clock.is_some();
        match self {
            AnyJob::Match(job) => job.players.iter().any(|player| is_timed(&player.limits)),
            AnyJob::Test(job) => job.contest.players.iter().any(|player| is_timed(&player.limits)),
            AnyJob::Suite(job) => job.limits.iter().any(is_timed),
            AnyJob::ForgeGames(job) => is_timed(&job.player.limits),
            AnyJob::ForgeSuite(_) | AnyJob::LearnExtensions(_) => false,
            AnyJob::ForgeData(job) => is_timed(&job.play.limits),
            AnyJob::Gather(job) => is_timed(&job.play.limits),
            AnyJob::LearnPrices(job) => is_timed(&job.play.limits),
            AnyJob::LearnSpsa(job) => is_timed(&job.player.limits),
            AnyJob::EvolveCoeval(job) => is_timed(&job.limits),
            AnyJob::EvolveSearch(job) => is_timed(&job.player.limits),
        }
    }

    /// The engines that it starts. One that is not among them cannot be started by a worker: what is read from a message is
    /// not [admitted](Engine::admitted).
    pub(crate) fn engines(&mut self) -> Vec<&mut Engine> {
        match self {
            AnyJob::Match(job) => job.players.iter_mut().filter_map(Entrant::engine_mut).collect(),
            AnyJob::ForgeGames(job) => job.player.engine_mut().into_iter().collect(),
            AnyJob::LearnSpsa(job) => job.player.engine_mut().into_iter().collect(),
            AnyJob::EvolveSearch(job) => job.player.engine_mut().into_iter().collect(),
            AnyJob::LearnExtensions(job) => match &mut job.way {
                Way::Offline { engine, .. } => engine.iter_mut().map(|examined| &mut examined.engine).collect(),
                Way::Online { .. } | Way::Play { .. } => Vec::new(),
            },
            // These are built where they are started; see `build_in`.
            AnyJob::Test(_)
            | AnyJob::Suite(_)
            | AnyJob::ForgeSuite(_)
            | AnyJob::ForgeData(_)
            | AnyJob::Gather(_)
            | AnyJob::LearnPrices(_)
            | AnyJob::EvolveCoeval(_) => Vec::new(),
        }
    }
}

impl AnyJob {
    /// Lets it build engines there, if it has any to build: the source and the commands are the coordinator's.
    pub(crate) fn build_in(&mut self, workshop: Option<Workshop>) -> Result<(), String> {
        match (self, workshop) {
            (AnyJob::Test(job), Some(workshop)) => {
                job.workshop = Some(workshop);
                Ok(())
            }
            (AnyJob::Test(_), None) => {
                Err("it builds engines from the source that it sends, which --allow-build would allow here".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// A game as a value, whatever is asked of it.
pub(crate) trait GameValue {
    /// As every game is asked.
    fn any(&self) -> &dyn AnyGame;
}

impl GameValue for Arc<dyn AnyGame> {
    fn any(&self) -> &dyn AnyGame {
        &**self
    }
}

impl GameValue for Arc<dyn LearnableGame> {
    fn any(&self) -> &dyn AnyGame {
        &**self
    }
}

/// Refuses --workers for a command whose work is one piece.
pub(crate) fn check_workers(command: &Command) -> Result {
    let run = match command {
        Command::Annotate(args) => &args.run,
        Command::Compare(args) => &args.run,
        Command::Openings(args) => &args.run,
        Command::Learn(args) => match &args.what {
            learn::What::Eval(args) => &args.run,
            learn::What::Net(args) => &args.run,
            _ => return Ok(()),
        },
        Command::Evolve(args) => match &args.what {
            evolve::What::Eval(args) => &args.run,
            _ => return Ok(()),
        },
        _ => return Ok(()),
    };
    match run.workers {
        Some(_) => Err(Failure::input("this command has no units of work that --workers could do")),
        None => Ok(()),
    }
}

/// Where a command runs its job.
pub(crate) struct Place<'a> {
    pub(crate) run: &'a RunArgs,
    /// How many units at the same time, without workers.
    pub(crate) jobs: usize,
    /// The programs that it starts.
    pub(crate) programs: &'a [PathBuf],
    /// The cores of the threads, if each is to stay on one.
    pub(crate) cores: Option<Cores>,
    pub(crate) stop: &'a Signal,
}

impl<'a> Place<'a> {
    pub(crate) fn new(run: &'a RunArgs, jobs: usize, stop: &'a Signal) -> Place<'a> {
        Place { run, jobs, programs: &[], cores: None, stop }
    }

    /// Runs a job here, or with the workers that the arguments name.
    pub(crate) fn run<J>(&self, job: &J, game: &J::Game, watch: &(dyn Fn(J::Event) + Sync)) -> Result<J::Outcome>
    where
        J: Job<Game: GameValue + Sized> + Clone,
        AnyJob: From<J>,
    {
        if self.run.workers.is_none() {
            let workplace = self.run.workplace(self.jobs, self.programs, self.stop);
            return Ok(job.run(game, &Workplace { cores: self.cores.clone(), ..workplace }, watch)?);
        }
        let coordinator = Arc::new(cluster::open(game.any(), self.run, &job.clone().into())?);
        // One thread here is enough for what workers cannot do.
        let here = self.run.workplace(1, self.programs, self.stop);
        let workplace = Workplace { executor: Executor::Coordinator(coordinator.clone()), ..here };
        let outcome = job.run(game, &workplace, watch);
        cluster::tell(&coordinator);
        outcome.map_err(Failure::from)
    }
}
