use super::observer::Observer;
use super::record::{GameRecord, MoveRecord, RecordError};
use super::rules::Rules;
use super::runner::{Entry, Match};
use super::schedule::{Fixture, Format};
use super::standings::Standings;
use crate::statistics::{Sprt, Summary};
use crate::{Contender, Entrant, openings, report};
use plywise_host::{AnyGame, AnyPosition};
use plywise_run::{Job, JobError, Run, Workplace};
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// `match`: players against each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlayMatch {
    /// The name of the game.
    pub game: String,
    /// Who plays. Results are those of the first.
    pub players: Vec<Entrant>,
    /// Who meets whom.
    pub format: Format,
    /// Where games begin, as [`openings::write`] writes them; each is played with both colours.
    pub openings: Vec<String>,
    /// Whether the openings are used in random order.
    pub shuffle: bool,
    /// The games for each two who meet. A run directory does not hold it, because it may grow.
    #[serde(default)]
    pub games: u64,
    /// The referee's rules.
    pub rules: Rules,
    /// A sequential test that may end a match of two early.
    pub sprt: Option<Sprt>,
    /// The seed of everything random.
    pub seed: u64,
}

/// What happens in a match.
#[derive(Clone, Debug)]
pub enum MatchEvent {
    /// All players are ready.
    Begun {
        /// What the match is called.
        title: String,
        /// The games that were played before.
        records: Vec<GameRecord>,
        /// The names of the players, by which games call them.
        names: Vec<String>,
    },
    /// A game begins.
    Started {
        /// Its number, from 0.
        index: u64,
        /// The games that there will be, unless a test decides earlier.
        scheduled: u64,
        /// Who moves first and who second.
        names: [String; 2],
    },
    /// A player has thought for this long and made a move.
    Moved(Duration),
    /// Something that people should know about a player, in a sentence that begins with its name.
    Remarked(String),
    /// A game has ended.
    Ended {
        /// The game.
        record: Box<GameRecord>,
        /// The games that there will be, unless a test decides earlier.
        scheduled: u64,
        /// Where a match of two stands.
        summary: Option<Box<Summary>>,
        /// Where the others stand, after every round: names, points and games, the best first.
        table: Option<Vec<(String, f64, u64)>>,
    },
}

/// What came out of a match.
#[derive(Debug)]
pub struct MatchOutcome {
    /// What the games add up to.
    pub standings: Standings,
    /// All games, by their numbers. Those after the decision of a sequential test do not count.
    pub records: Vec<GameRecord>,
    /// What ended the match before its last game, if something failed.
    pub failure: Option<JobError>,
}

impl MatchOutcome {
    /// The games that count.
    pub fn counted(&self) -> &[GameRecord] {
        &self.records[..self.records.partition_point(|record| record.index < self.standings.counted())]
    }
}

impl PlayMatch {
    /// The openings.
    pub fn read_openings(&self, game: &dyn AnyGame) -> Result<Vec<AnyPosition>, JobError> {
        let read = |text: &String| openings::read(game, text).map_err(JobError::input);
        self.openings.iter().map(read).collect()
    }

    fn contest<'a>(
        &self,
        game: &'a dyn AnyGame,
        contenders: &'a [Box<dyn Contender>],
        openings: &'a [AnyPosition],
        workplace: &Workplace,
    ) -> Match<'a> {
        Match {
            game,
            entries: contenders
                .iter()
                .zip(&self.players)
                .map(|(contender, player)| Entry { contender: &**contender, limits: player.limits })
                .collect(),
            format: self.format,
            openings,
            shuffle: self.shuffle,
            games: self.games,
            rules: self.rules,
            sprt: self.sprt,
            cores: workplace.cores.clone(),
            concurrency: workplace.jobs,
            seed: self.seed,
        }
    }

    /// Plays the match as the games of another job, whose run directory keeps them.
    pub(crate) fn run_for<J: Job>(
        &self,
        job: &J,
        game: &Arc<dyn AnyGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(MatchEvent) + Sync),
    ) -> Result<MatchOutcome, JobError> {
        let contenders = contenders(&self.players, game)?;
        let openings = self.read_openings(&**game)?;
        let contest = self.contest(&**game, &contenders, &openings, workplace);
        contest.check().map_err(JobError::input)?;
        let scheduled = contest.schedule().games();
        workplace.check_growth(job, scheduled, "games")?;
        let (mut check, mut records) = (contest.record_check(), Vec::new());
        let mut run = workplace.open(job, Some(scheduled), &mut |record: GameRecord| {
            check(&record)?;
            records.push(record);
            Ok(())
        })?;
        if !contest.is_finished(&records) {
            contest.try_players(&workplace.stop).map_err(JobError::input)?;
        }
        let before = contest.standings();
        let (title, names) = (before.title(), before.names().to_vec());
        watch(MatchEvent::Begun { title, records: records.clone(), names });
        let mut played = Vec::new();
        let mut keep = |record: &GameRecord| {
            keep_in(&mut run, record)?;
            played.push(record.clone());
            Ok(())
        };
        let watcher = Watcher { watch, scheduled };
        let result = contest.run_at(&workplace.executor, &records, &mut keep, &watcher, &workplace.stop);
        records.append(&mut played);
        records.sort_by_key(|record| record.index);
        let standings = contest.standings_of(&records);
        let written = run.map_or(Ok(()), |run| write_files(&**game, workplace, &run, &records, &standings));
        // What was played counts, whatever ended the match.
        let failure = result.map(drop).map_err(JobError::failed).and(written).err();
        Ok(MatchOutcome { standings, records, failure })
    }
}

impl Job for PlayMatch {
    const NAME: &'static str = "match";
    const MAY_GROW: &'static [&'static str] = &["games"];
    type Game = Arc<dyn AnyGame>;
    type Event = MatchEvent;
    type Outcome = MatchOutcome;

    fn run(
        &self,
        game: &Arc<dyn AnyGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(MatchEvent) + Sync),
    ) -> Result<MatchOutcome, JobError> {
        self.run_for(self, game, workplace, watch)
    }
}

/// The players of a match.
pub(crate) fn contenders(players: &[Entrant], game: &Arc<dyn AnyGame>) -> Result<Vec<Box<dyn Contender>>, JobError> {
    players.iter().map(|player| player.contender(game).map_err(JobError::input)).collect()
}

/// Keeps a game in the run directory, if there is one.
pub(crate) fn keep_in(run: &mut Option<Run>, record: &GameRecord) -> io::Result<()> {
    run.as_mut().map_or(Ok(()), |run| run.append(record))
}

/// Writes what a run directory holds beside its journal: the games as PGN, and the report.
fn write_files(
    game: &dyn AnyGame,
    workplace: &Workplace,
    run: &Run,
    records: &[GameRecord],
    standings: &Standings,
) -> Result<(), JobError> {
    let title = standings.title();
    let pgn = games_to_pgn(game, records, &title).map_err(JobError::failed)?;
    workplace.derive(run, "games.pgn", &pgn)?;
    workplace.derive(run, "report.md", &report(&title, standings))
}

/// Games as one text in PGN.
pub fn games_to_pgn(game: &dyn AnyGame, records: &[GameRecord], event: &str) -> Result<String, RecordError> {
    let texts = records.iter().map(|record| Ok(format!("{}\n", record.to_pgn(game, event)?)));
    texts.collect()
}

/// Hands what happens to a closure.
struct Watcher<'a> {
    watch: &'a (dyn Fn(MatchEvent) + Sync),
    scheduled: u64,
}

impl Observer for Watcher<'_> {
    fn game_started(&self, fixture: &Fixture, names: [&str; 2]) {
        let (index, names) = (fixture.index, names.map(str::to_owned));
        (self.watch)(MatchEvent::Started { index, scheduled: self.scheduled, names });
    }

    fn moved(&self, _: &Fixture, played: &MoveRecord) {
        (self.watch)(MatchEvent::Moved(played.elapsed.unwrap_or_default()));
    }

    fn remarked(&self, name: &str, remark: &str) {
        (self.watch)(MatchEvent::Remarked(format!("{name} {remark}")));
    }

    fn game_finished(&self, record: &GameRecord, standings: &Standings) {
        (self.watch)(MatchEvent::Ended {
            record: Box::new(record.clone()),
            scheduled: standings.scheduled(),
            summary: standings.summary().map(Box::new),
            table: standings.has_ended_round().then(|| standings.table()),
        });
    }
}
