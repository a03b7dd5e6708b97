//! Files that jobs read: what is in them is part of the job, where they lie is not.

use crate::runs::RunArgs;
use crate::{Failure, Result, files};
use plywise_learn::Source;
use plywise_learn::data::ForgedRun;
use plywise_search::Signal;
use std::path::{Path, PathBuf};

/// Recorded games. Their digest is taken for a run directory alone: reading a file twice takes time, and a pipe is empty then.
pub fn recorded(paths: &[PathBuf], run: &RunArgs) -> Result<Vec<Source>> {
    paths.iter().map(|path| Ok(file(path, run.digest(path)?))).collect()
}

/// Games of 'forge data': files, or its run directories, which may be growing.
pub fn data(paths: &[PathBuf]) -> Result<Vec<Source>> {
    let source = |path: &PathBuf| match path.is_dir() {
        false => Ok(file(path, None)),
        true => {
            let run = ForgedRun::open(path).map_err(Failure::input)?;
            Ok(Source::new(path.display().to_string(), None, move || Ok(Box::new(run.read()))))
        }
    };
    paths.iter().map(source).collect()
}

/// The same with digests.
pub fn digested_data(paths: &[PathBuf], stop: &Signal) -> Result<Vec<Source>> {
    data(paths)?.into_iter().map(|source| Ok(source.digested(stop)?)).collect()
}

fn file(path: &Path, digest: Option<String>) -> Source {
    let place = path.to_owned();
    Source::new(path.display().to_string(), digest, move || Ok(Box::new(files::open_input(&place)?)))
}
