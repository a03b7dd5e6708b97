//! Reading and writing files that the user names.

use crate::{Failure, Result};
use plywise_game::lines::decode;
use plywise_run::files::{Draft, try_writing, write_whole};
use plywise_search::Signal;
use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

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

/// The largest file that is read as a whole. What is larger is no network, table, profile or list of positions.
const MOST_BYTES: u64 = 256 << 20;

thread_local! {
    /// What ends the reading of the command that this thread runs.
    static INTERRUPT: RefCell<Option<Signal>> = const { RefCell::new(None) };
}

/// Runs a command whose reading of files ends, as an interrupt, when `stop` says so: pipes may never give anything, and
/// devices never end.
pub fn interruptible<T>(stop: &Signal, command: impl FnOnce() -> T) -> T {
    let outer = INTERRUPT.replace(Some(stop.clone()));
    let result = command();
    INTERRUPT.set(outer);
    result
}

fn is_interrupted() -> bool {
    INTERRUPT.with_borrow(|stop| stop.as_ref().is_some_and(Signal::is_stopped))
}

/// Opens a file for reading: a plain one, a pipe or a device.
pub fn open(path: &Path) -> Result<BufReader<Input>> {
    open_input(path).map(BufReader::new).map_err(|error| unreadable(path, error))
}

/// The same without a buffer, and with what the system says.
pub(crate) fn open_input(path: &Path) -> io::Result<Input> {
    let about = std::fs::metadata(path)?;
    Ok(match about.is_file() || about.is_dir() {
        true => Input::Plain(File::open(path)?),
        false => Input::Piped { pieces: read_elsewhere(path.to_owned()), piece: Vec::new(), taken: 0 },
    })
}

/// What a file gives, until the command is interrupted.
pub enum Input {
    /// A file on a disk, which does not keep us waiting.
    Plain(File),
    /// A pipe or a device. Another thread reads it, so that this one can look for an interrupt meanwhile.
    Piped {
        /// What was read.
        pieces: Receiver<io::Result<Vec<u8>>>,
        /// The piece that is being handed out.
        piece: Vec<u8>,
        /// How many bytes of it are.
        taken: usize,
    },
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const PATIENCE: Duration = Duration::from_millis(20);
        match self {
            _ if is_interrupted() => Err(io::Error::other("interrupted")),
            Input::Plain(file) => file.read(buffer),
            Input::Piped { pieces, piece, taken } => {
                while *taken == piece.len() {
                    match pieces.recv_timeout(PATIENCE) {
                        Ok(next) => (*piece, *taken) = (next?, 0),
                        Err(RecvTimeoutError::Disconnected) => return Ok(0),
                        Err(RecvTimeoutError::Timeout) if is_interrupted() => {
                            return Err(io::Error::other("interrupted"));
                        }
                        Err(RecvTimeoutError::Timeout) => {}
                    }
                }
                let read = (&piece[*taken..]).read(buffer)?;
                *taken += read;
                Ok(read)
            }
        }
    }
}

/// Reads a pipe or a device on a thread of its own. Even opening a pipe may take for ever; then the thread is left behind.
fn read_elsewhere(path: PathBuf) -> Receiver<io::Result<Vec<u8>>> {
    const PIECE: usize = 1 << 16;
    let (sender, receiver) = sync_channel(4);
    let read = move || {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return drop(sender.send(Err(error))),
        };
        loop {
            let mut piece = vec![0; PIECE];
            match file.read(&mut piece) {
                Ok(0) => return,
                Err(error) => return drop(sender.send(Err(error))),
                Ok(length) => piece.truncate(length),
            }
            if sender.send(Ok(piece)).is_err() {
                return;
            }
        }
    };
    // Where no thread can be started, the closed channel reads as an empty file.
    let _ = thread::Builder::new().name("input".into()).spawn(read);
    receiver
}

/// All that a file holds.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, error))?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err(unreadable(path, format!("it is longer than {} MB", MOST_BYTES >> 20))),
        false => Ok(bytes),
    }
}

/// The text that a file holds, in UTF-8 or Latin-1.
pub fn read_text(path: impl AsRef<Path>) -> Result<String> {
    let bytes = read(path.as_ref())?;
    match bytes.contains(&0) {
        true => Err(unreadable(path.as_ref(), "it is not text")),
        false => Ok(decode(&bytes).into_owned()),
    }
}

/// Says that a file cannot be read, and why: perhaps only because the command was interrupted.
pub fn unreadable(path: &Path, reason: impl std::fmt::Display) -> Failure {
    match is_interrupted() {
        true => Failure::Interrupted,
        false => Failure::input(format!("cannot read '{}': {reason}", path.display())),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn neither_devices_nor_pipes_are_read_for_ever() {
        let error = read(Path::new("/dev/zero")).unwrap_err().to_string();
        assert_eq!(error, "cannot read '/dev/zero': it is longer than 256 MB");
        let folder = tempfile::tempdir().unwrap();
        let [silent, talking] = ["silent", "talking"].map(|name| folder.path().join(name));
        assert!(std::process::Command::new("mkfifo").args([&silent, &talking]).status().unwrap().success());
        let stop = Signal::new();
        let waiting = thread::spawn({
            let stop = stop.clone();
            move || interruptible(&stop, || read_text(silent))
        });
        thread::sleep(Duration::from_millis(50));
        assert!(!waiting.is_finished());
        stop.stop();
        assert!(matches!(waiting.join().unwrap(), Err(Failure::Interrupted)));
        let reading = thread::spawn({
            let talking = talking.clone();
            move || read_text(talking)
        });
        std::fs::write(&talking, b"Gr\xfc\xdfe").unwrap();
        assert_eq!(reading.join().unwrap().unwrap(), "Grüße");
    }
}
