//! Run directories: long work that survives being killed.
//!
//! A run directory holds `run.json`, which says what the work is, and `journal.jsonl`, to which every finished unit of
//! work is added as one line of JSON with a checksum, written through to the disk before it counts. The journal is the
//! only truth: everything else in the directory can be made from it again. Opening the directory of the same work gives
//! back what is finished; a line that was torn when the process died is cut off, for its unit never counted.
//!
//! [`Run`] is the directory. [`Units`] is work in numbered units on top of it, for work that needs no order of its own.
//! [`Executor`] says who does them.

use crate::files::{BESIDE, check_plain, open_plain, write_whole};
use crate::journal::{self, Journal, Mark};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The file that says what the work is.
const MANIFEST: &str = "run.json";

/// What [`Manifest::about`] calls the number of units that there will be, where that is known.
pub const TOTAL: &str = "total";

/// No `run.json` is longer.
const LONGEST_MANIFEST: u64 = 64 << 20;

/// The file with the finished units.
const JOURNAL: &str = "journal.jsonl";

/// What a run directory is for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Everything that the results depend on, by content rather than by the names of files: the command, its settings,
    /// the seed, profiles, tables, openings. A directory is resumed only by a command with an equal `work`. The
    /// number of threads does not belong here.
    pub work: Map<String, Value>,
    /// Digests of the programs that do the work, by name. Two builds may give different results, so another
    /// build resumes a directory only if its user says so.
    #[serde(default)]
    pub builds: Map<String, Value>,
    /// What is good to know but may differ, such as the machine.
    #[serde(default)]
    pub about: Map<String, Value>,
}

/// What can be seen of a run directory at once.
#[derive(Clone, Debug)]
pub struct Glance {
    /// What it is for.
    pub manifest: Manifest,
    /// When it was begun.
    pub begun: SystemTime,
    /// When something was finished there last.
    pub changed: SystemTime,
    /// The size of its journal.
    pub bytes: u64,
    /// Whether a process is at work there.
    pub is_running: bool,
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
    /// The directory was begun by another build of a program.
    #[error("the run directory '{}' was begun by another build of {program}", path.display())]
    OtherBuild {
        /// The directory.
        path: PathBuf,
        /// The program.
        program: String,
    },
    /// Another process is at work there.
    #[error("the run directory '{}' is in use by another process", .0.display())]
    InUse(PathBuf),
    /// The directory has files, but not those of a run, or none at all.
    #[error("'{}' is not a run directory: it has no run.json", .0.display())]
    NotARun(PathBuf),
    /// `run.json` cannot be understood.
    #[error("'{}' is damaged: {problem}", path.display())]
    DamagedManifest {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A line of the journal was changed or is not a unit of this work.
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
    /// Opens the run directory at `path` for the work that `manifest` describes, and hands what is finished over to
    /// `take`, unit by unit. Makes the directory where there is none.
    ///
    /// `take` says what is wrong with a unit that is not part of this work. With `resume_anyway` the directory may have
    /// been begun by other builds; `run.json` then names both.
    pub fn open<T: DeserializeOwned>(
        path: &Path,
        manifest: &Manifest,
        resume_anyway: bool,
        take: &mut dyn FnMut(T) -> Result<(), String>,
    ) -> Result<Run, RunError> {
        Run::open_as_text(path, manifest, resume_anyway, &mut parsed(take))
    }

    /// The same with units as they are written, in JSON.
    pub fn open_as_text(
        path: &Path,
        manifest: &Manifest,
        resume_anyway: bool,
        take: &mut dyn FnMut(&str) -> Result<(), String>,
    ) -> Result<Run, RunError> {
        let failed = |action, path: &Path| {
            let path = path.to_owned();
            move |source| RunError::Io { action, path, source }
        };
        fs::create_dir_all(path).map_err(failed("create", path))?;
        let (manifest_path, journal_path) = (path.join(MANIFEST), path.join(JOURNAL));
        if is_foreign(path).map_err(failed("read", path))? {
            return Err(RunError::NotARun(path.to_owned()));
        }
        // From here on no other process reads or writes the manifest.
        let mut journal = Journal::lock(path, &journal_path)?;
        let news = match manifest_text(&manifest_path) {
            Ok(text) => resume(path, &text, manifest, resume_anyway)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if !journal.is_empty().map_err(failed("read", &journal_path))? {
                    return Err(RunError::NotARun(path.to_owned()));
                }
                Some(manifest.clone())
            }
            Err(error) => return Err(failed("read", &manifest_path)(error)),
        };
        // A refusal has changed nothing.
        journal.read(&journal_path, &mut |_, unit| take(unit))?;
        news.map_or(Ok(()), |manifest| write_manifest(path, &manifest))?;
        Ok(Run { path: path.to_owned(), journal })
    }

    /// Reads a run directory without working there: what it is for, and what is finished, which is handed over to `take`.
    /// Another process may be at work in it: a line that it is just writing does not count.
    pub fn look<T: DeserializeOwned>(
        path: &Path,
        take: &mut dyn FnMut(T) -> Result<(), String>,
    ) -> Result<Manifest, RunError> {
        let manifest_path = path.join(MANIFEST);
        let text = manifest_text(&manifest_path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound if path.is_dir() => RunError::NotARun(path.to_owned()),
            _ => RunError::Io { action: "read", path: manifest_path.clone(), source },
        })?;
        let manifest = read_manifest(path, &text)?;
        let mut take = parsed(take);
        journal::look(&path.join(JOURNAL), Mark::default(), &mut |_, unit| take(unit))?;
        Ok(manifest)
    }

    /// Reads the units of a run directory that stand after a mark, hands each over with where it stands, and gives the mark
    /// after the last: from there somebody who watches reads on.
    pub fn read_on<T: DeserializeOwned>(
        path: &Path,
        from: Mark,
        take: &mut dyn FnMut(Mark, T),
    ) -> Result<Mark, RunError> {
        journal::look(&path.join(JOURNAL), from, &mut |mark, unit| {
            take(mark, read_unit(unit.as_bytes())?);
            Ok(())
        })
    }

    /// The unit at a mark of a run directory.
    pub fn unit_at<T: DeserializeOwned>(path: &Path, mark: Mark) -> Result<T, RunError> {
        let journal = path.join(JOURNAL);
        let unit = journal::unit_at(&journal, mark)?;
        read_unit(unit.as_bytes()).map_err(|problem| journal::damaged(&journal, mark, problem))
    }

    /// Whether there is a run directory at `path`.
    pub fn is_at(path: &Path) -> bool {
        fs::symlink_metadata(path.join(MANIFEST)).is_ok_and(|about| about.is_file())
    }

    /// What can be seen of a run directory without reading its journal.
    pub fn glance(path: &Path) -> Result<Glance, RunError> {
        let manifest_path = path.join(MANIFEST);
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound if path.is_dir() => RunError::NotARun(path.to_owned()),
            _ => RunError::Io { action: "read", path: manifest_path.clone(), source },
        };
        let manifest = read_manifest(path, &manifest_text(&manifest_path).map_err(failed)?)?;
        let begun = fs::metadata(&manifest_path).and_then(|about| about.modified()).map_err(failed)?;
        let journal = path.join(JOURNAL);
        let about = fs::symlink_metadata(&journal).ok();
        about.as_ref().map_or(Ok(()), check_plain).map_err(|source| RunError::Io {
            action: "read",
            path: journal.clone(),
            source,
        })?;
        let changed = about.as_ref().and_then(|about| about.modified().ok()).unwrap_or(begun);
        let bytes = about.map_or(0, |about| about.len());
        Ok(Glance { manifest, begun, changed, bytes, is_running: journal::is_locked(&journal) })
    }

    /// How many units are finished in a run directory.
    pub fn count_units(path: &Path) -> io::Result<u64> {
        journal::count(&path.join(JOURNAL))
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a finished unit to the journal. When this returns it is on the disk.
    pub fn append<T: Serialize>(&mut self, unit: &T) -> io::Result<()> {
        self.write(unit)?;
        self.sync()
    }

    /// Adds a finished unit that counts once [`Run::sync`] has put it on the disk, together with others.
    pub(crate) fn write<T: Serialize>(&mut self, unit: &T) -> io::Result<()> {
        self.journal.append(&serde_json::to_string(unit)?)
    }

    /// Puts on the disk what was written.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.journal.sync()
    }

    /// Writes a file that is made from the journal. A reader sees the old one or the new one, whole.
    pub fn write_derived(&self, name: &str, contents: &[u8]) -> io::Result<()> {
        write_whole(&self.path.join(name), contents)
    }
}

/// What reads units before it hands them over.
fn parsed<T: DeserializeOwned>(
    take: &mut dyn FnMut(T) -> Result<(), String>,
) -> impl FnMut(&str) -> Result<(), String> + '_ {
    |unit| take(read_unit(unit.as_bytes())?)
}

/// A unit that is written in JSON. All of them are read by this one way: each further one would be compiled for every kind
/// of unit.
pub fn read_unit<T: DeserializeOwned>(written: &[u8]) -> Result<T, String> {
    let text = str::from_utf8(written).map_err(|error| error.to_string())?;
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Whether a directory has files but no manifest, other than those that a run leaves which was killed while it began.
fn is_foreign(path: &Path) -> io::Result<bool> {
    let mut is_foreign = false;
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        if name == MANIFEST {
            return Ok(false);
        }
        is_foreign |= name != JOURNAL && !name.to_string_lossy().starts_with(BESIDE);
    }
    Ok(is_foreign)
}

fn write_manifest(directory: &Path, manifest: &Manifest) -> Result<(), RunError> {
    let path = directory.join(MANIFEST);
    let text = serde_json::to_string_pretty(manifest).map_err(io::Error::from);
    text.and_then(|text| write_whole(&path, (text + "\n").as_bytes())).map_err(|source| RunError::Io {
        action: "write",
        path,
        source,
    })
}

/// The text of a `run.json`, if it is a plain file of a sensible size.
fn manifest_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = open_plain(path)?.take(LONGEST_MANIFEST + 1).read_to_string(&mut text)?;
    match read as u64 > LONGEST_MANIFEST {
        true => Err(io::Error::new(io::ErrorKind::InvalidData, "it is longer than 64 MB")),
        false => Ok(text),
    }
}

fn read_manifest(directory: &Path, text: &str) -> Result<Manifest, RunError> {
    serde_json::from_str(text)
        .map_err(|error| RunError::DamagedManifest { path: directory.join(MANIFEST), problem: error.to_string() })
}

/// Checks that the directory with this manifest is for our work; the manifest that it should have, if that is another one.
fn resume(directory: &Path, manifest: &str, ours: &Manifest, anyway: bool) -> Result<Option<Manifest>, RunError> {
    let path = directory.to_owned();
    let mut theirs = read_manifest(directory, manifest)?;
    if let Some(Difference { key, theirs, ours }) = first_difference(&theirs.work, &ours.work) {
        return Err(RunError::Different { path, key, theirs, ours });
    }
    let has_grown = theirs.about.get(TOTAL) != ours.about.get(TOTAL);
    if let Some(total) = ours.about.get(TOTAL) {
        theirs.about.insert(TOTAL.into(), total.clone());
    }
    let Some(Difference { key: program, .. }) = first_difference(&theirs.builds, &ours.builds) else {
        return Ok(has_grown.then_some(theirs));
    };
    if !anyway {
        return Err(RunError::OtherBuild { path, program });
    }
    let earlier = theirs.about.entry("earlier_builds").or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(earlier) = earlier {
        earlier.push(Value::Object(theirs.builds));
    }
    theirs.builds = ours.builds.clone();
    Ok(Some(theirs))
}

/// One thing in which two manifests differ.
struct Difference {
    /// Where it stands, such as `players.0.limits`.
    key: String,
    theirs: String,
    ours: String,
}

fn first_difference(theirs: &Map<String, Value>, ours: &Map<String, Value>) -> Option<Difference> {
    let keys = ours.keys().chain(theirs.keys().filter(|key| !ours.contains_key(*key)));
    keys.into_iter().find_map(|key| {
        let difference = difference(theirs.get(key), ours.get(key))?;
        let separator = if difference.key.is_empty() { "" } else { "." };
        Some(Difference { key: format!("{key}{separator}{}", difference.key), ..difference })
    })
}

/// How two values differ, with the key of what differs within them.
fn difference(theirs: Option<&Value>, ours: Option<&Value>) -> Option<Difference> {
    let here = |theirs: String, ours: String| Some(Difference { key: String::new(), theirs, ours });
    match (theirs, ours) {
        (Some(theirs), Some(ours)) if theirs == ours => None,
        (theirs, ours) if theirs.or(ours).and_then(seconds).is_some() => {
            let words = |value: Option<&Value>| match value.map(|value| (seconds(value), value)) {
                None => "absent".to_owned(),
                Some((Some(seconds), _)) => format!("{seconds} s"),
                Some((None, other)) => excerpt(other),
            };
            here(words(theirs), words(ours))
        }
        (Some(Value::Object(theirs)), Some(Value::Object(ours))) => first_difference(theirs, ours),
        (Some(Value::Array(theirs)), Some(Value::Array(ours))) if theirs.len() == ours.len() => {
            let numbered =
                |values: &[Value]| values.iter().cloned().enumerate().map(|(i, v)| (i.to_string(), v)).collect();
            first_difference(&numbered(theirs), &numbered(ours))
        }
        (Some(Value::Array(theirs)), Some(Value::Array(ours))) => {
            here(format!("a list of {}", theirs.len()), format!("of {}", ours.len()))
        }
        (Some(Value::String(theirs)), Some(Value::String(ours))) => {
            // Of long texts, such as profiles, the line that differs says most.
            let mut lines = theirs.lines().zip(ours.lines());
            let (theirs, ours) = lines.find(|(theirs, ours)| theirs != ours).unwrap_or((theirs, ours));
            here(excerpt(&Value::from(theirs)), excerpt(&Value::from(ours)))
        }
        (theirs, ours) => {
            let words = |value: Option<&Value>| value.map_or("absent".to_owned(), excerpt);
            here(words(theirs), words(ours))
        }
    }
}

/// The seconds of a length of time as it is written in JSON.
fn seconds(value: &Value) -> Option<f64> {
    let parts = value.as_object().filter(|parts| parts.len() == 2)?;
    Some(parts.get("secs")?.as_u64()? as f64 + parts.get("nanos")?.as_u64()? as f64 / 1e9)
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
