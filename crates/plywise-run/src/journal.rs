use crate::RunError;
use crate::digest::digest;
use crate::files::{open_plain, sync_folder};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// A file of lines that only grows. Each is a unit with its digest: `{"sum":"af63dc4c8601ec8c","unit":…}`.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    /// Where the last whole line ends.
    end: u64,
    /// Whether all of that is on the disk.
    is_synced: bool,
}

/// No line is longer. A file that has no lines at all is no journal, however long it is.
const LONGEST: u64 = 64 << 20;

/// A place between two lines of a journal; the default is its beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    bytes: u64,
    lines: usize,
}

/// Takes a unit and where it stands, or says what is wrong with it.
pub(crate) type Take<'a> = &'a mut dyn FnMut(Mark, &str) -> Result<(), String>;

/// Hands the units after a mark of a journal that somebody else may be writing over to `take`, and gives the mark after them.
/// A torn last line does not count; there may be no journal yet.
pub(crate) fn look(path: &Path, from: Mark, take: Take) -> Result<Mark, RunError> {
    let failed = |source| RunError::Io { action: "read", path: path.to_owned(), source };
    match open_plain(path) {
        Ok(mut file) => {
            file.seek(SeekFrom::Start(from.bytes)).map_err(failed)?;
            read_lines(&file, path, from, take)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Mark::default()),
        Err(source) => Err(failed(source)),
    }
}

/// The unit that stands at a mark.
pub(crate) fn unit_at(path: &Path, mark: Mark) -> Result<String, RunError> {
    let failed = |source| RunError::Io { action: "read", path: path.to_owned(), source };
    let mut file = open_plain(path).map_err(failed)?;
    file.seek(SeekFrom::Start(mark.bytes)).map_err(failed)?;
    let mut line = Vec::new();
    let read = read_line(&mut BufReader::new(file), &mut line).map_err(failed)?;
    read.and_then(|_| unseal(&line)).map(str::to_owned).map_err(|problem| damaged(path, mark, problem))
}

/// How many whole lines a journal has; none where there is no journal yet.
pub(crate) fn count(path: &Path) -> io::Result<u64> {
    let mut journal = match open_plain(path) {
        Ok(file) => BufReader::with_capacity(1 << 16, file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let (mut lines, mut length) = (0, 0);
    loop {
        let bytes = journal.fill_buf()?;
        let read = bytes.len();
        if read == 0 {
            return Ok(lines);
        }
        lines += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let last = bytes.iter().rposition(|&byte| byte == b'\n');
        length = last.map_or(length + read as u64, |last| (read - last - 1) as u64);
        if length > LONGEST {
            return Err(io::Error::new(io::ErrorKind::InvalidData, TOO_LONG));
        }
        journal.consume(read);
    }
}

/// What is wrong with a line that has no end.
const TOO_LONG: &str = "it is longer than 64 MB, as no unit is";

/// Reads a line, its end included, and gives its length; or says that it is too long.
fn read_line(journal: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<Result<u64, String>> {
    line.clear();
    let length = journal.take(LONGEST).read_until(b'\n', line)? as u64;
    let is_whole = length < LONGEST || line.ends_with(b"\n");
    Ok(if is_whole { Ok(length) } else { Err(TOO_LONG.into()) })
}

/// Whether a process is at work on a journal.
pub(crate) fn is_locked(path: &Path) -> bool {
    let file = open_plain(path);
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Locks a file. Somebody who only looks whether it is locked holds it for a moment; that is waited for.
fn lock(file: &File) -> Result<(), TryLockError> {
    const TRIES: u32 = 20;
    for _ in 1..TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
            locked => return locked,
        }
    }
    file.try_lock()
}

/// Hands whole lines over, and says where they end.
fn read_lines(file: &File, path: &Path, from: Mark, take: Take) -> Result<Mark, RunError> {
    whole_lines(&mut BufReader::new(file), from, take).map_err(|damage| match damage {
        Damage::Read(source) => RunError::Io { action: "read", path: path.to_owned(), source },
        Damage::Line(mark, problem) => damaged(path, mark, problem),
    })
}

/// What is wrong with the line at a mark.
pub(crate) fn damaged(path: &Path, mark: Mark, problem: String) -> RunError {
    RunError::DamagedJournal { path: path.to_owned(), line: mark.lines + 1, problem }
}

impl Journal {
    /// Opens the journal at `path` of the run in `directory`, and keeps others away from it.
    pub(crate) fn lock(directory: &Path, path: &Path) -> Result<Journal, RunError> {
        let failed = |action| move |source| RunError::Io { action, path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed("open"))?;
        match lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RunError::InUse(directory.to_owned())),
            // Some network file systems know no locks. Better to work there without than not at all.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failed("lock")(error)),
        }
        sync_folder(path).map_err(failed("create"))?;
        Ok(Journal { file, end: 0, is_synced: true })
    }

    pub(crate) fn is_empty(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() == 0)
    }

    /// Hands the units over one by one to `take`, which says what is wrong with them. A torn last line is cut off.
    pub(crate) fn read(&mut self, path: &Path, take: Take) -> Result<(), RunError> {
        let failed = |action| move |source| RunError::Io { action, path: path.to_owned(), source };
        self.file.seek(SeekFrom::Start(0)).map_err(failed("read"))?;
        let length = self.file.metadata().map_err(failed("read"))?.len();
        self.end = read_lines(&self.file, path, Mark::default(), take)?.bytes;
        if self.end < length {
            self.cut().map_err(failed("repair"))?;
        }
        Ok(())
    }

    /// Adds a unit. A process that is killed afterwards has kept it; a machine that fails may lose it before
    /// [`Journal::sync`].
    pub(crate) fn append(&mut self, unit: &str) -> io::Result<()> {
        let line = seal(unit);
        if line.len() as u64 > LONGEST {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a unit cannot be kept: {TOO_LONG}")));
        }
        let written = self.write(line.as_bytes());
        if written.is_err() {
            // A full disk leaves half a line, to which nothing may be joined. The error that matters is the first.
            let _ = self.cut();
        }
        written
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(line)?;
        self.end += line.len() as u64;
        self.is_synced = false;
        Ok(())
    }

    /// Writes through to the disk.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        if !self.is_synced {
            self.file.sync_data()?;
            self.is_synced = true;
        }
        Ok(())
    }

    /// Cuts off what stands after the last whole line.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.sync_all()
    }
}

/// The line of a unit.
fn seal(unit: &str) -> String {
    format!("{{\"sum\":\"{}\",\"unit\":{unit}}}\n", digest(unit.as_bytes()))
}

/// The unit of a line, if the digest is right.
fn unseal(line: &[u8]) -> Result<&str, String> {
    let text = str::from_utf8(line).map_err(|error| error.to_string())?;
    let inner = text.strip_prefix("{\"sum\":\"").and_then(|rest| rest.strip_suffix("}\n"));
    let (sum, unit) = inner.and_then(|inner| inner.split_once("\",\"unit\":")).ok_or("it has no checksum")?;
    if sum == digest(unit.as_bytes()) { Ok(unit) } else { Err("its checksum is wrong, so it was changed".into()) }
}

/// Why a journal cannot be read.
#[derive(Debug)]
enum Damage {
    /// The system refused it.
    Read(io::Error),
    /// A line, and what is wrong with it.
    Line(Mark, String),
}

/// Hands over the units of all whole lines, and says where these end.
///
/// The last line may be torn: without its end, or, where the machine lost power, with zeros in it. Nothing else makes a
/// line that is not a unit, except somebody who wrote into the file.
fn whole_lines(journal: &mut dyn BufRead, from: Mark, take: Take) -> Result<Mark, Damage> {
    let (mut mark, mut line) = (from, Vec::new());
    loop {
        let length = read_line(journal, &mut line).map_err(Damage::Read)?;
        let length = length.map_err(|problem| Damage::Line(mark, problem))?;
        let is_last = journal.fill_buf().map_err(Damage::Read)?.is_empty();
        if length == 0 || is_last && (!line.ends_with(b"\n") || line.contains(&0)) {
            return Ok(mark);
        }
        unseal(&line).and_then(|unit| take(mark, unit)).map_err(|problem| Damage::Line(mark, problem))?;
        mark = Mark { bytes: mark.bytes + length, lines: mark.lines + 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<(&[u32], usize), usize>) {
        let mut units = Vec::new();
        let mut take_odd = |_: Mark, unit: &str| {
            let unit: u32 = unit.parse().map_err(|error| format!("{error}"))?;
            units.push(unit);
            if unit % 2 == 1 { Ok(()) } else { Err("it is even".to_string()) }
        };
        let found = match whole_lines(&mut text.as_bytes(), Mark::default(), &mut take_odd) {
            Ok(end) => Ok((&units[..], end.bytes as usize)),
            Err(Damage::Line(mark, _)) => Err(mark.lines + 1),
            Err(Damage::Read(error)) => panic!("{error}"),
        };
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn torn_lines_are_left_out_and_damage_is_told() {
        let (one, three) = (seal("1"), seal("33"));
        let (first, both) = (one.len(), one.len() + three.len());
        check("", Ok((&[], 0)));
        check(&format!("{one}{three}"), Ok((&[1, 33], both)));
        for torn in ["\0\0\0\n", "{\"sum\":\"", three.trim_end(), "\0\0\0\0\",\"unit\":33}\n"] {
            check(&format!("{one}{torn}"), Ok((&[1], first)));
        }
        check(&format!("{one}{}{three}", seal("2")), Err(2));
        check(&format!("{one}{}", three.replace("33", "35")), Err(2));
        check(&format!("{one}33\n"), Err(2));
        check(&format!("\0{one}{three}"), Err(1));
    }
    /// A file without an end, like a device.
    struct Endless(u64);

    impl Read for Endless {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            bytes.fill(b'x');
            Ok(bytes.len())
        }
    }

    #[test]
    fn a_line_without_an_end_is_refused() {
        let mut endless = BufReader::new(Endless(0));
        let found = whole_lines(&mut endless, Mark::default(), &mut |_, _| Ok(()));
        assert!(matches!(found, Err(Damage::Line(_, problem)) if problem == TOO_LONG));
        assert!(endless.get_ref().0 < 2 * LONGEST, "{}", endless.get_ref().0);
    }
}
