use super::{Manifest, Run, RunError};
use plywise_search::Signal;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Work in numbered units, each of which follows from its number alone: so they can be done in any order, by several
/// threads and in several sittings, and the whole is the same.
///
/// With a run directory every finished unit is kept there before it counts.
#[derive(Debug)]
pub struct Units<T> {
    run: Option<Run>,
    finished: BTreeMap<u64, T>,
}

/// Why work in units cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// What is finished could not be kept.
    #[error("what is finished could not be written to the journal: {0}")]
    Journal(#[source] io::Error),
    /// Not even one thread could be started.
    #[error("no thread can be started: {0}")]
    Threads(#[source] io::Error),
}

/// Ends the work of all threads when one of them panics: the unit that it leaves out would never be finished.
struct EndOnPanic<'a>(&'a Signal);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
struct Line<T> {
    number: u64,
    result: T,
}

impl<T> Default for Units<T> {
    /// Work that is kept nowhere.
    fn default() -> Units<T> {
        Units { run: None, finished: BTreeMap::new() }
    }
}

impl<T: Serialize + DeserializeOwned + Send> Units<T> {
    /// The work that is kept in a run directory; see [`Run::open`].
    pub fn open(
        path: &Path,
        manifest: &Manifest,
        resume_anyway: bool,
        check: &dyn Fn(u64, &T) -> Result<(), String>,
    ) -> Result<Units<T>, RunError> {
        let mut finished = BTreeMap::new();
        let mut take = |line: Line<T>| {
            check(line.number, &line.result)?;
            finished.insert(line.number, line.result);
            Ok(())
        };
        let run = Run::open(path, manifest, resume_anyway, &mut take)?;
        Ok(Units { run: Some(run), finished })
    }

    /// What a run directory is for, and what is finished there, by number; see [`Run::look`].
    pub fn look(
        path: &Path,
        check: &dyn Fn(u64, &T) -> Result<(), String>,
    ) -> Result<(Manifest, BTreeMap<u64, T>), RunError> {
        let mut finished = BTreeMap::new();
        let manifest = Run::look(path, &mut |line: Line<T>| {
            check(line.number, &line.result)?;
            finished.insert(line.number, line.result);
            Ok(())
        })?;
        Ok((manifest, finished))
    }

    /// The run directory, where there is one.
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// The run directory, once the work is done.
    pub fn into_run(self) -> Option<Run> {
        self.run
    }

    /// What is finished, by number.
    pub fn finished(&self) -> &BTreeMap<u64, T> {
        &self.finished
    }

    /// The finished units, by number.
    pub fn into_finished(self) -> BTreeMap<u64, T> {
        self.finished
    }

    /// Does the units below `end` that are not finished, with each worker on a thread of its own.
    ///
    /// `each` is told of every unit below `end`, the finished ones included, in the order of their numbers; when it
    /// breaks off, enough is done. `work` gives nothing where `stop` interrupted it; then nothing more is begun.
    pub fn work<W: Send>(
        &mut self,
        end: u64,
        workers: Vec<W>,
        stop: &Signal,
        work: impl Fn(&mut W, u64, &Signal) -> Option<T> + Sync,
        each: &mut dyn FnMut(u64, &T) -> ControlFlow<()>,
    ) -> Result<(), WorkError> {
        let mut told = 0;
        if self.tell(&mut told, end, each).is_break() {
            return Ok(());
        }
        // What is finished already must not change while the threads look at it.
        let done: Vec<u64> = self.finished.keys().copied().collect();
        let (next, ended) = (AtomicU64::new(told), stop.child());
        let (sender, results) = mpsc::channel();
        let (mut outcome, mut is_over, mut threads) = (Ok(()), false, 0);
        thread::scope(|scope| {
            for mut worker in workers {
                let (next, done, ended, work, sender) = (&next, &done, &ended, &work, sender.clone());
                let work = move || {
                    let _end = EndOnPanic(ended);
                    while !ended.is_stopped() {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= end {
                            return;
                        }
                        if done.binary_search(&number).is_ok() {
                            continue;
                        }
                        let Some(result) = work(&mut worker, number, ended) else { return };
                        if sender.send((number, result)).is_err() {
                            return;
                        }
                    }
                };
                // Fewer threads than were asked for do the same; without any, nothing is done.
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(_) => threads += 1,
                    Err(error) if threads == 0 => outcome = Err(WorkError::Threads(error)),
                    Err(_) => break,
                }
            }
            drop(sender);
            for (number, result) in results {
                // What comes in after the end was under way and is not needed.
                if is_over {
                    continue;
                }
                outcome = self.keep(number, result).map_err(WorkError::Journal);
                is_over = outcome.is_err() || self.tell(&mut told, end, each).is_break();
                if is_over {
                    ended.stop();
                }
            }
        });
        outcome
    }

    fn keep(&mut self, number: u64, result: T) -> io::Result<()> {
        let line = Line { number, result };
        if let Some(run) = &mut self.run {
            run.append(&line)?;
        }
        self.finished.insert(number, line.result);
        Ok(())
    }

    /// Tells of the finished units that have not been told of and have none missing before them.
    fn tell(&self, told: &mut u64, end: u64, each: &mut dyn FnMut(u64, &T) -> ControlFlow<()>) -> ControlFlow<()> {
        while *told < end
            && let Some(result) = self.finished.get(told)
        {
            *told += 1;
            each(*told - 1, result)?;
        }
        ControlFlow::Continue(())
    }
}
