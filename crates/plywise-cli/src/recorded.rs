//! Recorded games, as learners read them: broken ones are counted and skipped, but files that hold no other are refused.

use crate::{Failure, Result, files};
use plywise_game::pgn;
use plywise_host::{AnyGame, Record};
use std::path::Path;

/// How many games were read.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Games that could be replayed.
    pub games: u64,
    /// Games that could not.
    pub broken: u64,
    /// What is wrong with the first of those, and where.
    pub complaint: Option<String>,
}

/// Hands the games of all files, `most` of them at most, to `each`, with their numbers from 0.
pub fn read_records(
    game: &dyn AnyGame,
    paths: &[impl AsRef<Path>],
    most: u64,
    mut each: impl FnMut(u64, Record) -> Result,
) -> Result<Recorded> {
    let title = game.title();
    let mut read = Recorded::default();
    for path in paths.iter().map(AsRef::as_ref) {
        for record in game.read_pgn(Box::new(files::open(path)?)) {
            match record {
                _ if read.games >= most => break,
                Ok(record) => {
                    each(read.games, record)?;
                    read.games += 1;
                }
                Err(pgn::Error::Broken(warning)) => {
                    read.complaint.get_or_insert_with(|| format!("'{}', {warning}", path.display()));
                    read.broken += 1;
                }
                Err(error) => return Err(files::unreadable(path, error)),
            }
        }
    }
    match (read.games, &read.complaint) {
        (0, Some(complaint)) => Err(Failure::input(format!("there is no game of {title} to read: {complaint}"))),
        (0, None) => Err(Failure::input(format!("there is no game of {title} to read: the files hold none"))),
        _ => Ok(read),
    }
}
