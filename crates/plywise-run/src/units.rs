use crate::executor::{Executor, Results, do_units};
use crate::{Manifest, Run, RunError, read_unit};
use plywise_search::Signal;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

/// Work in numbered units, each of which follows from its number alone: so they can be done in any order, by several
/// threads, in several sittings and on several machines, and the whole is the same.
///
/// With a run directory every finished unit is kept there before it counts.
pub struct Units<T> {
    run: Option<Run>,
    finished: BTreeMap<u64, T>,
    executor: Executor,
    check: Check<T>,
}

/// Says what is wrong with a result that was not made just now: one of the journal, or one that others sent.
type Check<T> = Box<dyn Fn(u64, &T) -> Result<(), String>>;

/// Why work in units cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// What is finished could not be kept.
    #[error("what is finished could not be written to the journal: {0}")]
    Journal(#[source] io::Error),
    /// Not even one thread could be started.
    #[error("no thread can be started: {0}")]
    Threads(#[source] io::Error),
    /// Others could not be asked for help, or not be given any.
    #[error("{0}")]
    Elsewhere(String),
}

/// A finished unit, as the journal holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Numbered<T> {
    /// Its number.
    pub number: u64,
    /// What came out of it.
    pub result: T,
}

impl<T> Default for Units<T> {
    /// Work that is kept nowhere.
    fn default() -> Units<T> {
        Units::unkept(|_, _| Ok(()))
    }
}

impl<T> Units<T> {
    /// Work that is kept nowhere. `check` is for the results that others send.
    pub fn unkept(check: impl Fn(u64, &T) -> Result<(), String> + 'static) -> Units<T> {
        Units { run: None, finished: BTreeMap::new(), executor: Executor::Local, check: Box::new(check) }
    }
}

impl<T: Serialize + DeserializeOwned + Send + 'static> Units<T> {
    /// The work that is kept in a run directory; see [`Run::open`]. `check` says what is wrong with a result of the journal, or
    /// with one that others send.
    pub fn open(
        path: &Path,
        manifest: &Manifest,
        resume_anyway: bool,
        check: impl Fn(u64, &T) -> Result<(), String> + 'static,
    ) -> Result<Units<T>, RunError> {
        let mut finished = BTreeMap::new();
        let mut take = |line: Numbered<T>| {
            check(line.number, &line.result)?;
            finished.insert(line.number, line.result);
            Ok(())
        };
        let run = Run::open(path, manifest, resume_anyway, &mut take)?;
        Ok(Units { run: Some(run), finished, executor: Executor::Local, check: Box::new(check) })
    }

    /// The same work by another executor. If later units depend on earlier ones, coordinator and workers begin with what
    /// the coordinator's journal holds.
    pub fn done_by(mut self, executor: &Executor) -> Result<Units<T>, WorkError> {
        match executor {
            Executor::Coordinator(coordinator) if coordinator.is_in_steps() => {
                let lines =
                    self.finished.iter().map(|(&number, result)| serde_json::to_vec(&Numbered { number, result }));
                coordinator
                    .remember(lines.collect::<Result<_, _>>().map_err(|error| WorkError::Journal(error.into()))?);
            }
            Executor::Worker(worker) if worker.is_in_steps() => {
                for line in worker.remembered() {
                    let line: Numbered<T> = read_unit(&line).map_err(WorkError::Elsewhere)?;
                    self.finished.insert(line.number, line.result);
                }
            }
            _ => {}
        }
        self.executor = executor.clone();
        Ok(self)
    }

    /// What a run directory is for, and what is finished there, by number; see [`Run::look`].
    pub fn look(
        path: &Path,
        check: &dyn Fn(u64, &T) -> Result<(), String>,
    ) -> Result<(Manifest, BTreeMap<u64, T>), RunError> {
        let mut finished = BTreeMap::new();
        let manifest = Run::look(path, &mut |line: Numbered<T>| {
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
    /// `each` gets every unit below `end`, the finished ones included, in the order of their numbers; when it
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
        // What is finished already must not change while others look at it.
        let done: Vec<u64> = self.finished.keys().copied().collect();
        let mut numbers = (told..end).filter(|number| done.binary_search(number).is_err());
        let executor = self.executor.clone();
        let mut keeping = Keeping { units: self, each, told, end, outcome: Ok(()) };
        do_units(&executor, &mut numbers, workers, stop, work, &mut keeping)?;
        keeping.outcome
    }

    /// Writes a result down. It counts after [`Run::sync`].
    fn keep(&mut self, number: u64, result: T) -> io::Result<()> {
        let line = Numbered { number, result };
        if let Some(run) = &mut self.run {
            run.write(&line)?;
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

/// Keeps the results of some units, and tells of them in order.
struct Keeping<'a, T> {
    units: &'a mut Units<T>,
    each: &'a mut dyn FnMut(u64, &T) -> ControlFlow<()>,
    told: u64,
    end: u64,
    outcome: Result<(), WorkError>,
}

impl<T: Serialize + DeserializeOwned + Send + 'static> Results<T> for Keeping<'_, T> {
    fn check(&self, number: u64, result: &T) -> Result<(), String> {
        if number < self.end { (self.units.check)(number, result) } else { Err(format!("there is no unit {number}")) }
    }

    fn take(&mut self, number: u64, result: T) -> ControlFlow<()> {
        match self.units.keep(number, result) {
            Ok(()) => self.units.tell(&mut self.told, self.end, self.each),
            Err(error) => self.fail(error),
        }
    }

    fn commit(&mut self) -> ControlFlow<()> {
        match self.units.run.as_mut().map_or(Ok(()), Run::sync) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => self.fail(error),
        }
    }
}

impl<T> Keeping<'_, T> {
    fn fail(&mut self, error: io::Error) -> ControlFlow<()> {
        self.outcome = Err(WorkError::Journal(error));
        ControlFlow::Break(())
    }
}
