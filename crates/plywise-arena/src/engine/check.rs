//! Whether an engine is sound: one question after another, each with a verdict.

mod cecp;
mod positions;
mod probe;
mod uci;

use super::{Engine, Protocol};
use crate::player::{Fault, FaultKind};
use plywise_host::AnyGame;
use plywise_search::Signal;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// What an engine is asked, and how patiently.
pub struct EngineCheck<'a> {
    /// The game that it plays.
    pub game: &'a dyn AnyGame,
    /// The engine. Its `start_timeout` is the time for starting and for getting ready.
    pub engine: &'a Engine,
    /// How long it may take to answer what it should answer at once.
    pub patience: Duration,
    /// The time that a move may take beyond its limit.
    pub margin: Duration,
    /// The names of the checks to make, beside the handshake; all, if there are none.
    pub only: &'a [String],
}

/// What one check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The engine does not have what is checked, or this machine cannot see it.
    Skipped,
    /// As it should be.
    #[serde(rename = "ok")]
    Sound,
    /// Allowed or harmless, but not what other programs expect.
    Odd,
    /// Against the protocol or the rules, or a danger to a match.
    #[serde(rename = "fault")]
    Faulty,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Verdict::Skipped => "skipped",
            Verdict::Sound => "ok",
            Verdict::Odd => "odd",
            Verdict::Faulty => "FAULT",
        })
    }
}

/// A line of the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was checked, in one word or two.
    pub check: &'static str,
    /// What came out.
    pub verdict: Verdict,
    /// What was seen, in a few words.
    pub detail: String,
}

/// What is known about an engine after the check.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    /// What the engine calls itself.
    pub name: Option<String>,
    /// Every check, in order. An engine that does not get through the first has no other.
    pub findings: Vec<Finding>,
}

impl Diagnosis {
    /// How many checks came out so.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }
}

impl EngineCheck<'_> {
    /// The names of the checks that can be chosen for a protocol.
    pub fn names(protocol: Protocol) -> Vec<&'static str> {
        match protocol {
            Protocol::Uci => uci::names().collect(),
            Protocol::Cecp => cecp::names().collect(),
            Protocol::Gtp | Protocol::NBoard => Vec::new(),
        }
    }

    fn wants(&self, check: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name.eq_ignore_ascii_case(check))
    }

    /// Checks the engine, and reports each finding as it is made. A program that cannot be run at all is an error.
    /// `stop` ends it before the next check.
    pub fn run(&self, watch: &mut dyn FnMut(&Finding), stop: &Signal) -> Result<Diagnosis, Fault> {
        let mut sheet = Sheet { findings: Vec::new(), watch, stop };
        let name = match self.engine.protocol {
            Protocol::Uci => uci::check(self, &mut sheet)?,
            Protocol::Cecp => cecp::check(self, &mut sheet)?,
            Protocol::Gtp | Protocol::NBoard => return Err(Fault::new(FaultKind::StartFailure, UNCHECKED)),
        };
        Ok(Diagnosis { name, findings: sheet.findings })
    }
}

const UNCHECKED: &str = "only engines that speak UCI or CECP are checked";

/// Where findings are gathered.
struct Sheet<'a> {
    findings: Vec<Finding>,
    watch: &'a mut dyn FnMut(&Finding),
    stop: &'a Signal,
}

impl Sheet<'_> {
    /// Adds what a check saw; an engine that failed meanwhile is faulty. Whether the engine can be asked more without a
    /// restart.
    fn add(&mut self, check: &'static str, seen: Result<Seen, Fault>) -> bool {
        let Seen { verdict, detail } = seen.unwrap_or_else(|fault| Seen::faulty(fault.to_string()));
        let finding = Finding { check, verdict, detail };
        (self.watch)(&finding);
        self.findings.push(finding);
        verdict != Verdict::Faulty
    }
}

/// What a check saw. Of several things that were seen, the worst counts.
#[derive(Clone, Debug)]
struct Seen {
    verdict: Verdict,
    detail: String,
}

impl Seen {
    fn sound(detail: impl Into<String>) -> Seen {
        Seen { verdict: Verdict::Sound, detail: detail.into() }
    }

    fn odd(detail: impl Into<String>) -> Seen {
        Seen { verdict: Verdict::Odd, detail: detail.into() }
    }

    fn faulty(detail: impl Into<String>) -> Seen {
        Seen { verdict: Verdict::Faulty, detail: detail.into() }
    }

    fn skipped(detail: impl Into<String>) -> Seen {
        Seen { verdict: Verdict::Skipped, detail: detail.into() }
    }

    fn is_faulty(&self) -> bool {
        self.verdict == Verdict::Faulty
    }

    /// The worse of two; of two alike, the first.
    fn or(self, other: Seen) -> Seen {
        if other.verdict > self.verdict { other } else { self }
    }
}

/// The better of up to three attempts: what a busy machine does to one is not the engine's fault.
fn best_of_three(mut attempt: impl FnMut() -> Result<Seen, Fault>) -> Result<Seen, Fault> {
    let mut best = attempt()?;
    for _ in 0..2 {
        if best.verdict <= Verdict::Sound {
            break;
        }
        let next = attempt()?;
        if next.verdict < best.verdict {
            best = next;
        }
    }
    Ok(best)
}

/// A time in milliseconds, for people.
fn ms(time: Duration) -> String {
    match time.as_micros() {
        micros @ 0..10_000 => format!("{:.1} ms", micros as f64 / 1000.0),
        micros => format!("{} ms", micros / 1000),
    }
}
