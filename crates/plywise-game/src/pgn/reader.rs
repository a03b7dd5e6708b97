//! From tokens to games.

use super::scanner::{Scanner, Token, without_annotations, without_number};
use super::{DEFAULT_GAME, DERIVED, GameResult, Mark, Record, Remark, Variation, find_tag, plain_comment};
use crate::notation::excerpt;
use crate::{Game, GameInfo, Notation};
use std::io::{self, BufRead};
use std::{fmt, mem};

/// Reads the games of `input` one by one. A text is read as `text.as_bytes()`.
pub fn read<G: Notation, R: BufRead>(input: R) -> Reader<G, R> {
    read_with(&GameInfo::of_type(), input)
}

/// [`read`] for a game whose positions its type cannot read.
pub fn read_with<G: Notation, R: BufRead>(info: &GameInfo<G>, input: R) -> Reader<G, R> {
    Reader { scanner: Scanner::new(input), draft: Draft::new(info.clone()), games: 0, is_over: false }
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
                    return Some(Err(Error::Unreadable { line: self.scanner.line(), source }));
                }
                Ok(None) => {
                    self.is_over = true;
                    Some(self.draft.take())
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

/// The bytes of a game that are kept. A game that goes on for longer comes from a device or a damaged file.
const MOST_BYTES: usize = 256 << 20;
/// The deepest nesting of variations: a walk through them needs room on the stack for each.
const DEEPEST: usize = 100;

/// A game while it is being read.
struct Draft<G: Notation> {
    info: GameInfo<G>,
    tags: Vec<(String, String)>,
    blank_line_after_tags: bool,
    first_number: Option<u32>,
    /// The game, and the variations that are open, each within the one before it.
    lines: Vec<Open<G>>,
    result: Option<GameResult>,
    /// The first thing that went wrong, and its line. The rest of the game is only searched for its end.
    problem: Option<(usize, String)>,
    /// The variations that are open, also where something went wrong.
    depth: usize,
    has_movetext: bool,
    /// The line of the last tag that says which game this is and where it starts.
    start_line: usize,
    size: usize,
}

/// The game or a variation that has not ended yet.
struct Open<G: Game> {
    line: Variation<G::Move>,
    /// The line of the text on which it begins.
    begins: usize,
    /// `None` before the first word of the game, and after a word of a variation that cannot be played.
    board: Option<Board<G>>,
}

struct Board<G: Game> {
    start: G::Position,
    /// The position before the last move, where variations begin.
    before: G::Position,
    current: G::Position,
}

impl<G: Game> Board<G> {
    fn new(start: G::Position) -> Board<G> {
        Board { before: start.clone(), current: start.clone(), start }
    }
}

impl<G: Notation> Draft<G> {
    fn new(info: GameInfo<G>) -> Draft<G> {
        Draft {
            info,
            tags: Vec::new(),
            blank_line_after_tags: false,
            first_number: None,
            lines: vec![Open { line: Variation::default(), begins: 0, board: None }],
            result: None,
            problem: None,
            depth: 0,
            has_movetext: false,
            start_line: 0,
            size: 0,
        }
    }

    /// The game that was read, and an empty draft in its place.
    fn take(&mut self) -> Draft<G> {
        let next = Draft::new(self.info.clone());
        mem::replace(self, next)
    }

    /// Whether anything was read that makes this a game, rather than the void between two.
    fn is_a_game(&self) -> bool {
        !self.tags.is_empty() || self.problem.is_some() || self.lines.len() > 1 || {
            let is_more_than_talk = |remark: &Remark<_>| matches!(remark, Remark::Variation(_));
            let line = &self.lines[0].line;
            !line.moves.is_empty() || line.remarks.iter().any(|(_, remark)| is_more_than_talk(remark))
        }
    }

    /// Adds a token, and gives the game that ends before it.
    fn take_token(&mut self, token: Token, line: usize) -> Option<Draft<G>> {
        let ended = self.ends_before(&token).then(|| self.take());
        self.size += token.size();
        if self.size > MOST_BYTES {
            self.fail(line, || format!("the game is longer than {} MB", MOST_BYTES >> 20));
            self.tags.clear();
            self.size = 0;
        }
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
            Token::Nag(text) => {
                self.has_movetext = true;
                self.take_nag(text);
            }
            Token::Word(word) => {
                self.has_movetext = true;
                self.take_word(word, line);
            }
        }
        ended
    }

    /// Whether a token belongs to the next game. What follows the result does, except for a comment right behind it. A
    /// tag does where moves stand before it, and also where it repeats one of a section that a blank line has closed:
    /// such a game has neither move nor result.
    fn ends_before(&self, token: &Token) -> bool {
        match token {
            Token::Comment(_) => false,
            _ if self.result.is_some() => true,
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
        self.tags.push((name, value));
    }

    fn take_comment(&mut self, text: &str) {
        let text = plain_comment(text);
        if !text.is_empty() {
            self.remark(Remark::Comment(text));
        }
    }

    fn take_nag(&mut self, text: &str) {
        let remark = text[1..].parse().map_or_else(|_| Remark::Word(text.to_string()), Remark::Nag);
        self.remark(remark);
    }

    /// Adds a remark behind the last move.
    fn remark(&mut self, remark: Remark<G::Move>) {
        if let Some(Open { line, .. }) = self.lines.last_mut() {
            line.remarks.add(line.moves.len(), remark);
        }
    }

    fn open_variation(&mut self, begins: usize) {
        self.has_movetext = true;
        self.set_up();
        self.depth = self.depth.saturating_add(1);
        if self.depth > DEEPEST {
            self.fail(begins, || format!("variations lie more than {DEEPEST} deep in each other"));
        }
        if let Some(around) = self.lines.last() {
            let board = around.board.as_ref().map(|board| Board::new(board.before.clone()));
            self.lines.push(Open { line: Variation::default(), begins, board });
        }
    }

    fn close_variation(&mut self, line: usize) {
        self.has_movetext = true;
        match self.depth.checked_sub(1) {
            None => self.fail(line, || "a variation ends that never began".to_string()),
            Some(depth) => self.depth = depth,
        }
        let closed = self.lines.pop().map(|open| open.line);
        if let Some(variation) = closed.filter(|line| !line.is_empty()) {
            self.remark(Remark::Variation(variation));
        }
    }

    fn take_word(&mut self, word: &str, line: usize) {
        let result = GameResult::parse(word);
        if result.is_some() && self.depth == 0 {
            self.result = result;
            return;
        }
        self.set_up();
        match self.lines.last().map(|open| &open.board) {
            None => {}
            Some(Some(_)) if result.is_none() => self.take_move(word, line),
            Some(_) => self.remark(Remark::Word(word.to_string())),
        }
    }

    fn take_move(&mut self, word: &str, line: usize) {
        let (number, annotated) = without_number(word);
        let text = without_annotations(annotated);
        let is_first = self.lines.len() == 1 && self.lines[0].line.moves.is_empty();
        if is_first {
            self.first_number = self.first_number.or(number);
        }
        if !text.is_empty() {
            let Some(Open { line: Variation { moves, .. }, board: board @ Some(_), .. }) = self.lines.last_mut() else {
                return;
            };
            let Some(Board { before, current, .. }) = board else { return };
            match G::parse_move(current, text) {
                Ok(mv) => {
                    let next = G::play(current, mv);
                    *before = mem::replace(current, next);
                    moves.push(mv);
                }
                // A move number may lack its dot; only where the game has no such move can it be told apart.
                Err(_) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                    if is_first {
                        self.first_number = self.first_number.or(text.parse().ok());
                    }
                }
                Err(error) if self.depth == 0 => {
                    return self.fail(line, || format!("cannot play '{}': {error}", excerpt(text)));
                }
                // The rest of the variation cannot be understood.
                Err(_) => {
                    *board = None;
                    return self.remark(Remark::Word(annotated.to_string()));
                }
            }
        }
        Mark::split(&annotated[text.len()..]).into_iter().for_each(|mark| self.remark(mark.remark()));
    }

    /// Makes the start position, unless that has been done or has failed.
    fn set_up(&mut self) {
        let [Open { board: board @ None, .. }] = &mut self.lines[..] else { return };
        match start_position(&self.info, &self.tags) {
            Ok(start) => *board = Some(Board::new(start)),
            Err(problem) => self.fail(self.start_line, || problem),
        }
    }

    /// Notes what is wrong, unless something was before. Nothing more is kept of the game.
    fn fail(&mut self, line: usize, problem: impl FnOnce() -> String) {
        self.problem.get_or_insert_with(|| (line, problem()));
        self.lines.clear();
    }

    fn finish(mut self, game: usize) -> Result<Record<G>, Warning> {
        self.set_up();
        if let [_, variation, ..] = &self.lines[..] {
            let line = variation.begins;
            self.fail(line, || "a variation that begins here does not end".to_string());
        }
        if let Some((line, problem)) = self.problem {
            return Err(Warning { game, line, problem });
        }
        // Some programs end every game with a star.
        let told = self.result.filter(|result| *result != GameResult::Unknown);
        let result = told.or_else(|| GameResult::parse(find_tag(&self.tags, "Result")?)).unwrap_or_default();
        let Open { line: Variation { moves, remarks }, board, .. } = self.lines.remove(0);
        let start = board.map_or_else(|| self.info.start(), |board| board.start);
        let first_number = self.first_number.filter(|_| !moves.is_empty()).unwrap_or(1);
        Ok(Record { tags: self.tags, start, first_number, moves, remarks, result })
    }
}

/// The position that the tags ask for.
fn start_position<G: Notation>(info: &GameInfo<G>, tags: &[(String, String)]) -> Result<G::Position, String> {
    if let Some(variant) = find_tag(tags, "Variant").filter(|variant| !names_game(info, variant)) {
        return Err(format!("this is a game of {}, not of {}", excerpt(variant), info.title()));
    }
    match (find_tag(tags, "SetUp"), find_tag(tags, "FEN")) {
        (Some("0"), _) | (None, None) => Ok(info.start()),
        (_, Some(text)) => info.parse_position(text).map_err(|error| format!("the FEN tag is wrong: {error}")),
        (Some(_), None) => Err("the SetUp tag promises a position, but there is no FEN tag".to_string()),
    }
}

/// Values of the `Variant` tag under which sites and programs write games by the rules of chess.
const DEFAULT_GAME_VARIANTS: [&str; 8] =
    ["standard", "normal", "chess", "chess960", "chess 960", "fischerandom", "fischerrandom", "from position"];

fn names_game<G: Notation>(info: &GameInfo<G>, variant: &str) -> bool {
    let is = |name: &str| variant.trim().eq_ignore_ascii_case(name);
    [G::TITLE, info.title(), info.name()].into_iter().any(is)
        || info.name() == DEFAULT_GAME && DEFAULT_GAME_VARIANTS.into_iter().any(is)
}
