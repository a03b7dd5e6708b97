use crate::directory::TOTAL;
use crate::{Cores, Executor, Manifest, Run, RunError, Units, WorkError, digest, read_unit};
use plywise_search::Signal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// A long piece of work as a value: everything that decides its result, and nothing else.
///
/// What it needs from files is part of it by content, so a job means the same on every machine and names no file. Where
/// and how it runs is the [`Workplace`]'s business.
pub trait Job: Serialize + DeserializeOwned + Send + Sync {
    /// What documents and run directories call it, such as `match`.
    const NAME: &'static str;

    /// Fields that may differ when a run is resumed, because they only say how much there is to do: the number of games.
    const MAY_GROW: &'static [&'static str] = &[];

    /// What it asks of a game.
    type Game: ?Sized;

    /// What it reports while it runs.
    type Event;

    /// What comes out of it.
    type Outcome;

    /// Runs it, and reports to `watch` on the way, from whatever thread.
    ///
    /// If the workplace's signal stops it, the outcome is what was finished until then.
    fn run(
        &self,
        game: &Self::Game,
        workplace: &Workplace,
        watch: &(dyn Fn(Self::Event) + Sync),
    ) -> Result<Self::Outcome, JobError>;

    /// What a run directory says of it: its name and its fields, long texts by their digests.
    fn work(&self) -> Result<Map<String, Value>, JobError> {
        let mut work = Map::from_iter([("command".to_owned(), Value::from(Self::NAME))]);
        match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => work.extend(fields),
            Ok(other) => drop(work.insert("job".to_owned(), other)),
            Err(error) => return Err(JobError::Failed(error.to_string())),
        }
        Self::MAY_GROW.iter().for_each(|field| drop(work.shift_remove(*field)));
        work.values_mut().for_each(shorten);
        Ok(work)
    }
}

/// Texts that are longer than this stand in `run.json` by their digest.
const LONGEST_TEXT: usize = 8192;

/// Replaces long texts by their digests, as `run.json` has them.
pub fn shorten(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > LONGEST_TEXT => *text = format!("digest {}", digest(text.as_bytes())),
        Value::Array(values) => values.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}

/// Why a job cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// What was asked for cannot be done: one sentence for the user.
    #[error("{0}")]
    Input(String),
    /// The run directory cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The work cannot go on.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// Something failed on the way: one sentence for the user.
    #[error("{0}")]
    Failed(String),
    /// It was stopped before anything was finished.
    #[error("interrupted before anything was finished")]
    Interrupted,
}

impl JobError {
    /// A mistake in what was asked for.
    pub fn input(sentence: impl ToString) -> JobError {
        JobError::Input(sentence.to_string())
    }

    /// Something that failed on the way.
    pub fn failed(sentence: impl ToString) -> JobError {
        JobError::Failed(sentence.to_string())
    }
}

/// Where and how a job runs. Nothing here decides its result.
#[derive(Clone, Debug)]
pub struct Workplace {
    /// Who does the units.
    pub executor: Executor,
    /// How many units at the same time.
    pub jobs: usize,
    /// The cores of its threads, if each is to stay on one.
    pub cores: Option<Cores>,
    /// The run directory, if the work is to be kept.
    pub directory: Option<PathBuf>,
    /// Whether to resume a run directory that another build began.
    pub resume_anyway: bool,
    /// Stops the work.
    pub stop: Signal,
    /// The version of the program, which decides results too.
    pub version: String,
    /// Digests of the programs that do the work, by name, for `run.json`.
    pub builds: Map<String, Value>,
}

impl Workplace {
    /// Threads of this process, and nothing is kept.
    pub fn local(jobs: usize, stop: &Signal) -> Workplace {
        Workplace {
            executor: Executor::Local,
            jobs,
            cores: None,
            directory: None,
            resume_anyway: false,
            stop: stop.clone(),
            version: String::new(),
            builds: Map::new(),
        }
    }

    /// The same for a part of the work, which is kept in a folder of the run directory.
    pub fn within(&self, folder: &str) -> Workplace {
        let directory = self.directory.as_ref().map(|path| path.join(folder));
        Workplace { directory, ..self.clone() }
    }

    /// The run directory of a job, if there is to be one. What is finished there goes to `take`, unit by unit, which says
    /// what is wrong with a unit.
    ///
    /// A worker has no directory of its own; it takes what the coordinator's holds.
    pub fn open<J: Job, T: DeserializeOwned>(
        &self,
        job: &J,
        total: Option<u64>,
        take: &mut dyn FnMut(T) -> Result<(), String>,
    ) -> Result<Option<Run>, JobError> {
        self.open_as_text(job.work()?, total, &mut |unit| take(read_unit(unit)?))
    }

    fn open_as_text(
        &self,
        work: Map<String, Value>,
        total: Option<u64>,
        take: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<Option<Run>, JobError> {
        let coordinator = match &self.executor {
            Executor::Worker(worker) if worker.is_in_steps() => {
                worker.remembered().iter().try_for_each(|unit| take(unit)).map_err(JobError::Failed)?;
                return Ok(None);
            }
            Executor::Coordinator(coordinator) if coordinator.is_in_steps() => Some(coordinator),
            _ => None,
        };
        let mut finished = Vec::new();
        let mut take = |unit: &str| {
            if coordinator.is_some() {
                finished.push(unit.as_bytes().to_vec());
            }
            take(unit.as_bytes())
        };
        let manifest = self.manifest(work, total);
        let open = |path: &PathBuf| Run::open_as_text(path, &manifest, self.resume_anyway, &mut take);
        let run = self.directory.as_ref().map(open).transpose()?;
        // Workers must begin with what is finished already.
        coordinator.inspect(|coordinator| coordinator.remember(finished));
        Ok(run)
    }

    /// The units of a job, kept in the run directory if there is to be one. `check` says what is wrong with a result that
    /// was not made here just now.
    pub fn units<J: Job, T: Serialize + DeserializeOwned + Send + 'static>(
        &self,
        job: &J,
        total: Option<u64>,
        check: impl Fn(u64, &T) -> Result<(), String> + 'static,
    ) -> Result<Units<T>, JobError> {
        let units = match &self.directory {
            Some(path) => Units::open(path, &self.manifest(job.work()?, total), self.resume_anyway, check)?,
            None => Units::unkept(check),
        };
        Ok(units.done_by(&self.executor)?)
    }

    /// Refuses a run of the same job that has more finished units than are asked for: their number may grow, not shrink.
    pub fn check_growth<J: Job>(&self, job: &J, wanted: u64, units: &str) -> Result<(), JobError> {
        let Some(path) = self.directory.as_deref().filter(|path| Run::is_at(path)) else { return Ok(()) };
        let ours = self.manifest(job.work()?, None).work;
        let is_same = Run::glance(path).is_ok_and(|found| found.manifest.work == ours);
        match Run::count_units(path) {
            Ok(finished) if is_same && finished > wanted => Err(JobError::Input(format!(
                "the run directory '{}' has {finished} {units} already: their number may grow, not shrink to {wanted}",
                path.display()
            ))),
            // Opening the run tells what else is wrong.
            _ => Ok(()),
        }
    }

    /// What `run.json` says.
    fn manifest(&self, mut work: Map<String, Value>, total: Option<u64>) -> Manifest {
        work.insert("version".into(), self.version.as_str().into());
        let mut about = Map::new();
        about.insert("system".into(), std::env::consts::OS.into());
        about.insert("machine".into(), std::env::consts::ARCH.into());
        about.insert(TOTAL.into(), total.into());
        Manifest { work, builds: self.builds.clone(), about }
    }

    /// Writes a file of a run directory that is made from its journal.
    pub fn derive(&self, run: &Run, name: &str, text: &str) -> Result<(), JobError> {
        let folder: &Path = run.path();
        let failed = |error| JobError::Failed(format!("cannot write to '{}': {error}", folder.display()));
        run.write_derived(name, text.as_bytes()).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    /// Squares of the numbers below `end`.
    #[derive(Serialize, Deserialize)]
    struct Squares {
        end: u64,
        offset: u64,
        text: String,
    }

    impl Job for Squares {
        const NAME: &'static str = "squares";
        const MAY_GROW: &'static [&'static str] = &["end"];
        type Game = ();
        type Event = u64;
        type Outcome = Vec<u64>;

        fn run(&self, _: &(), workplace: &Workplace, watch: &(dyn Fn(u64) + Sync)) -> Result<Vec<u64>, JobError> {
            workplace.check_growth(self, self.end, "squares")?;
            let offset = self.offset;
            let check = move |number: u64, square: &u64| match *square == number * number + offset {
                true => Ok(()),
                false => Err(format!("{square} is not the square of {number}")),
            };
            let mut units = workplace.units(self, Some(self.end), check)?;
            let work = |(): &mut (), number: u64, _: &Signal| Some(number * number + offset);
            let mut each = |_, square: &u64| {
                watch(*square);
                std::ops::ControlFlow::Continue(())
            };
            units.work(self.end, vec![(); workplace.jobs], &workplace.stop, work, &mut each)?;
            Ok(units.into_finished().into_values().collect())
        }
    }

    fn squares(end: u64) -> Squares {
        Squares { end, offset: 0, text: "x".repeat(LONGEST_TEXT + 1) }
    }

    #[test]
    fn a_job_is_resumed_by_an_equal_one_that_may_want_more() {
        let folder = tempfile::tempdir().unwrap();
        let workplace = Workplace { directory: Some(folder.path().join("run")), ..Workplace::local(2, &Signal::new()) };
        let sum = std::sync::atomic::AtomicU64::new(0);
        let watch = |square: u64| {
            sum.fetch_add(square, std::sync::atomic::Ordering::Relaxed);
        };
        assert_eq!(squares(3).run(&(), &workplace, &watch).unwrap(), [0, 1, 4]);
        assert_eq!(squares(5).run(&(), &workplace, &watch).unwrap(), [0, 1, 4, 9, 16]);
        assert_eq!(sum.into_inner(), 5 + 30);

        let shrunk = squares(2).run(&(), &workplace, &|_| {}).unwrap_err().to_string();
        assert!(shrunk.contains("may grow, not shrink to 2"), "{shrunk}");
        let other = Squares { offset: 1, ..squares(5) }.run(&(), &workplace, &|_| {}).unwrap_err().to_string();
        assert!(other.contains("its offset is 0, not 1"), "{other}");
        let text = Squares { text: "y".repeat(LONGEST_TEXT + 1), ..squares(5) };
        let text = text.run(&(), &workplace, &|_| {}).unwrap_err().to_string();
        assert!(text.contains("its text is \"digest "), "{text}");
    }

    #[test]
    fn a_job_survives_being_written_and_read() {
        let text = serde_json::to_string(&squares(4)).unwrap();
        let read: Squares = serde_json::from_str(&text).unwrap();
        assert_eq!(read.work().unwrap(), squares(4).work().unwrap());
        assert_eq!(read.run(&(), &Workplace::local(1, &Signal::new()), &|_| {}).unwrap(), [0, 1, 4, 9]);
    }
}
