//! Reading and writing files that the user names.

use crate::{Failure, Outcome};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Writes a result to its file, whole or not at all.
pub fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| Failure::input(format!("cannot write '{}': {error}", path.display())))
}

/// Finds out before the work whether its result can be written after it.
pub fn check_writable(path: &Path) -> Outcome {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() || !folder.is_dir() {
        return Err(Failure::input(format!("cannot write '{}': it is no place for a file", path.display())));
    }
    Ok(())
}

/// Opens a file for reading.
pub fn open(path: &Path) -> Outcome<BufReader<File>> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    Ok(BufReader::new(file))
}

/// Says that a file cannot be read, and why.
pub fn unreadable(path: &Path, reason: impl std::fmt::Display) -> Failure {
    Failure::input(format!("cannot read '{}': {reason}", path.display()))
}
