//! A running engine that is talked to by hand.

use super::super::Engine;
use super::super::connection::{Connection, Wait};
use crate::player::{Fault, FaultKind};
use plywise_search::Signal;
use std::time::{Duration, Instant};

/// No more lines than this are kept of one answer.
const MOST_LINES: usize = 20_000;

pub(super) struct Probe {
    pub connection: Connection,
    pub patience: Duration,
}

/// The answer to something, and what was said before it.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// The line that ends it.
    pub line: String,
    /// The lines before.
    pub before: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Probe {
    /// Starts an engine and says nothing to it.
    pub(super) fn open(engine: &Engine, patience: Duration) -> Result<Probe, Fault> {
        Ok(Probe { connection: Connection::open(engine)?, patience })
    }

    pub(super) fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.connection.send(line)
    }

    /// Waits for a line for at most `patience`; a fault names what was `awaited`.
    pub(super) fn wait(
        &mut self,
        patience: Duration,
        awaited: &str,
        is_it: impl Fn(&str) -> bool,
    ) -> Result<Answer, Fault> {
        let (mut before, begun) = (Vec::new(), Instant::now());
        let (line, at) = self.connection.wait_for(patience, awaited, |_, line| {
            if is_it(&line.text) {
                return Ok(Some((line.text.clone(), line.at)));
            }
            if before.len() < MOST_LINES {
                before.push(line.text.clone());
            }
            Ok(None)
        })?;
        Ok(Answer { line, before, took: at.saturating_duration_since(begun) })
    }

    /// The same, where nothing need come: `None` if nothing does.
    pub(super) fn listen(&mut self, patience: Duration, is_it: impl Fn(&str) -> bool) -> Result<Option<Answer>, Fault> {
        match self.wait(patience, "", is_it) {
            Ok(answer) => Ok(Some(answer)),
            Err(fault) if fault.kind == FaultKind::Hang => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Sends `lines` and waits for the answer to the last of them; after `allowed` the engine gets `hurry`, and has its
    /// patience once more. Whether it needed that.
    pub(super) fn ask(
        &mut self,
        lines: &[String],
        allowed: Duration,
        hurry: &str,
        is_it: impl Fn(&str) -> bool,
    ) -> Result<(Answer, bool), Fault> {
        self.connection.discard_waiting();
        let Some((last, first)) = lines.split_last() else { return Ok(Default::default()) };
        first.iter().try_for_each(|line| self.connection.send(line))?;
        let asked = Instant::now();
        self.connection.send(last)?;
        let (mut before, stop) = (Vec::new(), Signal::new());
        let wait = Wait { deadline: Some(allowed), patience: self.patience, hurry, stop: &stop };
        let (line, took) = self.connection.wait_for_move(asked, &wait, |_, line| {
            if is_it(&line.text) {
                return Ok(Some(line.text.clone()));
            }
            if before.len() < MOST_LINES {
                before.push(line.text.clone());
            }
            Ok(None)
        })?;
        Ok((Answer { line, before, took }, took > allowed))
    }

    /// How long the process takes to end, if it does within this time. What it says meanwhile is dropped.
    pub(super) fn ends_within(&mut self, time: Duration) -> Option<Duration> {
        const GLANCE: Duration = Duration::from_millis(5);
        let begun = Instant::now();
        let process = self.connection.process();
        while !process.has_ended() {
            if begun.elapsed() > time {
                return None;
            }
            if process.receive(Instant::now() + GLANCE).is_err() {
                process.wait_for_end(GLANCE);
            }
        }
        Some(begun.elapsed())
    }
}
