//! Commands of an author: in a folder of their own, with limits, and never longer than this process.

use crate::engine::Group;
use plywise_game::lines::decode;
use plywise_run::JobError;
use plywise_search::Signal;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A command that writes more is ended: it would fill the disk.
const MOST_OUTPUT: u64 = 256 << 20;

/// How much of the end of an output is looked at.
const TAIL: u64 = 1 << 20;

/// How often a command is looked at.
const GLANCE: Duration = Duration::from_millis(2);

/// Why a command did not do what it should.
pub(super) enum CommandError {
    /// It was interrupted.
    Interrupted,
    /// What went wrong, to follow the name of the command.
    Failed(String),
}

impl CommandError {
    /// The same as the failure of a job. `what` names the command, such as `the build of main 12ab34c`.
    pub(super) fn of(self, what: &str) -> JobError {
        match self {
            CommandError::Interrupted => JobError::Interrupted,
            CommandError::Failed(problem) => JobError::Failed(format!("{what} {problem}")),
        }
    }
}

/// Runs a command line of the system's shell in a folder, its output in a file. Gives the time that it took.
pub(super) fn run(
    line: &str,
    folder: &Path,
    output: &Path,
    limit: Duration,
    stop: &Signal,
) -> Result<Duration, CommandError> {
    let failed = |error: io::Error| CommandError::Failed(format!("cannot be started: {error}"));
    let file = File::create(output).map_err(failed)?;
    let mut command = shell(line);
    command.current_dir(folder).stdin(Stdio::null());
    // Cargo would build elsewhere, and all versions in one place.
    command.env_remove("CARGO_TARGET_DIR").env_remove("CARGO_BUILD_TARGET_DIR");
    command.stdout(file.try_clone().map_err(failed)?).stderr(file);
    let mut group = Group::new(&mut command).map_err(failed)?;
    let begun = Instant::now();
    let mut child = command.spawn().map_err(failed)?;
    let ended = wait(&mut child, output, begun + limit, stop);
    let took = begun.elapsed();
    // What it left running goes as well.
    group.kill(&mut child);
    let _ = child.wait();
    match ended {
        Ok(status) if status.success() => Ok(took),
        Ok(status) => Err(CommandError::Failed(format!("ended with {}{}", words(status), last_lines(output)))),
        Err(End::Interrupted) => Err(CommandError::Interrupted),
        Err(End::Late) => Err(CommandError::Failed(format!("took longer than {} s and was ended", limit.as_secs()))),
        Err(End::Flood) => Err(CommandError::Failed(format!("wrote more than {} MB and was ended", MOST_OUTPUT >> 20))),
        Err(End::Lost(error)) => Err(CommandError::Failed(format!("cannot be waited for: {error}"))),
    }
}

/// Why a command is not waited for any longer.
enum End {
    Interrupted,
    Late,
    Flood,
    Lost(io::Error),
}

fn wait(child: &mut Child, output: &Path, until: Instant, stop: &Signal) -> Result<ExitStatus, End> {
    loop {
        if let Some(status) = child.try_wait().map_err(End::Lost)? {
            return Ok(status);
        }
        match () {
            () if stop.is_stopped() => return Err(End::Interrupted),
            () if Instant::now() >= until => return Err(End::Late),
            () if fs::metadata(output).is_ok_and(|about| about.len() > MOST_OUTPUT) => return Err(End::Flood),
            () => thread::sleep(GLANCE),
        }
    }
}

#[cfg(not(windows))]
fn shell(line: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line]);
    command
}

#[cfg(windows)]
fn shell(line: &str) -> Command {
    let mut command = Command::new("cmd");
    command.args(["/C", line]);
    command
}

fn words(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exit status {code}"))
}

/// The end of what a command wrote.
pub(super) fn tail(output: &Path) -> io::Result<String> {
    let mut file = File::open(output)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(decode(&bytes).into_owned())
}

/// The last lines of an output, for a sentence on one line: those that speak of errors if there are any.
fn last_lines(output: &Path) -> String {
    const LINES: usize = 3;
    let text = tail(output).unwrap_or_default();
    let mut lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_error = |line: &&str| line.to_lowercase().contains("error");
    if lines.iter().any(is_error) {
        lines.retain(is_error);
    }
    match &lines[lines.len().saturating_sub(LINES)..] {
        [] => String::new(),
        last => format!(": {} (all of it is in {})", last.join(" | "), output.display()),
    }
}
