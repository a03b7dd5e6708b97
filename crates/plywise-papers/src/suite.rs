use crate::Conditions;
use plywise_arena::suites::own_suites;
use plywise_host::AnyGame;
use plywise_run::JobError;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A suite of a paper, and ours in its place.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// What people call it.
    pub name: String,
    /// What the file is called in the folder of `--data`; the first is the usual name.
    pub files: Vec<String>,
    /// Where it comes from.
    pub source: String,
    /// How many positions or games it has.
    pub size: u64,
    /// The name of ours, which comes with the game.
    pub ours: Option<String>,
}

/// Where the positions of a suite come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SuiteSource {
    /// The paper's own, in this file.
    File(PathBuf),
    /// One of this name that comes with the game.
    Own(String),
    /// Openings that a step made, and the file that keeps them.
    Made {
        /// The file.
        file: String,
        /// What it holds.
        text: String,
    },
}

impl SuiteSource {
    /// As a command names it.
    pub(crate) fn word(&self) -> String {
        match self {
            SuiteSource::File(path) => {
                path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
            }
            SuiteSource::Own(name) => name.clone(),
            SuiteSource::Made { file, .. } => file.clone(),
        }
    }
}

impl Suite {
    /// Its usual file name.
    pub(crate) fn file(&self) -> &str {
        self.files.first().map_or("", String::as_str)
    }

    /// The file of the paper's suite, if the folder of `--data` has it.
    pub(crate) fn found(&self, conditions: &Conditions) -> Option<PathBuf> {
        let folder = conditions.data.as_ref()?;
        self.files.iter().map(|file| folder.join(file)).find(|path| path.is_file())
    }

    /// The file of the paper's suite; without `--data` ours.
    pub(crate) fn place(&self, conditions: &Conditions) -> Result<SuiteSource, JobError> {
        if let Some(path) = self.found(conditions) {
            return Ok(SuiteSource::File(path));
        }
        let (file, source) = (self.file(), &self.source);
        match (&conditions.data, &self.ours) {
            (Some(folder), _) => Err(match self.packed(folder) {
                Some(packed) => {
                    JobError::input(format!("'{}' is packed; unpack it first, to {file}", packed.display()))
                }
                None => JobError::input(format!("'{}' has no {file}: {source}", folder.display())),
            }),
            (None, Some(ours)) => Ok(SuiteSource::Own(ours.clone())),
            (None, None) => Err(JobError::input(format!("this table needs --data with {file}: {source}"))),
        }
    }

    /// The same file in the folder, but compressed.
    fn packed(&self, folder: &Path) -> Option<PathBuf> {
        let endings = ["xz", "zst", "gz", "bz2", "zip"];
        let packed = self.files.iter().flat_map(|file| endings.map(|ending| folder.join(format!("{file}.{ending}"))));
        packed.into_iter().find(|path| path.is_file())
    }

    /// The text of a suite that comes with the game.
    pub(crate) fn own_text(game: &dyn AnyGame, name: &str) -> Result<String, JobError> {
        let found = own_suites(game).into_iter().find(|(known, _)| *known == name);
        let none = || JobError::input(format!("{} has no suite '{name}'", game.title()));
        found.map(|(_, text)| text.to_owned()).ok_or_else(none)
    }
}
