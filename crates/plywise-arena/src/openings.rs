//! Where games begin: openings from files, systematic ones, and random ones that a search finds balanced.

mod balance;
mod random;
mod systematic;

pub use balance::Balance;
pub use random::random;
pub use systematic::{TooMany, systematic};

use crate::player::Opening;
use plywise_game::{Game, Notation, epd, pgn};
use std::io::BufRead;

/// Gives one position for all that are the same to the rules of a game: those that symmetries of the board map onto each
/// other.
pub type Canonical<G> = fn(&<G as Game>::Position) -> <G as Game>::Position;

/// The openings of the games in `input`: their first `plies` moves, or all of them without a number. Games that are
/// over by then, and games that cannot be read, are skipped; unreadable ones also give a warning.
pub fn from_pgn<G: Notation>(input: impl BufRead, plies: Option<usize>) -> (Vec<Opening<G>>, Vec<pgn::Error>) {
    let (mut openings, mut warnings) = (Vec::new(), Vec::new());
    for game in pgn::read::<G, _>(input) {
        match game {
            Err(warning) => warnings.push(warning),
            Ok(mut record) => {
                record.moves.truncate(plies.unwrap_or(usize::MAX));
                let is_over =
                    record.positions().last().is_none_or(|position| <G as Game>::outcome(&position).is_some());
                if !is_over {
                    openings.push(Opening { start: record.start, moves: record.moves });
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
pub fn from_epd<G: Notation>(input: impl BufRead) -> Result<Vec<Opening<G>>, epd::Error> {
    let opening = |entry: epd::Entry<G>| match entry.id.as_deref().and_then(|id| by_moves::<G>(id, &entry.position)) {
        Some(moves) => Opening { start: G::start(), moves },
        None => Opening::at(entry.position),
    };
    epd::read::<G, _>(input).map(|entry| entry.map(opening)).collect()
}

/// The moves that a text names, if they lead from the start to `target`.
fn by_moves<G: Notation>(text: &str, target: &G::Position) -> Option<Vec<G::Move>> {
    let mut position = G::start();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let mv = G::parse_move(&position, word).ok()?;
        position = G::play(&position, mv);
        moves.push(mv);
    }
    (position == *target).then_some(moves)
}
