use super::Ending;
use super::observer::Observer;
use super::record::GameRecord;
use super::referee::{self, GameSetup};
use super::rules::Rules;
use super::schedule::{Fixture, Format, Schedule};
use super::standings::Standings;
use crate::player::{Contender, Fault, Player};
use crate::statistics::Sprt;
use plywise_game::pgn::GameResult;
use plywise_game::{Side, random};
use plywise_host::{AnyGame, AnyPosition};
use plywise_run::{Cores, CoresError, Executor, Results, WorkError, do_units, stay_on};
use plywise_search::{Limits, Signal};
use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;

/// A match: who plays, from which openings, by which rules.
pub struct Match<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The players. Results are those of the first.
    pub entries: Vec<Entry<'a>>,
    /// Who meets whom.
    pub format: Format,
    /// Where games begin; each opening is played with both colours.
    pub openings: &'a [AnyPosition],
    /// Whether the openings are used in random order.
    pub shuffle: bool,
    /// The games for each two who meet. An odd number leaves the last opening without its second game.
    pub games: u64,
    /// The referee's rules.
    pub rules: Rules,
    /// A sequential test that may end a match of two early.
    pub sprt: Option<Sprt>,
    /// The cores of the threads, if each is to stay on one.
    pub cores: Option<Cores>,
    /// How many games are played at the same time.
    pub concurrency: usize,
    /// The seed of everything random.
    pub seed: u64,
}

/// Somebody who plays, and under which limits.
pub struct Entry<'a> {
    /// Who.
    pub contender: &'a dyn Contender,
    /// What it may use up.
    pub limits: Limits,
}

/// Why a match cannot be played, or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// Fewer than two were entered.
    #[error("a match needs at least two players")]
    TooFewPlayers,
    /// There is nowhere to begin.
    #[error("a match needs at least one opening")]
    NoOpenings,
    /// An opening cannot be played.
    #[error("opening {0} cannot be played: {1}")]
    Opening(usize, &'static str),
    /// A sequential test between more than two.
    #[error("an SPRT needs a match of exactly two players")]
    SprtOfMany,
    /// A game that was played before is not one of this match.
    #[error("game {0} of the journal is not a game of this match")]
    ForeignGame(u64),
    /// A finished game could not be kept.
    #[error("a finished game could not be written to the journal: {0}")]
    Journal(#[source] io::Error),
    /// Threads cannot be kept on cores.
    #[error(transparent)]
    Cores(#[from] CoresError),
    /// A player cannot even be started, or does not know the game.
    #[error("{0} cannot play: {1}")]
    Start(String, #[source] Fault),
    /// The machine has nothing left to play with. Games that are kept stay kept.
    #[error("this machine has too few file handles, threads or memory for this many games at the same time: {0}")]
    NoResources(String),
    /// Others could not be asked for help, or not be given any.
    #[error("{0}")]
    Elsewhere(String),
}

impl Match<'_> {
    /// The games of this match.
    pub fn schedule(&self) -> Schedule {
        let seed = self.shuffle.then_some(self.seed);
        Schedule::new(self.format, self.entries.len(), self.games, self.openings.len(), seed)
    }

    /// Plays the match, or what is left of it after the games `finished`, until it is over or `stop` is set.
    /// Games that are under way then are given up.
    ///
    /// A game counts once `keep` has kept it: then a later call with all kept games goes on where this one stopped.
    pub fn run(
        &self,
        finished: &[GameRecord],
        keep: &mut dyn FnMut(&GameRecord) -> io::Result<()>,
        observer: &dyn Observer,
        stop: &Signal,
    ) -> Result<Standings, MatchError> {
        self.run_at(&Executor::Local, finished, keep, observer, stop)
    }

    /// The same with the games played in another place. The observer hears of games as they end, and of no moves.
    pub fn run_at(
        &self,
        executor: &Executor,
        finished: &[GameRecord],
        keep: &mut dyn FnMut(&GameRecord) -> io::Result<()>,
        observer: &dyn Observer,
        stop: &Signal,
    ) -> Result<Standings, MatchError> {
        self.check()?;
        let schedule = self.schedule();
        let mut standings = self.standings();
        let mut done = HashSet::new();
        for record in finished {
            if !is_of(&schedule, record) || !done.insert(record.index) {
                return Err(MatchError::ForeignGame(record.index + 1));
            }
            standings.add(record);
        }
        if standings.is_over() {
            return Ok(standings);
        }
        let names = standings.names().to_vec();
        let player = Worker { contest: self, names: &names, observer, slowness: slowness(executor) };
        let threads = self.concurrency.clamp(1, schedule.games().min(1024) as usize);
        let cores = self.cores.as_ref().map(|cores| cores.of_threads(threads)).transpose()?;
        let core = |thread: usize| cores.as_ref().and_then(|cores| cores.get(thread).copied());
        let boards: Vec<Board> = (0..threads).map(|thread| Board { seated: Vec::new(), core: core(thread) }).collect();
        let play = |board: &mut Board, index: u64, ended: &Signal| {
            // What a thread starts stays where it is.
            if let Some(core) = board.core.take() {
                stay_on(core);
            }
            player.play(schedule.game(index)?, &mut board.seated, ended)
        };
        let mut numbers = (0..schedule.games()).filter(|index| !done.contains(index));
        let mut books = Books { contest: self, schedule: &schedule, standings, keep, observer, failure: None };
        do_units(executor, &mut numbers, boards, stop, play, &mut books).map_err(|error| match error {
            WorkError::Journal(error) => MatchError::Journal(error),
            WorkError::Threads(error) => MatchError::NoResources(error.to_string()),
            WorkError::Elsewhere(sentence) => MatchError::Elsewhere(sentence),
        })?;
        books.failure.map_or(Ok(books.standings), Err)
    }

    /// What says of the games in a journal, one after another, what is wrong with them: whether they are games of this
    /// match, each of them once, and whether their moves lead to their results.
    pub fn record_check(&self) -> impl FnMut(&GameRecord) -> Result<(), String> {
        let schedule = self.schedule();
        let mut seen = HashSet::new();
        move |record| {
            if !is_of(&schedule, record) || !seen.insert(record.index) {
                return Err(MatchError::ForeignGame(record.index + 1).to_string());
            }
            self.replay(record)
        }
    }

    fn replay(&self, record: &GameRecord) -> Result<(), String> {
        let opening = &self.openings[record.opening];
        let game = record.to_pgn(self.game, "").map_err(|error| error.to_string())?;
        let wrong = |what: &str| Err(format!("game {} of the journal has {what}", record.index + 1));
        if game.position.at(opening.plies()).moves() != opening.moves() || game.position.at(0) != opening.at(0) {
            return wrong("another opening than that of its match");
        }
        let last = game.position;
        let result = last.outcome().map(|outcome| GameResult::of(outcome, last.side_to_move()));
        match result {
            Some(result) if result != record.result => wrong("another result than its moves"),
            None if matches!(record.ending, Ending::Decided { .. }) => wrong("no end"),
            _ => Ok(()),
        }
    }

    /// Standings without games, to which those of a journal can be added.
    pub fn standings(&self) -> Standings {
        Standings::new(self.names(), self.schedule(), self.sprt)
    }

    /// The names of the entries. Those that share one are numbered.
    pub(super) fn names(&self) -> Vec<String> {
        let names: Vec<&str> = self.entries.iter().map(|entry| entry.contender.name()).collect();
        let is_shared = |name: &str| names.iter().filter(|other| **other == name).count() > 1;
        let numbered = names.iter().enumerate().map(|(i, &name)| match is_shared(name) {
            true => format!("{name} ({})", 1 + names[..i].iter().filter(|other| **other == name).count()),
            false => name.to_owned(),
        });
        numbered.collect()
    }

    /// The standings after these games.
    pub fn standings_of(&self, records: &[GameRecord]) -> Standings {
        let mut standings = self.standings();
        records.iter().for_each(|record| standings.add(record));
        standings
    }

    /// Whether these games leave nothing to play.
    pub fn is_finished(&self, records: &[GameRecord]) -> bool {
        self.standings_of(records).is_over()
    }

    /// Whether this can be played at all.
    pub fn check(&self) -> Result<(), MatchError> {
        let needed = if self.format == Format::SelfPlay { 1 } else { 2 };
        if self.entries.len() < needed {
            return Err(MatchError::TooFewPlayers);
        }
        if self.sprt.is_some() && self.entries.len() > 2 {
            return Err(MatchError::SprtOfMany);
        }
        if self.openings.is_empty() {
            return Err(MatchError::NoOpenings);
        }
        for (i, opening) in self.openings.iter().enumerate() {
            check_opening(opening).map_err(|problem| MatchError::Opening(i + 1, problem))?;
        }
        Ok(())
    }
}

/// Whether a game is the one of its number.
fn is_of(schedule: &Schedule, record: &GameRecord) -> bool {
    let fixture = schedule.game(record.index);
    fixture.is_some_and(|fixture| fixture.players == record.players && fixture.opening == record.opening)
}

fn check_opening(opening: &AnyPosition) -> Result<(), &'static str> {
    match opening.outcome() {
        Some(_) => Err("the game is over at its end"),
        None => Ok(()),
    }
}

/// Time counts for as much on every machine.
fn slowness(executor: &Executor) -> f64 {
    match executor {
        Executor::Worker(help) => help.slowness(),
        Executor::Local | Executor::Coordinator(_) => 1.0,
    }
}

/// What becomes of the games that end.
struct Books<'a> {
    contest: &'a Match<'a>,
    schedule: &'a Schedule,
    standings: Standings,
    keep: &'a mut dyn FnMut(&GameRecord) -> io::Result<()>,
    observer: &'a dyn Observer,
    failure: Option<MatchError>,
}

impl Results<GameRecord> for Books<'_> {
    fn check(&self, index: u64, record: &GameRecord) -> Result<(), String> {
        if let Some(lack) = record.lack_of_resources() {
            return Err(lack.to_owned());
        }
        if record.index != index || !is_of(self.schedule, record) {
            return Err(format!("it is not game {} of this match", index + 1));
        }
        self.contest.replay(record)
    }

    fn fault(&self, record: &GameRecord) -> Option<String> {
        match &record.ending {
            Ending::Fault { fault, .. } => Some(fault.to_string()),
            _ => None,
        }
    }

    /// What comes in after the end is dropped, not kept: the journal has no games that depend on the number of threads.
    fn take(&mut self, _: u64, record: GameRecord) -> ControlFlow<()> {
        let kept = match record.lack_of_resources() {
            Some(lack) => Err(MatchError::NoResources(lack.to_owned())),
            None => (self.keep)(&record).map_err(MatchError::Journal),
        };
        match kept {
            Ok(()) => {
                self.standings.add(&record);
                self.observer.game_finished(&record, &self.standings);
            }
            Err(error) => self.failure = Some(error),
        }
        if self.failure.is_some() || self.standings.is_over() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// What the threads of a match share.
struct Worker<'a> {
    contest: &'a Match<'a>,
    names: &'a [String],
    observer: &'a dyn Observer,
    /// How much more time players get here than they are entitled to where the match is kept.
    slowness: f64,
}

/// Where a thread plays.
struct Board {
    seated: Vec<Seated>,
    /// The core on which the thread is to stay, until it does.
    core: Option<usize>,
}

/// A player at this thread's board, and the number of its entry.
type Seated = (usize, Box<dyn Player>);

impl Worker<'_> {
    fn play(&self, fixture: Fixture, seated: &mut Vec<Seated>, ended: &Signal) -> Option<GameRecord> {
        let contest = self.contest;
        let entries = fixture.players.map(|player| &contest.entries[player]);
        let limits = entries.map(|entry| entry.limits.scaled(self.slowness));
        let names = fixture.players.map(|player| self.names[player].as_str());
        self.observer.game_started(&fixture, names);
        // Both games of a pair have the same seeds, by colour: two equal players play the same game twice.
        let seed = random::number(contest.seed, fixture.round);
        let setup = GameSetup {
            fixture,
            opening: &contest.openings[fixture.opening],
            limits: [&limits[0], &limits[1]],
            names,
            seeds: [0, 1].map(|place| random::number(seed, place)),
            rules: &contest.rules,
            observer: self.observer,
            stop: ended,
        };
        // Only the two who play stay at the board: the tables of a large round robin would not fit into memory.
        let mut players: [Option<Box<dyn Player>>; 2] = [None, None];
        for (i, &player) in fixture.players.iter().enumerate() {
            let place = seated.iter().position(|(seated, _)| *seated == player);
            players[i] = place.map(|place| seated.swap_remove(place).1);
        }
        seated.clear();
        let mut entered = Vec::with_capacity(2);
        for (side, (player, entry)) in [Side::First, Side::Second].into_iter().zip(players.into_iter().zip(entries)) {
            match player.map_or_else(|| entry.contender.enter(), Ok) {
                Ok(player) => entered.push(player),
                Err(fault) => return Some(referee::without_player(&setup, side, fault)),
            }
        }
        let [first, second] = &mut entered[..] else { return None };
        let record = referee::play(&setup, [first.as_mut(), second.as_mut()])?;
        // A player that failed is in an unknown state, and is restarted for its next game.
        let failed = match &record.ending {
            Ending::Fault { first, .. } => Some(usize::from(!first)),
            _ => None,
        };
        let kept = fixture.players.into_iter().zip(entered).enumerate().filter(|(i, _)| failed != Some(*i));
        seated.extend(kept.map(|(_, seat)| seat));
        Some(record)
    }
}
