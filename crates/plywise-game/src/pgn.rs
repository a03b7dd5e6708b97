//! Game records in PGN, for every game that has a [`Notation`].
//!
//! [`read`] goes through the games of a text or a file one by one and holds no more than one of them. A game that
//! cannot be replayed is passed over with a [`Warning`] that names the game and the line. A [`Record`] writes itself: its
//! `Display` form is PGN that [`read`] takes back.
//!
//! PGN calls the players White and Black. Here White is [`Side::First`], whatever colour the game gives that player, so
//! `1-0` is a win for the player who moves first from the start. Games other than chess carry their
//! [`TITLE`](Notation::TITLE) in the `Variant` tag, and a record whose tag names another game is passed over.
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
//! assert_eq!(first.comments[&1], "the centre");
//! assert_eq!(first.result, pgn::GameResult::Win(Side::First));
//!
//! let warning = games.next().unwrap().unwrap_err();
//! assert_eq!(warning.to_string(), "game 2, line 9: cannot play 'b2': b2 is taken");
//! assert!(games.next().is_none());
//! ```

mod annotated;

pub use annotated::{Annotated, Mark, Note};

use crate::notation::excerpt;
use crate::{Game, Notation, Outcome, Score, Side, score};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead};
use std::mem;
use std::time::SystemTime;

/// Reads the games of `input` one by one. A text is read as `text.as_bytes()`.
pub fn read<G: Notation, R: BufRead>(input: R) -> Reader<G, R> {
    Reader { scanner: Scanner::new(input), draft: Draft::default(), games: 0, is_over: false }
}

/// One game: who played, from where, which moves, and how it ended.
pub struct Record<G: Game> {
    /// Names and values of the tags, in the order of the file. The writer adds what the format asks for.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: G::Position,
    /// The moves, legal one after another from the start.
    pub moves: Vec<G::Move>,
    /// Comments, by the number of moves that stand before them: 0 is ahead of the first move.
    pub comments: BTreeMap<usize, String>,
    /// How the game ended.
    pub result: GameResult,
}

impl<G: Game> Record<G> {
    /// A record without tags or moves, its result unknown.
    pub fn new(start: G::Position) -> Record<G> {
        Record { tags: Vec::new(), start, moves: Vec::new(), comments: BTreeMap::new(), result: GameResult::Unknown }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }

    /// Gives a tag a value, and adds the tag if it is new. A name that PGN cannot hold is refused.
    pub fn set_tag(&mut self, name: impl Into<String>, value: impl Into<String>) -> Result<(), TagNameError> {
        let name = name.into();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(TagNameError(name));
        }
        put_tag(&mut self.tags, name, value.into());
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
            moves: self.moves.clone(),
            comments: self.comments.clone(),
            result: self.result,
        }
    }
}

impl<G: Game> PartialEq for Record<G> {
    fn eq(&self, other: &Record<G>) -> bool {
        self.tags == other.tags
            && self.start == other.start
            && self.moves == other.moves
            && self.comments == other.comments
            && self.result == other.result
    }
}

impl<G: Game> fmt::Debug for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Record")
            .field("tags", &self.tags)
            .field("start", &self.start)
            .field("moves", &self.moves)
            .field("comments", &self.comments)
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
    /// `1/2-1/2`: nobody did.
    Draw,
    /// `*`: the game was not finished, or nobody wrote down how it ended.
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

    /// The points that a side made: one for a win, half for a draw; `None` where nobody knows.
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

/// Why a game was passed over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, line {line}: {problem}")]
pub struct Warning {
    /// The number of the game in its file, from 1.
    pub game: usize,
    /// The line on which reading failed, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

/// Why [`Reader`] gave no record.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// One game is broken; the next call gives the one after it.
    #[error(transparent)]
    Broken(#[from] Warning),
    /// The input itself failed; nothing follows.
    #[error("cannot read on after line {line}: {source}")]
    Unreadable {
        /// The last line that could be read.
        line: usize,
        /// What the operating system said.
        source: io::Error,
    },
}

/// The games of a file, one by one; made by [`read`].
pub struct Reader<G: Notation, R> {
    scanner: Scanner<R>,
    draft: Draft<G>,
    games: usize,
    is_over: bool,
}

impl<G: Notation, R: BufRead> Iterator for Reader<G, R> {
    type Item = Result<Record<G>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            let finished = match self.scanner.next_token() {
                Err(source) => {
                    self.is_over = true;
                    return Some(Err(Error::Unreadable { line: self.scanner.lines.number, source }));
                }
                Ok(None) => {
                    self.is_over = true;
                    Some(mem::take(&mut self.draft))
                }
                Ok(Some((line, token))) => self.draft.take_token(token, line),
            };
            if let Some(draft) = finished.filter(Draft::is_a_game) {
                self.games += 1;
                return Some(draft.finish(self.games).map_err(Error::Broken));
            }
        }
        None
    }
}

impl<G: Notation, R> fmt::Debug for Reader<G, R> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Reader").field("games", &self.games).finish_non_exhaustive()
    }
}

/// A game while it is being read.
struct Draft<G: Notation> {
    tags: Vec<(String, String)>,
    blank_line_after_tags: bool,
    /// The start and the current position, once the first word of the movetext has asked for them.
    board: Option<Board<G>>,
    moves: Vec<G::Move>,
    comments: BTreeMap<usize, String>,
    /// The line on which the outermost open variation began, and how many are open.
    variation: Option<(usize, u32)>,
    result: Option<GameResult>,
    /// The first thing that went wrong, and its line. The rest of the game is only searched for its end.
    problem: Option<(usize, String)>,
    has_movetext: bool,
    /// The line of the last tag that says which game this is and where it starts.
    start_line: usize,
}

struct Board<G: Game> {
    start: G::Position,
    current: G::Position,
}

impl<G: Notation> Default for Draft<G> {
    fn default() -> Draft<G> {
        Draft {
            tags: Vec::new(),
            blank_line_after_tags: false,
            board: None,
            moves: Vec::new(),
            comments: BTreeMap::new(),
            variation: None,
            result: None,
            problem: None,
            has_movetext: false,
            start_line: 0,
        }
    }
}

impl<G: Notation> Draft<G> {
    /// Whether anything was read that makes this a game, rather than the void between two.
    fn is_a_game(&self) -> bool {
        !self.tags.is_empty() || !self.moves.is_empty() || self.variation.is_some() || self.problem.is_some()
    }

    /// Adds a token, and gives the game that it ends: a result ends its own, a tag the one before.
    fn take_token(&mut self, token: Token, line: usize) -> Option<Draft<G>> {
        let ended_before = self.ends_before(&token).then(|| mem::take(self));
        match token {
            Token::Tag(name, value) => self.take_tag(name, value, line),
            Token::BrokenTag(text) => self.fail(line, || format!("'{}' is not a tag", excerpt(text))),
            Token::BlankLine => self.blank_line_after_tags = !self.tags.is_empty(),
            Token::Comment(text) => self.take_comment(&text),
            Token::UnclosedComment => {
                self.has_movetext = true;
                self.fail(line, || "a comment that begins here does not end".to_string());
            }
            Token::VariationStart => self.open_variation(line),
            Token::VariationEnd => self.close_variation(line),
            Token::Word(word) => self.take_word(word, line),
        }
        ended_before.or_else(|| self.result.is_some().then(|| mem::take(self)))
    }

    /// Whether a token belongs to the next game. A tag does where moves stand before it, and also where it repeats one
    /// of a section that a blank line has closed: such a game has neither move nor result.
    fn ends_before(&self, token: &Token) -> bool {
        match token {
            Token::Tag(name, _) => {
                self.has_movetext || self.blank_line_after_tags && find_tag(&self.tags, name).is_some()
            }
            Token::BrokenTag(_) => self.has_movetext,
            _ => false,
        }
    }

    fn take_tag(&mut self, name: String, value: String, line: usize) {
        self.blank_line_after_tags = false;
        if DERIVED.contains(&name.as_str()) {
            self.start_line = line;
        }
        put_tag(&mut self.tags, name, value);
    }

    fn take_comment(&mut self, text: &str) {
        let is_ours = self.variation.is_none() && (self.has_movetext || !self.tags.is_empty());
        let text = plain_comment(text);
        if !is_ours || text.is_empty() {
            return;
        }
        let comment = self.comments.entry(self.moves.len()).or_default();
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(&text);
    }

    fn open_variation(&mut self, line: usize) {
        self.has_movetext = true;
        let (opened, depth) = self.variation.unwrap_or((line, 0));
        self.variation = Some((opened, depth.saturating_add(1)));
    }

    fn close_variation(&mut self, line: usize) {
        self.has_movetext = true;
        match self.variation {
            None => self.fail(line, || "a variation ends that never began".to_string()),
            Some((_, 1)) => self.variation = None,
            Some((opened, depth)) => self.variation = Some((opened, depth - 1)),
        }
    }

    fn take_word(&mut self, word: &str, line: usize) {
        self.has_movetext = true;
        if self.variation.is_some() {
            return;
        }
        self.result = GameResult::parse(word);
        if self.result.is_some() || self.problem.is_some() {
            return;
        }
        let move_text = without_annotations(without_number(word));
        if !move_text.is_empty() {
            self.play(move_text, line);
        }
    }

    fn play(&mut self, text: &str, line: usize) {
        self.set_up();
        let Some(board) = &mut self.board else { return };
        match G::parse_move(&board.current, text) {
            Ok(mv) => {
                board.current = G::play(&board.current, mv);
                self.moves.push(mv);
            }
            // A move number may lack its dot; only where the game has no such move can it be told apart.
            Err(_) if text.bytes().all(|byte| byte.is_ascii_digit()) => {}
            Err(error) => self.fail(line, || format!("cannot play '{}': {error}", excerpt(text))),
        }
    }

    /// Makes the start position, unless that has been done or has failed.
    fn set_up(&mut self) {
        if self.board.is_some() || self.problem.is_some() {
            return;
        }
        match start_position::<G>(&self.tags) {
            Ok(start) => self.board = Some(Board { current: start.clone(), start }),
            Err(problem) => self.fail(self.start_line, || problem),
        }
    }

    /// Notes what is wrong, unless something was before.
    fn fail(&mut self, line: usize, problem: impl FnOnce() -> String) {
        self.problem.get_or_insert_with(|| (line, problem()));
    }

    fn finish(mut self, game: usize) -> Result<Record<G>, Warning> {
        self.set_up();
        if let Some((line, _)) = self.variation {
            self.fail(line, || "a variation that begins here does not end".to_string());
        }
        if let Some((line, problem)) = self.problem {
            return Err(Warning { game, line, problem });
        }
        let result = self.result.or_else(|| GameResult::parse(find_tag(&self.tags, "Result")?)).unwrap_or_default();
        let start = self.board.map_or_else(G::start, |board| board.start);
        Ok(Record { tags: self.tags, start, moves: self.moves, comments: self.comments, result })
    }
}

/// The position that the tags ask for.
fn start_position<G: Notation>(tags: &[(String, String)]) -> Result<G::Position, String> {
    if let Some(variant) = find_tag(tags, "Variant").filter(|variant| !names_game::<G>(variant)) {
        return Err(format!("this is a game of {}, not of {}", excerpt(variant), G::TITLE));
    }
    match (find_tag(tags, "SetUp"), find_tag(tags, "FEN")) {
        (Some("0"), _) | (None, None) => Ok(G::start()),
        (_, Some(text)) => G::parse_position(text).map_err(|error| format!("the FEN tag is wrong: {error}")),
        (Some(_), None) => Err("the SetUp tag promises a position, but there is no FEN tag".to_string()),
    }
}

/// The game that PGN was made for, the only one that needs no `Variant` tag.
const DEFAULT_GAME: &str = "chess";

/// Values of the `Variant` tag under which sites and programs write games by the rules of chess.
const DEFAULT_GAME_VARIANTS: [&str; 8] =
    ["standard", "normal", "chess", "chess960", "chess 960", "fischerandom", "fischerrandom", "from position"];

fn names_game<G: Notation>(variant: &str) -> bool {
    let is = |name: &str| variant.trim().eq_ignore_ascii_case(name);
    is(G::TITLE) || is(G::NAME) || G::NAME == DEFAULT_GAME && DEFAULT_GAME_VARIANTS.into_iter().any(is)
}

fn find_tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

fn put_tag(tags: &mut Vec<(String, String)>, name: String, value: String) {
    match tags.iter_mut().find(|(known, _)| *known == name) {
        Some((_, old)) => *old = value,
        None => tags.push((name, value)),
    }
}

/// `12.e4` without the number and the dots that tell whose move it is.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.starts_with(['.', '…']) { rest.trim_start_matches(['.', '…']) } else { word }
}

/// `e4!?` without the annotator's opinion.
pub(crate) fn without_annotations(word: &str) -> &str {
    word.trim_end_matches(['!', '?'])
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

/// What a PGN text consists of, with what nobody asks for left out: NAGs and lines that `%` hides.
enum Token<'a> {
    Tag(String, String),
    BrokenTag(&'a str),
    BlankLine,
    Comment(String),
    UnclosedComment,
    VariationStart,
    VariationEnd,
    Word(&'a str),
}

/// Cuts a text into tokens, and never holds more of it than a line and a comment.
struct Scanner<R> {
    lines: Lines<R>,
    /// Where in the current line the next token begins.
    at: usize,
}

impl<R: BufRead> Scanner<R> {
    fn new(input: R) -> Scanner<R> {
        Scanner { lines: Lines::new(input), at: 0 }
    }

    /// The next token and the line on which it begins; `None` at the end of the input.
    fn next_token(&mut self) -> io::Result<Option<(usize, Token<'_>)>> {
        loop {
            if let Some(first) = self.skip_to_token() {
                let line = self.lines.number;
                let token = if first == b'{' { self.comment()? } else { self.token_in_line(first) };
                return Ok(Some((line, token)));
            }
            if !self.next_line()? {
                return Ok(None);
            }
            if self.lines.text.trim_ascii().is_empty() {
                return Ok(Some((self.lines.number, Token::BlankLine)));
            }
        }
    }

    /// Moves to the first byte of the next token in the current line, if there is one.
    fn skip_to_token(&mut self) -> Option<u8> {
        let rest = &self.lines.text.as_bytes()[self.at..];
        let mut skipped = 0;
        while let Some(&byte) = rest.get(skipped) {
            match byte {
                b'$' => skipped += 1 + rest[skipped + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
                _ if byte.is_ascii_whitespace() => skipped += 1,
                _ => break,
            }
        }
        self.at += skipped;
        rest.get(skipped).copied()
    }

    /// Goes to the next line that `%` does not hide.
    fn next_line(&mut self) -> io::Result<bool> {
        self.at = 0;
        while self.lines.advance()? {
            if !self.lines.text.starts_with('%') {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A token that ends on its line.
    fn token_in_line(&mut self, first: u8) -> Token<'_> {
        let rest = &self.lines.text[self.at..];
        match first {
            b'(' => {
                self.at += 1;
                Token::VariationStart
            }
            b')' => {
                self.at += 1;
                Token::VariationEnd
            }
            b';' => {
                self.at = self.lines.text.len();
                Token::Comment(rest[1..].to_string())
            }
            b'[' => match parse_tag(rest) {
                Some((name, value, length)) => {
                    self.at += length;
                    Token::Tag(name, value)
                }
                None => {
                    self.at = self.lines.text.len();
                    Token::BrokenTag(rest)
                }
            },
            _ => {
                let length = word_length(rest);
                self.at += length;
                Token::Word(&rest[..length])
            }
        }
    }

    /// A comment in braces, over as many lines as it takes. Somebody who forgets the closing brace would lose every
    /// game that follows, so the next game's first tag ends it too.
    fn comment(&mut self) -> io::Result<Token<'static>> {
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = &self.lines.text[self.at..];
            if let Some(length) = rest.find('}') {
                text.push_str(&rest[..length]);
                self.at += length + 1;
                return Ok(Token::Comment(text));
            }
            text.push_str(rest);
            text.push('\n');
            self.at = 0;
            if !self.lines.advance()? {
                return Ok(Token::UnclosedComment);
            }
            if self.lines.text.starts_with(FIRST_TAG) {
                return Ok(Token::UnclosedComment);
            }
        }
    }
}

/// How the line looks on which almost every game begins.
const FIRST_TAG: &str = "[Event \"";

/// The name and the value of the tag that `text` begins with, and its length.
fn parse_tag(text: &str) -> Option<(String, String, usize)> {
    let quote = text.find('"')?;
    let name = text[1..quote].trim();
    if !is_readable_name(name) {
        return None;
    }
    let (value, length) = parse_quoted(&text[quote + 1..]).or_else(|| parse_badly_quoted(&text[quote + 1..]))?;
    Some((name.to_string(), value, quote + 1 + length))
}

/// Whether a tag of this name reads back. Other programs write more than the letters, digits and underscores that the
/// format allows.
fn is_readable_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || "[]{}();\"".contains(c))
}

/// A tag's value up to its quote, and its length with the quote and the bracket that must follow.
fn parse_quoted(text: &str) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next()?.1 {
                escaped @ ('"' | '\\') => value.push(escaped),
                other => value.extend(['\\', other]),
            },
            '"' => {
                let after = &text[at + 1..];
                let bracket = after.trim_start();
                return bracket.starts_with(']').then(|| (value, at + 1 + after.len() - bracket.len() + 1));
            }
            _ => value.push(letter),
        }
    }
    None
}

/// A value with quotes that nobody escaped, `[Event "the "great" match"]`: it ends at the last one of the line.
fn parse_badly_quoted(text: &str) -> Option<(String, usize)> {
    let value = text.trim_end().strip_suffix(']')?.trim_end().strip_suffix('"')?;
    Some((value.to_string(), text.len()))
}

/// The length of the word that `text` begins with. Anything else, such as a stray brace, counts as a word of its own.
fn word_length(text: &str) -> usize {
    let ends_word = |c: char| c.is_ascii_whitespace() || "{}()[];$".contains(c);
    match text.find(ends_word) {
        Some(0) => 1,
        Some(length) => length,
        None => text.len(),
    }
}

/// The lines of an input, numbered, without their ends. Bytes that are not UTF-8 become replacement characters: old
/// files hold names in other encodings.
pub(crate) struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
    /// The current line.
    pub(crate) text: String,
    /// Its number, from 1.
    pub(crate) number: usize,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R) -> Lines<R> {
        Lines { input, bytes: Vec::new(), text: String::new(), number: 0 }
    }

    /// Goes to the next line; `false` if there is none.
    pub(crate) fn advance(&mut self) -> io::Result<bool> {
        const BYTE_ORDER_MARK: char = '\u{feff}';
        self.bytes.clear();
        self.text.clear();
        if self.input.read_until(b'\n', &mut self.bytes)? == 0 {
            return Ok(false);
        }
        let line = String::from_utf8_lossy(&self.bytes);
        let line = line.trim_end_matches(['\n', '\r']);
        self.text.push_str(if self.number == 0 { line.trim_start_matches(BYTE_ORDER_MARK) } else { line });
        self.number += 1;
        Ok(true)
    }
}

/// The tags that every record has, in their order, with the value of those that are missing.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Tags that follow from the record itself.
const DERIVED: [&str; 3] = ["Variant", "SetUp", "FEN"];

/// The record in PGN, with an empty line at its end. Tags that follow from the rest (`Result`, `FEN`, `SetUp`, and
/// `Variant` for games other than chess) are made up. What PGN cannot express is changed: a closing brace in a
/// comment becomes a parenthesis, line breaks become spaces.
impl<G: Notation> fmt::Display for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.write_with_notes(f, &BTreeMap::new())
    }
}

impl<G: Notation> Record<G> {
    /// Writes the game, with notes on the moves of these numbers.
    fn write_with_notes(&self, f: &mut fmt::Formatter, notes: &BTreeMap<usize, Note<G::Move>>) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        self.write_movetext(notes, &mut Wrapped { out: f, column: 0 })?;
        f.write_str("\n\n")
    }

    fn write_tags(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let result = self.result.to_string();
        for (name, default) in ROSTER {
            let value = if name == "Result" { &result } else { self.tag(name).unwrap_or(default) };
            write_tag(f, name, value)?;
        }
        if G::NAME != DEFAULT_GAME {
            write_tag(f, "Variant", G::TITLE)?;
        } else if let Some(variant) = self.tag("Variant") {
            write_tag(f, "Variant", variant)?;
        }
        if self.start != G::start() {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &G::write_position(&self.start))?;
        }
        let is_written = |name: &str| DERIVED.contains(&name) || ROSTER.iter().any(|(known, _)| *known == name);
        self.tags.iter().filter(|(name, _)| !is_written(name)).try_for_each(|(name, value)| write_tag(f, name, value))
    }

    fn write_movetext(&self, notes: &BTreeMap<usize, Note<G::Move>>, out: &mut Wrapped) -> fmt::Result {
        let mut number = 1;
        // The number stands before every move of the first player, and wherever the reader's eye has to find its place.
        let mut must_number = true;
        self.write_comment(0, out)?;
        for (i, (&mv, position)) in self.moves.iter().zip(self.positions()).enumerate() {
            write_numbered::<G>(&position, mv, number, must_number, out)?;
            let note = notes.get(&i);
            must_number = note.map_or(Ok(false), |note| note.write_before_comment(out))?;
            must_number |= self.write_comment(i + 1, out)?;
            must_number |= note.map_or(Ok(false), |note| note.write_variation::<G>(&position, number, out))?;
            number += usize::from(G::side_to_move(&position) == Side::Second);
        }
        out.put(&self.result.to_string())
    }

    /// Writes the comment after that many moves, and says whether there is one.
    fn write_comment(&self, moves_before: usize, out: &mut Wrapped) -> Result<bool, fmt::Error> {
        write_comment_text(self.comments.get(&moves_before).map_or("", String::as_str), out)
    }
}

/// Writes a move; the second player's has its number where it must.
fn write_numbered<G: Notation>(
    position: &G::Position,
    mv: G::Move,
    number: usize,
    must_number: bool,
    out: &mut Wrapped,
) -> fmt::Result {
    match G::side_to_move(position) {
        Side::First => out.put(&format!("{number}."))?,
        Side::Second if must_number => out.put(&format!("{number}..."))?,
        Side::Second => {}
    }
    out.put(&G::write_move(position, mv))
}

/// Writes a text in braces, if there is one.
fn write_comment_text(text: &str, out: &mut Wrapped) -> Result<bool, fmt::Error> {
    let text = plain_comment(text);
    if text.is_empty() {
        return Ok(false);
    }
    unbreakable_pieces(&format!("{{{text}}}")).iter().try_for_each(|piece| out.put(piece))?;
    Ok(true)
}

fn write_tag(f: &mut fmt::Formatter, name: &str, value: &str) -> fmt::Result {
    // Neither the reader nor `set_tag` lets another one in.
    if !is_readable_name(name) {
        return Ok(());
    }
    let value = value.replace(char::is_control, " ").replace('\\', r"\\").replace('"', r#"\""#);
    writeln!(f, "[{name} \"{value}\"]")
}

/// A comment as it is kept: one line, single spaces, nothing that would end it early.
fn plain_comment(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").replace('}', ")")
}

/// The words of a comment, each joined to those that must not begin a line: `%` would hide it, `[` look like a tag. What
/// stands for programs, such as `[%eval +0.35,8]`, stays on one line as well.
fn unbreakable_pieces(comment: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for word in comment.split(' ') {
        match pieces.last_mut() {
            Some(piece) if word.starts_with(['%', '[']) || has_open_command(piece) => {
                piece.push(' ');
                piece.push_str(word);
            }
            _ => pieces.push(word.to_string()),
        }
    }
    pieces
}

fn has_open_command(piece: &str) -> bool {
    piece.rfind("[%").is_some_and(|start| !piece[start..].contains(']') && piece.len() - start < LONGEST_COMMAND)
}

/// What is longer is no command that somebody forgot to close.
const LONGEST_COMMAND: usize = 60;

/// Puts words on lines of at most 80 columns.
struct Wrapped<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
}

impl Wrapped<'_, '_> {
    const COLUMNS: usize = 80;

    fn put(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + length <= Self::COLUMNS;
            self.out.write_str(if fits { " " } else { "\n" })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.column += length;
        self.out.write_str(word)
    }
}
