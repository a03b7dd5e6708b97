use super::RunError;
use super::digest::digest;
use crate::files::sync_folder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A file of lines that only grows. Each is a unit with its digest: `{"sum":"af63dc4c8601ec8c","unit":…}`.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    /// Where the last whole line ends.
    end: u64,
}

impl Journal {
    /// Opens the journal at `path` of the run in `directory`, and keeps others away from it.
    pub(super) fn lock(directory: &Path, path: &Path) -> Result<Journal, RunError> {
        let failed = |action| move |source| RunError::Io { action, path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed("open"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RunError::InUse(directory.to_owned())),
            // Some network file systems know no locks. Better to work there without than not at all.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failed("lock")(error)),
        }
        sync_folder(path).map_err(failed("create"))?;
        Ok(Journal { file, end: 0 })
    }

    pub(super) fn is_empty(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() == 0)
    }

    /// Gives the units, of which `check` says what is wrong. A torn last line is cut off.
    pub(super) fn read<T: DeserializeOwned>(
        &mut self,
        path: &Path,
        check: &mut dyn FnMut(&T) -> Result<(), String>,
    ) -> Result<Vec<T>, RunError> {
        let failed = |action| move |source| RunError::Io { action, path: path.to_owned(), source };
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0)).map_err(failed("read"))?;
        self.file.read_to_end(&mut bytes).map_err(failed("read"))?;
        let damaged = |(line, problem)| RunError::DamagedJournal { path: path.to_owned(), line, problem };
        let (units, end) = whole_lines(&bytes, check).map_err(damaged)?;
        self.end = end as u64;
        if end < bytes.len() {
            self.cut().map_err(failed("repair"))?;
        }
        Ok(units)
    }

    pub(super) fn append<T: Serialize>(&mut self, unit: &T) -> io::Result<()> {
        let line = seal(&serde_json::to_string(unit)?);
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

/// The units of all whole lines, and where these end; or the number of a damaged line and what is wrong with it.
///
/// The last line may be torn: without its end, or, where the machine lost power, with zeros in it. Nothing else makes a
/// line that is not a unit, except somebody who wrote into the file.
fn whole_lines<T: DeserializeOwned>(
    bytes: &[u8],
    check: &mut dyn FnMut(&T) -> Result<(), String>,
) -> Result<(Vec<T>, usize), (usize, String)> {
    let mut units = Vec::new();
    let mut start = 0;
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let end = start + line.len();
        if end == bytes.len() && (!line.ends_with(b"\n") || line.contains(&0)) {
            break;
        }
        let unit = unseal(line).and_then(|unit| serde_json::from_str(unit).map_err(|error| error.to_string()));
        let unit = unit.and_then(|unit| check(&unit).map(|()| unit));
        units.push(unit.map_err(|problem| (number + 1, problem))?);
        start = end;
    }
    Ok((units, start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<(&[u32], usize), usize>) {
        let mut odd = |unit: &u32| if unit % 2 == 1 { Ok(()) } else { Err("it is even".to_string()) };
        let found = whole_lines::<u32>(text.as_bytes(), &mut odd).map_err(|(line, _)| line);
        assert_eq!(found, expected.map(|(units, end)| (units.to_vec(), end)), "{text:?}");
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
}
