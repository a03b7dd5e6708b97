//! Engines in other processes, over UCI, over CECP, which xboard speaks, over GTP, and over the protocol of NBoard.
//!
//! An [`Engine`] says how to start one; it is a [`Contender`], so a match starts as many as it has threads. Whatever an
//! engine does, the match goes on: it is read by a thread of its own with bounded lines and a bounded queue, everything
//! that is waited for has a time limit, and when its player is dropped the process and all that it started are killed
//! and waited for.

mod cecp;
pub mod check;
mod connection;
mod dialogue;
mod examinee;
mod gtp;
mod info;
mod nboard;
mod process;
mod uci;

use crate::player::{Contender, Fault, Player};
use cecp::Cecp;
pub use examinee::{Answer, Examination, Examinee, Question, Setting};
use gtp::Gtp;
use nboard::NBoard;
use plywise_game::score::{self, EVAL_LIMIT, MAX_PLY, Score};
pub(crate) use process::Group;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use uci::Uci;

/// The language that an engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The Universal Chess Interface (Meyer-Kahlen & Huber, 2000).
    Uci,
    /// The Chess Engine Communication Protocol of xboard (Mann & Muller, version 2, 2009).
    Cecp,
    /// The Go Text Protocol (Farnebäck, version 2, 2002).
    Gtp,
    /// The protocol of NBoard, for Othello (Welty, version 2, 2012).
    NBoard,
}

impl Protocol {
    /// All of them, with what stands in front of a command.
    pub const PREFIXES: [(&'static str, Protocol); 4] =
        [("uci:", Protocol::Uci), ("cecp:", Protocol::Cecp), ("gtp:", Protocol::Gtp), ("nboard:", Protocol::NBoard)];

    /// The protocol that a text begins with, and the command behind it.
    pub fn split(text: &str) -> Option<(Protocol, &str)> {
        Protocol::PREFIXES.iter().find_map(|&(prefix, protocol)| Some((protocol, text.strip_prefix(prefix)?)))
    }

    /// What stands in front of a command.
    pub fn prefix(self) -> &'static str {
        Protocol::PREFIXES.iter().find(|(_, protocol)| *protocol == self).map_or("", |(prefix, _)| prefix)
    }
}

/// How to start an engine.
///
/// ```
/// use plywise_arena::engine::{Engine, Protocol};
/// let engine: Engine = "uci:stockfish --threads '1 2'".parse().unwrap();
/// assert_eq!((engine.protocol, engine.program.as_str()), (Protocol::Uci, "stockfish"));
/// assert_eq!(engine.arguments, ["--threads", "1 2"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engine {
    /// The name in tables and game records.
    pub name: String,
    /// The language it speaks.
    pub protocol: Protocol,
    /// The program: a path, or a name that the system looks up.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder in which it runs; that of this process where there is none. The program's own path is not relative to
    /// it.
    pub directory: Option<PathBuf>,
    /// Names and values of its options, set after every start. A name that a UCI engine does not have is an error,
    /// because a match with a misspelt option measures something other than what was meant.
    pub options: Vec<(String, String)>,
    /// Lines that are sent to it as they are, after the options.
    pub commands: Vec<String>,
    /// Whether it is restarted for every game.
    pub restart: bool,
    /// The time for starting, and for getting ready for a game.
    pub start_timeout: Duration,
    /// The folder that gets a file with the dialogue of every process of it, if any does.
    #[serde(skip)]
    pub log: Option<PathBuf>,
    /// Whether it may be started. What is read from a message or a file may not, until somebody here allows it.
    #[serde(skip)]
    pub admitted: bool,
}

/// Why a text does not say how to start an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' does not name an engine: write uci:COMMAND, cecp:COMMAND, gtp:COMMAND or nboard:COMMAND")]
pub struct EngineError(String);

/// Engines that load networks or large tables at their start need a while.
const START_TIMEOUT: Duration = Duration::from_secs(30);

impl Engine {
    /// An engine without arguments and options, named after its program.
    pub fn new(protocol: Protocol, program: impl Into<String>) -> Engine {
        let program = program.into();
        let name = std::path::Path::new(&program).file_stem().map(|name| name.to_string_lossy().into_owned());
        Engine {
            name: name.unwrap_or_else(|| program.clone()),
            protocol,
            program,
            arguments: Vec::new(),
            directory: None,
            options: Vec::new(),
            commands: Vec::new(),
            restart: false,
            start_timeout: START_TIMEOUT,
            log: None,
            admitted: true,
        }
    }
}

impl Engine {
    /// Starts the engine, and asks for the name that it gives itself; `None` if it gives none.
    pub fn introduce(&self) -> Result<Option<String>, Fault> {
        Ok(match self.protocol {
            Protocol::Uci => uci::connect(self)?.name,
            Protocol::Cecp => cecp::connect(self)?.name,
            Protocol::Gtp => gtp::connect(self)?.1,
            Protocol::NBoard => nboard::connect(self)?.1,
        })
    }
}

impl FromStr for Engine {
    type Err = EngineError;

    /// Reads `uci:COMMAND`, `cecp:COMMAND` and so on, the command quoted as a shell would have it.
    fn from_str(text: &str) -> Result<Engine, EngineError> {
        let error = || EngineError(text.to_owned());
        let (protocol, command) = Protocol::split(text).ok_or_else(error)?;
        let mut words = shlex::split(command).ok_or_else(error)?.into_iter();
        let program = words.next().filter(|program| !program.is_empty()).ok_or_else(error)?;
        Ok(Engine { arguments: words.collect(), ..Engine::new(protocol, program) })
    }
}

impl Contender for Engine {
    fn name(&self) -> &str {
        &self.name
    }

    fn enter(&self) -> Result<Box<dyn Player>, Fault> {
        Ok(match self.protocol {
            Protocol::Uci => Box::new(Uci::start(self)?),
            Protocol::Cecp => Box::new(Cecp::start(self)?),
            Protocol::Gtp => Box::new(Gtp::start(self)?),
            Protocol::NBoard => Box::new(NBoard::start(self)?),
        })
    }
}

/// An engine's score in hundredths of a pawn, kept within what an evaluation may say.
fn estimate(hundredths: i64) -> Score {
    hundredths.clamp(-i64::from(EVAL_LIMIT), i64::from(EVAL_LIMIT)) as Score
}

/// An engine's announcement of mate in this many of its own moves; negative or zero where it is mated itself.
fn mate(moves: i64) -> Score {
    let plies =
        moves.unsigned_abs().saturating_mul(2).saturating_sub(u64::from(moves > 0)).min(MAX_PLY as u64) as usize;
    if moves > 0 { score::win_in(plies) } else { score::loss_in(plies) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_as_a_shell_does() {
        let engine: Engine = "cecp:'/opt/my engine/phalanx.bin' -x -t 1024".parse().unwrap();
        assert_eq!((engine.program.as_str(), engine.name.as_str()), ("/opt/my engine/phalanx.bin", "phalanx"));
        assert_eq!(engine.arguments, ["-x", "-t", "1024"]);
        for text in ["stockfish", "uci:", "uci:''", "uci:'unclosed", "usi:engine", ""] {
            assert!(text.parse::<Engine>().is_err(), "{text}");
        }
    }

    #[test]
    fn mates_are_counted_in_plies() {
        assert_eq!(mate(3), score::win_in(5));
        assert_eq!(mate(-2), score::loss_in(4));
        assert_eq!(mate(0), score::loss_in(0));
        assert!(score::is_decided(mate(i64::MAX)) && score::is_decided(mate(i64::MIN)));
        assert_eq!(estimate(i64::MIN), -EVAL_LIMIT);
    }
}
