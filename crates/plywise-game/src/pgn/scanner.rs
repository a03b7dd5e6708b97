//! From a text in PGN to tokens.

use super::is_readable_name;
use crate::lines::{LONGEST_LINE, Lines, too_long};
use std::io::{self, BufRead};

/// What a PGN text consists of, apart from the lines that `%` hides.
pub(super) enum Token<'a> {
    Tag(String, String),
    BrokenTag(&'a str),
    BlankLine,
    Comment(String),
    UnclosedComment,
    VariationStart,
    VariationEnd,
    /// A dollar sign and the digits behind it, which may be too many or none.
    Nag(&'a str),
    Word(&'a str),
}

impl Token<'_> {
    /// About how many bytes it takes to keep it.
    pub(super) fn size(&self) -> usize {
        let text = match self {
            Token::Tag(name, value) => name.len() + value.len(),
            Token::Comment(text) => text.len(),
            Token::BrokenTag(text) | Token::Nag(text) | Token::Word(text) => text.len(),
            _ => 0,
        };
        text + size_of::<Token>()
    }
}

/// Cuts a text into tokens, and never holds more of it than a line and a comment.
pub(super) struct Scanner<R> {
    lines: Lines<R>,
    /// Where in the current line the next token begins.
    at: usize,
}

impl<R: BufRead> Scanner<R> {
    pub(super) fn new(input: R) -> Scanner<R> {
        Scanner { lines: Lines::new(input), at: 0 }
    }

    /// The number of the last line that was read.
    pub(super) fn line(&self) -> usize {
        self.lines.number
    }

    /// The next token and the line on which it begins; `None` at the end of the input.
    pub(super) fn next_token(&mut self) -> io::Result<Option<(usize, Token<'_>)>> {
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
        let skipped = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
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
            b'$' => {
                let length = 1 + rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
                self.at += length;
                Token::Nag(&rest[..length])
            }
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
            if text.len() > LONGEST_LINE {
                return Err(too_long("the next comment"));
            }
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

/// A value with unescaped quotes, `[Event "the "great" match"]`: it ends at the last one of the line.
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

/// `12.e4` without the number and the dots that tell whose move it is, and the number.
pub(super) fn without_number(word: &str) -> (Option<u32>, &str) {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.trim_start_matches(['.', '…']) {
        after if after.len() < rest.len() => (word[..word.len() - rest.len()].parse().ok(), after),
        _ => (None, word),
    }
}

/// `e4!?` without the annotator's opinion.
pub(crate) fn without_annotations(word: &str) -> &str {
    word.trim_end_matches(['!', '?'])
}
