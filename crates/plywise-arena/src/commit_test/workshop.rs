//! Where engines are built: a folder for each source and build command, so that nothing is built twice.

use super::bench::{Bench, read_bench};
use super::engine_file::Recipe;
use super::shell::{self, CommandError};
use super::source::SourceTree;
use crate::engine::Engine;
use plywise_run::{JobError, digest, files};
use plywise_search::Signal;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The folder that keeps the builds and the tests of an author's repository.
pub const KEPT: &str = "plywise-tests";

/// The folder with the builds of engines.
#[derive(Clone, Debug)]
pub struct Workshop {
    folder: PathBuf,
    /// The most minutes of a build or a bench, whatever its recipe says.
    most_minutes: u32,
}

/// An engine that is built.
#[derive(Clone, Debug)]
pub struct Built {
    /// What people call it.
    pub name: String,
    /// Where its commands run.
    folder: PathBuf,
    /// Where the output of its bench goes.
    logs: PathBuf,
    recipe: Recipe,
    /// Whether it was built earlier.
    pub was_ready: bool,
}

/// The file that says that a build is finished, and of what.
const FINISHED: &str = "built.json";

/// How often it is looked whether another process has finished the same build.
const GLANCE: Duration = Duration::from_millis(50);

impl Workshop {
    /// A workshop in a folder, which is made when something is built.
    pub fn new(folder: impl Into<PathBuf>) -> Workshop {
        Workshop { folder: folder.into(), most_minutes: u32::MAX }
    }

    /// The same with a limit for each build and each bench, whatever its recipe says.
    pub fn no_longer_than(self, minutes: u32) -> Workshop {
        Workshop { most_minutes: minutes, ..self }
    }

    /// Builds a source, or finds it built. `name` is for people; `begin` hears that a build begins.
    ///
    /// A build that was cut off is begun again; two processes that want the same build do it once.
    pub fn build(
        &self,
        source: &SourceTree,
        recipe: &Recipe,
        name: &str,
        stop: &Signal,
        begin: &dyn Fn(),
    ) -> Result<Built, JobError> {
        let key = digest(format!("{}\n{}\n{}", source.digest(), recipe.folder, recipe.build).as_bytes());
        let failed =
            |error: io::Error| JobError::Failed(format!("cannot build in '{}': {error}", self.folder.display()));
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let folder = self.folder.canonicalize().map_err(failed)?;
        let place = folder.join(&key);
        let lock = File::create(folder.join(format!("{key}.lock"))).map_err(failed)?;
        hold(&lock, stop).map_err(|error| error.of("the folder of the builds"))?;
        let sources = place.join("source");
        let folder = sources.join(&recipe.folder);
        let limit = |minutes: u32| minutes.min(self.most_minutes);
        let recipe = Recipe {
            build_minutes: limit(recipe.build_minutes),
            bench_minutes: limit(recipe.bench_minutes),
            ..recipe.clone()
        };
        let (name, logs) = (name.to_owned(), place.clone());
        let built = |was_ready| Built { name, folder, logs, recipe, was_ready };
        if place.join(FINISHED).is_file() {
            return Ok(built(true));
        }
        if place.exists() {
            fs::remove_dir_all(&place).map_err(failed)?;
        }
        fs::create_dir_all(&sources).map_err(failed)?;
        source.write(&sources).map_err(failed)?;
        begin();
        let built = built(false);
        built.make(&place.join("build.log"), stop)?;
        let about = serde_json::json!({"name": built.name, "build": built.recipe.build});
        files::write_whole(&place.join(FINISHED), format!("{about}\n").as_bytes()).map_err(failed)?;
        Ok(built)
    }
}

/// Waits for a lock, which ends with the process that holds it.
fn hold(lock: &File, stop: &Signal) -> Result<(), CommandError> {
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if stop.is_stopped() => return Err(CommandError::Interrupted),
            Err(TryLockError::WouldBlock) => thread::sleep(GLANCE),
            Err(TryLockError::Error(error)) => return Err(CommandError::Failed(format!("cannot be locked: {error}"))),
        }
    }
}

impl Built {
    fn make(&self, log: &Path, stop: &Signal) -> Result<(), JobError> {
        let Recipe { build, build_minutes, .. } = &self.recipe;
        let what = format!("the build of {} ('{build}')", self.name);
        if !self.folder.is_dir() {
            return Err(JobError::Input(format!("{} has no folder '{}'", self.name, self.recipe.folder)));
        }
        if !build.trim().is_empty() {
            shell::run(build, &self.folder, log, minutes(*build_minutes), stop).map_err(|error| error.of(&what))?;
        }
        Ok(())
    }

    /// The engine: its program in the folder of the build, or one that the system finds.
    pub fn engine(&self, options: &[(String, String)]) -> Result<Engine, JobError> {
        let run = &self.recipe.run;
        let mut words = shlex::split(run).unwrap_or_default().into_iter();
        let Some(program) = words.next().filter(|program| !program.is_empty()) else {
            return Err(JobError::Input(format!("run = '{run}' names no program")));
        };
        let names = [program.clone(), format!("{program}{}", std::env::consts::EXE_SUFFIX)];
        let own = names.iter().map(|name| self.folder.join(name)).find(|path| path.is_file());
        let program = match own {
            Some(path) => path.display().to_string(),
            None if Path::new(&program).components().count() > 1 => {
                return Err(JobError::Input(format!(
                    "the build of {} leaves no program '{program}'; 'run' in plywise-engine.toml names it",
                    self.name
                )));
            }
            None => program,
        };
        Ok(Engine {
            name: self.name.clone(),
            arguments: words.collect(),
            directory: Some(self.folder.clone()),
            options: options.to_vec(),
            ..Engine::new(self.recipe.protocol, program)
        })
    }

    /// Runs its bench, if it has one. The speed is what the bench prints, otherwise that of the whole command.
    pub(super) fn bench(&self, stop: &Signal) -> Result<Option<Bench>, JobError> {
        let Some(line) = &self.recipe.bench else { return Ok(None) };
        let what = format!("the bench of {} ('{line}')", self.name);
        let limit = minutes(self.recipe.bench_minutes);
        let unread = |error: io::Error| JobError::Failed(format!("{what} cannot be read: {error}"));
        // Other processes may run the bench of the same build at the same time.
        let output = tempfile::Builder::new().prefix("bench-").suffix(".log").tempfile_in(&self.logs);
        let output = output.map_err(unread)?.into_temp_path();
        let took = match shell::run(line, &self.folder, &output, limit, stop) {
            Ok(took) => took,
            Err(error) => {
                // The sentence may name it.
                if matches!(error, CommandError::Failed(_)) {
                    let _ = output.keep();
                }
                return Err(error.of(&what));
            }
        };
        let Bench { nodes, speed } = read_bench(&shell::tail(&output).map_err(unread)?).ok_or_else(|| {
            JobError::Input(format!("{what} prints no count of nodes; let it end with '1234567 nodes 987654 nps'"))
        })?;
        let measured = (nodes as f64 / took.as_secs_f64().max(1e-6)) as u64;
        Ok(Some(Bench { nodes, speed: Some(speed.filter(|speed| *speed > 0).unwrap_or(measured)) }))
    }
}

fn minutes(count: u32) -> Duration {
    Duration::from_secs(60 * u64::from(count))
}
