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
}

impl<'a> Lab<'a> {
    /// A place for the jobs of one table.
    pub fn new(conditions: &'a Conditions, laboratory: &'a dyn Laboratory) -> Lab<'a> {
        Lab { conditions, laboratory, commands: Vec::new() }
    }

    /// The jobs so far, as commands that can be typed.
    pub fn commands(&self) -> &[String] {
        &self.commands
    }

    /// Notes a job as the words of a command; the number of its step.
    pub(crate) fn begin(&mut self, words: &str) -> usize {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        self.commands.push(format!("plywise {words}"));
        self.commands.len() - 1
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
