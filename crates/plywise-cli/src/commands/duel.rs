//! Games of two players, for those who only want to know how they ended.

use crate::{Failure, Result};
use plywise_arena::matches::{Ending, Entry, Format, GameRecord, Match, Rules, Silent};
use plywise_arena::run::Place;
use plywise_host::{AnyGame, AnyPosition};
use plywise_search::Signal;

/// Where and how two players meet.
pub struct Duel<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The openings, each played with both colours.
    pub openings: &'a [AnyPosition],
    /// A game is a draw after so many moves of each player.
    pub max_moves: u32,
    /// How many games are played at the same time.
    pub jobs: usize,
    /// Where they are played.
    pub place: Place,
}

impl Duel<'_> {
    /// A match of so many games.
    pub fn contest<'a>(&'a self, entries: Vec<Entry<'a>>, games: u64, seed: u64) -> Match<'a> {
        Match {
            game: self.game,
            entries,
            format: Format::RoundRobin,
            openings: self.openings,
            shuffle: true,
            games,
            rules: Rules { longest: Some(2 * self.max_moves), ..Rules::default() },
            sprt: None,
            concurrency: self.jobs,
            seed,
        }
    }

    /// Wins, draws and losses of the first player; nothing where `stop` interrupts the games. A player that fails is a
    /// failure: games that it loses by that say nothing about it.
    pub fn play(&self, entries: Vec<Entry<'_>>, games: u64, seed: u64, stop: &Signal) -> Result<Option<[u64; 3]>> {
        let mut counts = [0; 3];
        let mut failed = None;
        let mut keep = |record: &GameRecord| {
            let points = if record.players[0] == 0 { record.half_points() } else { 2 - record.half_points() };
            counts[2 - points] += 1;
            if let Ending::Fault { first, fault } = &record.ending {
                let name = &record.names[usize::from(!first)];
                failed.get_or_insert(format!("{name} failed: {fault}"));
            }
            Ok(())
        };
        let contest = self.contest(entries, games, seed);
        contest
            .run_at(&self.place, &[], &mut keep, &Silent, stop)
            .map_err(|error| Failure::Failed(error.to_string()))?;
        match failed {
            Some(failed) => Err(Failure::Failed(failed)),
            None => Ok((counts.iter().sum::<u64>() == games).then_some(counts)),
        }
    }
}
