//! A child process that is talked to line by line, and that never outlives its owner.

use super::Engine;
use super::dialogue::Dialogue;
pub(crate) use group::Group;
use plywise_game::lines::{Found, decode, read_line};
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line that is kept; the rest of a longer one is dropped. Principal variations are far shorter.
const LONGEST_LINE: usize = 16 * 1024;

/// Lines waiting to be looked at. When there are this many, the reader waits, then the pipe fills, then the engine
/// waits: a flood costs no memory.
const LINES_WAITING: usize = 256;

/// Lines waiting to be taken by the engine.
const LINES_TO_SEND: usize = 256;

/// How much of the end of the engine's error output is kept.
const ERRORS_KEPT: usize = 2048;

/// How long a process that closed its output may take to end by itself, so that its exit status can be reported.
const DYING: Duration = Duration::from_secs(1);

/// How often a process is looked at that is about to end.
const GLANCE: Duration = Duration::from_millis(2);

/// How often the pipe to an engine that is not being written to is looked at.
const INPUT_GLANCE: Duration = Duration::from_millis(50);

/// A line, and when it came.
pub(super) struct OutputLine {
    pub text: String,
    pub at: Instant,
}

/// What the threads that serve a process report.
enum Report {
    OutputLine(OutputLine),
    /// The engine closed its output or its input.
    Closed,
}

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// It is late.
    Timeout,
    /// The engine closed its output or its input.
    Closed,
}

/// Why a line could not be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsent {
    /// The engine has not taken any for too long.
    Stuck,
    /// The engine closed its input.
    Closed,
}

/// The end of an engine's error output.
#[derive(Default)]
struct Errors {
    tail: Vec<u8>,
    /// Whether nothing more will come.
    is_whole: bool,
}

pub(super) struct Process {
    child: Child,
    group: Group,
    reports: Receiver<Report>,
    /// Whether a pipe is closed, once that has been noticed.
    closed: bool,
    /// A line that came after the time for which [`Process::receive`] was asked to wait.
    late: Option<OutputLine>,
    /// `None` once it is closed.
    input: Option<SyncSender<String>>,
    errors: Arc<Mutex<Errors>>,
    dialogue: Dialogue,
}

impl Process {
    pub(super) fn spawn(engine: &Engine) -> io::Result<Process> {
        if !engine.admitted {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "it comes from elsewhere and is not allowed here",
            ));
        }
        let mut command = Command::new(program_path(engine)?);
        command.args(&engine.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &engine.directory {
            command.current_dir(directory);
        }
        let dialogue = match &engine.log {
            Some(folder) => Dialogue::begin(folder, &engine.name)?,
            None => Dialogue::default(),
        };
        let group = Group::new(&mut command)?;
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("the pipes to the process are missing"));
        };
        let (from_output, reports) = mpsc::sync_channel(LINES_WAITING);
        let from_input = from_output.clone();
        let (input, input_receiver) = mpsc::sync_channel(LINES_TO_SEND);
        let errors = Arc::new(Mutex::new(Errors::default()));
        let tail = Arc::clone(&errors);
        // From here on the process is killed when this value is dropped, also if a thread cannot be started. The
        // threads end when their pipe does. They are not joined: a grandchild that escaped from the group may hold a
        // pipe open.
        let heard = dialogue.clone();
        let process =
            Process { child, group, reports, closed: false, late: None, input: Some(input), errors, dialogue };
        thread::Builder::new().name("engine output".into()).spawn(move || read_lines(stdout, &from_output, &heard))?;
        thread::Builder::new()
            .name("engine input".into())
            .spawn(move || write_lines(stdin, &input_receiver, &from_input))?;
        thread::Builder::new().name("engine errors".into()).spawn(move || keep_tail(stderr, &tail))?;
        Ok(process)
    }

    /// Sends a line. A line break inside would be a command of its own and becomes a space.
    pub(super) fn send(&self, line: &str) -> Result<(), Unsent> {
        let line = line.replace(['\n', '\r'], " ");
        self.dialogue.add('>', &line);
        let input = self.input.as_ref().ok_or(Unsent::Closed)?;
        input.try_send(line + "\n").map_err(|error| match error {
            mpsc::TrySendError::Full(_) => Unsent::Stuck,
            mpsc::TrySendError::Disconnected(_) => Unsent::Closed,
        })
    }

    /// Closes the engine's input once it has taken what was sent.
    pub(super) fn close_input(&mut self) {
        self.dialogue.add('!', "its input is closed");
        self.input = None;
    }

    /// The memory that the process itself holds, in bytes, where the system says so.
    pub(super) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
    }

    /// The next line that comes by `until`.
    pub(super) fn receive(&mut self, until: Instant) -> Result<OutputLine, Silence> {
        let line = match self.late.take() {
            Some(line) => line,
            None if self.closed => return Err(Silence::Closed),
            None => match self.reports.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Report::OutputLine(line)) => line,
                Ok(Report::Closed) | Err(RecvTimeoutError::Disconnected) => {
                    self.closed = true;
                    return Err(Silence::Closed);
                }
                // A process may end while one that it started keeps the pipe open.
                Err(RecvTimeoutError::Timeout) if self.has_ended() => return Err(Silence::Closed),
                Err(RecvTimeoutError::Timeout) => return Err(Silence::Timeout),
            },
        };
        // An engine that never stops talking always has a line ready, so the time must be looked at as well.
        if line.at > until {
            self.late = Some(line);
            return Err(Silence::Timeout);
        }
        Ok(line)
    }

    /// Throws away what is waiting. An engine that talks faster than that keeps what it says afterwards.
    pub(super) fn discard_waiting(&mut self) {
        self.late = None;
        self.closed |= self.reports.try_iter().take(LINES_WAITING).any(|report| matches!(report, Report::Closed));
    }

    /// How the process ended, for people, once it is known to be dying: its exit status and its last words.
    pub(super) fn obituary(&mut self) -> String {
        self.wait_for_end(DYING);
        let ended_by_itself = self.has_ended();
        let status = self.kill();
        let text = match status {
            Some(status) if ended_by_itself => format!("the process ended with {}", words(status)),
            _ => "the engine closed its pipe".to_owned(),
        };
        match self.last_words() {
            Some(last) => format!("{text}; it said: {last}"),
            None => text,
        }
    }

    /// The last line of the error output of a process that has ended. Its thread may still be reading it.
    fn last_words(&self) -> Option<String> {
        let errors = || self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        glance_until(DYING, || errors().is_whole);
        let errors = errors();
        let text = decode(&errors.tail);
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned)
    }

    /// Gives the process this long to end by itself.
    pub(super) fn wait_for_end(&mut self, patience: Duration) {
        glance_until(patience, || self.has_ended());
    }

    pub(super) fn has_ended(&mut self) -> bool {
        group::has_ended(&mut self.child)
    }

    /// Kills the process and all it started, and waits for it.
    fn kill(&mut self) -> Option<ExitStatus> {
        self.group.kill(&mut self.child);
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let ended_by_itself = self.has_ended();
        let status = self.kill();
        if let (true, Some(status)) = (ended_by_itself, status) {
            self.dialogue.add('!', &format!("the process ended with {}", words(status)));
        }
    }
}

/// A path with a folder in it is taken from the folder of this process, whatever folder the engine is to run in.
fn program_path(engine: &Engine) -> io::Result<std::path::PathBuf> {
    let path = std::path::Path::new(&engine.program);
    if path.components().count() > 1 { std::path::absolute(path) } else { Ok(path.to_owned()) }
}

fn words(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit status {code}"),
        None => status.to_string(),
    }
}

fn read_lines(stdout: impl Read, reports: &SyncSender<Report>, dialogue: &Dialogue) {
    let mut stdout = BufReader::new(stdout);
    let mut line = Vec::new();
    while let Ok(Found::Whole | Found::Cut) = read_line(&mut stdout, &mut line, LONGEST_LINE) {
        let at = Instant::now();
        let text = decode(&line).trim().to_owned();
        dialogue.add('<', &text);
        if reports.send(Report::OutputLine(OutputLine { text, at })).is_err() {
            return;
        }
    }
    let _ = reports.send(Report::Closed);
}

/// Passes lines on to the engine. A pipe whose other end is closed shows it only to a writer, or to who looks: so it is
/// looked at now and then, for an engine that stops listening right after a line would else seem to be thinking.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>, reports: &SyncSender<Report>) {
    loop {
        let is_open = match lines.recv_timeout(INPUT_GLANCE) {
            Ok(line) => stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_ok(),
            Err(RecvTimeoutError::Timeout) => !pipe::is_closed(&stdin),
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if !is_open {
            let _ = reports.send(Report::Closed);
            return;
        }
    }
}

fn keep_tail(mut stderr: impl Read, errors: &Mutex<Errors>) {
    let lock = || errors.lock().unwrap_or_else(PoisonError::into_inner);
    let mut buffer = [0; 1024];
    loop {
        match stderr.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => break,
            Ok(read) => {
                let mut errors = lock();
                errors.tail.extend_from_slice(&buffer[..read]);
                let surplus = errors.tail.len().saturating_sub(ERRORS_KEPT);
                errors.tail.drain(..surplus);
            }
        }
    }
    lock().is_whole = true;
}

/// Waits until `holds`, but no longer than `patience`.
fn glance_until(patience: Duration, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + patience;
    while !holds() && Instant::now() < deadline {
        thread::sleep(GLANCE);
    }
}

/// Whether anybody can still read what is written to a pipe.
#[cfg(unix)]
mod pipe {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::process::ChildStdin;

    pub(super) fn is_closed(stdin: &ChildStdin) -> bool {
        let mut watched = [PollFd::new(stdin, PollFlags::empty())];
        let polled = poll(&mut watched, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
        polled.is_ok() && watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
    }
}

/// Elsewhere only writing tells.
#[cfg(not(unix))]
mod pipe {
    use std::process::ChildStdin;

    pub(super) fn is_closed(_stdin: &ChildStdin) -> bool {
        false
    }
}

/// A process and everything that it starts, as one group that does not outlive us.
///
/// The group is led by a shell that waits for the end of a pipe to us and then kills the group with itself in it. The
/// system closes that pipe however we end, so nothing survives even where we are killed ourselves. A signal on the
/// death of the parent would be sent by Linux alone, reach only the engine, and not what it started.
///
/// A process that leaves the group, into a session of its own, still has a mark in its environment. On Linux everything with
/// the mark is killed as well; only what clears its environment too can escape.
#[cfg(unix)]
mod group {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};
    use std::{fs, io};

    /// The variable that marks an engine and what it starts: our process and the leader of its group.
    const MARK: &str = "PLYWISE_ENGINE";

    /// Whatever it reads, it waits for the end.
    const WATCH: &str = r#"while read -r line; do :; done
        for file in $(grep -lszxF "PLYWISE_ENGINE=$PPID.$$" /proc/[0-9]*/environ 2>/dev/null); do
            file=${file#/proc/}; kill -KILL "${file%/environ}"
        done
        kill -KILL 0"#;

    /// How often it is looked for processes with the mark: what is just being killed may have started another one.
    const SWEEPS: usize = 5;

    /// `None` once it is killed: then its number may be another's.
    pub(crate) struct Group(Option<Child>);

    impl Group {
        /// A group of its own for what the command will start.
        pub(crate) fn new(command: &mut Command) -> io::Result<Group> {
            let leader = Command::new("/bin/sh")
                .args(["-c", WATCH])
                .process_group(0)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()?;
            command.process_group(Pid::from_child(&leader).as_raw_nonzero().get());
            command.env(MARK, mark(&leader));
            Ok(Group(Some(leader)))
        }

        pub(crate) fn kill(&mut self, _child: &mut Child) {
            if let Some(mut leader) = self.0.take() {
                // It fails only where the whole group is gone, and that is what is wanted.
                let _ = kill_process_group(Pid::from_child(&leader), Signal::KILL);
                let entry = format!("{MARK}={}", mark(&leader));
                for _ in 0..SWEEPS {
                    let marked = marked(entry.as_bytes());
                    for &process in &marked {
                        let _ = kill_process(process, Signal::KILL);
                    }
                    if marked.is_empty() {
                        break;
                    }
                }
                let _ = leader.wait();
            }
        }
    }

    fn mark(leader: &Child) -> String {
        format!("{}.{}", std::process::id(), leader.id())
    }

    /// The processes that have this entry in their environment, as far as the system tells.
    fn marked(entry: &[u8]) -> Vec<Pid> {
        let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
        let number = |process: fs::DirEntry| process.file_name().to_str()?.parse().ok().and_then(Pid::from_raw);
        let is_marked = |process: &Pid| {
            let environment = fs::read(format!("/proc/{}/environ", process.as_raw_nonzero()));
            environment.is_ok_and(|found| found.split(|&byte| byte == 0).any(|found| found == entry))
        };
        processes.flatten().filter_map(number).filter(is_marked).collect()
    }

    impl Drop for Group {
        /// Where the engine could not be started, its group is empty but for the leader.
        fn drop(&mut self) {
            if let Some(mut leader) = self.0.take() {
                let _ = leader.kill();
                let _ = leader.wait();
            }
        }
    }

    /// Whether the process has ended. It is not waited for, so that its exit status can still be reported.
    pub(super) fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
    }
}

/// Without process groups only the process itself is killed.
#[cfg(not(unix))]
mod group {
    use std::io;
    use std::process::{Child, Command};

    pub(crate) struct Group;

    impl Group {
        pub(crate) fn new(_command: &mut Command) -> io::Result<Group> {
            Ok(Group)
        }

        pub(crate) fn kill(&mut self, child: &mut Child) {
            let _ = child.kill();
        }
    }

    pub(super) fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_the_errors_is_kept() {
        let errors = Mutex::new(Errors::default());
        keep_tail(format!("{}end", "x".repeat(10 * ERRORS_KEPT)).as_bytes(), &errors);
        let errors = errors.into_inner().unwrap();
        assert_eq!(errors.tail.len(), ERRORS_KEPT);
        assert!(errors.tail.ends_with(b"xend") && errors.is_whole);
    }
}
