//! `plywise learn loop`: generations of networks. Each plays games, the next is trained on them, and reigns if it wins.

use crate::arguments::ResourceArgs;
use crate::commands::matches::{self, openings::OpeningArgs};
use crate::engine::{Setup, setup_for};
use crate::games::Games;
use crate::jobs::Place;
use crate::players::DEFAULT_HASH;
use crate::plots::{Curve, Plot};
use crate::run_summary::{self, RunSummary};
use crate::runs::{RunArgs, RunContents, derive, digest_input, fail};
use crate::table::{DataArgs, Sheet, write_csv};
use crate::{Failure, Result, document, files};
use clap::{Args, ValueEnum};
use plywise_arena::matches::{Format, PlayMatch, Rules};
use plywise_arena::statistics::{Decision, EloModel, Sprt, SprtState, Summary, elo_of_score};
use plywise_arena::{Entrant, Limits};
use plywise_host::{AnyGame, ZERO_NETWORK};
use plywise_learn::NetworkEpoch;
use plywise_run::{Run, WorkError};
use plywise_search::Signal;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Let networks learn from their own games, generation after generation
///
/// The reigning player plays games against itself, a network is trained on the last generations of games, and the two play
/// a match: the winner reigns. Every part is kept in the run directory, and the same command goes on where it was stopped.
/// Each part is another command of this program; their run directories lie within.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  plywise learn loop loa --from nothing --generations 8 --run runs/loop -o loa.net")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = crate::games::HELP)]
    pub game: String,
    /// How many generations
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub generations: u32,
    /// Who plays first: a player without any evaluation, or one with that of the profile
    #[arg(long, value_name = "nothing|profile", default_value = "profile")]
    pub from: From,
    /// Games of each generation
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(10..=10_000_000))]
    pub games: u64,
    /// Nodes for each move of these games and of the matches
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// A file of openings, EPD or PGN, from which the games and the matches begin: one for each two games of a match, or games
    /// repeat [default: the start of the game]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Random plies before each game; with --openings the matches have none
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(0..=100))]
    pub random_plies: u64,
    /// How many generations of games a network is trained on, the last ones
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub window: u32,
    /// The width of the networks
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub width: usize,
    /// How many times to go through the games
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub epochs: u64,
    /// How much the results count against the scores, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.3)]
    pub result_share: f64,
    /// Train networks that are added to the linear evaluation, instead of taking its place
    #[arg(long)]
    pub add: bool,
    /// The most games of each match
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub match_games: u64,
    /// What a match decides between, in Elo
    #[arg(long, value_name = "E0,E1", default_value = "0,20", allow_hyphen_values = true)]
    pub sprt: String,
    /// The search profile of everybody
    #[arg(long, value_name = "NAME|FILE", default_value = crate::arguments::DEFAULT_PROFILE)]
    pub profile: String,
    /// How many games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file for the network that reigns at the end
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

/// The player before the first generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum From {
    /// No evaluation: every position is worth 0
    Nothing,
    /// The evaluation of the profile
    Profile,
}

/// The scale of networks whose line begins with nothing, for no evaluation tells what a point is worth: a hundred of them
/// are a clear advantage.
const SCALE_FROM_NOTHING: u32 = 150;

/// What documents and run directories call it.
const COMMAND: &str = "learn loop";

/// The part of a generation in which its network is trained.
const TRAINING: &str = "training";

/// What a generation came to: a line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Generation {
    generation: u32,
    /// Positions that it was trained on.
    positions: u64,
    training_loss: f64,
    validation_loss: f64,
    /// The match against who reigned before.
    games: u64,
    score: f64,
    elo: f64,
    elo_error: f64,
    /// Whether it reigns now.
    accepted: bool,
    /// Elo above the player before the first generation, of who reigns now.
    rating: f64,
}

/// What the loop reads of the answer of `learn net`.
#[derive(Debug, Deserialize)]
struct Trained {
    positions: u64,
    epochs: Vec<NetworkEpoch>,
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

/// Goes through the generations that are left.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let Some(folder) = args.run.run.clone() else {
        return Err(Failure::input("a loop needs --run: what its generations make is kept there"));
    };
    games.game(&args.game)?;
    sprt(&args.sprt)?;
    files::check_writable(&args.output)?;
    let mut work = json!({
        "command": COMMAND,
        "game": args.game,
        "from": format!("{:?}", args.from),
        "games": args.games,
        "nodes": args.nodes,
        "random_plies": args.random_plies,
        "window": args.window,
        "width": args.width,
        "epochs": args.epochs,
        "result_share": args.result_share,
        "add": args.add,
        "match_games": args.match_games,
        "sprt": args.sprt,
        "profile": args.profile,
        "seed": args.seed,
    });
    if let Some(openings) = &args.openings {
        work["openings"] = digest_input(openings)?.into();
    }
    let (run, mut done) =
        args.run.open(RunContents::new(work, u64::from(args.generations)), &mut |_: &Generation| Ok(()))?;
    let Some(mut run) = run else { return Err(Failure::input("a loop needs --run")) };
    let studio = Workshop { games, args, folder, stop };
    while (done.len() as u32) < args.generations && !stop.is_stopped() {
        let generation = studio.next(&done)?;
        run.append(&generation).map_err(|error| fail(WorkError::Journal(error)))?;
        if args.data.is_text() {
            tell(&generation, out)?;
        }
        done.push(generation);
        draw(&run, &done)?;
    }
    let Some(reigning) = studio.reigning(&done) else {
        return Err(Failure::input("no generation has won its match, so there is no network to write"));
    };
    let bytes = files::read(&reigning)?;
    plywise_run::files::write_whole(&args.output, &bytes)
        .map_err(|error| Failure::input(format!("cannot write '{}': {error}", args.output.display())))?;
    report(args, &done, out)
}

/// Where the generations are made.
struct Workshop<'a> {
    games: Games<'a>,
    args: &'a Arguments,
    folder: PathBuf,
    stop: &'a Signal,
}

impl Workshop<'_> {
    /// Plays, trains and matches.
    fn next(&self, done: &[Generation]) -> Result<Generation> {
        let (args, number) = (self.args, done.len() as u32 + 1);
        let reigning = self.reigning(done);
        self.forge(number, reigning.as_deref())?;
        let first = number.saturating_sub(args.window - 1).max(1);
        let trained = self.train(first, number)?;
        let played = self.contest(number, reigning.as_deref())?;
        let best = trained.epochs.iter().min_by(|a, b| a.validation.total_cmp(&b.validation));
        let best = best.ok_or_else(|| Failure::Failed(format!("generation {number} was trained for no epoch")))?;
        let before = done.last().map_or(0.0, |last| last.rating);
        let none = || Failure::Failed(format!("the match of generation {number} has no result"));
        let (score, sprt) = played.score.zip(played.sprt).ok_or_else(none)?;
        let elo = played.elo.unwrap_or_else(|| least_elo(score, played.games));
        let accepted = is_won(&sprt);
        Ok(Generation {
            generation: number,
            positions: trained.positions,
            training_loss: best.train,
            validation_loss: best.validation,
            games: played.games,
            score,
            elo,
            elo_error: played.elo_error.unwrap_or(0.0),
            accepted,
            rating: if accepted { before + elo } else { before },
        })
    }

    /// The file of the network that reigns, if one does.
    fn reigning(&self, done: &[Generation]) -> Option<PathBuf> {
        let last = done.iter().rev().find(|generation| generation.accepted);
        last.map(|generation| self.place(generation.generation, "net"))
    }

    /// A file of a generation.
    fn place(&self, generation: u32, what: &str) -> PathBuf {
        self.folder.join(format!("generation-{generation}.{what}"))
    }

    /// The player with a network; one that nothing has trained yet is what the loop begins from.
    fn player(&self, game: &dyn AnyGame, name: &str, network: Option<&Path>) -> Result<Entrant> {
        let network = match (network, self.args.from) {
            (Some(file), _) => Some(file.display().to_string()),
            (None, From::Nothing) => Some(ZERO_NETWORK.to_owned()),
            (None, From::Profile) => None,
        };
        let resources = ResourceArgs { network, hash: DEFAULT_HASH, ..ResourceArgs::default() };
        let setup = setup_for(game, &self.args.profile, &resources)?;
        let setup = Setup { name: name.to_owned(), ..setup };
        Ok(Entrant::of_setup(game, &setup, Limits::nodes(self.args.nodes)))
    }

    fn forge(&self, number: u32, reigning: Option<&Path>) -> Result<Value> {
        let Arguments { game, games, nodes, random_plies, seed, jobs, profile, from, .. } = self.args;
        let mut words = words(&["forge", "data", game, "--profile", profile]);
        match (reigning, from) {
            (Some(network), _) => words.extend(["--network".into(), network.into()]),
            (None, From::Nothing) => words.extend(["--network".into(), "nothing".into()]),
            (None, From::Profile) => {}
        }
        let seed = seed.wrapping_add(u64::from(number) << 32);
        for (option, value) in
            [("--games", games), ("--nodes", nodes), ("--random-plies", random_plies), ("--seed", &seed)]
        {
            words.extend([option.into(), value.to_string().into()]);
        }
        words.extend(["--jobs".into(), jobs.to_string().into()]);
        if let Some(openings) = &self.args.openings {
            words.extend(["--openings".into(), openings.into()]);
        }
        self.ask(words, number, "games", &self.place(number, "data"))
    }

    fn train(&self, first: u32, number: u32) -> Result<Trained> {
        let Arguments { game, width, epochs, result_share, seed, add, profile, .. } = self.args;
        let mut words = words(&["learn", "net", game, "--profile", profile]);
        for generation in first..=number {
            words.extend(["--data".into(), self.place(generation, "data").into()]);
        }
        for (option, value) in [
            ("--width", width.to_string()),
            ("--epochs", epochs.to_string()),
            ("--result-share", result_share.to_string()),
            ("--seed", seed.to_string()),
        ] {
            words.extend([option.into(), value.into()]);
        }
        if self.args.from == From::Nothing {
            words.push(format!("--scale={SCALE_FROM_NOTHING}").into());
        }
        words.extend(add.then(|| "--add".into()));
        self.ask(words, number, TRAINING, &self.place(number, "net"))
    }

    /// The match of a new network against the reigning one.
    fn contest(&self, number: u32, reigning: Option<&Path>) -> Result<Summary> {
        let game = self.games.game(&self.args.game)?;
        let seed = self.args.seed.wrapping_add(u64::from(number));
        let shuffle = self.args.openings.is_some();
        let file = self.args.openings.clone().map_or_else(|| self.make_openings(number, &seed.to_string()), Ok)?;
        let openings = OpeningArgs { openings: Some(file.display().to_string()), plies: None, shuffle };
        let new = self.player(&*game, "new", Some(&self.place(number, "net")))?;
        let old = self.player(&*game, "old", reigning)?;
        let job = PlayMatch {
            game: self.args.game.clone(),
            players: vec![new, old],
            format: Format::RoundRobin,
            openings: openings.read(&*game)?.iter().map(plywise_arena::openings::write).collect(),
            shuffle,
            games: self.args.match_games,
            rules: Rules::default(),
            sprt: Some(sprt(&self.args.sprt)?),
            seed,
        };
        let run = self.args.run.within(&format!("generation-{number}-match"));
        let outcome = matches::play(&job, &game, &Place::new(&run, self.args.jobs.into(), self.stop))?;
        if self.stop.is_stopped() {
            return Err(Failure::Interrupted);
        }
        outcome.failure.map_or(Ok(()), Err)?;
        outcome.standings.summary().ok_or_else(|| Failure::Failed("the match had more than two players".to_owned()))
    }

    /// Random openings for a match, one for each two games.
    fn make_openings(&self, number: u32, seed: &str) -> Result<PathBuf> {
        let Arguments { game, random_plies, match_games, .. } = self.args;
        let file = self.place(number, "openings.epd");
        let (count, plies) = (match_games.div_ceil(2).to_string(), random_plies.max(&1).to_string());
        let mut words = words(&["openings", game, "--random", &count, "--plies", &plies, "--seed", seed, "-o"]);
        words.push(file.clone().into());
        self.run_words(words, &mut Vec::new())?;
        Ok(file)
    }

    /// Has another command write a file.
    fn ask<T: DeserializeOwned>(&self, mut words: Vec<OsString>, number: u32, part: &str, file: &Path) -> Result<T> {
        words.extend(["-o".into(), file.into()]);
        self.answer(words, number, part)
    }

    /// What another command answers; it keeps what it does beside the generation's files.
    fn answer<T: DeserializeOwned>(&self, mut words: Vec<OsString>, number: u32, part: &str) -> Result<T> {
        let folder = self.folder.join(format!("generation-{number}-{part}"));
        words.extend(["--json".into(), "--run".into(), folder.into()]);
        // Training is one piece of work; games are many.
        if part != TRAINING {
            words.extend(self.args.run.words_for_workers().into_iter().map(OsString::from));
        }
        words.extend(self.args.run.resume_anyway.then(|| "--resume-anyway".into()));
        let mut answer = Vec::new();
        self.run_words(words, &mut answer)?;
        if self.stop.is_stopped() {
            return Err(Failure::Interrupted);
        }
        serde_json::from_slice(&answer).map_err(|error| {
            Failure::Failed(format!("generation {number}, the answer of its {part} cannot be used: {error}"))
        })
    }

    fn run_words(&self, words: Vec<OsString>, out: &mut dyn Write) -> Result {
        let arguments = std::iter::once(OsString::from("plywise")).chain(words);
        crate::cli::run_within(self.games, arguments, out, self.stop)
    }
}

/// The Elo of a match that one player won entirely, as if half a game had gone the other way: more is not known.
fn least_elo(score: f64, games: u64) -> f64 {
    let half = 0.5 / games.max(1) as f64;
    elo_of_score(score.clamp(half, 1.0 - half))
}

/// The sequential test of a match: what it decides between, as two differences in Elo.
fn sprt(text: &str) -> Result<Sprt> {
    let bounds = text.split_once(',').and_then(|(e0, e1)| Some((e0.trim().parse().ok()?, e1.trim().parse().ok()?)));
    let (elo0, elo1) = bounds.ok_or_else(|| Failure::input("--sprt takes two Elo differences, such as --sprt 0,20"))?;
    Sprt::new(elo0, elo1, 0.05, 0.05, EloModel::Normalised).map_err(Failure::input)
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

fn tell(generation: &Generation, out: &mut dyn Write) -> Result {
    let Generation { generation, positions, validation_loss, games, score, elo, elo_error, accepted, rating, .. } =
        generation;
    let verdict = if *accepted { "reigns" } else { "is discarded" };
    let percent = 100.0 * score;
    Ok(writeln!(
        out,
        "generation {generation}: {positions} positions, loss {validation_loss:.5}; {percent:.1} % of {games} games \
         ({elo:+.0} ± {elo_error:.0}): it {verdict}; rating {rating:+.0}"
    )?)
}

fn plots(done: &[Generation]) -> Vec<Plot> {
    let curve = |name: &str, value: fn(&Generation) -> f64| Curve {
        name: name.into(),
        points: done.iter().map(|generation| (f64::from(generation.generation), value(generation))).collect(),
        band: Vec::new(),
    };
    let against_last = Curve {
        band: done.iter().map(|generation| generation.elo_error).collect(),
        ..curve("against who reigned", |generation| generation.elo)
    };
    vec![
        Plot::new("generation", "Elo", vec![curve("who reigns", |generation| generation.rating), against_last]),
        Plot::new(
            "generation",
            "loss",
            vec![
                curve("training", |generation| generation.training_loss),
                curve("validation", |generation| generation.validation_loss),
            ],
        ),
        Plot::new("generation", "positions", vec![curve("trained on", |generation| generation.positions as f64)]),
    ]
}

fn draw(run: &Run, done: &[Generation]) -> Result {
    for (name, plot) in ["elo.svg", "losses.svg", "positions.svg"].iter().zip(plots(done)) {
        derive(run, name, &plot.to_svg()?)?;
    }
    Ok(())
}

/// What a run directory of this command shows.
pub fn summary(path: &Path) -> Result<RunSummary> {
    let (_, _, done) = run_summary::read::<Value, Generation>(path)?;
    let mut sheet =
        Sheet::new(&["generation", "positions", "loss", "games", "score", "Elo", "±", "reigns", "rating"], &[7]);
    for generation in &done {
        sheet.add(vec![
            generation.generation.to_string(),
            generation.positions.to_string(),
            format!("{:.5}", generation.validation_loss),
            generation.games.to_string(),
            format!("{:.1} %", 100.0 * generation.score),
            format!("{:+.0}", generation.elo),
            format!("{:.0}", generation.elo_error),
            if generation.accepted { "yes" } else { "no" }.to_string(),
            format!("{:+.0}", generation.rating),
        ]);
    }
    Ok(RunSummary { plots: plots(&done), sheets: vec![("Generations", sheet)], ..RunSummary::default() })
}

fn report(args: &Arguments, done: &[Generation], out: &mut dyn Write) -> Result {
    let rows: Vec<Value> = done.iter().map(|generation| json!(generation)).collect();
    if args.data.csv {
        return write_csv(out, rows);
    }
    let digest = digest_input(&args.output)?;
    if args.data.json {
        let results = json!({"game": args.game, "generations": rows, "file": args.output, "digest": digest});
        return document::write(out, COMMAND, Some(args.seed), results);
    }
    let rating = done.last().map_or(0.0, |last| last.rating);
    Ok(writeln!(out, "{} generations, {rating:+.0} Elo above the beginning: {}", done.len(), args.output.display())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_a_key_is_no_zero() {
        assert!(serde_json::from_value::<Trained>(json!({"epochs": []})).is_err());
    }
}
