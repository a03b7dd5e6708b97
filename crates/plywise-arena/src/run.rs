//! Run directories: long work that survives being killed.
//!
//! A run directory holds `run.json`, which says what the work is, and `journal.jsonl`, to which every finished unit of
//! work is added as one line of JSON, written through to the disk before it counts. The journal is the only truth:
//! everything else in the directory can be made from it again. Opening the directory of the same work gives back what
//! is finished; a line that was torn when the process died is cut off, for its unit never counted.

mod journal;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use journal::Journal;

/// The file that says what the work is.
const MANIFEST: &str = "run.json";

/// The file with the finished units.
const JOURNAL: &str = "journal.jsonl";

/// What a run directory is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Everything that the results depend on: the command, its settings, the seed, the profiles in full. A directory is
    /// only gone on with by a command for which this is equal. The number of threads does not belong here.
    pub work: serde_json::Map<String, Value>,
    /// What is good to know but may differ: versions, the machine.
    #[serde(default)]
    pub about: serde_json::Map<String, Value>,
}

/// Why a run directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The system refused something.
    #[error("cannot {action} '{}': {source}", path.display())]
    Io {
        /// What was to be done.
        action: &'static str,
        /// To what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The directory belongs to other work.
    #[error("the run directory '{}' belongs to a different command: its {key} is {theirs}, not {ours}", path.display())]
    Different {
        /// The directory.
        path: PathBuf,
        /// The first setting that differs.
        key: String,
        /// What it is there, or `absent`.
        theirs: String,
        /// What it is here, or `absent`.
        ours: String,
    },
    /// Another process is at work there.
    #[error("the run directory '{}' is in use by another process", .0.display())]
    InUse(PathBuf),
    /// The directory has files, but not those of a run.
    #[error("'{}' is not a run directory: it has no run.json but is not empty", .0.display())]
    NotARun(PathBuf),
    /// `run.json` cannot be understood.
    #[error("'{}' is damaged: {problem}", path.display())]
    DamagedManifest {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A line of the journal that is not the last cannot be understood.
    #[error("line {line} of '{}' is damaged: {problem}", path.display())]
    DamagedJournal {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// An open run directory. While it is open no other process can open it.
#[derive(Debug)]
pub struct Run {
    path: PathBuf,
    journal: Journal,
}

impl Run {
    /// Opens the run directory at `path` for the work that `manifest` describes, and gives what is finished. Makes the
    /// directory where there is none.
    pub fn open<T: DeserializeOwned>(path: &Path, manifest: &Manifest) -> Result<(Run, Vec<T>), RunError> {
        let failed = |action, path: &Path| {
            let path = path.to_owned();
            move |source| RunError::Io { action, path, source }
        };
        fs::create_dir_all(path).map_err(failed("create", path))?;
        let manifest_path = path.join(MANIFEST);
        match fs::read_to_string(&manifest_path) {
            Ok(text) => check_manifest(path, &text, manifest)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if is_occupied(path).map_err(failed("read", path))? {
                    return Err(RunError::NotARun(path.to_owned()));
                }
                let text = serde_json::to_string_pretty(manifest).map_err(io::Error::from);
                text.and_then(|text| write_whole(&manifest_path, (text + "\n").as_bytes()))
                    .map_err(failed("write", &manifest_path))?;
            }
            Err(error) => return Err(failed("read", &manifest_path)(error)),
        }
        let (journal, finished) = Journal::open(path, &path.join(JOURNAL))?;
        Ok((Run { path: path.to_owned(), journal }, finished))
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a finished unit to the journal. When this returns it is on the disk.
    pub fn append<T: Serialize>(&mut self, unit: &T) -> io::Result<()> {
        self.journal.append(unit)
    }

    /// Writes a file that is made from the journal. Whoever reads it sees the old one or the new one, whole.
    pub fn write_derived(&self, name: &str, contents: &[u8]) -> io::Result<()> {
        write_whole(&self.path.join(name), contents)
    }
}

/// Whether a directory has files that a run which was killed while it began cannot have left.
fn is_occupied(path: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(path)? {
        if !entry?.file_name().to_string_lossy().starts_with(MANIFEST) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn check_manifest(path: &Path, text: &str, ours: &Manifest) -> Result<(), RunError> {
    let theirs: Manifest = serde_json::from_str(text)
        .map_err(|error| RunError::DamagedManifest { path: path.join(MANIFEST), problem: error.to_string() })?;
    let keys = ours.work.keys().chain(theirs.work.keys());
    match keys.into_iter().find(|key| ours.work.get(*key) != theirs.work.get(*key)) {
        None => Ok(()),
        Some(key) => {
            let words = |manifest: &Manifest| manifest.work.get(key).map_or("absent".to_owned(), excerpt);
            let (theirs, ours) = (words(&theirs), words(ours));
            Err(RunError::Different { path: path.to_owned(), key: key.clone(), theirs, ours })
        }
    }
}

/// As much of a value as fits into a sentence.
fn excerpt(value: &Value) -> String {
    const LONGEST: usize = 80;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Writes a file beside its place and then moves it there, so that it is never seen half written.
fn write_whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let mut file = File::create(&new)?;
    file.write_all(contents)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    sync_directory(path)
}

/// Makes the names of the files in a directory durable, where the system has a way to ask for it.
fn sync_directory(file: &Path) -> io::Result<()> {
    match file.parent() {
        Some(directory) if cfg!(unix) && !directory.as_os_str().is_empty() => File::open(directory)?.sync_all(),
        _ => Ok(()),
    }
}
