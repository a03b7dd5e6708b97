use plywise_host::{AnyPosition, Move, Style};
use plywise_search::Signal;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// An opening book in Polyglot's format: moves of positions, each with a weight.
#[derive(Clone, Debug)]
pub struct Book {
    /// The key of a position in 8 bytes, a move and its weight in 2 each, and 4 bytes for learning; in order of the keys.
    entries: Vec<[u8; ENTRY]>,
}

/// The bytes of an entry. Its numbers are written with the most significant byte first.
const ENTRY: usize = 16;

/// Why a book gives no openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// The file holds something else, or was cut off.
    #[error("it is no Polyglot book: its length, {0} bytes, is no multiple of {ENTRY}")]
    Length(usize),
    /// The format knows no positions of this game.
    #[error("Polyglot's books are for chess; the openings of other games can be taken from PGN")]
    OtherGame,
    /// They would not fit into memory.
    #[error("it has more than {MOST} lines of {0} plies")]
    TooMany(usize),
    /// The book ends earlier, or does not know where they begin.
    #[error("it has no line of {0} plies")]
    NoLine(usize),
}

/// More lines than this are not kept in memory.
const MOST: usize = 1_000_000;

/// A line of the book, and how likely the book is to play it.
struct Line {
    opening: AnyPosition,
    share: f64,
}

impl Book {
    /// The book that a file holds.
    pub fn read(bytes: &[u8]) -> Result<Book, BookError> {
        let (entries, []) = bytes.as_chunks() else { return Err(BookError::Length(bytes.len())) };
        let mut entries = entries.to_vec();
        // Books come in this order; one that does not is as good.
        entries.sort_by_key(key);
        Ok(Book { entries })
    }

    /// The legal moves that the book may play in a position, with their weights.
    pub fn moves(&self, position: &AnyPosition) -> Vec<(Move, u16)> {
        let Some(wanted) = position.polyglot_key() else { return Vec::new() };
        let first = self.entries.partition_point(|entry| key(entry) < wanted);
        let known = self.entries[first..].iter().take_while(|entry| key(entry) == wanted);
        let weighted = known.map(|entry| (number(entry, 8), number(entry, 10))).filter(|(_, weight)| *weight > 0);
        weighted.filter_map(|(code, weight)| Some((read_move(position, code)?, weight))).collect()
    }

    /// The lines of `plies` plies that the book may play from a position, the most likely first: the chance of a line is
    /// the product of its moves' shares of the weight. Of the lines that lead to one position only the most likely is
    /// there; lines on which the game is over are left out. Where `stop` says so there are none.
    pub fn lines(&self, start: &AnyPosition, plies: usize, stop: &Signal) -> Result<Vec<AnyPosition>, BookError> {
        if start.polyglot_key().is_none() {
            return Err(BookError::OtherGame);
        }
        let mut lines = vec![Line { opening: start.clone(), share: 1.0 }];
        for _ in 0..plies {
            lines = self.longer(&lines, plies, stop)?;
        }
        if stop.is_stopped() {
            return Ok(Vec::new());
        }
        lines.retain(|line| line.opening.outcome().is_none());
        // The sort keeps the order of those that are alike.
        lines.sort_by(|a, b| b.share.total_cmp(&a.share));
        match lines.is_empty() {
            true => Err(BookError::NoLine(plies)),
            false => Ok(lines.into_iter().map(|line| line.opening).collect()),
        }
    }

    /// The lines with one more move, one for each position.
    fn longer(&self, lines: &[Line], plies: usize, stop: &Signal) -> Result<Vec<Line>, BookError> {
        let (mut longer, mut places) = (Vec::new(), HashMap::new());
        for line in lines.iter().take_while(|_| !stop.is_stopped()) {
            let mut moves = self.moves(&line.opening);
            let sum: f64 = moves.iter().map(|(_, weight)| f64::from(*weight)).sum();
            moves.sort_by_key(|(_, weight)| Reverse(*weight));
            for (mv, weight) in moves {
                let mut after = Line { opening: line.opening.clone(), share: line.share * f64::from(weight) / sum };
                if after.opening.play(mv).is_err() {
                    continue;
                }
                match places.entry(after.opening.hash()) {
                    Entry::Vacant(place) => {
                        place.insert(longer.len());
                        longer.push(after);
                    }
                    Entry::Occupied(place) => {
                        let known: &mut Line = &mut longer[*place.get()];
                        if after.share > known.share {
                            *known = after;
                        }
                    }
                }
                if longer.len() > MOST {
                    return Err(BookError::TooMany(plies));
                }
            }
        }
        Ok(longer)
    }
}

fn key(entry: &[u8; ENTRY]) -> u64 {
    let [key @ .., _, _, _, _, _, _, _, _] = *entry;
    u64::from_be_bytes(key)
}

fn number(entry: &[u8; ENTRY], at: usize) -> u16 {
    u16::from_be_bytes([entry[at], entry[at + 1]])
}

/// The move that a book's number means, if it is legal: its target, where it begins, six bits each, and the promotion.
/// Castling is the king taking its rook.
fn read_move(position: &AnyPosition, code: u16) -> Option<Move> {
    let square = |square: u16| [b'a' + (square & 7) as u8, b'1' + (square >> 3 & 7) as u8].map(char::from);
    let promotion = match code >> 12 {
        0 => None,
        piece => Some("nbrq".chars().nth(usize::from(piece) - 1)?),
    };
    let text: String = square(code >> 6).into_iter().chain(square(code)).chain(promotion).collect();
    let mv = position.parse_move(&text).ok()?;
    // The game may read the text as a move for people, which is another one.
    let is_meant = |style| position.write_move_as(mv, style) == text;
    (is_meant(Style::Chess960) || is_meant(Style::Engine)).then_some(mv)
}
