//! Recorded games, as learners read them: broken ones are counted and skipped, but files that hold no other are refused.

use crate::Source;
use plywise_game::pgn;
use plywise_host::{AnyGame, Record};
use plywise_run::JobError;
use plywise_search::Signal;

/// How many games were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Games that could be replayed.
    pub games: u64,
    /// Games that could not.
    pub broken: u64,
    /// What is wrong with the first of those, and where.
    pub complaint: Option<String>,
}

/// Hands the games of all files, `most` of them at most, to `each`, with their numbers from 0.
pub fn read_games(
    game: &(impl AnyGame + ?Sized),
    sources: &[Source],
    most: u64,
    stop: &Signal,
    each: &mut dyn FnMut(u64, &Record),
) -> Result<Recorded, JobError> {
    let mut read = Recorded::default();
    for source in sources {
        for record in game.read_pgn(Box::new(source.open()?)) {
            match record {
                _ if read.games >= most => break,
                Ok(record) => {
                    each(read.games, &record);
                    read.games += 1;
                }
                Err(pgn::Error::Broken(warning)) => {
                    read.complaint.get_or_insert_with(|| format!("'{}', {warning}", source.name()));
                    read.broken += 1;
                }
                Err(error) => return Err(source.unreadable(error, stop)),
            }
        }
    }
    let refuse = |reason: &str| Err(JobError::input(format!("there is no game of {} to read: {reason}", game.title())));
    match (read.games, &read.complaint) {
        (0, Some(complaint)) => refuse(complaint),
        (0, None) => refuse("the files hold none"),
        _ => Ok(read),
    }
}
