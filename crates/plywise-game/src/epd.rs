//! Test suites in EPD, for every game that has a [`Notation`].
//!
//! A line is a position followed by operations, `POSITION bm MOVE [MOVE…]; id "…";`. The best moves, the moves to avoid,
//! the name, and the counters of FEN (`hmvc`, `fmvn`) are understood, every other operation is kept as it stands. Lines of perft suites, which put the
//! semicolons in front (`POSITION ;D1 20 ;D2 400`), are read too. Empty lines and lines that begin with `#` are passed
//! over.
//!
//! ```
//! # mod tic_tac_toe { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tic_tac_toe.rs")); }
//! # use tic_tac_toe::TicTacToe;
//! use plywise_game::epd;
//!
//! let suite = "# Win at once.\n\
//!              .../oo./xx. x bm c1; id \"row\";\n\
//!              .../oo./xx. x bm d1; id \"typo\";\n";
//!
//! let mut entries = epd::read::<TicTacToe, _>(suite.as_bytes());
//! let first = entries.next().unwrap().unwrap();
//! assert_eq!(first.id.as_deref(), Some("row"));
//! assert_eq!(first.to_string(), ".../oo./xx. x bm c1; id \"row\";");
//!
//! let error = entries.next().unwrap().unwrap_err();
//! assert_eq!(error.to_string(), "line 3: bm names 'd1', which cannot be played: a move is a square from a1 to c3");
//! ```

use crate::lines::Lines;
use crate::notation::{excerpt, word_ends};
use crate::pgn::without_annotations;
use crate::{Game, GameInfo, Notation, NotationError};
use std::fmt;
use std::io::{self, BufRead};

/// Reads the lines of `input` one by one. A text is read as `text.as_bytes()`.
///
/// A line that makes no sense gives an error, and reading goes on after it. To stop at the first, collect into a
/// `Result<Vec<_>, _>`.
pub fn read<G: Notation, R: BufRead>(input: R) -> Reader<G, R> {
    read_with(&GameInfo::of_type(), input)
}

/// [`read`] for a game whose positions its type cannot read.
pub fn read_with<G: Notation, R: BufRead>(info: &GameInfo<G>, input: R) -> Reader<G, R> {
    Reader { lines: Lines::new(input), is_over: false, info: info.clone() }
}

/// A position and what is known about it.
pub struct Entry<G: Game> {
    /// The position.
    pub position: G::Position,
    /// The best moves (`bm`): finding one of them solves the position.
    pub best: Vec<G::Move>,
    /// Moves to avoid (`am`).
    pub avoid: Vec<G::Move>,
    /// The name of the position (`id`).
    pub id: Option<String>,
    /// All other operations in their order.
    pub operations: Vec<Operation>,
}

/// An operation that is kept as it stands, such as `D3 8902` or `c0 "from a game"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name.
    pub opcode: String,
    /// What follows the name, quotes included.
    pub operands: String,
}

impl<G: Game> Entry<G> {
    /// An entry that says nothing about `position`.
    pub fn new(position: G::Position) -> Entry<G> {
        Entry { position, best: Vec::new(), avoid: Vec::new(), id: None, operations: Vec::new() }
    }

    /// The operands of an operation other than `bm`, `am` and `id`.
    pub fn operands(&self, opcode: &str) -> Option<&str> {
        self.operations.iter().find(|operation| operation.opcode == opcode).map(|operation| operation.operands.as_str())
    }

    /// The depths and counts of a perft line, `;D1 20 ;D2 400`.
    ///
    /// ```
    /// # mod tic_tac_toe { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tic_tac_toe.rs")); }
    /// # use tic_tac_toe::TicTacToe;
    /// use plywise_game::epd::Entry;
    ///
    /// let entry: Entry<TicTacToe> = ".../.../... x ;D1 9 ;D2 72".parse().unwrap();
    /// assert_eq!(entry.perft_counts(), [(1, 9), (2, 72)]);
    /// ```
    pub fn perft_counts(&self) -> Vec<(u32, u64)> {
        let count = |operation: &Operation| {
            let depth = operation.opcode.strip_prefix('D')?.parse().ok()?;
            Some((depth, operation.operands.parse().ok()?))
        };
        self.operations.iter().filter_map(count).collect()
    }

    /// Whether playing `mv` solves the position: it is among the best moves, if any are named, and not to be avoided.
    pub fn is_solved_by(&self, mv: G::Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }
}

// Derived implementations would ask `G` itself to be `Clone`, `Debug` and `PartialEq`.

impl<G: Game> Clone for Entry<G> {
    fn clone(&self) -> Entry<G> {
        Entry {
            position: self.position.clone(),
            best: self.best.clone(),
            avoid: self.avoid.clone(),
            id: self.id.clone(),
            operations: self.operations.clone(),
        }
    }
}

impl<G: Game> PartialEq for Entry<G> {
    fn eq(&self, other: &Entry<G>) -> bool {
        self.position == other.position
            && self.best == other.best
            && self.avoid == other.avoid
            && self.id == other.id
            && self.operations == other.operations
    }
}

impl<G: Game> fmt::Debug for Entry<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Entry")
            .field("position", &self.position)
            .field("best", &self.best)
            .field("avoid", &self.avoid)
            .field("id", &self.id)
            .field("operations", &self.operations)
            .finish()
    }
}

/// Why [`Reader`] gave no entry.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// One line is wrong; the next call gives the one after it.
    #[error("line {line}: {problem}")]
    Broken {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        problem: NotationError,
    },
    /// The input itself failed; nothing follows.
    #[error("cannot read on after line {line}: {source}")]
    Unreadable {
        /// The last line that could be read.
        line: usize,
        /// What the operating system said.
        source: io::Error,
    },
}

/// The entries of a suite, one by one; made by [`read`].
pub struct Reader<G: Game, R> {
    lines: Lines<R>,
    is_over: bool,
    info: GameInfo<G>,
}

impl<G: Notation, R: BufRead> Iterator for Reader<G, R> {
    type Item = Result<Entry<G>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            match self.lines.advance() {
                Err(source) => {
                    self.is_over = true;
                    return Some(Err(Error::Unreadable { line: self.lines.number, source }));
                }
                Ok(false) => self.is_over = true,
                Ok(true) => {
                    let text = self.lines.text.trim();
                    if !text.is_empty() && !text.starts_with('#') {
                        let broken = |problem| Error::Broken { line: self.lines.number, problem };
                        return Some(Entry::parse(&self.info, text).map_err(broken));
                    }
                }
            }
        }
        None
    }
}

impl<G: Game, R> fmt::Debug for Reader<G, R> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Reader").field("line", &self.lines.number).finish_non_exhaustive()
    }
}

impl<G: Notation> std::str::FromStr for Entry<G> {
    type Err = NotationError;

    /// Reads one line.
    fn from_str(line: &str) -> Result<Entry<G>, NotationError> {
        Entry::parse(&GameInfo::of_type(), line)
    }
}

impl<G: Notation> Entry<G> {
    fn parse(info: &GameInfo<G>, line: &str) -> Result<Entry<G>, NotationError> {
        let (position, rest) = split_position(info, line)?;
        let operations = split_operations(rest)?;
        let text = line[..line.len() - rest.len()].trim();
        let (position, counted) = with_counters(info, position, text, &operations)?;
        let mut entry = Entry::new(position);
        for operation in operations.into_iter().filter(|operation| !counted || counter(operation).is_none()) {
            entry.add_operation(operation)?;
        }
        Ok(entry)
    }

    fn add_operation(&mut self, text: &str) -> Result<(), NotationError> {
        let (opcode, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let operands = operands.trim();
        match opcode {
            "bm" => self.best.extend(parse_moves::<G>(&self.position, opcode, operands)?),
            "am" => self.avoid.extend(parse_moves::<G>(&self.position, opcode, operands)?),
            "id" => self.id = Some(operands.trim_matches('"').to_string()),
            _ => self.operations.push(Operation { opcode: opcode.to_string(), operands: operands.to_string() }),
        }
        Ok(())
    }
}

/// The counters of FEN as operations, with the values of those that are missing.
const COUNTERS: [(&str, &str); 2] = [("hmvc", "0"), ("fmvn", "1")];

/// The opcode and the operand of an operation that is a counter.
fn counter(operation: &str) -> Option<(&str, &str)> {
    let (opcode, operand) = operation.split_once(char::is_whitespace)?;
    COUNTERS.iter().any(|(known, _)| *known == opcode).then_some((opcode, operand.trim()))
}

/// The position with the counters that the operations give, and whether they do: EPD leaves them out of the position. A
/// game without such counters takes no notice.
fn with_counters<G: Game>(
    info: &GameInfo<G>,
    position: G::Position,
    text: &str,
    operations: &[&str],
) -> Result<(G::Position, bool), NotationError> {
    let given = |name| operations.iter().filter_map(|operation| counter(operation)).find(|(opcode, _)| *opcode == name);
    let write = |values: [&str; 2]| format!("{text} {}", values.join(" "));
    let usual = COUNTERS.map(|(_, value)| value);
    let asked = COUNTERS.map(|(name, usual)| given(name).map_or(usual, |(_, value)| value));
    let has_counters = || info.parse_position(&write(usual)).is_ok();
    if COUNTERS.iter().all(|(name, _)| given(name).is_none()) || !has_counters() {
        return Ok((position, false));
    }
    let counted = info.parse_position(&write(asked)).map_err(|error| {
        let [hmvc, fmvn] = asked.map(excerpt);
        NotationError::new(format!("hmvc {hmvc} and fmvn {fmvn} do not fit the position: {error}"))
    })?;
    Ok((counted, true))
}

fn parse_moves<G: Notation>(position: &G::Position, opcode: &str, text: &str) -> Result<Vec<G::Move>, NotationError> {
    let parse_move = |word: &str| {
        G::parse_move(position, without_annotations(word)).map_err(|error| {
            NotationError::new(format!("{opcode} names '{}', which cannot be played: {error}", excerpt(word)))
        })
    };
    if text.is_empty() {
        return Err(NotationError::new(format!("{opcode} names no move")));
    }
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).map(parse_move).collect()
}

/// The most words that a position is tried with; FEN, with six, is the longest.
const MAX_POSITION_WORDS: usize = 8;

/// The position that a line begins with, and the rest of the line.
///
/// Nothing marks the end of the position, and chess has positions of four words and of six. So it is the longest
/// beginning, in whole words, that the game reads as a position.
fn split_position<'a, G: Game>(info: &GameInfo<G>, line: &'a str) -> Result<(G::Position, &'a str), NotationError> {
    let head = line.split(';').next().unwrap_or_default();
    let ends = word_ends(head);
    let longest_first = ends.iter().take(MAX_POSITION_WORDS).rev();
    for &end in longest_first {
        if let Ok(position) = info.parse_position(line[..end].trim_start()) {
            return Ok((position, &line[end..]));
        }
    }
    // Nothing fits: what stands before a well-known operation is what the writer took for a position.
    let end = ends.iter().copied().take_while(|&end| !is_known_opcode(last_word(&line[..end]))).last().unwrap_or(0);
    match info.parse_position(line[..end].trim_start()) {
        Err(error) => Err(error),
        Ok(_) => Err(NotationError::new(format!("a position has at most {MAX_POSITION_WORDS} words"))),
    }
}

fn last_word(text: &str) -> &str {
    text.rsplit(char::is_whitespace).next().unwrap_or_default()
}

fn is_known_opcode(word: &str) -> bool {
    const KNOWN: [&str; 12] = ["bm", "am", "id", "pv", "ce", "dm", "acd", "acn", "hmvc", "fmvn", "c0", "c9"];
    KNOWN.contains(&word)
}

/// The operations of a line: what stands between semicolons, unless these are in quotes.
fn split_operations(text: &str) -> Result<Vec<&str>, NotationError> {
    let mut in_quotes = false;
    let parts = text.split(|letter: char| {
        in_quotes ^= letter == '"';
        letter == ';' && !in_quotes
    });
    let operations = parts.map(str::trim).filter(|part| !part.is_empty()).collect();
    if in_quotes { Err(NotationError::new("a quotation mark is not closed")) } else { Ok(operations) }
}

/// The entry on one line, without a newline. What EPD cannot express is bent: it has no way to put a quotation mark in
/// quotes, so one becomes an apostrophe.
impl<G: Notation> fmt::Display for Entry<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&G::write_short_position(&self.position))?;
        for (opcode, moves) in [("bm", &self.best), ("am", &self.avoid)] {
            if !moves.is_empty() {
                write!(f, " {opcode}")?;
                moves.iter().try_for_each(|&mv| write!(f, " {}", G::write_move(&self.position, mv)))?;
                f.write_str(";")?;
            }
        }
        if let Some(id) = &self.id {
            write!(f, " id {};", quote(id))?;
        }
        self.operations.iter().try_for_each(|operation| operation.write(f))
    }
}

impl Operation {
    /// Writes it with a space before and a semicolon behind. One whose name would be misread is left out.
    fn write(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_sound = self.opcode.starts_with(|c: char| c.is_ascii_alphabetic()) && self.opcode.chars().all(is_name);
        if !is_sound || ["bm", "am", "id"].contains(&self.opcode.as_str()) {
            return Ok(());
        }
        let operands = self.operands.replace(char::is_control, " ");
        let operands = operands.trim();
        match split_operations(operands) {
            Ok(parts) if parts.is_empty() => write!(f, " {};", self.opcode),
            Ok(parts) if parts == [operands] => write!(f, " {} {operands};", self.opcode),
            _ => write!(f, " {} {};", self.opcode, quote(operands)),
        }
    }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "'").replace(char::is_control, " "))
}
