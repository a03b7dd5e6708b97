//! An engine that is asked how many nodes it needs for a known answer, with other parameters each time.

use super::Engine;
use super::connection::{Connection, while_starting};
use super::info::Info;
use super::uci::{self, KnownOptions};
use crate::player::{Fault, FaultKind};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How an engine is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Examination {
    /// By the three commands of Björnsson's thesis (2002, section 7.3.1): `setboard`, `setparam` and `gountil`, which is
    /// answered by `nodes FLAG COUNT`.
    Thesis,
    /// Over UCI, which every engine speaks: options are set, and the best move at the end of each iteration is compared
    /// with the answer.
    Uci,
}

/// A parameter of an engine.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The names of the UCI options that it sets.
    pub options: &'a [String],
    /// The value as the thesis's protocol has it.
    pub number: f64,
    /// The value as the options have it.
    pub text: &'a str,
}

/// What an engine is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The position in the game's notation.
    pub position: &'a str,
    /// The moves that are right, as engines write them.
    pub answers: &'a [String],
    /// The parameters to search with.
    pub settings: &'a [Setting<'a>],
    /// The most nodes.
    pub nodes: u64,
    /// How long to wait for the answer.
    pub patience: Duration,
}

/// What an engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether it found a right move.
    pub solved: bool,
    /// The nodes until then; all that were allowed where it did not.
    pub nodes: u64,
}

/// A running engine that answers questions.
pub struct Examinee {
    engine: Engine,
    examination: Examination,
    connection: Connection,
    /// What it can be told over UCI.
    options: Option<KnownOptions>,
}

impl Examinee {
    /// Starts the engine.
    pub fn start(engine: &Engine, examination: Examination) -> Result<Examinee, Fault> {
        let (connection, options) = match examination {
            Examination::Uci => {
                let ready = uci::connect(engine)?;
                (ready.connection, Some(ready.options))
            }
            Examination::Thesis => {
                let mut connection = Connection::open(engine)?;
                engine.commands.iter().try_for_each(|line| connection.send(line)).map_err(while_starting)?;
                (connection, None)
            }
        };
        Ok(Examinee { engine: engine.clone(), examination, connection, options })
    }

    /// Asks one question.
    pub fn ask(&mut self, question: &Question) -> Result<Answer, Fault> {
        self.connection.discard_waiting();
        let answer = match self.examination {
            Examination::Thesis => self.ask_by_thesis(question)?,
            Examination::Uci => self.ask_over_uci(question)?,
        };
        match answer {
            Answer { solved: false, .. } => Ok(Answer { solved: false, nodes: question.nodes }),
            solved => Ok(solved),
        }
    }

    fn ask_by_thesis(&mut self, question: &Question) -> Result<Answer, Fault> {
        let numbers = question.settings.iter().map(|setting| setting.number.to_string());
        let (answers, numbers) = (question.answers.join(","), numbers.collect::<Vec<_>>().join(" "));
        self.connection.send(&format!("setboard {}", question.position))?;
        self.connection.send(&format!("setparam {numbers}"))?;
        self.connection.send(&format!("gountil {answers} {}", question.nodes))?;
        self.connection.wait_for(question.patience, "line 'nodes FLAG COUNT'", |_, line| read_nodes(&line.text))
    }

    fn ask_over_uci(&mut self, question: &Question) -> Result<Answer, Fault> {
        for setting in question.settings {
            for option in setting.options {
                let option = self.options.as_ref().map_or(Ok(option.as_str()), |known| known.find(option))?;
                self.connection.send(&format!("setoption name {option} value {}", setting.text))?;
            }
        }
        self.connection.send("ucinewgame")?;
        uci::get_ready(&mut self.connection, &self.engine)?;
        self.connection.send(&format!("position fen {}", question.position))?;
        self.connection.send(&format!("go nodes {}", question.nodes))?;
        let is_right = |mv: Option<&str>| mv.is_some_and(|mv| question.answers.iter().any(|answer| answer == mv));
        let (mut found, mut is_stopped) = (None, false);
        self.connection.wait_for(question.patience, "bestmove", |connection, line| {
            let info = Info::read(&line.text).filter(|_| !is_stopped);
            found = found.or(info.as_ref().filter(|info| is_right(best(info))).and_then(|info| info.nodes));
            // Some engines do not care how many nodes they may search.
            if found.is_some() || info.is_some_and(|info| info.nodes >= Some(question.nodes)) {
                if !is_stopped {
                    connection.send("stop")?;
                }
                is_stopped = true;
            }
            let mut words = line.text.split_whitespace();
            if words.next() != Some("bestmove") {
                return Ok(None);
            }
            // It may have changed its mind for the better while it used up its last nodes.
            let solved = found.is_some() || is_right(words.next());
            Ok(Some(Answer { solved, nodes: found.unwrap_or(question.nodes) }))
        })
    }
}

/// The best move of an iteration that is over. A bound, or a line other than the best, is no end of an iteration.
fn best<'a>(info: &Info<'a>) -> Option<&'a str> {
    info.first_move().filter(|_| info.is_best() && !info.is_bound)
}

/// Reads `nodes FLAG COUNT`; other lines are none of our business.
fn read_nodes(line: &str) -> Result<Option<Answer>, Fault> {
    let mut words = line.split_whitespace();
    if words.next() != Some("nodes") {
        return Ok(None);
    }
    let nonsense =
        || Fault::new(FaultKind::FalseClaim, format!("it answers '{}' instead of 'nodes FLAG COUNT'", line.trim()));
    let (flag, count) = (words.next(), words.next().and_then(|word| word.parse().ok()));
    match (flag, count, words.next()) {
        (Some("0"), Some(nodes), None) => Ok(Some(Answer { solved: false, nodes })),
        (Some("1"), Some(nodes), None) => Ok(Some(Answer { solved: true, nodes })),
        _ => Err(nonsense()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        assert_eq!(read_nodes("nodes 1 1234"), Ok(Some(Answer { solved: true, nodes: 1234 })));
        assert_eq!(read_nodes(" nodes 0 500000 "), Ok(Some(Answer { solved: false, nodes: 500_000 })));
        assert_eq!(read_nodes("info nodes 7"), Ok(None));
        for line in ["nodes", "nodes 2 5", "nodes 1", "nodes 1 -5", "nodes 1 5 6", "nodes yes 5"] {
            assert!(read_nodes(line).is_err(), "{line}");
        }
    }

    #[test]
    fn iterations_are_read() {
        let read = |line| Info::read(line).map(|info| (info.nodes, best(&info)));
        let nodes = Some(77);
        assert_eq!(read("info depth 5 multipv 1 score cp 3 nodes 77 pv e2e4 e7e5"), Some((nodes, Some("e2e4"))));
        assert_eq!(read("info depth 5 score cp 3 lowerbound nodes 77 pv e2e4"), Some((nodes, None)));
        assert_eq!(read("info depth 5 multipv 2 nodes 77 pv e2e4"), Some((nodes, None)));
        assert_eq!(read("info depth 5 currmove e2e4 nodes 77"), Some((nodes, None)));
        assert_eq!(read("info string nodes 5 pv e2e4"), Some((None, None)));
        assert_eq!(read("bestmove e2e4"), None);
    }
}
