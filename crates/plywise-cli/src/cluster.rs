//! Runs on other machines: what a coordinator tells them, and what a worker does with it.

mod engines;

use crate::cli::{Command, read_within};
use crate::games::Games;
use crate::inputs::move_files;
use crate::workable::{Output, Parts, parts};
use crate::{Failure, Result, bench};
pub(crate) use engines::Allowed;
use plywise_arena::run::{Place, digest, digest_file};
use plywise_cluster::{ClusterError, Job, Leader, Passport, Replica, Server, Task, WorkerStats};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Every mistake of the cluster is one that its user can mend.
pub(crate) fn refusal(error: ClusterError) -> Failure {
    Failure::input(error)
}

/// The digest of this program's file.
pub(crate) fn own_build() -> String {
    std::env::current_exe().and_then(|program| digest_file(&program)).unwrap_or_default()
}

/// Who this program is for a game, and its nodes a second.
fn passport(games: Games, game: &str) -> Result<(Passport, f64)> {
    let bench::Measurement { nodes, time } = (games.find(game)?.quick_bench)()?;
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let passport = Passport { version, build: own_build(), game: game.to_owned(), bench: nodes };
    Ok((passport, nodes as f64 / time.as_secs_f64().max(1e-6)))
}

/// Runs a command whose units workers do.
pub(crate) fn with_workers(
    mut command: Command,
    games: Games,
    words: &[OsString],
    run_here: &mut dyn FnMut(&Command) -> Result,
) -> Result {
    let Some(parts) = parts(&mut command) else { return run_here(&command) };
    let leader = Arc::new(lead(parts, games, words)?);
    if let Some(mut parts) = crate::workable::parts(&mut command) {
        parts.run.place = Place::Elsewhere(leader.clone());
        // One worker here is enough for what others cannot do.
        parts.jobs.set(1);
    }
    let outcome = run_here(&command);
    tell(&leader);
    outcome
}

/// Connects to the workers of a command.
fn lead(parts: Parts, games: Games, words: &[OsString]) -> Result<Leader> {
    let Some(address) = &parts.run.workers else { return Err(Failure::input("no workers are named")) };
    let words = readable(words)?;
    if parts.run.verify.is_some() && words.iter().any(|word| is_on_the_clock(word)) {
        return Err(Failure::input("--verify compares results, and those on the clock differ: use --nodes or --depth"));
    }
    let mut files = Vec::new();
    move_files(parts.inputs, games.find(parts.game)?, &mut |file| {
        files.push(file.clone());
        Ok(file)
    })?;
    let server = Server::connect(address).map_err(refusal)?;
    let (passport, speed) = passport(games, parts.game)?;
    let job = Job {
        title: title(&words),
        run: parts.run.run.as_deref().map(run_name),
        passport,
        speed,
        in_steps: parts.in_steps,
        verify: parts.run.verify.unwrap_or(0.0) / 100.0,
        words,
        files,
    };
    let say = |news: &str| {
        // A lost reader is no reason to fail.
        let _ = writeln!(io::stderr(), "{news}");
    };
    Leader::open(server, job, say).map_err(refusal)
}

/// The words of a command without the name of the program.
fn readable(words: &[OsString]) -> Result<Vec<String>> {
    let text = |word: &OsString| {
        let word = word.to_str().map(str::to_owned);
        word.ok_or_else(|| Failure::input("workers understand no words that are not UTF-8"))
    };
    words.iter().skip(1).map(text).collect()
}

fn is_on_the_clock(word: &str) -> bool {
    ["--movetime", "--tc"].iter().any(|option| word.starts_with(option))
        || word.split(',').any(|setting| setting.starts_with("movetime=") || setting.starts_with("tc="))
}

/// What people call a run: its first words, up to the first option.
fn title(words: &[String]) -> String {
    let named: Vec<&str> = words.iter().map(String::as_str).take_while(|word| !word.starts_with('-')).collect();
    named.join(" ")
}

/// The same name for the same run directory of this machine.
fn run_name(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    digest(format!("{} {}", machine(), path.display()).as_bytes())
}

/// The name of this machine.
pub(crate) fn machine() -> String {
    let name =
        ["/proc/sys/kernel/hostname", "/etc/hostname"].iter().find_map(|file| std::fs::read_to_string(file).ok());
    let name = name.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    if name.trim().is_empty() { "unknown".to_owned() } else { name.trim().to_owned() }
}

/// Says on standard error what each worker did.
fn tell(leader: &Leader) {
    let mut lines: Vec<String> = leader.worker_stats().iter().map(|(name, stats)| describe(name, stats)).collect();
    let malformed = leader.malformed();
    lines.extend((malformed > 0).then(|| format!("{malformed} messages could not be read and were dropped")));
    for line in lines {
        // A lost reader is no reason to fail.
        let _ = writeln!(io::stderr(), "{line}");
    }
}

fn describe(name: &str, stats: &WorkerStats) -> String {
    let WorkerStats { units, faults, refused, failed, wrong } = *stats;
    let mut text = format!("worker {name}: {units} units");
    let counts = [(faults, "with a player that failed"), (refused, "not valid"), (failed, "not done")];
    for (count, words) in counts.iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!(", {count} {words}"));
    }
    if let Some(unit) = wrong {
        text.push_str(&format!(
            "; its answer to unit {unit} was wrong, it was shut out, and its other units are suspect"
        ));
    }
    text
}

fn not_for_workers() -> String {
    "this command is not for workers".to_owned()
}

/// This program as a worker.
pub(crate) struct Helper {
    pub(crate) games: Games,
    pub(crate) jobs: u16,
    pub(crate) allowed: Vec<Allowed>,
}

impl Helper {
    /// Reads the command of a coordinator. Where it starts engines, they are this worker's own.
    fn read(&self, words: &[String]) -> Result<Command, String> {
        let words = std::iter::once("plywise".into()).chain(words.iter().map(OsString::from));
        let mut command = read_within(self.games, words).map_err(|failure| failure.to_string())?;
        let parts = parts(&mut command).ok_or_else(not_for_workers)?;
        parts.starts.into_iter().try_for_each(|start| engines::admit(start, &self.allowed))?;
        Ok(command)
    }
}

impl Replica for Helper {
    fn passport(&self, game: &str) -> Result<(Passport, f64), String> {
        passport(self.games, game).map_err(|failure| failure.to_string())
    }

    fn objection(&self, words: &[String]) -> Option<String> {
        self.read(words).err()
    }

    /// Runs the command of a coordinator. It writes nothing outside its folder, and starts no engine but allowed ones.
    fn run(&self, task: Task) -> Result<(), String> {
        let mut command = self.read(&task.words)?;
        let Some(mut parts) = parts(&mut command) else { return Err(not_for_workers()) };
        *parts.run = Default::default();
        parts.run.place = Place::ForOthers(task.help);
        parts.jobs.set(self.jobs);
        let game = self.games.find(parts.game).map_err(|failure| failure.to_string())?;
        let mut files = task.files.into_iter();
        let missing = || Failure::input("the coordinator has not sent all its files");
        move_files(parts.inputs, game, &mut |_| files.next().ok_or_else(missing))
            .map_err(|failure| failure.to_string())?;
        for output in parts.outputs {
            match output {
                Output::Always(path) => *path = task.folder.join("output"),
                Output::Wanted(path) => *path = None,
            }
        }
        match command.run_here(self.games, &mut io::sink(), &task.stop) {
            Ok(()) | Err(Failure::Interrupted) => Ok(()),
            Err(failure) => Err(failure.to_string()),
        }
    }
}
