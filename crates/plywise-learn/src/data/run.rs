use super::header;
use crate::forge_data::{Block, ForgeData};
use plywise_run::{Job, Mark, Numbered, Run, RunError};
use serde::Deserialize;
use serde_json::Value;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The run directory of a [`ForgeData`], read like the file that it comes to: the blocks that were finished when it was
/// opened, in the order of their numbers. It may grow meanwhile.
#[derive(Clone, Debug)]
pub struct ForgedRun {
    path: PathBuf,
    game: String,
    /// Where the blocks stand in the journal.
    blocks: Arc<[Mark]>,
}

/// Why a folder cannot be read as data.
#[derive(Debug, thiserror::Error)]
pub enum ForgedRunError {
    /// It is no run directory, or damaged.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It is the run directory of another command.
    #[error("'{}' is a run directory of '{command}', not of 'forge data'", path.display())]
    Command {
        /// The directory.
        path: PathBuf,
        /// Its command.
        command: String,
    },
}

impl ForgedRun {
    /// Notes which blocks are finished.
    pub fn open(path: &Path) -> Result<ForgedRun, ForgedRunError> {
        /// All that has to be known of a block.
        #[derive(Deserialize)]
        struct Finished {}

        let work = Run::glance(path)?.manifest.work;
        let text = |key: &str| work.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        if text("command") != ForgeData::NAME {
            return Err(ForgedRunError::Command { path: path.to_owned(), command: text("command") });
        }
        let mut blocks = Vec::new();
        Run::read_on(path, Mark::default(), &mut |mark, block: Numbered<Finished>| blocks.push((block.number, mark)))?;
        blocks.sort_by_key(|(number, _)| *number);
        let blocks = blocks.into_iter().map(|(_, mark)| mark).collect();
        Ok(ForgedRun { path: path.to_owned(), game: text("game"), blocks })
    }

    /// The bytes of the file.
    pub fn read(&self) -> impl Read + use<> {
        Reading { run: self.clone(), next: 0, bytes: header(&self.game), taken: 0 }
    }
}

/// A run that is being read, one block at a time.
struct Reading {
    run: ForgedRun,
    /// The block that comes next.
    next: usize,
    bytes: Vec<u8>,
    /// How many of these bytes were handed out.
    taken: usize,
}

impl Read for Reading {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.bytes.len() {
            let Some(&mark) = self.run.blocks.get(self.next) else { return Ok(0) };
            let block: Numbered<Block> = Run::unit_at(&self.run.path, mark).map_err(io::Error::other)?;
            (self.bytes, self.taken) = (block.result.unpack().map_err(io::Error::other)?, 0);
            self.next += 1;
        }
        let read = (&self.bytes[self.taken..]).read(buffer)?;
        self.taken += read;
        Ok(read)
    }
}
