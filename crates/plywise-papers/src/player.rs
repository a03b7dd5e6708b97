use plywise_arena::{Entrant, Limits, Who};
use plywise_host::{AnyGame, NoFiles, Setting, Setup, WrittenSetup};
use plywise_run::JobError;

/// A player of a table: a profile with changes, or what an earlier step made.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    /// How a command names its profile: a built-in name, or the file that keeps it.
    profile: String,
    /// The changes to the profile.
    changes: Vec<Setting>,
    /// The file of its table, if it has one of its own.
    table: Option<String>,
    /// Whether it has a name of its own.
    is_named: bool,
    /// Everything that decides how it thinks.
    pub(crate) setup: Setup,
}

/// A table of the size that matches use by default, in MB: fast games fill no more.
const MATCH_TABLE: usize = 16;

impl Player {
    /// A built-in profile.
    pub(crate) fn of_profile(game: &dyn AnyGame, profile: &str) -> Result<Player, JobError> {
        let setup = Setup::of_profile(game, profile).map_err(JobError::input)?;
        Ok(Player { profile: profile.to_owned(), changes: Vec::new(), table: None, is_named: false, setup })
    }

    /// A player that a step made, and the file that keeps it.
    pub(crate) fn made(file: &str, setup: Setup) -> Player {
        Player { profile: file.to_owned(), changes: Vec::new(), table: None, is_named: false, setup }
    }

    /// The same under another name.
    pub(crate) fn named(mut self, name: &str) -> Player {
        name.clone_into(&mut self.setup.name);
        self.is_named = true;
        self
    }

    /// The same with other parameters.
    pub(crate) fn with(mut self, game: &dyn AnyGame, changes: &[Setting]) -> Result<Player, JobError> {
        for change in changes {
            self.setup.apply(game, change, &NoFiles).map_err(JobError::input)?;
        }
        self.changes.extend_from_slice(changes);
        Ok(self)
    }

    /// The same with a table that a step made, and the file that keeps it.
    pub(crate) fn with_table(mut self, game: &dyn AnyGame, file: &str, text: &str) -> Result<Player, JobError> {
        self.setup.add_table(game, file, text).map_err(JobError::input)?;
        self.table = Some(file.to_owned());
        Ok(self)
    }

    /// How a command names its profile.
    pub(crate) fn profile(&self) -> &str {
        &self.profile
    }

    /// As a match names it.
    pub(crate) fn word(&self) -> String {
        let name = if self.is_named { format!("name={},", self.setup.name) } else { String::new() };
        let changes = self.changes.iter().map(|Setting { path, value }| format!("set.{path}={value},"));
        let table = self.table.as_ref().map_or_else(String::new, |file| format!("table={file},"));
        format!("{name}{table}{}{}", changes.collect::<String>(), self.profile)
    }

    /// The player for a match.
    pub(crate) fn entrant(&self, game: &dyn AnyGame, limits: Limits) -> Entrant {
        let setup = Setup { hash: MATCH_TABLE, ..self.setup.clone() };
        Entrant { who: Who::Setup(WrittenSetup::of(game, &setup)), limits }
    }
}

/// A change to a profile.
pub(crate) fn setting(path: impl Into<String>, value: impl ToString) -> Setting {
    Setting { path: path.into(), value: value.to_string() }
}
