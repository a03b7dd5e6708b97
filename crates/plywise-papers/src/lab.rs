use crate::Conditions;
use crate::player::Player;
use plywise_arena::matches::{ForgeGames, GameRecord, MatchOutcome, PlayMatch};
use plywise_arena::openings::MakeOpenings;
use plywise_arena::suites::{RunSuite, SuiteOutcome};
use plywise_arena::{Entrant, Limits};
use plywise_host::{AnyGame, Files, SuiteEntry};
use plywise_learn::evolution::{EvolveCoeval, EvolveEval, EvolveSearch, EvolvedCoeval, EvolvedEval, EvolvedSearch};
use plywise_learn::extensions::{LearnExtensions, LearnedExtensions};
use plywise_learn::{Gather, Gathered, LearnableGame};
use plywise_run::JobError;
use std::sync::Arc;

/// Does the jobs of a table. Where each is kept, who does its units and how its progress is shown is its business; `step`
/// is the number of the job in its table. A job that was interrupted is an error.
pub trait Laboratory {
    /// The game of this name.
    fn game(&self, name: &str) -> Result<Arc<dyn LearnableGame>, JobError>;

    /// The files of this machine.
    fn files(&self) -> &dyn Files;

    /// A player as it is written on the command line.
    fn player(&self, game: &dyn AnyGame, text: &str, limits: Limits) -> Result<Entrant, JobError>;

    /// Keeps a file that a step made, for people who want to look at it.
    fn keep(&self, name: &str, text: &str) -> Result<(), JobError>;

    /// A match.
    fn play_match(&self, step: usize, job: &PlayMatch) -> Result<MatchOutcome, JobError>;

    /// A suite.
    fn run_suite(&self, step: usize, job: &RunSuite) -> Result<SuiteOutcome, JobError>;

    /// Openings.
    fn make_openings(&self, step: usize, job: &MakeOpenings) -> Result<Vec<SuiteEntry>, JobError>;

    /// Games of self-play.
    fn forge_games(&self, step: usize, job: &ForgeGames) -> Result<Vec<GameRecord>, JobError>;

    /// Statistics of self-play.
    fn gather(&self, step: usize, job: &Gather) -> Result<Gathered, JobError>;

    /// Prices of moves.
    fn learn_extensions(&self, step: usize, job: &LearnExtensions) -> Result<LearnedExtensions, JobError>;

    /// Evaluations that imitate.
    fn evolve_eval(&self, step: usize, job: &EvolveEval) -> Result<EvolvedEval, JobError>;

    /// Evaluations that play each other.
    fn evolve_coeval(&self, step: usize, job: &EvolveCoeval) -> Result<EvolvedCoeval, JobError>;

    /// Searches.
    fn evolve_search(&self, step: usize, job: &EvolveSearch) -> Result<EvolvedSearch, JobError>;
}

/// Where the experiment of a table runs its jobs, one after another.
pub struct Lab<'a> {
    /// How much is wanted.
    pub(crate) conditions: &'a Conditions,
    /// Who does it.
    pub(crate) laboratory: &'a dyn Laboratory,
    commands: Vec<String>,
    /// The number of the next step, where it is not the number of commands so far.
    next: Option<usize>,
}

impl<'a> Lab<'a> {
    /// A place for the jobs of one table.
    pub fn new(conditions: &'a Conditions, laboratory: &'a dyn Laboratory) -> Lab<'a> {
        Lab { conditions, laboratory, commands: Vec::new(), next: None }
    }

    /// The jobs so far, as commands that can be typed.
    pub fn commands(&self) -> &[String] {
        &self.commands
    }

    /// Notes a job as the words of a command; the number of its step.
    pub(crate) fn begin(&mut self, words: &str) -> usize {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        self.commands.push(format!("plywise {words}"));
        self.next.take().unwrap_or(self.commands.len() - 1)
    }

    /// Gives the next job this number: a table of which parts can be made alone keeps each in the same place.
    pub(crate) fn number_next(&mut self, step: usize) {
        self.next = Some(step);
    }

    /// A game.
    pub(crate) fn game(&self, name: &str) -> Result<Arc<dyn LearnableGame>, JobError> {
        self.laboratory.game(name)
    }

    /// Built-in profiles as players.
    pub(crate) fn players<const N: usize>(&self, game: &str, names: [&str; N]) -> Result<[Player; N], JobError> {
        let game = self.game(game)?;
        let players = names.iter().map(|name| Player::of_profile(&*game, name));
        let players = players.collect::<Result<Vec<_>, JobError>>()?;
        players.try_into().map_err(|_| JobError::failed("a player is missing"))
    }

    /// The text of a file.
    pub(crate) fn read(&self, path: &std::path::Path) -> Result<Vec<u8>, JobError> {
        self.laboratory.files().read(&path.display().to_string()).map_err(JobError::input)
    }
}

/// A word of a command as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_string(), |word| word.into_owned())
}

/// Knows the games and does no job, for tests of what tables ask for.
#[cfg(test)]
pub(crate) struct Idle(Vec<Arc<dyn LearnableGame>>);

#[cfg(test)]
impl Idle {
    pub(crate) fn new() -> Idle {
        Idle(plywise_learn::games::built_in())
    }
}

#[cfg(test)]
impl Laboratory for Idle {
    fn game(&self, name: &str) -> Result<Arc<dyn LearnableGame>, JobError> {
        let found = self.0.iter().find(|game| game.name() == name).cloned();
        found.ok_or_else(|| JobError::failed(format!("no game {name}")))
    }

    fn files(&self) -> &dyn Files {
        &plywise_host::NoFiles
    }

    fn player(&self, _: &dyn AnyGame, _: &str, _: Limits) -> Result<Entrant, JobError> {
        Err(JobError::Interrupted)
    }

    fn keep(&self, _: &str, _: &str) -> Result<(), JobError> {
        Ok(())
    }

    fn play_match(&self, _: usize, _: &PlayMatch) -> Result<MatchOutcome, JobError> {
        Err(JobError::Interrupted)
    }

    fn run_suite(&self, _: usize, _: &RunSuite) -> Result<SuiteOutcome, JobError> {
        Err(JobError::Interrupted)
    }

    fn make_openings(&self, _: usize, _: &MakeOpenings) -> Result<Vec<SuiteEntry>, JobError> {
        Err(JobError::Interrupted)
    }

    fn forge_games(&self, _: usize, _: &ForgeGames) -> Result<Vec<GameRecord>, JobError> {
        Err(JobError::Interrupted)
    }

    fn gather(&self, _: usize, _: &Gather) -> Result<Gathered, JobError> {
        Err(JobError::Interrupted)
    }

    fn learn_extensions(&self, _: usize, _: &LearnExtensions) -> Result<LearnedExtensions, JobError> {
        Err(JobError::Interrupted)
    }

    fn evolve_eval(&self, _: usize, _: &EvolveEval) -> Result<EvolvedEval, JobError> {
        Err(JobError::Interrupted)
    }

    fn evolve_coeval(&self, _: usize, _: &EvolveCoeval) -> Result<EvolvedCoeval, JobError> {
        Err(JobError::Interrupted)
    }

    fn evolve_search(&self, _: usize, _: &EvolveSearch) -> Result<EvolvedSearch, JobError> {
        Err(JobError::Interrupted)
    }
}
