//! Files that are whole or absent.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Writes a file beside its place, through to the disk, and then moves it there. Whoever reads it sees the old one or
/// the new one, whole; where the disk is full the old one stays.
///
/// A link stays a link: what it points to is replaced. What is no plain file, such as a pipe, is written to as it
/// stands.
pub fn write_whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    let Some(place) = replaceable(path)? else { return fs::write(path, contents) };
    let mut new = Beside::create(&place)?;
    if let Ok(old) = fs::metadata(&place) {
        new.file.set_permissions(old.permissions())?;
    }
    new.file.write_all(contents)?;
    new.file.sync_all()?;
    fs::rename(&new.path, &place)?;
    sync_folder(&place)
}

/// Finds out whether [`write_whole`] can write here, as far as that can be known before. It leaves no trace.
pub fn try_writing(path: &Path) -> io::Result<()> {
    match replaceable(path)? {
        Some(place) => Beside::create(&place).map(drop),
        // Opening a pipe would wait for its reader.
        None => Ok(()),
    }
}

/// The plain file, there or not, that a path leads to; `None` where it leads to a device or a pipe.
fn replaceable(path: &Path) -> io::Result<Option<PathBuf>> {
    // Standard output may be a plain file, but one that others hold open under this name.
    if path.starts_with("/dev") {
        return Ok(None);
    }
    match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path).map(Some),
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(path.to_owned())),
        Err(error) => Err(error),
    }
}

/// How the names of files begin that are being written beside others.
pub(crate) const BESIDE: &str = ".plywise-";

/// A new file in the folder of another one, deleted again unless it is moved away.
struct Beside {
    file: File,
    path: PathBuf,
}

impl Beside {
    fn create(place: &Path) -> io::Result<Beside> {
        let (folder, Some(_)) = (folder(place), place.file_name()) else {
            return Err(io::ErrorKind::InvalidFilename.into());
        };
        let mut number = 0;
        loop {
            let path = folder.join(format!("{BESIDE}{}-{number}.new", process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Beside { file, path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // Once it is moved away there is nothing to delete.
        let _ = fs::remove_file(&self.path);
    }
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the names of the files in a folder durable, where the system has a way to ask for it.
pub(crate) fn sync_folder(file: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder(file))?.sync_all() } else { Ok(()) }
}
