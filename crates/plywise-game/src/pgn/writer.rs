//! From games to text.

use super::{DEFAULT_GAME, DERIVED, Record, Remark, Remarks, find_tag, is_readable_name, plain_comment};
use crate::{Notation, Side};
use std::{fmt, mem};

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

/// The record in PGN, with an empty line at its end. Tags that follow from the rest (`Result`, `FEN`, `SetUp`, and
/// `Variant` for games other than chess) are made up. Line breaks in tags and comments become spaces.
impl<G: Notation> fmt::Display for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        let mut out = Wrapped { out: f, column: 0, opened: 0 };
        write_line::<G>(&self.moves, &self.remarks, self.start.clone(), self.first_number, &mut out)?;
        out.put(&self.result.to_string())?;
        f.write_str("\n\n")
    }
}

impl<G: Notation> Record<G> {
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
        if !G::is_start(&self.start) {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &G::write_position(&self.start))?;
        }
        for (i, (name, value)) in self.tags.iter().enumerate() {
            let is_made_up = name == "Result" || DERIVED.contains(&name.as_str());
            // A second tag of a name that is written already is kept beside the first.
            let is_written =
                || ROSTER.iter().any(|(known, _)| known == name) && find_tag(&self.tags[..i], name).is_none();
            if !is_made_up && !is_written() {
                write_tag(f, name, value)?;
            }
        }
        Ok(())
    }
}

/// Writes moves and the remarks between them, from `position`; the first move has this number.
fn write_line<G: Notation>(
    moves: &[G::Move],
    remarks: &Remarks<G::Move>,
    mut position: G::Position,
    mut number: u32,
    out: &mut Wrapped,
) -> fmt::Result {
    // The number stands before every move of the first player, and wherever the reader's eye has to find its place.
    let mut must_number = true;
    // Variations begin where the last move was played.
    let mut before = (position.clone(), number);
    for i in 0..=moves.len() {
        for remark in remarks.after(i) {
            must_number |= !matches!(remark, Remark::Nag(_));
            match remark {
                Remark::Nag(code) => out.put(&format!("${code}"))?,
                Remark::Comment(text) => write_comment(text, out)?,
                Remark::Word(word) => out.put(word)?,
                Remark::Variation(line) => {
                    let (position, number) = before.clone();
                    out.opened += 1;
                    write_line::<G>(&line.moves, &line.remarks, position, number, out)?;
                    out.close()?;
                }
            }
        }
        let Some(&mv) = moves.get(i) else { break };
        let side = G::side_to_move(&position);
        match side {
            Side::First => out.put(&format!("{number}."))?,
            Side::Second if must_number => out.put(&format!("{number}..."))?,
            Side::Second => {}
        }
        out.put(&G::write_move(&position, mv))?;
        must_number = false;
        let after = G::play(&position, mv);
        before = (mem::replace(&mut position, after), number);
        number = number.saturating_add(u32::from(side == Side::Second));
    }
    Ok(())
}

/// Writes a comment in braces; one with a closing brace, which would end it, from a semicolon to the end of its line.
fn write_comment(text: &str, out: &mut Wrapped) -> fmt::Result {
    let text = plain_comment(text);
    if text.contains('}') {
        out.put(&format!(";{text}"))?;
        return out.break_line();
    }
    unbreakable_pieces(&format!("{{{text}}}")).iter().try_for_each(|piece| out.put(piece))
}

fn write_tag(f: &mut fmt::Formatter, name: &str, value: &str) -> fmt::Result {
    // Neither the reader nor `set_tag` lets another one in.
    if !is_readable_name(name) {
        return Ok(());
    }
    let value = value.replace(char::is_control, " ").replace('\\', r"\\").replace('"', r#"\""#);
    writeln!(f, "[{name} \"{value}\"]")
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
    /// The parentheses that open before the next word.
    opened: usize,
}

impl Wrapped<'_, '_> {
    const COLUMNS: usize = 80;

    fn put(&mut self, word: &str) -> fmt::Result {
        let word = format!("{}{word}", "(".repeat(mem::take(&mut self.opened)));
        let length = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + length <= Self::COLUMNS;
            self.out.write_str(if fits { " " } else { "\n" })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        // At the beginning of a line it would hide all of it.
        if self.column == 0 && word.starts_with('%') {
            self.out.write_str(" ")?;
            self.column = 1;
        }
        self.column += length;
        self.out.write_str(&word)
    }

    /// Closes a parenthesis behind the last word.
    fn close(&mut self) -> fmt::Result {
        if self.opened > 0 {
            return self.put(")");
        }
        if self.column >= Self::COLUMNS {
            self.break_line()?;
        }
        self.column += 1;
        self.out.write_str(")")
    }

    fn break_line(&mut self) -> fmt::Result {
        self.column = 0;
        self.out.write_str("\n")
    }
}
