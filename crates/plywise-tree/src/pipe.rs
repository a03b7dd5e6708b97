//! Trees of other people's engines, by the text protocol of docs/tree-protocol.md.

use crate::file::{Head, Summary};
use crate::node::Ended;
use crate::notation::TreeNotation;
use crate::recorder::{Entry, Exit, Recorded, Recording, Stream};
use crate::{Filter, Texts};
use plywise_game::notation::excerpt;
use plywise_game::{Depth, Window};
use plywise_search::{End, NodeKind, Purpose, Technique};
use std::collections::HashMap;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

/// Why a tree that another program sends cannot be recorded further. What came before is kept.
#[derive(Debug, thiserror::Error)]
pub enum PipeError {
    /// A line makes no sense.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The pipe cannot be read.
    #[error("the trees cannot be read: {0}")]
    Read(io::Error),
    /// The file cannot be written.
    #[error("cannot write '{file}': {error}")]
    Write {
        /// The file.
        file: String,
        /// What the system says.
        error: io::Error,
    },
}

/// A file that was recorded from a pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The file.
    pub path: PathBuf,
    /// What it holds.
    pub recorded: Recorded,
}

/// Finds the notation of a game and a position: `None` where the game is not known.
pub type FindNotation<'a> = dyn Fn(&str, &str) -> Option<Result<Box<dyn TreeNotation>, String>> + 'a;

/// Lines longer than this are no lines of the protocol.
const LONGEST: u64 = 1 << 16;
/// More different moves than any game has.
const MOST_MOVES: usize = 1 << 20;
/// More open nodes than any search has.
const DEEPEST: usize = 500;

/// Records what comes through a pipe, one file for each position: the second of `game.tree` is `game-2.tree`. Returns the
/// files, also if it ends with an error.
pub fn record_pipe(
    input: &mut dyn BufRead,
    path: &Path,
    filter: Filter,
    build: &str,
    find: &FindNotation,
) -> (Vec<Sent>, Result<(), PipeError>) {
    let mut pipe = Pipe {
        path: path.into(),
        filter,
        build: build.into(),
        find,
        game: None,
        current: None,
        files: Vec::new(),
        line: 0,
    };
    let result = pipe.run(input);
    let ended = pipe.end_file();
    (pipe.files, result.and(ended))
}

/// The name of the n-th file: `game.tree`, `game-2.tree` and so on.
pub fn numbered(path: &Path, number: usize) -> PathBuf {
    if number <= 1 {
        return path.into();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or(String::new(), |extension| format!(".{}", extension.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{extension}"))
}

struct Pipe<'a> {
    path: PathBuf,
    filter: Filter,
    build: String,
    find: &'a FindNotation<'a>,
    game: Option<String>,
    current: Option<Current>,
    files: Vec<Sent>,
    line: u64,
}

/// The file that is being written.
struct Current {
    path: PathBuf,
    recording: Recording,
    stream: Stream,
    position: String,
    notation: Option<Box<dyn TreeNotation>>,
    /// Numbers of the moves that have no codes.
    moves: HashMap<String, u32>,
    texts: Texts,
    /// The open nodes: how many moves of each were searched, its depth, and its move.
    open: Vec<Open>,
    number: i32,
    in_tree: bool,
    nodes: u64,
}

struct Open {
    moves: usize,
    depth: Depth,
    mv: Option<u32>,
}

impl Pipe<'_> {
    fn run(&mut self, input: &mut dyn BufRead) -> Result<(), PipeError> {
        loop {
            let mut bytes = Vec::new();
            let read = input.take(LONGEST + 1).read_until(b'\n', &mut bytes).map_err(PipeError::Read)?;
            if read == 0 {
                return Ok(());
            }
            self.line += 1;
            if read as u64 > LONGEST {
                return Err(self.wrong("it is too long"));
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim_end_matches(['\n', '\r']);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            if word == "d" {
                return Ok(());
            }
            self.take(word, rest)?;
        }
    }

    fn wrong(&self, reason: impl Into<String>) -> PipeError {
        PipeError::Line { line: self.line, reason: reason.into() }
    }

    fn take(&mut self, word: &str, rest: &str) -> Result<(), PipeError> {
        if self.game.is_none() {
            let game = (word == "plywise-tree").then(|| rest.strip_prefix("1 ")).flatten();
            let game = game.ok_or_else(|| self.wrong("'plywise-tree 1 GAME' was expected first"))?;
            self.game = Some(game.trim().into());
            return Ok(());
        }
        match word {
            "t" => self.start(rest),
            "b" | "e" | "w" | "x" | "s" => {
                let line = self.line;
                let wrong = |reason: String| PipeError::Line { line, reason };
                let current = self.current.as_mut().filter(|current| current.in_tree);
                let current = current.ok_or_else(|| wrong("no tree has begun".into()))?;
                let result = match word {
                    "b" => current.board(rest),
                    "e" => current.enter(rest),
                    "w" => current.narrow(rest),
                    "x" => current.exit(rest),
                    _ => {
                        current.stop();
                        Ok(())
                    }
                };
                result.map_err(wrong)
            }
            _ => Err(self.wrong(format!("'{}' is no record of the protocol", excerpt(word)))),
        }
    }

    fn start(&mut self, rest: &str) -> Result<(), PipeError> {
        let (number, position) = rest.split_once(' ').unwrap_or((rest, ""));
        let number: i32 = number.parse().map_err(|_| self.wrong("a tree needs the number of its iteration"))?;
        let position = position.trim();
        if let Some(current) = &mut self.current {
            current.stop();
        }
        if self.current.as_ref().is_none_or(|current| current.position != position) {
            self.end_file()?;
            self.begin_file(position)?;
        }
        let current = self.current.as_mut().expect("a file has just begun");
        current.number = number.clamp(0, Depth::MAX.whole_plies());
        current.in_tree = true;
        Ok(())
    }

    fn begin_file(&mut self, position: &str) -> Result<(), PipeError> {
        let game = self.game.clone().unwrap_or_default();
        let notation = (self.find)(&game, position).transpose().map_err(|reason| self.wrong(reason))?;
        let path = numbered(&self.path, self.files.len() + 1);
        let written = notation.as_ref().map_or(position.to_string(), |notation| notation.position(&[]));
        let head = Head { game, position: written, sent: true, build: self.build.clone(), ..Head::default() };
        let recording = Recording::create(&path, &head, self.filter);
        let recording = recording.map_err(|error| PipeError::Write { file: path.display().to_string(), error })?;
        self.current = Some(Current {
            path,
            stream: recording.stream(0),
            recording,
            position: position.into(),
            notation,
            moves: HashMap::new(),
            texts: Texts { first: 1, ..Texts::default() },
            open: Vec::new(),
            number: 0,
            in_tree: false,
            nodes: 0,
        });
        Ok(())
    }

    fn end_file(&mut self) -> Result<(), PipeError> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        current.stop();
        let Current { path, recording, stream, nodes, .. } = current;
        drop(stream);
        let recorded = recording.finish(&Summary { nodes, ..Summary::default() });
        let recorded = recorded.map_err(|error| PipeError::Write { file: path.display().to_string(), error })?;
        self.files.push(Sent { path, recorded });
        Ok(())
    }
}

impl Current {
    fn board(&mut self, row: &str) -> Result<(), String> {
        if self.texts.board.len() as u64 > LONGEST {
            return Err("the board is too large".into());
        }
        if self.nodes == 0 {
            self.texts.board += row;
            self.texts.board.push('\n');
        }
        Ok(())
    }

    fn enter(&mut self, rest: &str) -> Result<(), String> {
        const SHAPE: &str = "a node is entered by 'e MOVE ALPHA BETA TYPE [DEPTH]'";
        let mut words = rest.split_ascii_whitespace();
        let mut word = || words.next().ok_or(SHAPE);
        let (mv, alpha, beta, kind) = (word()?, word()?, word()?, word()?);
        let depth = words.next().filter(|depth| *depth != "?");
        let window = window_of(alpha, beta)?;
        let (kind, purpose) = kind_of(kind).ok_or_else(|| format!("there is no type '{}'", excerpt(kind)))?;
        let is_root = self.open.is_empty();
        if self.open.len() >= DEEPEST {
            return Err(format!("more than {DEEPEST} nodes are open"));
        }
        let (code, purpose) = match mv {
            _ if is_root => (None, Some(Purpose::Root)),
            "-" => (None, purpose.filter(|&purpose| purpose == Purpose::Verification)),
            "0" => (Some(0), Some(Purpose::NullMove)),
            mv => (Some(self.code(mv)?), purpose.filter(|&purpose| purpose != Purpose::Verification)),
        };
        let depth = match (depth.map(str::parse), self.open.last()) {
            (Some(Ok(hundredths)), _) => Depth::hundredths(hundredths),
            (Some(Err(_)), _) => return Err("the depth is no whole number of hundredths".into()),
            (None, None) => Depth::plies(self.number),
            (None, Some(above)) => above.depth - Depth::PLY,
        };
        let ply = self.open.iter().filter(|open| open.mv.is_some()).count() + usize::from(code.is_some());
        let is_move = matches!(purpose, Some(Purpose::Move));
        let number = self.open.last_mut().map_or(0, |above| {
            above.moves += usize::from(is_move);
            if code.is_some() { above.moves } else { 0 }
        });
        let price = self.open.last().map_or(Depth::PLY, |above| above.depth - depth);
        self.nodes += 1;
        self.stream.enter(&Entry {
            mv: code.unwrap_or(0),
            ply,
            depth: if kind == Some(NodeKind::Quiescence) { Depth::ZERO } else { depth },
            window,
            kind,
            purpose,
            price,
            full: price,
            number,
            phase: None,
            extension: None,
            likelihood: None,
            count: self.nodes,
        });
        self.open.push(Open { moves: 0, depth, mv: code });
        Ok(())
    }

    fn narrow(&mut self, rest: &str) -> Result<(), String> {
        let (alpha, beta) = rest.split_once(' ').ok_or("a window is narrowed by 'w ALPHA BETA'")?;
        if self.open.is_empty() {
            return Err("no node is open".into());
        }
        self.stream.narrow(window_of(alpha, beta)?);
        Ok(())
    }

    /// The code of a move: the game's own where it is known, else the number of its text.
    fn code(&mut self, text: &str) -> Result<u32, String> {
        if let Some(notation) = &self.notation {
            let line: Vec<u32> = self.open.iter().filter_map(|open| open.mv).collect();
            return notation.read(&line, text);
        }
        if let Some(&number) = self.moves.get(text) {
            return Ok(number);
        }
        if self.moves.len() >= MOST_MOVES {
            return Err(format!("there are more than {MOST_MOVES} different moves"));
        }
        let number = self.moves.len() as u32 + 1;
        self.moves.insert(text.into(), number);
        self.texts.moves.push(text.into());
        Ok(number)
    }

    fn exit(&mut self, rest: &str) -> Result<(), String> {
        let mut words = rest.split_ascii_whitespace();
        let value = words.next().ok_or("a node is left by 'x VALUE [REASON [EVALUATION]]'")?;
        let value = match value {
            "?" => None,
            value => Some(value.parse().map_err(|_| "the value is no whole number")?),
        };
        let reason = words.next().unwrap_or("unknown");
        let end = end_of(reason).ok_or_else(|| format!("there is no reason '{}'", excerpt(reason)))?;
        let evaluation = words.next().map(|number| number.parse().map_err(|_| "the evaluation is no whole number"));
        let evaluation = evaluation.transpose()?;
        if self.open.pop().is_none() {
            return Err("no node is open".into());
        }
        let end = if value.is_none() { Ended::Stopped } else { end };
        let value = value.filter(|_| end != Ended::Stopped);
        if self.stream.is_almost_full() {
            // The names of a block stand before it.
            self.write_texts();
        }
        self.stream.leave(&Exit { value, uncertain: false, evaluation, end, count: self.nodes });
        Ok(())
    }

    /// The tree ends; what is open was stopped.
    fn stop(&mut self) {
        self.stream.close_open();
        self.open.clear();
        self.in_tree = false;
        self.write_texts();
    }

    fn write_texts(&mut self) {
        if self.texts.moves.is_empty() && self.texts.board.is_empty() {
            return;
        }
        self.recording.write_texts(&self.texts);
        self.texts = Texts { first: self.moves.len() as u32 + 1, ..Texts::default() };
    }
}

fn window_of(alpha: &str, beta: &str) -> Result<Window, String> {
    match (alpha.parse(), beta.parse()) {
        (Ok(alpha), Ok(beta)) => Ok(Window { alpha, beta }),
        _ => Err("a bound is no whole number".into()),
    }
}

fn kind_of(name: &str) -> Option<(Option<NodeKind>, Option<Purpose>)> {
    Some(match name {
        "pv" => (Some(NodeKind::Pv), Some(Purpose::Move)),
        "cut" => (Some(NodeKind::Cut), Some(Purpose::Move)),
        "all" => (Some(NodeKind::All), Some(Purpose::Move)),
        "quiescence" => (Some(NodeKind::Quiescence), Some(Purpose::Move)),
        "null" => (None, Some(Purpose::NullMove)),
        "probe" => (None, None),
        "research" => (None, Some(Purpose::FullPrice)),
        "verify" => (None, Some(Purpose::Verification)),
        "unknown" => (None, Some(Purpose::Move)),
        _ => return None,
    })
}

fn end_of(name: &str) -> Option<Ended> {
    Some(match name {
        "moves" | "cut" => Ended::By(End::Moves),
        "table" => Ended::By(End::Cut(Technique::Table)),
        "stand_pat" => Ended::By(End::StandPat),
        "evaluated" => Ended::By(End::Evaluated),
        "draw" => Ended::By(End::Draw),
        "over" => Ended::By(End::Over),
        "null_move" => Ended::By(End::Cut(Technique::NullMove)),
        "futility" => Ended::By(End::Cut(Technique::ReverseFutility)),
        "multi_cut" => Ended::By(End::Cut(Technique::MultiCut)),
        "probcut" => Ended::By(End::Cut(Technique::ProbCut)),
        "stopped" => Ended::Stopped,
        "unknown" => Ended::Unknown,
        _ => return None,
    })
}
