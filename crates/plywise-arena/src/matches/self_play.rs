use super::job::{contenders, keep_in};
use super::observer::Observer;
use super::record::GameRecord;
use super::rules::Rules;
use super::runner::{Entry, Match};
use super::schedule::Format;
use super::standings::Standings;
use crate::{Entrant, openings};
use plywise_host::AnyGame;
use plywise_run::{Job, JobError, Workplace};
use serde::{Deserialize, Serialize};
use std::slice;
use std::sync::Arc;

/// `forge games`: one player against itself, each game after random moves of its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ForgeGames {
    /// The name of the game.
    pub game: String,
    /// Who plays.
    pub player: Entrant,
    /// Random moves at the start of each game.
    pub random_plies: usize,
    /// The number of games. A run directory does not hold it, because it may grow.
    #[serde(default)]
    pub games: u64,
    /// The referee's rules.
    pub rules: Rules,
    /// The seed of everything random.
    pub seed: u64,
}

/// What happens while games of one player are played.
#[derive(Clone, Debug)]
pub enum ForgeGamesEvent {
    /// A game that a run directory held.
    Found(Box<GameRecord>),
    /// A game that has ended now.
    Played(Box<GameRecord>),
}

impl Job for ForgeGames {
    const NAME: &'static str = "forge games";
    const MAY_GROW: &'static [&'static str] = &["games"];
    type Game = Arc<dyn AnyGame>;
    type Event = ForgeGamesEvent;
    /// Nothing but the games that were reported. If something failed, those before it were.
    type Outcome = ();

    fn run(
        &self,
        game: &Arc<dyn AnyGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(ForgeGamesEvent) + Sync),
    ) -> Result<(), JobError> {
        let contenders = contenders(slice::from_ref(&self.player), game)?;
        let start = game.start();
        let opening = |number| openings::random(&start, self.random_plies, self.seed, number);
        let openings: Option<Vec<_>> = (0..self.games).map(opening).collect();
        let openings = openings.ok_or_else(|| JobError::input("random moves end the game too early"))?;
        let contest = Match {
            game: &**game,
            entries: vec![Entry { contender: &*contenders[0], limits: self.player.limits }],
            format: Format::SelfPlay,
            openings: &openings,
            shuffle: false,
            games: self.games,
            rules: self.rules,
            sprt: None,
            cores: None,
            concurrency: workplace.jobs,
            seed: self.seed,
        };
        contest.check().map_err(JobError::input)?;
        workplace.check_growth(self, self.games, "games")?;
        let (mut check, mut finished) = (contest.record_check(), Vec::new());
        let mut run = workplace.open(self, Some(self.games), &mut |record: GameRecord| {
            check(&record)?;
            finished.push(GameRecord { moves: Vec::new(), ..record.clone() });
            watch(ForgeGamesEvent::Found(Box::new(record)));
            Ok(())
        })?;
        if !contest.is_finished(&finished) {
            contest.try_players(&workplace.stop).map_err(JobError::input)?;
        }
        let mut keep = |record: &GameRecord| keep_in(&mut run, record);
        contest
            .run_at(&workplace.executor, &finished, &mut keep, &Watcher(watch), &workplace.stop)
            .map_err(JobError::failed)?;
        Ok(())
    }
}

/// Hands the games to a closure.
struct Watcher<'a>(&'a (dyn Fn(ForgeGamesEvent) + Sync));

impl Observer for Watcher<'_> {
    fn game_finished(&self, record: &GameRecord, _: &Standings) {
        (self.0)(ForgeGamesEvent::Played(Box::new(record.clone())));
    }
}
