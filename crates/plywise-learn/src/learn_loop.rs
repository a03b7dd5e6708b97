//! `learn loop`: generations of networks. Each plays games, the next is trained on them, and reigns if it wins.

use crate::data;
use crate::{
    DataRules, Filter, ForgeData, LearnNetwork, LearnableGame, LearnedNetwork, NetworkEpoch, SelfPlay, Settings, Source,
};
use plywise_arena::matches::{Format, MatchOutcome, PlayMatch, Rules};
use plywise_arena::openings::{self, MakeOpenings};
use plywise_arena::statistics::{Decision, Sprt, SprtState, Summary, elo_of_score};
use plywise_arena::{Entrant, Limits};
use plywise_game::Score;
use plywise_host::{AnyGame, NamedNetwork, Setup, WrittenSetup};
use plywise_net::Network;
use plywise_run::{Job, JobError, WorkError, Workplace, files};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Networks learn from their own games, generation after generation.
///
/// The reigning player plays against itself, a network is trained on the games of the last generations, and the two meet:
/// the winner reigns.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LearnLoop {
    /// The name of the game.
    pub game: String,
    /// How many generations.
    #[serde(default)]
    pub generations: u32,
    /// The player before the first generation. Those after it differ in the network alone.
    pub player: WrittenSetup,
    /// What each move may use up, in the games and in the matches.
    pub limits: Limits,
    /// The games of each generation.
    pub games: u64,
    /// Where games and matches begin, as [`openings::write`] writes it. Without any, games begin at the start and matches
    /// from random openings.
    pub openings: Vec<String>,
    /// Random moves before the games; with openings the matches have none.
    pub random_plies: u16,
    /// See [`SelfPlay::balance`].
    pub balance: Option<Score>,
    /// See [`SelfPlay::longest`].
    pub longest: usize,
    /// When games end.
    pub rules: DataRules,
    /// How many generations of games a network is trained on, the last ones.
    pub window: u32,
    /// How networks are trained.
    pub settings: Settings,
    /// See [`LearnNetwork::scale`].
    pub scale: Option<f64>,
    /// Which positions of a game are left out.
    pub filter: Filter,
    /// The share of the games that is held back for validation.
    pub validation: f64,
    /// See [`LearnNetwork::patience`].
    pub patience: u32,
    /// The most games of each match.
    pub match_games: u64,
    /// What a match decides between.
    pub sprt: Sprt,
    /// The seed of everything random.
    pub seed: u64,
}

/// A finished generation: a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 1.
    pub generation: u32,
    /// Positions that it was trained on.
    pub positions: u64,
    /// The loss of its best epoch on these.
    pub training_loss: f64,
    /// The loss of its best epoch on the games that were held back.
    pub validation_loss: f64,
    /// The games of its match against the player that reigned before.
    pub games: u64,
    /// Its score in this match.
    pub score: f64,
    /// The same in Elo.
    pub elo: f64,
    /// Half of the interval of the Elo; none if one player won every game.
    pub elo_error: Option<f64>,
    /// Whether it reigns now.
    pub accepted: bool,
    /// Elo of the player that reigns now, above the player before the first generation.
    pub rating: f64,
}

/// What came out of [`LearnLoop`].
#[derive(Clone, Debug)]
pub struct LearnedLoop {
    /// The generations.
    pub generations: Vec<Generation>,
    /// The file of the network that reigns; none if no generation has won its match.
    pub reigning: Option<PathBuf>,
}

/// Who does the parts of a generation: this process, or the workers that a program has found.
///
/// Each part is kept in the folder of this name within the run directory, and resumed there.
pub trait Parts {
    /// Plays games.
    fn forge_data(&self, folder: &str, job: &ForgeData) -> Result<Vec<Vec<u8>>, JobError>;
    /// Trains a network.
    fn learn_network(&self, folder: &str, job: &LearnNetwork) -> Result<LearnedNetwork, JobError>;
    /// Plays a match.
    fn play_match(&self, folder: &str, job: &PlayMatch) -> Result<MatchOutcome, JobError>;
}

/// All parts are done where the loop itself runs.
struct Here<'a> {
    game: &'a Arc<dyn LearnableGame>,
    workplace: &'a Workplace,
}

impl Parts for Here<'_> {
    fn forge_data(&self, folder: &str, job: &ForgeData) -> Result<Vec<Vec<u8>>, JobError> {
        job.run(self.game, &self.workplace.within(folder), &|_| {})
    }

    fn learn_network(&self, folder: &str, job: &LearnNetwork) -> Result<LearnedNetwork, JobError> {
        job.run(self.game, &self.workplace.within(folder), &|_| {})
    }

    fn play_match(&self, folder: &str, job: &PlayMatch) -> Result<MatchOutcome, JobError> {
        job.run(&any(self.game), &self.workplace.within(folder), &|_| {})
    }
}

impl Job for LearnLoop {
    const NAME: &'static str = "learn loop";
    const MAY_GROW: &'static [&'static str] = &["generations"];
    type Game = Arc<dyn LearnableGame>;
    type Event = Generation;
    type Outcome = LearnedLoop;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(Generation) + Sync),
    ) -> Result<LearnedLoop, JobError> {
        let mut each = |done: &[Generation]| done.last().cloned().into_iter().for_each(watch);
        self.run_with(game, workplace, &Here { game, workplace }, &mut each)
    }
}

impl LearnLoop {
    /// Runs it with the parts done by `parts`. After each generation `each` gets all that are finished.
    pub fn run_with(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        parts: &dyn Parts,
        each: &mut dyn FnMut(&[Generation]),
    ) -> Result<LearnedLoop, JobError> {
        let Some(folder) = workplace.directory.as_deref() else {
            return Err(JobError::input("a loop needs a run directory: what its generations make is kept there"));
        };
        workplace.check_growth(self, self.generations.into(), "generations")?;
        let mut done: Vec<Generation> = Vec::new();
        let mut run = workplace.open(self, Some(self.generations.into()), &mut |generation| {
            done.push(generation);
            Ok(())
        })?;
        let workshop = Workshop { job: self, game: any(game), folder, parts, stop: &workplace.stop };
        while (done.len() as u32) < self.generations && !workplace.stop.is_stopped() {
            let generation = workshop.next(&done)?;
            if let Some(run) = &mut run {
                run.append(&generation).map_err(WorkError::Journal)?;
            }
            done.push(generation);
            each(&done);
        }
        let reigning = workshop.reigning(&done);
        Ok(LearnedLoop { generations: done, reigning })
    }
}

/// Where generations are made.
struct Workshop<'a> {
    job: &'a LearnLoop,
    game: Arc<dyn AnyGame>,
    folder: &'a Path,
    parts: &'a dyn Parts,
    stop: &'a Signal,
}

impl Workshop<'_> {
    /// Plays, trains, and lets the two meet.
    fn next(&self, done: &[Generation]) -> Result<Generation, JobError> {
        let number = done.len() as u32 + 1;
        let reigning = self.setup(self.reigning(done).as_deref())?;
        self.forge(number, &reigning)?;
        let trained = self.train(number)?;
        let network = self.file(number, "net");
        write(&network, &trained.network.to_bytes())?;
        let Summary { games, score, elo, elo_error, sprt, .. } = self.contest(number, &network, reigning)?;
        let none = || JobError::failed(format!("the match of generation {number} has no result"));
        let (score, sprt) = score.zip(sprt).ok_or_else(none)?;
        let elo = elo.unwrap_or_else(|| least_elo(score, games));
        let accepted = is_won(&sprt);
        let before = done.last().map_or(0.0, |last| last.rating);
        let NetworkEpoch { train, validation, .. } = trained.best;
        Ok(Generation {
            generation: number,
            positions: trained.positions as u64,
            training_loss: train,
            validation_loss: validation,
            games,
            score,
            elo,
            elo_error,
            accepted,
            rating: if accepted { before + elo } else { before },
        })
    }

    /// The file of the network that reigns, if one does.
    fn reigning(&self, done: &[Generation]) -> Option<PathBuf> {
        let last = done.iter().rev().find(|generation| generation.accepted);
        last.map(|generation| self.file(generation.generation, "net"))
    }

    /// A file of a generation.
    fn file(&self, generation: u32, what: &str) -> PathBuf {
        self.folder.join(format!("generation-{generation}.{what}"))
    }

    /// The player with the network of a file; the one before the first generation without.
    fn setup(&self, network: Option<&Path>) -> Result<Setup, JobError> {
        let mut setup = self.job.player.read(&*self.game).map_err(JobError::input)?;
        if let Some(path) = network {
            let unusable = |error: &dyn std::fmt::Display| JobError::input(format!("'{}': {error}", path.display()));
            let bytes = std::fs::read(path).map_err(|error| unusable(&error))?;
            let network =
                Network::read(&bytes, self.game.name(), &self.game.sight()).map_err(|error| unusable(&error))?;
            setup.network = Some(NamedNetwork { name: path.display().to_string(), network: Arc::new(network) });
        }
        Ok(setup)
    }

    /// The result of a part, unless the loop was stopped meanwhile.
    fn finished<T>(&self, part: T) -> Result<T, JobError> {
        if self.stop.is_stopped() { Err(JobError::Interrupted) } else { Ok(part) }
    }

    fn forge(&self, number: u32, reigning: &Setup) -> Result<(), JobError> {
        let job = self.job;
        let player = Setup { threads: 1, hash: ForgeData::TABLE_MB, ..reigning.clone() };
        let positions = job.openings.iter().map(|opening| Ok(openings::read(&*self.game, opening)?.alone().text()));
        let forge = ForgeData {
            game: job.game.clone(),
            games: Some(job.games),
            time: None,
            play: SelfPlay {
                player: WrittenSetup::of(&*self.game, &player),
                limits: job.limits,
                openings: positions.collect::<Result<_, plywise_game::NotationError>>().map_err(JobError::input)?,
                random_plies: job.random_plies.into(),
                balance: job.balance,
                to_the_end: false,
                longest: job.longest,
                seed: job.seed.wrapping_add(u64::from(number) << 32),
            },
            rules: job.rules.clone().of_player(&player),
        };
        let blocks = self.finished(self.parts.forge_data(&format!("generation-{number}-games"), &forge)?)?;
        let bytes = [vec![data::header(&job.game)], blocks].concat().concat();
        write(&self.file(number, "data"), &bytes)
    }

    /// Trains a network on the last generations of games.
    fn train(&self, number: u32) -> Result<LearnedNetwork, JobError> {
        let job = self.job;
        let first = number.saturating_sub(job.window.saturating_sub(1)).max(1);
        let source = |generation| {
            let path = self.file(generation, "data");
            let name = path.display().to_string();
            Source::new(name, None, move || Ok(Box::new(File::open(&path)?))).digested(self.stop)
        };
        let learn = LearnNetwork {
            game: job.game.clone(),
            data: (first..=number).map(source).collect::<Result<_, _>>()?,
            settings: Settings { seed: job.seed, ..job.settings.clone() },
            scale: job.scale,
            filter: job.filter.clone(),
            validation: job.validation,
            patience: job.patience,
            linear: Some(job.player.clone()),
        };
        self.finished(self.parts.learn_network(&format!("generation-{number}-training"), &learn)?)
    }

    /// The match of a new network against the reigning player.
    fn contest(&self, number: u32, network: &Path, reigning: Setup) -> Result<Summary, JobError> {
        let (job, seed) = (self.job, self.job.seed.wrapping_add(number.into()));
        let has_openings = !job.openings.is_empty();
        let openings = if has_openings { job.openings.clone() } else { self.random_openings(seed)? };
        let entrant = |name: &str, setup: Setup| {
            Entrant::of_setup(&*self.game, &Setup { name: name.to_owned(), ..setup }, job.limits)
        };
        let play = PlayMatch {
            game: job.game.clone(),
            players: vec![entrant("new", self.setup(Some(network))?), entrant("old", reigning)],
            format: Format::RoundRobin,
            openings,
            shuffle: has_openings,
            games: job.match_games,
            rules: Rules::default(),
            sprt: Some(job.sprt),
            seed,
        };
        let outcome = self.finished(self.parts.play_match(&format!("generation-{number}-match"), &play)?)?;
        outcome.failure.map_or(Ok(()), Err)?;
        outcome.standings.summary().ok_or_else(|| JobError::failed("the match had more than two players"))
    }

    /// One for each two games of a match.
    fn random_openings(&self, seed: u64) -> Result<Vec<String>, JobError> {
        let LearnLoop { random_plies, match_games, .. } = *self.job;
        let job = MakeOpenings::random(&*self.game, random_plies.max(1), match_games.div_ceil(2), seed);
        let entries = self.finished(job.run(&self.game, &Workplace::local(1, self.stop), &|()| {})?)?;
        Ok(entries.iter().map(|entry| openings::write(&entry.position)).collect())
    }
}

impl DataRules {
    /// The rules for games of this player: one that finds every position even has no scores that end a game.
    pub fn of_player(self, player: &Setup) -> DataRules {
        let without_scores = player.network_name() == plywise_host::ZERO_NETWORK;
        DataRules { without_scores, draw: self.draw.filter(|_| !without_scores), ..self }
    }
}

fn any(game: &Arc<dyn LearnableGame>) -> Arc<dyn AnyGame> {
    game.clone()
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), JobError> {
    files::write_whole(path, bytes)
        .map_err(|error| JobError::failed(format!("cannot write '{}': {error}", path.display())))
}

/// Whether the new network reigns. If the games are used up before the test decides, the likelier of its two differences
/// counts.
fn is_won(sprt: &SprtState) -> bool {
    match sprt.decision {
        Decision::H1 => true,
        Decision::H0 => false,
        Decision::Continue => sprt.llr > 0.0,
    }
}

/// The Elo of a match that one player won entirely, as if half a game had gone the other way: more is not known.
fn least_elo(score: f64, games: u64) -> f64 {
    let half = 0.5 / games.max(1) as f64;
    elo_of_score(score.clamp(half, 1.0 - half))
}
