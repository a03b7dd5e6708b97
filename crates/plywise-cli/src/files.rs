//! Reading and writing files that the user names.

use crate::{Failure, Result};
use plywise_arena::files::{Draft, try_writing, write_whole};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Writes a result to its file, whole or not at all. Where that fails it is written to `out` instead.
pub fn write(path: &Path, text: &str, out: &mut dyn Write) -> Result {
    let Err(error) = write_whole(path, text.as_bytes()) else { return Ok(()) };
    out.write_all(text.as_bytes())?;
    Err(printed_instead(path, &error))
}

fn printed_instead(path: &Path, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot write '{}': {error}; the result is printed instead", path.display()))
}

/// Finds out before the work whether its result can be written after it.
pub fn check_writable(path: &Path) -> Result {
    try_writing(path).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::input(format!("cannot write '{}': {error}", path.display()))
}

/// A file to which texts are added as they come.
pub struct Growing {
    path: PathBuf,
    target: Target,
    /// What could not be written, and why.
    unwritten: Option<(String, io::Error)>,
}

enum Target {
    /// The file itself, where everybody sees it grow.
    InPlace(File),
    /// A file that is seen once it is finished.
    Draft(Draft),
}

impl Growing {
    /// Opens the file, or makes it. What it holds stays, with an empty line after it.
    pub fn append(path: &Path) -> Result<Growing> {
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).open(path).map_err(|error| unwritable(path, &error))?;
        let mut growing = Growing { path: path.to_owned(), target: Target::InPlace(file), unwritten: None };
        match last_bytes(path) {
            Ok(Some([b'\n', b'\n'])) | Ok(None) | Err(_) => {}
            Ok(Some([_, b'\n'])) => growing.add("\n"),
            Ok(Some(_)) => growing.add("\n\n"),
        }
        Ok(growing)
    }

    /// A new file that takes its place when it is finished, or never.
    pub fn draft(path: &Path) -> Result<Growing> {
        let draft = Draft::create(path).map_err(|error| unwritable(path, &error))?;
        Ok(Growing { path: path.to_owned(), target: Target::Draft(draft), unwritten: None })
    }

    fn file(&self) -> &File {
        match &self.target {
            Target::InPlace(file) => file,
            Target::Draft(draft) => &draft.file,
        }
    }

    /// Adds a text, whole or not at all. After a failure nothing more is written: no text is missing between others.
    pub fn add(&mut self, text: &str) {
        if let Some((unwritten, _)) = &mut self.unwritten {
            unwritten.push_str(text);
            return;
        }
        let mut file = self.file();
        let end = file.seek(SeekFrom::End(0));
        if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.flush()) {
            // What a full disk took of the text is cut off again; a pipe cannot be cut.
            let _ = end.and_then(|end| file.set_len(end));
            self.unwritten = Some((text.to_owned(), error));
        }
    }

    /// Writes what did not come to its place to `out`.
    pub fn finish(mut self, out: &mut dyn Write) -> Result {
        let result = match (&mut self.target, self.unwritten.take()) {
            (Target::InPlace(_), None) => Ok(()),
            (Target::Draft(draft), None) => draft.publish().map_err(|error| (String::new(), error)),
            (_, Some(failure)) => Err(failure),
        };
        let Err((unwritten, error)) = result else { return Ok(()) };
        if let Target::Draft(draft) = &self.target {
            out.write_all(&draft.written()?)?;
        }
        out.write_all(unwritten.as_bytes())?;
        Err(printed_instead(&self.path, &error))
    }
}

/// Takes this number of bytes off the end of a file.
pub fn cut_off(path: &Path, bytes: usize) -> Result {
    let cut = || {
        let file = OpenOptions::new().write(true).open(path)?;
        file.set_len(file.metadata()?.len().saturating_sub(bytes as u64))
    };
    cut().map_err(|error: io::Error| unwritable(path, &error))
}

/// The last two bytes of a plain file that has as many.
fn last_bytes(path: &Path) -> io::Result<Option<[u8; 2]>> {
    let mut last = [0; 2];
    // A pipe has no end, and would make us wait.
    let about = std::fs::metadata(path)?;
    if !about.is_file() || about.len() < 2 {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    file.seek(SeekFrom::End(-2))?;
    file.read_exact(&mut last)?;
    Ok(Some(last))
}

/// Opens a file for reading.
pub fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    Ok(BufReader::new(file))
}

/// Says that a file cannot be read, and why.
pub fn unreadable(path: &Path, reason: impl std::fmt::Display) -> Failure {
    Failure::input(format!("cannot read '{}': {reason}", path.display()))
}
