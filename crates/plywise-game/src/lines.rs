//! Lines from a sender that may send anything, even without an end.

use std::io::{self, BufRead};

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
