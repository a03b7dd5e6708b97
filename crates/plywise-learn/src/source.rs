//! Files that are too large to be carried within a job.

use plywise_run::{JobError, digest_reader};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

/// Opens a file for reading.
type Open = Arc<dyn Fn() -> io::Result<Box<dyn Read>> + Send + Sync>;

/// A file that a job reads: part of the job by its digest. Its name, and how it is opened on this machine, are not.
#[derive(Clone, Serialize, Deserialize)]
pub struct Source {
    /// The digest of what it holds, if it can be read more than once.
    pub digest: Option<String>,
    #[serde(skip)]
    name: String,
    #[serde(skip)]
    open: Option<Open>,
}

impl Source {
    /// A file that people know by this name.
    pub fn new(
        name: impl Into<String>,
        digest: Option<String>,
        open: impl Fn() -> io::Result<Box<dyn Read>> + Send + Sync + 'static,
    ) -> Source {
        Source { digest, name: name.into(), open: Some(Arc::new(open)) }
    }

    /// The same with the digest of what it holds.
    pub fn digested(mut self, stop: &Signal) -> Result<Source, JobError> {
        let digest = digest_reader(self.open()?).map_err(|error| self.unreadable(error, stop))?;
        self.digest = Some(digest);
        Ok(self)
    }

    /// What people call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Opens it.
    pub(crate) fn open(&self) -> Result<BufReader<Box<dyn Read>>, JobError> {
        match (&self.open, &self.digest) {
            (Some(open), _) => match open() {
                Ok(file) => Ok(BufReader::new(file)),
                Err(error) => Err(JobError::input(format!("cannot read '{}': {error}", self.name))),
            },
            (None, Some(digest)) => {
                Err(JobError::input(format!("the file with digest {digest} is not on this machine")))
            }
            (None, None) => Err(JobError::input("a file of this job is not on this machine")),
        }
    }

    /// Says that it cannot be read: perhaps only because the user interrupted that.
    pub(crate) fn unreadable(&self, reason: impl fmt::Display, stop: &Signal) -> JobError {
        match stop.is_stopped() {
            true => JobError::Interrupted,
            false => JobError::input(format!("cannot read '{}': {reason}", self.name)),
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Source").field("name", &self.name).field("digest", &self.digest).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_known_by_what_it_holds() {
        let stop = Signal::new();
        let source = Source::new("a.data", None, || Ok(Box::new(&b"foobar"[..]))).digested(&stop).unwrap();
        let written = serde_json::to_string(&source).unwrap();
        assert_eq!(written, r#"{"digest":"85944171f73967e8"}"#);
        let elsewhere: Source = serde_json::from_str(&written).unwrap();
        let error = elsewhere.open().err().unwrap().to_string();
        assert_eq!(error, "the file with digest 85944171f73967e8 is not on this machine");
        let missing = Source::new("b.data", None, || Err(io::ErrorKind::NotFound.into()));
        assert_eq!(missing.open().err().unwrap().to_string(), "cannot read 'b.data': entity not found");
    }
}
