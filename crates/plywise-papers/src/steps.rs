//! The jobs of tables: what decides each, as a job and as the words of a command.

use crate::conditions::options;
use crate::figure::{Figure, Row};
use crate::lab::{Lab, quoted};
use crate::player::Player;
use crate::suite::SuiteSource;
use crate::{Conditions, Suite};
use plywise_arena::Who;
use plywise_arena::matches::{Format, MatchOutcome, PlayMatch, Rules};
use plywise_arena::openings::{self, BalanceRule, MakeOpenings, Window};
use plywise_arena::statistics::{Pentanomial, Wdl, exchange_interval, ratio_interval, score_interval};
use plywise_arena::suites::{Attempt, Enough, Half, Part, Problem, RunSuite, read_part};
use plywise_arena::{Entrant, Limits};
use plywise_game::Score;
use plywise_game::lines::decode;
use plywise_host::{AnyGame, NoFiles, Setting, Setup, SuiteEntry, Sweep, WrittenSetup};
use plywise_run::JobError;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The seed of everything random, as commands have it by default.
pub(crate) const SEED: u64 = 1;

/// A player of a match.
#[derive(Clone)]
pub(crate) enum Participant {
    /// One of ours.
    Ours(Box<Player>),
    /// Who stands for a paper's opponent.
    Opponent(String),
}

impl From<Player> for Participant {
    fn from(player: Player) -> Participant {
        Participant::Ours(Box::new(player))
    }
}

impl Participant {
    fn word(&self) -> String {
        match self {
            Participant::Ours(player) => player.word(),
            Participant::Opponent(text) => text.clone(),
        }
    }

    fn entrant(&self, lab: &Lab, game: &dyn AnyGame, limits: Limits) -> Result<Entrant, JobError> {
        match self {
            Participant::Ours(player) => Ok(player.entrant(game, limits)),
            Participant::Opponent(text) => lab.laboratory.player(game, text, limits),
        }
    }
}

/// Openings that a step made, and the file that keeps them.
#[derive(Clone)]
pub(crate) struct MadeOpenings {
    file: String,
    text: String,
}

/// The positions that players search.
#[derive(Clone, Copy)]
pub(crate) enum Positions<'a> {
    /// Those of a suite, or of ours in its place.
    Suite(&'a Suite),
    /// Openings that a step made.
    Made(&'a MadeOpenings),
}

impl<'a> From<&'a Suite> for Positions<'a> {
    fn from(suite: &'a Suite) -> Positions<'a> {
        Positions::Suite(suite)
    }
}

impl Positions<'_> {
    fn place(&self, conditions: &Conditions) -> Result<SuiteSource, JobError> {
        match self {
            Positions::Suite(suite) => suite.place(conditions),
            Positions::Made(MadeOpenings { file, text }) => {
                Ok(SuiteSource::Made { file: file.clone(), text: text.clone() })
            }
        }
    }
}

/// A match.
pub(crate) struct MatchStep<'a> {
    pub(crate) game: &'a str,
    pub(crate) players: Vec<Participant>,
    /// The games for each two.
    pub(crate) games: u64,
    pub(crate) limits: Limits,
    /// The openings; without them the game's own.
    pub(crate) openings: Option<&'a MadeOpenings>,
}

/// A suite under several players.
pub(crate) struct SuiteStep<'a> {
    pub(crate) game: &'a str,
    pub(crate) suite: Positions<'a>,
    pub(crate) half: Option<Half>,
    pub(crate) sample: u64,
    pub(crate) players: Vec<Player>,
    /// Changes to all players.
    pub(crate) set: Vec<Setting>,
    /// Values to try for all but the first player.
    pub(crate) sweeps: Vec<Sweep>,
    pub(crate) limits: Limits,
    pub(crate) enough: Enough,
}

/// What came out of a suite.
pub(crate) struct Searched {
    /// Where its positions come from.
    pub(crate) place: SuiteSource,
    /// The positions that can be solved.
    pub(crate) answers: usize,
    /// Each player's attempts at all positions.
    pub(crate) rows: Vec<Vec<Attempt>>,
}

impl Lab<'_> {
    /// Plays a match.
    pub(crate) fn play(&mut self, step: &MatchStep) -> Result<MatchOutcome, JobError> {
        let game = self.game(step.game)?;
        let (words, file) = match step.openings {
            Some(MadeOpenings { file, text }) => (format!("--openings {file} --shuffle"), text.as_str()),
            None => (String::new(), game.openings()),
        };
        let start = openings::from_epd(&*game, file.as_bytes()).map_err(JobError::input)?;
        let players = step.players.iter().map(|player| player.entrant(self, &*game, step.limits));
        let job = PlayMatch {
            game: step.game.to_owned(),
            players: players.collect::<Result<_, _>>()?,
            format: Format::RoundRobin,
            openings: start.iter().map(openings::write).collect(),
            shuffle: step.openings.is_some(),
            games: step.games,
            rules: Rules::default(),
            sprt: None,
            seed: SEED,
        };
        let names: Vec<String> = step.players.iter().map(|player| quoted(&player.word())).collect();
        let names = match &names[..] {
            [a, b] => format!("--a {a} --b {b}"),
            names => names.iter().map(|name| format!("--player {name} ")).collect(),
        };
        let (game, games, limits) = (step.game, step.games, options(&step.limits));
        let number = self.begin(&format!("match {game} {names} --games {games} {words} {limits}"));
        let outcome = self.laboratory.play_match(number, &job)?;
        match outcome.failure {
            Some(failure) => Err(failure),
            None => Ok(outcome),
        }
    }

    /// Searches a suite.
    pub(crate) fn search(&mut self, step: &SuiteStep) -> Result<Searched, JobError> {
        let game = self.game(step.game)?;
        let place = step.suite.place(self.conditions)?;
        let part = Part { half: step.half, sample: Some(step.sample as u32), seed: SEED };
        let entries = self.entries(&*game, &place, &part)?;
        let mut setups = Vec::new();
        for player in &step.players {
            setups.push(player.clone().with(&*game, &step.set)?.setup);
        }
        if !step.sweeps.is_empty() {
            let swept = if setups.len() == 1 { setups.clone() } else { setups.split_off(1) };
            for setup in swept {
                setups.extend(setup.swept(&*game, &step.sweeps, &NoFiles).map_err(JobError::input)?);
            }
        }
        let job = RunSuite {
            game: step.game.to_owned(),
            positions: entries.iter().map(SuiteEntry::to_string).collect(),
            limits: vec![step.limits],
            players: setups.iter().map(|setup| WrittenSetup::of(&*game, setup)).collect(),
            enough: step.enough,
        };
        let number = self.begin(&step.words(&place));
        let found = self.laboratory.run_suite(number, &job)?;
        let found = found.into_iter().collect::<Option<Vec<_>>>().ok_or(JobError::Interrupted)?;
        let row = |heat: usize| found.iter().map(|attempts| attempts[heat].clone()).collect();
        let answers = job.problems(&*game)?.iter().filter(|problem| Problem::has_answer(problem)).count();
        Ok(Searched { place, answers, rows: (0..setups.len()).map(row).collect() })
    }

    /// The positions of a part of a suite.
    pub(crate) fn entries(
        &self,
        game: &dyn AnyGame,
        place: &SuiteSource,
        part: &Part,
    ) -> Result<Vec<SuiteEntry>, JobError> {
        let text = match place {
            SuiteSource::Own(name) => Suite::own_text(game, name)?,
            SuiteSource::Made { text, .. } => text.clone(),
            SuiteSource::File(path) => decode(&self.read(path)?).into_owned(),
        };
        read_part(game, &place.word(), &text, part)
    }

    /// Makes openings and keeps them in a file; `words` are the options of the command.
    pub(crate) fn openings(&mut self, file: &str, words: &str, job: &MakeOpenings) -> Result<MadeOpenings, JobError> {
        let number = self.begin(&format!("openings {} {words} -o {file}", job.game));
        let entries = self.laboratory.make_openings(number, job)?;
        let text: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
        self.laboratory.keep(file, &text)?;
        Ok(MadeOpenings { file: file.to_owned(), text })
    }

    /// Random openings that a short search of `best` scores as nearly even.
    pub(crate) fn even_openings(
        &mut self,
        game: &str,
        Even { from, plies, window }: &Even,
        wanted: u64,
        file: &str,
    ) -> Result<MadeOpenings, JobError> {
        const NODES: u64 = 1000;
        /// The table of the search that scores openings, in MB.
        const TABLE: usize = 64;
        let any = self.game(game)?;
        let [judge] = self.players(game, ["best"])?;
        let judge = Setup { hash: TABLE, ..judge.setup };
        let judge = Who::Setup(WrittenSetup::of(&*any, &judge));
        let rule = BalanceRule { judge, nodes: NODES, window: Window::within(*window) };
        let mut job = MakeOpenings { balance: Some(rule), ..MakeOpenings::random(&*any, *plies, wanted, SEED) };
        let mut begin = String::new();
        if let Some(from) = from {
            job.from = any.position(from).map_err(JobError::input)?.text();
            begin = format!("--from {}", quoted(from));
        }
        let words = format!("{begin} --plies {plies} --random {wanted} --window {window} --nodes {NODES}");
        self.openings(file, &words, &job)
    }
}

/// Openings that are nearly even.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Even {
    /// The position that they begin from; without one the game's start.
    pub(crate) from: Option<String>,
    /// The random plies.
    pub(crate) plies: u16,
    /// How far from even a score may be, in the evaluation's unit.
    pub(crate) window: Score,
}

impl SuiteStep<'_> {
    fn words(&self, place: &SuiteSource) -> String {
        let profiles: Vec<&str> = self.players.iter().map(Player::profile).collect();
        let set: String = self.set.iter().map(|set| format!("--set {}={} ", set.path, set.value)).collect();
        let sweeps = self.sweeps.iter().map(|sweep| format!("--sweep {}={} ", sweep.path, sweep.values.join(",")));
        let half = self.half.map_or(String::new(), |half| format!("--half {half}"));
        let enough = match self.enough {
            Enough::Limit => String::new(),
            Enough::Right(1) => "--stop-when-solved".to_owned(),
            Enough::Right(iterations) => format!("--stop-when-solved {iterations}"),
            Enough::Proof => "--until-proven".to_owned(),
        };
        format!(
            "suite {} {} {half} --sample {} --profiles {} {set} {} {} {enough}",
            self.game,
            quoted(&place.word()),
            self.sample,
            profiles.join(","),
            sweeps.collect::<String>(),
            options(&self.limits),
        )
    }
}

impl Searched {
    /// How many positions were searched.
    pub(crate) fn positions(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    /// How many positions a player solved.
    pub(crate) fn solved(&self, row: usize) -> usize {
        self.rows[row].iter().filter(|attempt| attempt.solved).count()
    }

    /// The share of the positions with an answer that a player solved.
    pub(crate) fn solved_share(&self, row: usize) -> Option<Figure> {
        Figure::share(self.solved(row) as f64, self.answers as f64)
    }
}

/// What one player used up in percent of what another did, over the same positions.
pub(crate) fn percent_over(with: &[Attempt], without: &[Attempt], of: impl Fn(&Attempt) -> f64) -> Option<Figure> {
    let pairs: Vec<(f64, f64)> = with.iter().zip(without).map(|(a, b)| (of(a), of(b))).collect();
    ratio_interval(&pairs).map(Figure::percent)
}

/// The nodes of an attempt.
pub(crate) fn nodes(attempt: &Attempt) -> f64 {
    attempt.nodes as f64
}

/// The time of an attempt.
pub(crate) fn time(attempt: &Attempt) -> f64 {
    attempt.time.as_secs_f64()
}

/// What one player solves more than another of the same positions, in percent of those with an answer, and how many it
/// lost and gained.
pub(crate) fn exchange(with: &[Attempt], without: &[Attempt], answers: usize) -> (Option<Figure>, [u64; 2]) {
    let count = |a: &[Attempt], b: &[Attempt]| a.iter().zip(b).filter(|(a, b)| a.solved && !b.solved).count() as u64;
    let (lost, gained) = (count(without, with), count(with, without));
    let found = exchange_interval(lost, gained, answers as u64);
    (found.map(|(difference, interval)| Figure::percent((difference, Some(interval)))), [lost, gained])
}

/// What a paper's player solved more than another, in percent. The paper does not say what was lost and what gained: the
/// interval is the narrowest that there can be.
pub(crate) fn printed_exchange(more: f64, of: u64) -> Option<Figure> {
    let (lost, gained) = ((-more).max(0.0) as u64, more.max(0.0) as u64);
    exchange_interval(lost, gained, of).map(|(share, interval)| Figure::percent((share, Some(interval))))
}

/// The result of a match of two, beside what was printed.
pub(crate) fn score_row(what: &str, printed: Option<Figure>, outcome: &MatchOutcome) -> Row {
    match outcome.standings.pairings().next() {
        Some((_, pairing)) => score_of(what, printed, &pairing.games, &pairing.pairs),
        None => Row::new(what, printed, None),
    }
}

/// The result of games between two, beside what was printed.
pub(crate) fn score_of(what: &str, printed: Option<Figure>, games: &Wdl, pairs: &Pentanomial) -> Row {
    let share = games.points() / games.games().max(1) as f64;
    let ours = (games.games() > 0).then(|| Figure::percent((share, score_interval(games, pairs))));
    let note = format!("+{} ={} -{}", games.wins, games.draws, games.losses);
    Row::new(what, printed, ours).note(note).of(games.games() as usize)
}

/// A row for what was not played, and why.
pub(crate) fn skipped(what: impl Into<String>, printed: Option<Figure>, why: impl Into<String>) -> Row {
    Row::new(what, printed, None).note(format!("skipped: {}", why.into()))
}

/// Sweeps from parameters and values.
pub(crate) fn sweep<T: ToString>(path: impl Into<String>, values: &[T]) -> Sweep {
    Sweep { path: path.into(), values: values.iter().map(T::to_string).collect() }
}

/// Attempts of several suites as those of one.
pub(crate) fn joined(of_suites: &[&Searched], row: usize) -> Vec<Attempt> {
    of_suites.iter().flat_map(|searched| searched.rows[row].iter().cloned()).collect()
}

/// Suites that were searched, by a key.
pub(crate) type BySuite<K> = BTreeMap<K, Searched>;
