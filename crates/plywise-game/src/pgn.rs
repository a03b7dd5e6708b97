//! Game records in PGN, for every game that has a [`Notation`](crate::Notation).
//!
//! [`read`] goes through the games of a text or a file one by one and holds no more than one of them. A game that
//! cannot be replayed is passed over with a [`Warning`] that names the game and the line. A [`Record`] writes itself: its
//! `Display` form is PGN that [`read`] takes back.
//!
//! A record keeps everything that the format calls a part of the game: tags, moves, and as [`Remarks`] the comments, the
//! marks (`!`, `$14`) and the variations, with what stands in these. Reading and writing lose none of it; only its
//! layout is ours: line breaks, `!` as `$1`, the order of the tags. Lines that `%` hides are not kept.
//!
//! PGN calls the players White and Black. Here White is [`Side::First`], whatever colour the game gives that player, so
//! `1-0` is a win for the player who moves first from the start. Games other than chess carry their
//! [`TITLE`](crate::Notation::TITLE) in the `Variant` tag, and a record whose tag names another game is passed over.
//!
//! ```
//! # mod tic_tac_toe { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tic_tac_toe.rs")); }
//! # use tic_tac_toe::TicTacToe;
//! use plywise_game::{Side, pgn};
//!
//! let text = r#"
//! [Event "Lunch break"]
//! [Variant "Tic-tac-toe"]
//!
//! 1. b2 {the centre} a2 $6 (1... a1 2. c3) 2. a1 c3 3. b1! c1 4. b3 1-0
//!
//! [Event "Tea break"]
//!
//! 1. b2 b2 0-1
//! "#;
//!
//! let mut games = pgn::read::<TicTacToe, _>(text.as_bytes());
//! let first = games.next().unwrap().unwrap();
//! assert_eq!(first.tag("Event"), Some("Lunch break"));
//! assert_eq!(first.moves.len(), 7);
//! assert_eq!(first.remarks.comment(1), "the centre");
//! assert!(first.to_string().contains("1. b2 {the centre} 1... a2 $6 (1... a1 2. c3) 2. a1 c3 3. b1 $1 c1"));
//! assert_eq!(first.result, pgn::GameResult::Win(Side::First));
//!
//! let warning = games.next().unwrap().unwrap_err();
//! assert_eq!(warning.to_string(), "game 2, line 9: cannot play 'b2': b2 is taken");
//! assert!(games.next().is_none());
//! ```

mod reader;
mod remarks;
mod scanner;
mod writer;

pub use reader::{Error, Reader, Warning, read, read_with};
pub use remarks::{Mark, Remark, Remarks, Variation};
pub(crate) use scanner::without_annotations;

use crate::notation::excerpt;
use crate::{Game, Outcome, Score, Side, score};
use std::fmt;
use std::time::SystemTime;

/// One game: who played, from where, which moves, and how it ended.
pub struct Record<G: Game> {
    /// Names and values of the tags, in the order of the file. The writer adds what the format asks for.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: G::Position,
    /// The number of the first move: 1, unless the game begins in the middle of another.
    pub first_number: u32,
    /// The moves, legal one after another from the start.
    pub moves: Vec<G::Move>,
    /// What stands between the moves.
    pub remarks: Remarks<G::Move>,
    /// How the game ended.
    pub result: GameResult,
}

impl<G: Game> Record<G> {
    /// A record without tags or moves, its result unknown.
    pub fn new(start: G::Position) -> Record<G> {
        Record {
            tags: Vec::new(),
            start,
            first_number: 1,
            moves: Vec::new(),
            remarks: Remarks::default(),
            result: GameResult::Unknown,
        }
    }

    /// The value of a tag; of the first, where several have its name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }

    /// Gives a tag a value, and adds the tag if it is new. A name that PGN cannot hold is refused.
    pub fn set_tag(&mut self, name: impl Into<String>, value: impl Into<String>) -> Result<(), TagNameError> {
        let name = name.into();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(TagNameError(name));
        }
        match self.tags.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name, value.into())),
        }
        Ok(())
    }

    /// Every position of the game: the start, then the one after each move.
    ///
    /// ```
    /// # mod tic_tac_toe { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tic_tac_toe.rs")); }
    /// # use tic_tac_toe::TicTacToe;
    /// use plywise_game::{Game, pgn};
    ///
    /// let game = pgn::read::<TicTacToe, _>("1. a1 b2 *".as_bytes()).next().unwrap().unwrap();
    /// let positions: Vec<_> = game.positions().collect();
    /// assert_eq!(positions.len(), 3);
    /// assert_eq!(positions[0], TicTacToe::start());
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = G::Position> {
        let mut moves = self.moves.iter();
        std::iter::successors(Some(self.start.clone()), move |position| moves.next().map(|&mv| G::play(position, mv)))
    }
}

// Derived implementations would ask `G` itself to be `Clone`, `Debug` and `PartialEq`, though only its positions and
// moves need be, and always are.

impl<G: Game> Clone for Record<G> {
    fn clone(&self) -> Record<G> {
        Record {
            tags: self.tags.clone(),
            start: self.start.clone(),
            first_number: self.first_number,
            moves: self.moves.clone(),
            remarks: self.remarks.clone(),
            result: self.result,
        }
    }
}

impl<G: Game> PartialEq for Record<G> {
    fn eq(&self, other: &Record<G>) -> bool {
        self.tags == other.tags
            && self.start == other.start
            && self.first_number == other.first_number
            && self.moves == other.moves
            && self.remarks == other.remarks
            && self.result == other.result
    }
}

impl<G: Game> fmt::Debug for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Record")
            .field("tags", &self.tags)
            .field("start", &self.start)
            .field("first_number", &self.first_number)
            .field("moves", &self.moves)
            .field("remarks", &self.remarks)
            .field("result", &self.result)
            .finish()
    }
}

/// Why a tag was refused: one sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' cannot be the name of a PGN tag, which consists of letters, digits and underscores", excerpt(.0))]
pub struct TagNameError(pub String);

/// How a recorded game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0` or `0-1`: this side won.
    Win(Side),
    /// `1/2-1/2`: neither did.
    Draw,
    /// `*`: the game was not finished, or its end is not recorded.
    #[default]
    Unknown,
}

impl GameResult {
    /// The result that follows from an outcome seen by `side_to_move`.
    ///
    /// ```
    /// use plywise_game::{Outcome, Side, pgn::GameResult};
    /// assert_eq!(GameResult::of(Outcome::Loss, Side::First), GameResult::Win(Side::Second));
    /// assert_eq!(GameResult::of(Outcome::Points(0), Side::First), GameResult::Draw);
    /// ```
    pub fn of(outcome: Outcome, side_to_move: Side) -> GameResult {
        match outcome {
            Outcome::Win | Outcome::Points(1..) => GameResult::Win(side_to_move),
            Outcome::Loss | Outcome::Points(..=-1) => GameResult::Win(!side_to_move),
            Outcome::Draw | Outcome::Points(0) => GameResult::Draw,
        }
    }

    /// The points that a side made: one for a win, half for a draw; `None` where the result is unknown.
    pub fn points(self, side: Side) -> Option<f64> {
        match self {
            GameResult::Win(winner) => Some(if winner == side { 1.0 } else { 0.0 }),
            GameResult::Draw => Some(0.5),
            GameResult::Unknown => None,
        }
    }

    /// Reads the word that ends a game.
    fn parse(word: &str) -> Option<GameResult> {
        match word {
            "1-0" => Some(GameResult::Win(Side::First)),
            "0-1" => Some(GameResult::Win(Side::Second)),
            "1/2-1/2" | "1/2" | "½-½" => Some(GameResult::Draw),
            "*" => Some(GameResult::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            GameResult::Win(Side::First) => "1-0",
            GameResult::Win(Side::Second) => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        })
    }
}

/// A score and the depth behind it as the comment on a move that other programs read: `[%eval 0.35,12]`, in hundredths of
/// the evaluation's unit and for the side that began the game. Forced wins count the moves of the winner: `[%eval #-3]`.
pub fn write_eval(score: Score, depth: Option<u32>) -> String {
    let depth = depth.map_or(String::new(), |depth| format!(",{depth}"));
    match score::plies_to_end(score) {
        Some(plies) => {
            let sign = if score < 0 { "-" } else { "" };
            format!("[%eval #{sign}{}{depth}]", plies.unsigned_abs().div_ceil(2))
        }
        None => format!("[%eval {:.2}{depth}]", f64::from(score) / 100.0),
    }
}

/// The score in a comment that [`write_eval`] wrote, or another program, in the evaluation's unit. Forced wins have none.
pub fn read_eval(comment: &str) -> Option<f64> {
    let (_, after) = comment.split_once("[%eval ")?;
    let number = after.split([',', ']']).next()?;
    number.parse::<f64>().ok().map(|pawns| pawns * 100.0).filter(|score| score.is_finite())
}

/// The day of a moment, in the Gregorian calendar and at Greenwich, as the `Date` tag has it.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(1_709_210_096);
/// assert_eq!(plywise_game::pgn::write_date(moment), "2024.02.29");
/// ```
pub fn write_date(moment: SystemTime) -> String {
    const SECONDS_IN_DAY: u64 = 24 * 3600;
    /// Years that begin in March end with the day that comes and goes; eras of 400 of them are all alike.
    const DAYS_IN_ERA: u64 = 146_097;
    const DAYS_TO_EPOCH: u64 = 719_468;
    // A clock that was set before 1970 is a clock that was not set.
    let seconds = moment.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let days = seconds / SECONDS_IN_DAY + DAYS_TO_EPOCH;
    let (era, day) = (days / DAYS_IN_ERA, days % DAYS_IN_ERA);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}.{month:02}.{day:02}", era * 400 + year + next_year)
}

/// Tags that follow from the record itself.
const DERIVED: [&str; 3] = ["Variant", "SetUp", "FEN"];

/// The game that PGN was made for, the only one that needs no `Variant` tag.
const DEFAULT_GAME: &str = "chess";

fn find_tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Whether a tag of this name reads back. Other programs write more than the letters, digits and underscores that the
/// format allows.
fn is_readable_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || "[]{}();\"".contains(c))
}

/// A comment as it is kept: one line, single spaces.
fn plain_comment(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
