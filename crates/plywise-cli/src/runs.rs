//! Run directories as the commands use them.

use crate::document::object;
use crate::engine::Setup;
use crate::process::this_program;
use crate::{Failure, Result, files};
use clap::Args;
use plywise_host::AnyGame;
use plywise_run::{Executor, JobError, Manifest, RunError, TOTAL, Units, WorkError, Workplace, digest, digest_file};
use plywise_search::Signal;
use plywise_search::{LearnedTable, Origin, write_groups};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Where long work is kept.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Run directory")]
pub struct RunArgs {
    /// The run directory: finished work is kept there, and the same command resumes it
    #[arg(long, value_name = "DIR")]
    pub run: Option<PathBuf>,
    /// Resume the run of another build of the same version, although its results may differ
    #[arg(long, requires = "run")]
    pub resume_anyway: bool,
    /// Let the workers at a NATS server do the work: nats://HOST:PORT, or tls://HOST:PORT; see 'plywise worker --help'
    #[arg(long, value_name = "URL", help_heading = "Other machines")]
    pub workers: Option<String>,
    /// Repeat this percentage of the work on another worker and compare the results
    #[arg(long, value_name = "PERCENT", requires = "workers", value_parser = parse_percent)]
    #[arg(help_heading = "Other machines")]
    pub verify: Option<f64>,
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').unwrap_or(text).trim().parse().ok();
    percent
        .filter(|percent| (0.0..=100.0).contains(percent))
        .ok_or_else(|| "it is a number from 0 to 100, such as 2%".into())
}

/// What a run directory holds.
pub struct RunContents {
    /// Everything that decides the results.
    what: Value,
    /// How many units there will be, if that is known.
    total: Option<u64>,
}

impl RunContents {
    /// Work of `units` units, whose results depend on `what`.
    pub fn new(what: Value, total: impl Into<Option<u64>>) -> RunContents {
        RunContents { what, total: total.into() }
    }
}

impl RunArgs {
    /// Where and how a job runs that these arguments keep. `engines` are the programs that it starts.
    pub fn workplace(&self, jobs: usize, engines: &[PathBuf], stop: &Signal) -> Workplace {
        Workplace {
            executor: Executor::Local,
            jobs,
            cores: None,
            directory: self.run.clone(),
            resume_anyway: self.resume_anyway,
            stop: stop.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            builds: builds(engines),
        }
    }

    /// The same in this run directory.
    pub fn at(&self, run: &Path) -> RunArgs {
        RunArgs {
            run: Some(run.to_owned()),
            resume_anyway: self.resume_anyway,
            workers: self.workers.clone(),
            verify: self.verify,
        }
    }

    /// The same for a part of the work, which is kept in a folder within.
    pub fn within(&self, folder: &str) -> RunArgs {
        let run = self.run.as_ref().map(|path| path.join(folder));
        RunArgs { run, ..self.at(Path::new("")) }
    }

    /// The digest of a file that decides the results, for the run directory if one is asked for. Only a plain file gives
    /// the same when it is read again.
    pub fn digest(&self, path: &Path) -> Result<Option<String>> {
        match &self.run {
            None => Ok(None),
            Some(_) if !path.is_file() => Err(files::unreadable(path, "--run needs a file that can be read again")),
            Some(_) => digest_input(path).map(Some),
        }
    }

    /// Writes a file of the run directory that is made from its journal, if there is a run directory.
    pub fn derive(&self, name: &str, text: &str) -> Result {
        let Some(path) = &self.run else { return Ok(()) };
        let failed = |error| Failure::Failed(format!("cannot write to '{}': {error}", path.display()));
        plywise_run::files::write_whole(&path.join(name), text.as_bytes()).map_err(failed)
    }

    /// Work in units, kept in the run directory if one is asked for. `check` says what is wrong with a result that was not
    /// made just now, here.
    pub fn units<T: Serialize + DeserializeOwned + Send + 'static>(
        &self,
        work: RunContents,
        check: impl Fn(u64, &T) -> Result<(), String> + 'static,
    ) -> Result<Units<T>> {
        match &self.run {
            Some(path) => Units::open(path, &manifest(work), self.resume_anyway, check).map_err(refusal),
            None => Ok(Units::unkept(check)),
        }
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Failure {
        match error {
            JobError::Input(sentence) => Failure::Input(sentence),
            JobError::Run(error) => refusal(error),
            JobError::Work(error) => fail(error),
            JobError::Failed(sentence) => Failure::Failed(sentence),
            JobError::Interrupted => Failure::Interrupted,
        }
    }
}

fn refusal(error: RunError) -> Failure {
    match error {
        RunError::OtherBuild { .. } => {
            Failure::input(format!("{error}, whose results may differ; --resume-anyway goes on with it"))
        }
        RunError::Different { path, key, theirs, ours } => {
            Failure::input(RunError::Different { path, key: option_of(&key), theirs, ours })
        }
        error => Failure::input(error),
    }
}

/// The option that sets what has this key in `run.json`, as `--movetime of player 1`; the key itself where there is none.
fn option_of(key: &str) -> String {
    // The last of these that is part of the key is the most exact one.
    const OPTIONS: &[(&str, &str)] = &[
        ("seed", "--seed"),
        ("sprt", "--sprt"),
        ("shuffle", "--shuffle"),
        ("openings", "--openings"),
        ("tables", "--table"),
        ("format", "--gauntlet"),
        ("nodes", "--nodes"),
        ("depth", "--depth"),
        ("movetime", "--movetime"),
        ("clock", "--tc"),
        ("draw", "--draw"),
        ("resign", "--resign"),
        ("longest", "--max-moves"),
        ("repetitions", "--repetitions"),
        ("margin", "--margin"),
        ("threads", "--threads"),
        ("hash", "--hash"),
    ];
    let parts: Vec<&str> = key.split('.').collect();
    let option = parts.iter().rev().find_map(|part| OPTIONS.iter().find(|(name, _)| name == part));
    let option = option.map_or_else(|| parts.last().copied().unwrap_or_default(), |(_, option)| option);
    match parts[..] {
        ["players", number, _, ..] => {
            let number = number.parse::<usize>().map_or_else(|_| number.to_owned(), |number| (number + 1).to_string());
            format!("{option} of player {number}")
        }
        [_] => option.to_owned(),
        _ if option.starts_with("--") => option.to_owned(),
        _ => key.to_owned(),
    }
}

/// What decides the results, and the version of this program, which does too.
fn versioned(what: Value) -> Map<String, Value> {
    let mut work = object(what);
    work.insert("version".into(), env!("CARGO_PKG_VERSION").into());
    work
}

fn manifest(RunContents { what, total }: RunContents) -> Manifest {
    let about = json!({"system": std::env::consts::OS, "machine": std::env::consts::ARCH, TOTAL: total});
    Manifest { work: versioned(what), builds: builds(&[]), about: object(about) }
}

/// The digests of this program and of engines.
fn builds(engines: &[PathBuf]) -> Map<String, Value> {
    let mut builds = Map::new();
    let own = this_program().and_then(|program| digest_file(&program.file));
    builds.insert("plywise".into(), own.unwrap_or_default().into());
    for engine in engines {
        // An engine that cannot be read is known by its command alone.
        if let Some(digest) = program_file(engine).and_then(|file| digest_file(&file).ok()) {
            builds.insert(engine.display().to_string(), digest.into());
        }
    }
    builds
}

/// The file of a program, which may be written as its name alone.
fn program_file(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.to_owned());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Everything that decides how a setup thinks, by content.
pub fn describe_setup(game: &dyn AnyGame, setup: &Setup) -> Result<Value> {
    let knowledge = game.knowledge(setup)?;
    Ok(json!({
        "name": setup.name,
        "search": write_groups("search", &setup.params),
        "evaluation": write_groups("evaluation", &setup.weights),
        "network": setup.network.as_ref().map(|named| named.network.digest()),
        "tables": {
            "rank_cut": knowledge.rank_cut.as_deref().map(digest_table),
            "realization": knowledge.realization.as_deref().map(digest_table),
            "probcut": knowledge.probcut.as_deref().map(digest_table),
            "learned_price": knowledge.prices.as_deref().map(digest_table),
        },
        "threads": setup.threads,
        "hash": setup.hash,
    }))
}

/// The digest of what a table holds, wherever it comes from.
fn digest_table(table: &impl LearnedTable) -> String {
    let nowhere = Origin { game: String::new(), settings: String::new(), samples: 0 };
    digest(table.write(&nowhere).as_bytes())
}

/// The digest of a file that decides the results.
pub fn digest_input(path: &Path) -> Result<String> {
    digest_file(path).map_err(|error| files::unreadable(path, error))
}

/// Says why work had to end.
pub fn fail(error: WorkError) -> Failure {
    Failure::Failed(error.to_string())
}
