//! Reading and writing positions and moves, for people and files.

use crate::{Game, Outcome, Score, Side, View, svg};

/// Why a position or a move could not be read: one sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotationError(pub String);

impl NotationError {
    /// An error that says `sentence`.
    pub fn new(sentence: impl Into<String>) -> NotationError {
        NotationError(sentence.into())
    }
}

/// Reading and writing a game's positions, moves and scores, and drawing its board.
pub trait Notation: Game {
    /// The game's name in the command line and in files, such as `loa`.
    const NAME: &'static str;
    /// The game's name for people and for the `Variant` tag of a game record, such as `Lines of Action`.
    const TITLE: &'static str;
    /// What people call the two players, the one who begins first.
    const PLAYERS: [&'static str; 2] = ["First", "Second"];

    /// Reads the one-line form of a position.
    fn parse_position(text: &str) -> Result<Self::Position, NotationError>;

    /// Writes the one-line form of a position, which [`parse_position`](Notation::parse_position) reads back.
    fn write_position(position: &Self::Position) -> String;

    /// The one-line form without the words at its end that go without saying, such as the counters of FEN.
    fn write_short_position(position: &Self::Position) -> String {
        let text = Self::write_position(position);
        let is_same = |&end: &usize| Self::parse_position(&text[..end]).is_ok_and(|read| read == *position);
        let end = word_ends(&text).into_iter().find(is_same).unwrap_or(text.len());
        text[..end].to_string()
    }

    /// Reads a legal move in any of the game's usual notations, also the one of engine protocols. Unless a game knows
    /// better, these are the texts that it writes itself.
    fn parse_move(position: &Self::Position, text: &str) -> Result<Self::Move, NotationError> {
        let is_written = |write: fn(&Self::Position, Self::Move) -> String, mv| write(position, mv) == text.trim();
        let means = |&mv: &Self::Move| is_written(Self::write_move, mv) || is_written(Self::write_engine_move, mv);
        Self::legal_moves(position)
            .into_iter()
            .find(means)
            .ok_or_else(|| NotationError::new(format!("'{}' is not a legal move in this position", excerpt(text))))
    }

    /// Writes a legal move as players write it, such as `Nf3` or `d3xd5`.
    fn write_move(position: &Self::Position, mv: Self::Move) -> String;

    /// Writes a legal move as engine protocols do, such as `g1f3`.
    fn write_engine_move(position: &Self::Position, mv: Self::Move) -> String {
        Self::write_move(position, mv)
    }

    /// How a game that is over in this position ended, in the game's own words: `White mates`, `stalemate`. Asked where
    /// there is an [`outcome`](Game::outcome) or [a rule](Game::drawn_by_rule) makes it a draw.
    fn describe_end(position: &Self::Position) -> String {
        let wins = |side| format!("{} wins", Self::player(side));
        let side = Self::side_to_move(position);
        match Self::outcome(position) {
            Some(Outcome::Win | Outcome::Points(1..)) => wins(side),
            Some(Outcome::Loss | Outcome::Points(..=-1)) => wins(!side),
            Some(Outcome::Draw | Outcome::Points(0)) => "a draw".to_string(),
            None => "a draw by rule".to_string(),
        }
    }

    /// Draws the board in plain text, several lines, each ended by a newline.
    fn draw(position: &Self::Position) -> String {
        Self::write_position(position) + "\n"
    }

    /// Draws the board as somebody at a terminal wants it: turned, with the last move marked, in colour. [`View`] has
    /// what this takes; a game that does without shows its plain drawing.
    fn draw_view(position: &Self::Position, _view: &View<Self::Move>) -> String {
        Self::draw(position)
    }

    /// Draws the board as an SVG document, turned and with the last move marked where the game can.
    /// [`SquareBoard`](svg::SquareBoard) has what this takes. A place that carries `data-place` with its name can be clicked
    /// where the drawing is shown, and what [`Drawing::piece`](svg::Drawing::piece) draws moves there.
    fn draw_svg(position: &Self::Position, _view: &View<Self::Move>) -> String {
        svg::of_text(&Self::draw(position))
    }

    /// A score that is not a forced win, for people.
    fn show_score(score: Score) -> String {
        format!("{score:+}")
    }

    /// A forced win (or loss, if negative) in this many plies, for people.
    fn show_win(plies: i32) -> String {
        if plies >= 0 { format!("win in {plies}") } else { format!("loss in {}", -plies) }
    }

    // Provided: do not override.

    /// What people call the player of a side.
    fn player(side: Side) -> &'static str {
        Self::PLAYERS[side as usize]
    }
}

/// A text on one line and short enough for a message.
pub fn excerpt(text: &str) -> String {
    const LIMIT: usize = 80;
    let mut short: String = text.chars().take(LIMIT).flat_map(char::escape_debug).collect();
    if text.chars().nth(LIMIT).is_some() {
        short.push('…');
    }
    short
}

/// Where each word of `text` ends.
pub(crate) fn word_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut was_space = true;
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() && !was_space {
            ends.push(at);
        }
        was_space = letter.is_whitespace();
    }
    if !was_space {
        ends.push(text.len());
    }
    ends
}

/// A board as rows between slashes: what stands on each place of a row, or nothing; places in a row on which nothing
/// stands become their number.
pub fn write_rows<R: IntoIterator<Item = Option<char>>>(rows: impl IntoIterator<Item = R>) -> String {
    let mut text = String::new();
    for (i, row) in rows.into_iter().enumerate() {
        if i > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for place in row {
            match place {
                None => empty += 1,
                Some(letter) => {
                    push_count(&mut text, &mut empty);
                    text.push(letter);
                }
            }
        }
        push_count(&mut text, &mut empty);
    }
    text
}

/// Writes how many places were empty, if any were, and begins to count again.
fn push_count(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_what_is_empty() {
        let row = |text: &'static str| text.chars().map(|c| (c != '.').then_some(c));
        assert_eq!(write_rows(["x..o", "....", "xo.."].map(row)), "x2o/4/xo2");
    }

    #[test]
    fn excerpts_stay_on_one_line() {
        assert_eq!(excerpt("a\nb"), "a\\nb");
        assert_eq!(excerpt(&"a".repeat(100)), "a".repeat(80) + "…");
    }
}
