//! Where games begin: openings read from game records.

use crate::player::Opening;
use plywise_game::{Game, Notation, pgn};
use std::io::BufRead;

/// The openings of the games in `input`: their first `plies` moves, or all of them without a number. Games that are
/// over by then, and games that cannot be read, are passed over; the latter's warnings come with the openings.
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
