//! Where games begin: openings from files, systematic ones, and random ones that a search finds balanced.
//!
//! An opening is a position with the moves that lead to it.

mod balance;
mod book;
mod job;
mod played;
mod random;
mod systematic;
mod window;

pub use balance::Balance;
pub use book::{Book, BookError};
pub use job::{BalanceRule, MakeOpenings};
pub use played::most_played;
pub use random::random;
pub use systematic::{TooMany, systematic};
pub use window::{Window, WindowError};

use plywise_game::{NotationError, epd, pgn};
use plywise_host::{AnyGame, AnyPosition, Record, Style};
use std::io::BufRead;

/// What separates the position in which an opening begins from its moves.
const MOVES: &str = " moves ";

/// An opening on one line: where it begins, and the moves that follow, such as `startpos moves e2e4` with the position in
/// full.
pub fn write(opening: &AnyPosition) -> String {
    let start = opening.at(0);
    match start.write_line_as(&opening.moves(), Style::Engine) {
        moves if moves.is_empty() => start.text(),
        moves => start.text() + MOVES + &moves.join(" "),
    }
}

/// Reads what [`write()`] writes.
pub fn read(game: &dyn AnyGame, text: &str) -> Result<AnyPosition, NotationError> {
    let (start, moves) = text.split_once(MOVES).unwrap_or((text, ""));
    let mut opening = game.parse_position(start)?;
    moves.split_whitespace().try_for_each(|mv| opening.play_text(mv).map(drop))?;
    Ok(opening)
}

/// The openings of the games in `input`: their first `plies` moves, or all of them without a number. Games that are
/// over by then, and games that cannot be read, are skipped; unreadable ones also give a warning.
pub fn from_pgn(game: &dyn AnyGame, input: impl BufRead, plies: Option<usize>) -> (Vec<AnyPosition>, Vec<pgn::Error>) {
    let (mut openings, mut warnings) = (Vec::new(), Vec::new());
    for record in game.read_pgn(Box::new(input)) {
        match record {
            Err(warning) => warnings.push(warning),
            Ok(Record { position, .. }) => {
                let opening = position.at(plies.unwrap_or(usize::MAX));
                if opening.outcome().is_none() {
                    openings.push(opening);
                }
            }
        }
    }
    (openings, warnings)
}

/// The positions of a file in EPD. One line that cannot be read makes the file unusable.
///
/// Where the `id` of a line is the moves that lead to its position from the start, as in the files that we make, the
/// opening is these moves: some engines cannot be given a position.
pub fn from_epd(game: &dyn AnyGame, input: impl BufRead) -> Result<Vec<AnyPosition>, epd::Error> {
    let entries = game.read_epd(Box::new(input));
    entries
        .map(|entry| {
            let entry = entry?;
            let by_moves = entry.id.as_deref().and_then(|id| by_moves(game, id, &entry.position));
            Ok(by_moves.unwrap_or(entry.position))
        })
        .collect()
}

/// The position that the moves of a text lead to from the start, if it is `target`.
fn by_moves(game: &dyn AnyGame, text: &str, target: &AnyPosition) -> Option<AnyPosition> {
    let mut position = game.start();
    for word in text.split_whitespace() {
        position.play_text(word).ok()?;
    }
    (position == *target).then_some(position)
}
