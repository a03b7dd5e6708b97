use crate::matches::{Ending, Entry, Format, GameRecord, Match, Rules, Silent};
use plywise_host::{AnyGame, AnyPosition};
use plywise_run::{Executor, JobError};
use plywise_search::Signal;

/// Games of two players of which only the results count.
pub struct Duel<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The openings, each played with both colours.
    pub openings: &'a [AnyPosition],
    /// A game is a draw after this many moves of each player.
    pub max_moves: u32,
    /// How many games are played at the same time.
    pub jobs: usize,
    /// Where they are played.
    pub executor: Executor,
}

impl Duel<'_> {
    /// A match of this many games.
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
            cores: None,
            concurrency: self.jobs,
            seed,
        }
    }

    /// Wins, draws and losses of the first player; `None` if `stop` interrupts the games. A player that fails is an
    /// error: games lost that way say nothing about how well it plays.
    pub fn play(
        &self,
        entries: Vec<Entry<'_>>,
        games: u64,
        seed: u64,
        stop: &Signal,
    ) -> Result<Option<[u64; 3]>, JobError> {
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
        contest.run_at(&self.executor, &[], &mut keep, &Silent, stop).map_err(JobError::failed)?;
        match failed {
            Some(failed) => Err(JobError::Failed(failed)),
            None => Ok((counts.iter().sum::<u64>() == games).then_some(counts)),
        }
    }
}
