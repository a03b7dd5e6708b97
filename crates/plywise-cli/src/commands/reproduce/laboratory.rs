//! Runs the jobs of tables as the arguments of `reproduce` say.

use crate::commands::evolve::lineage;
use crate::commands::matches;
use crate::engine::Disk;
use crate::games::Games;
use crate::jobs::{AnyJob, GameValue, Place};
use crate::memory::check_tables;
use crate::players::{PlayerSpec, check_memory, programs};
use crate::progress::JobMeter;
use crate::runs::RunArgs;
use crate::{Failure, Result};
use plywise_arena::matches::{ForgeGames, ForgeGamesEvent, GameRecord, MatchOutcome, PlayMatch};
use plywise_arena::openings::MakeOpenings;
use plywise_arena::suites::{RunSuite, SuiteOutcome};
use plywise_arena::{Entrant, Limits};
use plywise_host::{AnyGame, Files, SuiteEntry};
use plywise_learn::evolution::{EvolveCoeval, EvolveEval, EvolveSearch, EvolvedCoeval, EvolvedEval, EvolvedSearch};
use plywise_learn::extensions::{Event, LearnExtensions, LearnedExtensions};
use plywise_learn::{Gather, GatherEvent, Gathered, LearnableGame};
use plywise_papers::Laboratory;
use plywise_run::{Job, JobError};
use plywise_search::Signal;
use std::sync::{Arc, Mutex, PoisonError};

/// Where the jobs of a table run.
pub(super) struct Bench<'a> {
    pub(super) games: Games<'a>,
    pub(super) run: &'a RunArgs,
    /// How many units at the same time.
    pub(super) jobs: usize,
    pub(super) stop: &'a Signal,
}

impl From<Failure> for JobError {
    fn from(failure: Failure) -> JobError {
        match failure {
            Failure::Input(sentence) => JobError::Input(sentence),
            Failure::Interrupted => JobError::Interrupted,
            failure => JobError::failed(failure),
        }
    }
}

impl Bench<'_> {
    /// Runs a job in a folder of the run directory, with the workers if there are any.
    fn run<J>(
        &self,
        step: usize,
        job: &J,
        game: &J::Game,
        jobs: usize,
        watch: &(dyn Fn(J::Event) + Sync),
    ) -> Result<J::Outcome, JobError>
    where
        J: Job<Game: GameValue + Sized> + Clone,
        AnyJob: From<J>,
    {
        let run = self.run.within(&format!("step-{step}"));
        let outcome = Place::new(&run, jobs, self.stop).run(job, game, watch)?;
        self.finished(outcome)
    }

    /// Runs a job that workers do not do.
    fn run_here<J: Job>(
        &self,
        step: usize,
        job: &J,
        game: &J::Game,
        watch: &(dyn Fn(J::Event) + Sync),
    ) -> Result<J::Outcome, JobError>
    where
        J::Game: Sized,
    {
        let run = self.run.within(&format!("step-{step}"));
        self.finished(job.run(game, &run.workplace(self.jobs, &[], self.stop), watch)?)
    }

    /// What a job that was not interrupted came to.
    fn finished<T>(&self, outcome: T) -> Result<T, JobError> {
        if self.stop.is_stopped() { Err(JobError::Interrupted) } else { Ok(outcome) }
    }

    fn any(&self, name: &str) -> Result<Arc<dyn AnyGame>, JobError> {
        Ok(self.games.game(name)?)
    }
}

impl Laboratory for Bench<'_> {
    fn game(&self, name: &str) -> Result<Arc<dyn LearnableGame>, JobError> {
        Ok(self.games.learnable(name)?)
    }

    fn files(&self) -> &dyn Files {
        &Disk
    }

    fn player(&self, game: &dyn AnyGame, text: &str, limits: Limits) -> Result<Entrant, JobError> {
        let player: PlayerSpec = text.parse().map_err(JobError::input)?;
        Ok(player.read(game, Some(limits))?)
    }

    fn keep(&self, name: &str, text: &str) -> Result<(), JobError> {
        let Some(run) = &self.run.run else { return Ok(()) };
        let made = run.join("made");
        let written = std::fs::create_dir_all(&made)
            .and_then(|()| plywise_run::files::write_whole(&made.join(name), text.as_bytes()));
        written.map_err(|error| JobError::failed(format!("cannot write to '{}': {error}", made.display())))
    }

    fn play_match(&self, step: usize, job: &PlayMatch) -> Result<MatchOutcome, JobError> {
        check_memory(&job.players, self.jobs)?;
        let (run, programs) = (self.run.within(&format!("step-{step}")), programs(&job.players));
        let place = Place { programs: &programs, ..Place::new(&run, self.jobs, self.stop) };
        let outcome = matches::play(job, &self.any(&job.game)?, &place)?;
        self.finished(outcome)
    }

    fn run_suite(&self, step: usize, job: &RunSuite) -> Result<SuiteOutcome, JobError> {
        let jobs = self.jobs.clamp(1, job.positions.len().max(1));
        let largest = job.players.iter().map(|player| player.hash).max().unwrap_or(0);
        check_tables(largest, jobs)?;
        let meter = JobMeter::default();
        meter.begin((job.heats().count() * job.positions.len()) as u64, "positions");
        let outcome = self.run(step, job, &self.any(&job.game)?, jobs, &|()| meter.advance());
        meter.finish();
        outcome
    }

    fn make_openings(&self, step: usize, job: &MakeOpenings) -> Result<Vec<SuiteEntry>, JobError> {
        let meter = JobMeter::default();
        let game = self.any(&job.game)?;
        let outcome = match &job.balance {
            // There is nothing to keep of openings that no search judges.
            None => job.run(&game, &RunArgs::default().workplace(1, &[], self.stop), &|()| {}),
            Some(_) => {
                meter.begin(job.wanted.unwrap_or(0), "openings");
                self.run_here(step, job, &game, &|()| meter.advance())
            }
        };
        meter.finish();
        self.finished(outcome?)
    }

    fn forge_games(&self, step: usize, job: &ForgeGames) -> Result<Vec<GameRecord>, JobError> {
        check_memory(std::slice::from_ref(&job.player), 2 * self.jobs)?;
        let (meter, records) = (JobMeter::default(), Mutex::new(Vec::new()));
        meter.begin(job.games, "games");
        self.run(step, job, &self.any(&job.game)?, self.jobs, &|event| {
            let (ForgeGamesEvent::Found(record) | ForgeGamesEvent::Played(record)) = event;
            records.lock().unwrap_or_else(PoisonError::into_inner).push(*record);
            meter.advance();
        })?;
        meter.finish();
        let mut records = records.into_inner().unwrap_or_else(PoisonError::into_inner);
        records.sort_by_key(|record: &GameRecord| record.index);
        Ok(records)
    }

    fn gather(&self, step: usize, job: &Gather) -> Result<Gathered, JobError> {
        let meter = JobMeter::default();
        let outcome = self.run(step, job, &self.game(&job.game)?, self.jobs, &|event| match event {
            GatherEvent::Round(games) => meter.begin(games, "games"),
            GatherEvent::Game => meter.advance(),
        });
        meter.finish();
        outcome
    }

    fn learn_extensions(&self, step: usize, job: &LearnExtensions) -> Result<LearnedExtensions, JobError> {
        let is_play = job.suite.is_empty();
        let jobs = self.jobs.clamp(1, job.suite.len().max(1));
        check_tables(job.player.hash, if is_play { 2 } else { jobs })?;
        let meter = JobMeter::default();
        let what = if is_play { "games" } else { "positions" };
        let outcome = self.run(step, job, &self.game(&job.game)?, jobs, &|event| match event {
            Event::Begun { left } => meter.begin(left, what),
            Event::Done => meter.advance(),
        });
        meter.finish();
        outcome
    }

    fn evolve_eval(&self, step: usize, job: &EvolveEval) -> Result<EvolvedEval, JobError> {
        let meter = JobMeter::default();
        let game = self.game(&job.game)?;
        let outcome = self.run_here(step, job, &game, &|event| lineage::show_progress(&meter, event));
        meter.finish();
        outcome
    }

    fn evolve_coeval(&self, step: usize, job: &EvolveCoeval) -> Result<EvolvedCoeval, JobError> {
        check_tables(2 * job.player.hash, self.jobs)?;
        let meter = JobMeter::default();
        let game = self.game(&job.game)?;
        let outcome = self.run(step, job, &game, self.jobs, &|event| lineage::show_progress(&meter, event));
        meter.finish();
        outcome
    }

    fn evolve_search(&self, step: usize, job: &EvolveSearch) -> Result<EvolvedSearch, JobError> {
        check_tables(job.player.hash(), self.jobs)?;
        let meter = JobMeter::default();
        let game = self.game(&job.game)?;
        let outcome = self.run(step, job, &game, self.jobs, &|event| lineage::show_progress(&meter, event));
        meter.finish();
        outcome
    }
}
