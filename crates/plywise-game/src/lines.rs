//! Text from a sender that may send anything: in another encoding, or without an end.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// What [`read_line`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A whole line.
    Whole,
    /// A line that was too long: only its beginning is kept.
    Cut,
    /// The end of the input.
    End,
}

/// Reads a line into `line` without its line feed, and keeps no more than `longest` bytes of it.
pub fn read_line(input: &mut (impl BufRead + ?Sized), line: &mut Vec<u8>, longest: usize) -> io::Result<Found> {
    line.clear();
    let (mut any, mut is_cut) = (false, false);
    let found = |is_cut| if is_cut { Found::Cut } else { Found::Whole };
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            return Ok(if any { found(is_cut) } else { Found::End });
        }
        any = true;
        let end = available.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(available.len());
        let kept = taken.min(longest - line.len());
        is_cut |= kept < taken;
        line.extend_from_slice(&available[..kept]);
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(found(is_cut));
        }
    }
}

/// The text of these bytes: UTF-8, or else Latin-1, in which old programs write names. Each line is taken by itself, so
/// that one in Latin-1 does not spoil those in UTF-8.
///
/// ```
/// use plywise_game::lines::decode;
/// assert_eq!(decode("Kovačević".as_bytes()), "Kovačević");
/// assert_eq!(decode(b"M\xfcller"), "M\u{fc}ller");
/// assert_eq!(decode(b"O\x92Kelly"), "O\u{2019}Kelly");
/// ```
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.split_inclusive(|&byte| byte == b'\n').flat_map(decode_line).collect(),
    }
}

fn decode_line(line: &[u8]) -> Vec<char> {
    match std::str::from_utf8(line) {
        Ok(text) => text.chars().collect(),
        Err(_) => line.iter().map(|&byte| of_latin1(byte)).collect(),
    }
}

/// A character of Latin-1. Its control characters from 128 are never meant: programs that say Latin-1 write the
/// typographic characters of Windows-1252 there.
fn of_latin1(byte: u8) -> char {
    const WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// The longest line that is taken for text. A longer one comes from a device or a binary file, and would fill the memory.
pub(crate) const LONGEST_LINE: usize = 16 << 20;

/// The error for what is too long to be text.
pub(crate) fn too_long(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{what} is longer than {} MB", LONGEST_LINE >> 20))
}

/// The lines of an input, numbered and decoded, without their ends.
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
        let mut bounded = self.input.by_ref().take(LONGEST_LINE as u64 + 1);
        match bounded.read_until(b'\n', &mut self.bytes)? {
            0 => return Ok(false),
            1..=LONGEST_LINE => {}
            _ => return Err(too_long("the next line")),
        }
        let line = decode(&self.bytes);
        let line = line.trim_end_matches(['\n', '\r']);
        self.text.push_str(if self.number == 0 { line.trim_start_matches(BYTE_ORDER_MARK) } else { line });
        self.number += 1;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_are_cut_and_ends_are_found() {
        let text = format!("first\r\n\n{}\nlast", "x".repeat(300));
        let mut input = BufReader::with_capacity(7, text.as_bytes());
        let mut line = Vec::new();
        let mut lines = Vec::new();
        loop {
            match read_line(&mut input, &mut line, 100).unwrap() {
                Found::End => break,
                found => lines.push((line.len(), found)),
            }
        }
        assert_eq!(lines, [(6, Found::Whole), (0, Found::Whole), (100, Found::Cut), (4, Found::Whole)]);
        assert!(line.capacity() < 300, "what is too long is not even held");
    }
}
