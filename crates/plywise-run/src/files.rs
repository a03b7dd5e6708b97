//! Files that are whole or absent.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Writes a file beside its place, through to the disk, and then moves it there. A reader sees the whole old file or the
/// whole new one; if the disk is full, the old one stays.
///
/// A link stays a link: what it points to is replaced. Anything but a plain file, such as a pipe, is written to as it
/// stands.
pub fn write_whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut draft = Draft::create(path)?;
    draft.file.write_all(contents)?;
    draft.publish()
}

/// A file that is written bit by bit beside its place, and comes there when it is finished. A draft that is dropped
/// leaves no trace.
///
/// Anything but a plain file, such as a pipe, is written to as it stands.
#[derive(Debug)]
pub struct Draft {
    /// Where to write.
    pub file: File,
    /// Where it stands and where it belongs; `None` where that is the same.
    beside: Option<(Beside, PathBuf)>,
}

impl Draft {
    /// Begins the file for `path`.
    pub fn create(path: &Path) -> io::Result<Draft> {
        let Some(place) = replaceable(path)? else {
            let file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
            return Ok(Draft { file, beside: None });
        };
        let (file, beside) = Beside::create(&place)?;
        if let Ok(old) = fs::metadata(&place) {
            file.set_permissions(old.permissions())?;
        }
        Ok(Draft { file, beside: Some((beside, place)) })
    }

    /// Moves the file to its place, once it is on the disk. Where that fails the draft stays.
    pub fn publish(&mut self) -> io::Result<()> {
        let Some((beside, place)) = &mut self.beside else { return Ok(()) };
        self.file.sync_all()?;
        fs::rename(&beside.path, &place)?;
        beside.is_there = false;
        sync_folder(place)
    }

    /// What was written so far; nothing for a pipe, where it has arrived.
    pub fn written(&self) -> io::Result<Vec<u8>> {
        self.beside.as_ref().map_or(Ok(Vec::new()), |(beside, _)| fs::read(&beside.path))
    }
}

/// Opens a file to read it, if it is a plain one: a link may lead anywhere, a device has no end, and a pipe waits for somebody
/// to write.
pub(crate) fn open_plain(path: &Path) -> io::Result<File> {
    check_plain(&fs::symlink_metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    // It may have been replaced just now.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    let file = options.open(path)?;
    check_plain(&file.metadata()?)?;
    Ok(file)
}

/// Refuses anything but a plain file.
pub(crate) fn check_plain(about: &fs::Metadata) -> io::Result<()> {
    if about.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link or a device, not a plain file"))
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
#[derive(Debug)]
struct Beside {
    path: PathBuf,
    /// Whether it is still there. Once it is moved away its name may be that of another thread's file.
    is_there: bool,
}

impl Beside {
    fn create(place: &Path) -> io::Result<(File, Beside)> {
        let (folder, Some(_)) = (folder(place), place.file_name()) else {
            return Err(io::ErrorKind::InvalidFilename.into());
        };
        let mut number = 0;
        loop {
            let path = folder.join(format!("{BESIDE}{}-{number}.new", process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((file, Beside { path, is_there: true })),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if self.is_there {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the names of the files in a folder durable, where the system has a way to ask for it.
pub(crate) fn sync_folder(file: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder(file))?.sync_all() } else { Ok(()) }
}
