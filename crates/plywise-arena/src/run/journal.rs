use super::{RunError, sync_directory};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A file of lines that only grows.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    /// Where the last whole line ends.
    end: u64,
}

impl Journal {
    /// Opens the journal at `path` of the run in `directory`, and gives its units. A torn last line is cut off.
    pub(super) fn open<T: DeserializeOwned>(directory: &Path, path: &Path) -> Result<(Journal, Vec<T>), RunError> {
        let failed = |action| move |source| RunError::Io { action, path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed("open"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RunError::InUse(directory.to_owned())),
            // Some network file systems know no locks. Better to work there without than not at all.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failed("lock")(error)),
        }
        sync_directory(path).map_err(failed("create"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed("read"))?;
        let (units, end) = whole_lines(path, &bytes)?;
        let mut journal = Journal { file, end: end as u64 };
        if end < bytes.len() {
            journal.cut().map_err(failed("repair"))?;
        }
        Ok((journal, units))
    }

    pub(super) fn append<T: Serialize>(&mut self, unit: &T) -> io::Result<()> {
        let mut line = serde_json::to_vec(unit)?;
        line.push(b'\n');
        let written = self.write(&line);
        if written.is_err() {
            // A full disk leaves half a line, to which nothing may be joined. The error that matters is the first.
            let _ = self.cut();
        }
        written
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(line)?;
        self.file.sync_data()?;
        self.end += line.len() as u64;
        Ok(())
    }

    /// Cuts off what stands after the last whole line.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.sync_all()
    }
}

/// The units of all whole lines, and where these end. The last line may be torn: without its end, or, where the machine
/// lost power, with rubbish in it.
fn whole_lines<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<(Vec<T>, usize), RunError> {
    let mut units = Vec::new();
    let mut start = 0;
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let end = start + line.len();
        match serde_json::from_slice(line) {
            Ok(unit) if line.ends_with(b"\n") => units.push(unit),
            _ if end == bytes.len() => break,
            Ok(_) => break,
            Err(error) => {
                let problem = error.to_string();
                return Err(RunError::DamagedJournal { path: path.to_owned(), line: number + 1, problem });
            }
        }
        start = end;
    }
    Ok((units, start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&[u32], usize)>) {
        let found = whole_lines::<u32>(Path::new("j"), text.as_bytes()).ok();
        assert_eq!(found, expected.map(|(units, end)| (units.to_vec(), end)), "{text:?}");
    }

    #[test]
    fn torn_lines_are_left_out_and_damage_is_told() {
        check("", Some((&[], 0)));
        check("1\n22\n", Some((&[1, 22], 5)));
        check("1\n22", Some((&[1], 2)));
        check("1\n\0\0\0\n", Some((&[1], 2)));
        check("1\n{\"a", Some((&[1], 2)));
        check("1\nx\n3\n", None);
    }
}
