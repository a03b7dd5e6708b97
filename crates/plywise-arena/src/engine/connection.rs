//! What both protocols need: a running engine, questions with time limits, and verdicts on silence.

use super::Engine;
use super::process::{OutputLine, Process, Silence, Unsent};
use crate::player::{Fault, FaultKind};
use plywise_search::Signal;
use std::io;
use std::time::{Duration, Instant};

/// How long an engine that was told to quit may take before it is killed.
const FAREWELL: Duration = Duration::from_millis(300);

pub(super) struct Connection {
    process: Process,
}

/// How long to wait for the answer to a move request.
pub(super) struct Wait<'a> {
    /// When the engine gets `stop`.
    pub deadline: Option<Duration>,
    /// How long to wait beyond that, or at all.
    pub patience: Duration,
    /// The command that makes it hurry.
    pub hurry: &'a str,
    /// Ends the waiting.
    pub stop: &'a Signal,
}

/// How often it is looked whether the waiting is to end.
const GLANCE: Duration = Duration::from_millis(20);

impl Connection {
    pub(super) fn open(engine: &Engine) -> Result<Connection, Fault> {
        let process = Process::spawn(engine).map_err(|error| {
            let kind = if is_lack_of_resources(&error) { FaultKind::NoResources } else { FaultKind::StartFailure };
            Fault::new(kind, format!("cannot run '{}': {error}", engine.program))
        })?;
        Ok(Connection { process })
    }

    pub(super) fn send(&mut self, line: &str) -> Result<(), Fault> {
        match self.process.send(line) {
            Ok(()) => Ok(()),
            Err(Unsent::Closed) => Err(self.crash()),
            Err(Unsent::Stuck) => Err(Fault::new(FaultKind::Hang, "it does not read its input")),
        }
    }

    /// Reads lines until `each` finds what it looks for, for at most `patience`. `awaited` names it.
    pub(super) fn wait_for<T>(
        &mut self,
        patience: Duration,
        awaited: &str,
        mut each: impl FnMut(&mut Connection, &OutputLine) -> Result<Option<T>, Fault>,
    ) -> Result<T, Fault> {
        let until = Instant::now() + patience;
        loop {
            let line = match self.process.receive(until) {
                Ok(line) => line,
                Err(Silence::Closed) => return Err(self.crash()),
                Err(Silence::Timeout) => {
                    let detail = format!("no {awaited} within {} s", patience.as_secs_f64());
                    return Err(Fault::new(FaultKind::Hang, detail));
                }
            };
            if let Some(found) = each(self, &line)? {
                return Ok(found);
            }
        }
    }

    /// Reads lines until `each` finds the answer to what was asked at `asked`: the answer and the time it took. An
    /// engine that is late gets `stop`, so that being late and being hung can be distinguished.
    pub(super) fn wait_for_move<T>(
        &mut self,
        asked: Instant,
        wait: &Wait,
        mut each: impl FnMut(&mut Connection, &OutputLine) -> Result<Option<T>, Fault>,
    ) -> Result<(T, Duration), Fault> {
        let end = asked + wait.deadline.unwrap_or_default() + wait.patience;
        let mut until = wait.deadline.map_or(end, |deadline| asked + deadline);
        loop {
            if wait.stop.is_stopped() {
                return Err(Fault::new(FaultKind::Hang, "the game was given up"));
            }
            match self.process.receive(until.min(Instant::now() + GLANCE)) {
                Ok(line) => {
                    if let Some(found) = each(self, &line)? {
                        return Ok((found, line.at.saturating_duration_since(asked)));
                    }
                }
                Err(Silence::Closed) => return Err(self.crash()),
                Err(Silence::Timeout) if Instant::now() < until => {}
                Err(Silence::Timeout) if until < end => {
                    self.send(wait.hurry)?;
                    until = end;
                }
                Err(Silence::Timeout) => {
                    let waited = end.saturating_duration_since(asked).as_secs_f64();
                    return Err(Fault::new(FaultKind::Hang, format!("no move within {waited} s")));
                }
            }
        }
    }

    pub(super) fn discard_waiting(&mut self) {
        self.process.discard_waiting();
    }

    /// The process, for who examines it.
    pub(super) fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    fn crash(&mut self) -> Fault {
        Fault::new(FaultKind::Crash, self.process.obituary())
    }
}

impl Drop for Connection {
    /// Both protocols say goodbye with the same word. An engine that does not listen is killed.
    fn drop(&mut self) {
        if self.process.send("quit").is_ok() {
            self.process.wait_for_end(FAREWELL);
        }
    }
}

/// Whether the system has too little left for us to start anything, whatever the engine is.
fn is_lack_of_resources(error: &io::Error) -> bool {
    let no_handle = cfg!(unix) && matches!(error.raw_os_error(), Some(ENFILE | EMFILE));
    // Threads and processes beyond a limit are to be tried again later.
    no_handle || matches!(error.kind(), io::ErrorKind::OutOfMemory | io::ErrorKind::WouldBlock)
}

/// The numbers of two errors that have no name in the standard library, the same on every Unix.
const ENFILE: i32 = 23;
const EMFILE: i32 = 24;

/// Whatever goes wrong while an engine is being started is a failure to start.
pub(super) fn while_starting(fault: Fault) -> Fault {
    match fault.kind {
        FaultKind::StartFailure | FaultKind::NoResources => fault,
        _ => Fault::new(FaultKind::StartFailure, fault.detail),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn our_own_lack_is_told_from_the_engines() {
        for number in [ENFILE, EMFILE] {
            let error = io::Error::from_raw_os_error(number);
            assert!(is_lack_of_resources(&error) && error.to_string().to_lowercase().contains("open files"), "{error}");
        }
        assert!(is_lack_of_resources(&rustix::io::Errno::AGAIN.into()));
        assert!(!is_lack_of_resources(&io::ErrorKind::NotFound.into()));
    }
}
