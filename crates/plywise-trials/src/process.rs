//! Programs under trial: who they are, and talking to them without ever waiting for ever.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The programs that trials start.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The program `plywise`, and arguments that stand before all others.
    plywise: (PathBuf, Vec<OsString>),
    /// This harness, which plays the faulty engines.
    trials: PathBuf,
}

/// The word that makes the harness itself the program `plywise`: the same code, with the checks of this build.
pub const AS_PLYWISE: &str = "as-plywise";

impl Programs {
    /// The harness at `trials`, which is also `plywise` unless another program is given.
    pub fn new(trials: &Path, plywise: Option<PathBuf>) -> Programs {
        let plywise = match plywise {
            Some(program) => (program, Vec::new()),
            None => (trials.to_owned(), vec![AS_PLYWISE.into()]),
        };
        Programs { plywise, trials: trials.to_owned() }
    }

    /// A command that runs `plywise`.
    pub(crate) fn plywise(&self) -> Command {
        let mut command = Command::new(&self.plywise.0);
        command.args(&self.plywise.1);
        command
    }

    /// The harness.
    pub(crate) fn trials(&self) -> &Path {
        &self.trials
    }
}

/// A process that is talked to line by line. It is killed when this is dropped.
pub(crate) struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Everything that was said and heard.
    pub(crate) log: Vec<String>,
}

impl Conversation {
    pub(crate) fn begin(mut command: Command) -> Result<Conversation, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot run {command:?}: {error}"))?;
        let (sender, lines) = mpsc::channel();
        for (mark, output) in [
            ("", child.stdout.take().map(|out| Box::new(out) as Box<dyn std::io::Read + Send>)),
            ("error output: ", child.stderr.take().map(|err| Box::new(err) as Box<dyn std::io::Read + Send>)),
        ] {
            let (Some(output), sender) = (output, sender.clone()) else { continue };
            thread::spawn(move || {
                for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                    if sender.send(format!("{mark}{}", String::from_utf8_lossy(&line).trim_end())).is_err() {
                        return;
                    }
                }
            });
        }
        let input = child.stdin.take();
        Ok(Conversation { child, input, lines, log: Vec::new() })
    }

    /// Sends a line. A process that has gone is noticed when it does not answer.
    pub(crate) fn say(&mut self, line: impl AsRef<[u8]>) {
        self.log.push(format!("> {}", String::from_utf8_lossy(line.as_ref())));
        if let Some(input) = &mut self.input {
            let _ = input.write_all(line.as_ref()).and_then(|()| input.write_all(b"\n")).and_then(|()| input.flush());
        }
    }

    /// Closes the input.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// The next line.
    pub(crate) fn hear(&mut self, until: Instant) -> Result<String, String> {
        match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                self.log.push(format!("< {line}"));
                Ok(line)
            }
            Err(RecvTimeoutError::Timeout) => Err("it does not answer".into()),
            Err(RecvTimeoutError::Disconnected) => Err("it has ended".into()),
        }
    }

    /// Waits for a line, and gives it with all that came before.
    pub(crate) fn hear_until(
        &mut self,
        patience: Duration,
        is_awaited: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, String> {
        let until = Instant::now() + patience;
        let mut heard = Vec::new();
        loop {
            let line = self.hear(until)?;
            let is_last = is_awaited(&line);
            heard.push(line);
            if is_last {
                return Ok(heard);
            }
        }
    }

    /// What is still said until the process ends, and how it ends.
    pub(crate) fn end(&mut self, patience: Duration) -> Result<(Vec<String>, ExitStatus), String> {
        let until = Instant::now() + patience;
        let mut heard = Vec::new();
        while let Ok(line) = self.hear(until) {
            heard.push(line);
        }
        wait(&mut self.child, until).map(|status| (heard, status)).ok_or_else(|| "it does not end".into())
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the end of a process.
pub(crate) fn wait(child: &mut Child, until: Instant) -> Option<ExitStatus> {
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if Instant::now() >= until {
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
}
