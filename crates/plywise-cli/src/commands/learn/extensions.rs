//! `plywise learn extensions`: what moves cost in the search, by following the gradient of the number of nodes.

pub(crate) mod course;

use super::tunables;
use crate::arguments::{self, ResourceArgs, parse_nodes};
use crate::commands::suite::PartArgs;
use crate::engine::{Setup, setup_for};
use crate::games;
use crate::jobs::Place;
use crate::memory::check_tables;
use crate::progress::JobMeter;
use crate::runs::RunArgs;
use crate::suites::read_entries;
use crate::table::DataArgs;
use crate::{Failure, Result, files};
use clap::{ArgGroup, Args};
use course::Course;
use plywise_arena::engine::{Engine, Examination};
use plywise_host::{AnyGame, WrittenSetup};
use plywise_learn::LearnableGame;
use plywise_learn::control::{Slots, Tunable};
use plywise_learn::extensions::{
    Event, Examined, LearnExtensions, OFFLINE_DELTA, ONLINE_DELTA, PLAY_RATE, SUITE_RATE, Way,
};
use plywise_search::Signal;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// Learn what checks, only replies, recaptures and advances cost in the search, from positions with known answers or from
/// play
///
/// The method is that of Björnsson's thesis (2002, chapters 6 and 7): the weights follow the gradient of the number of
/// nodes that the answers take to find. Off-line every position is searched once more for each weight, by plywise
/// or by an engine of yours. On-line one search counts along what altered weights would cost; it learns
/// from a suite, or with --play from its own mistakes in games. The weights of the iteration with the fewest nodes are
/// written as a profile.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("how").args(["offline", "online"]).required(true))]
#[command(group = ArgGroup::new("from what").args(["suite", "play"]).required(true))]
#[command(after_help = "\
Engines: uci:COMMAND for one that speaks UCI (its options come from --options), thesis:COMMAND for one that knows setboard,
setparam and gountil. A file of options has one table for each: [[option]] with name, min, max, start and perhaps step. A
plywise-engine.toml is such a file.

Examples:
  plywise learn extensions chess --offline --suite wac.epd --nodes 100000 --iterations 8 --run runs/offline -o learned.toml
  plywise learn extensions chess --online --suite wac.epd --nodes 100000 --iterations 8 -o learned.toml
  plywise learn extensions chess --online --play 100 --against classic --nodes 20000 -o learned.toml
  plywise learn extensions chess --offline --suite wac.epd --tune null_move.reduction,multi_cut -o tuned.toml")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// Search every position once more for each weight
    #[arg(long)]
    pub offline: bool,
    /// Let one search count along for all weights
    #[arg(long)]
    pub online: bool,
    /// The suite: lines of POSITION bm MOVE [MOVE…]; id "…";
    #[arg(long, value_name = "FILE")]
    pub suite: Option<String>,
    #[command(flatten)]
    pub part: PartArgs,
    /// Learn from this many games against --against
    #[arg(long, value_name = "GAMES", conflicts_with = "offline", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub play: Option<u64>,
    /// Who is played against: a profile's name or file
    #[arg(long, value_name = "NAME|FILE", default_value = "classic", requires = "play")]
    pub against: String,
    /// Nodes for a position, or for a move of a game
    #[arg(long, value_name = "N", default_value_t = 500_000, value_parser = parse_nodes)]
    pub nodes: u64,
    /// How many times to go through all positions
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub iterations: u64,
    /// Other parameters of the search than the prices of extensions, off-line: GROUP.NAME, or GROUP for its switch
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', conflicts_with = "online")]
    pub tune: Vec<String>,
    /// An engine to examine instead of this program
    #[arg(long, value_name = "uci:COMMAND|thesis:COMMAND", conflicts_with = "online")]
    pub engine: Option<ExaminedEngine>,
    /// The options of that engine that are learned
    #[arg(long, value_name = "FILE", requires = "engine", conflicts_with = "tune")]
    pub options: Option<PathBuf>,
    /// Seconds that an engine may take for one position [default: 30, and a second for each 5000 nodes]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub patience: Option<u64>,
    /// Where the prices begin, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 1.0, value_parser = parse_plies)]
    pub start: f64,
    /// By how much a price is altered to see what that does, in plies [default: 0.5 off-line, 0.1 on-line]
    #[arg(long, value_name = "PLIES", value_parser = parse_plies)]
    pub delta: Option<f64>,
    /// The learning rate: what a doubling of the nodes moves a price by, in plies [default: 1, and 0.5 in play]
    #[arg(long, value_name = "X", value_parser = tunables::parse_rate)]
    pub rate: Option<f64>,
    /// How much of its last change each price repeats
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = tunables::parse_momentum)]
    pub momentum: f64,
    /// In play: a value that falls by more than this makes a position critical
    #[arg(long, value_name = "POINTS", default_value_t = 33, value_parser = clap::value_parser!(i32).range(1..=10_000))]
    pub drop: i32,
    /// In play: below this value a game is lost and teaches no more
    #[arg(long, value_name = "POINTS", default_value_t = -300, value_parser = clap::value_parser!(i32).range(-30_000..=0))]
    pub lost: i32,
    /// In play: random moves at the start of each pair of games
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=200))]
    pub random_plies: u16,
    /// How many positions to search at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// The profile whose search learns
    #[arg(long, value_name = "NAME|FILE", default_value = "classic")]
    pub profile: String,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The profile to write; for an engine with --options, the options with what was learned as their start
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub resources: ResourceArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

fn parse_plies(text: &str) -> Result<f64, String> {
    let plies = text.trim().parse().ok().filter(|plies| (0.01..=2.0).contains(plies));
    plies.ok_or_else(|| "it must be a number of plies from 0.01 to 2".to_string())
}

/// Learns as the arguments say.
pub fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    let setup = setup_for(&**game, &args.profile, &args.resources)?;
    let job = job(&**game, args, &setup)?;
    let jobs = arguments::jobs(args.jobs, 1);
    let jobs = jobs.clamp(1, job.suite.len().max(1));
    match (&args.engine, args.play) {
        (Some(_), _) => {}
        (None, Some(_)) => check_tables(args.resources.hash, 2)?,
        (None, None) => check_tables(args.resources.hash, jobs)?,
    }
    let programs: Vec<PathBuf> = args.engine.iter().map(|examined| examined.engine.program.clone().into()).collect();
    let what = if args.play.is_some() { "games" } else { "positions" };
    let meter = JobMeter::default();
    let place = Place { programs: &programs, ..Place::new(&args.run, jobs, stop) };
    let outcome = place.run(&job, game, &|event| match event {
        Event::Begun { left } => meter.begin(left, what),
        Event::Done => meter.advance(),
    });
    meter.finish();
    Course { args, job: &job, learned: outcome? }.finish(&**game, &setup, out)
}

fn job(game: &dyn AnyGame, args: &Arguments, setup: &Setup) -> Result<LearnExtensions> {
    let way = match args.play {
        Some(_) => {
            let resources = ResourceArgs { hash: args.resources.hash, ..ResourceArgs::default() };
            let opponent = WrittenSetup::of(game, &setup_for(game, &args.against, &resources)?);
            let (drop, lost, random_plies) = (args.drop, args.lost, args.random_plies);
            Way::Play { delta: delta(args), opponent, drop, lost, random_plies }
        }
        None if args.offline => {
            let engine = args.engine.as_ref();
            let engine = engine.map(|ExaminedEngine { engine, examination }| Examined {
                engine: engine.clone(),
                examination: *examination,
            });
            Way::Offline { engine, prices: args.tune.is_empty() && args.options.is_none() }
        }
        None => Way::Online { delta: delta(args) },
    };
    let usual_rate = if args.play.is_some() { PLAY_RATE } else { SUITE_RATE };
    Ok(LearnExtensions {
        game: args.game.clone(),
        suite: if args.play.is_some() { Vec::new() } else { suite(game, args)? },
        way,
        player: WrittenSetup::of(game, setup),
        tunables: tunables(args, setup)?,
        rate: args.rate.unwrap_or(usual_rate),
        momentum: args.momentum,
        nodes: args.nodes,
        iterations: args.play.unwrap_or(args.iterations),
        seed: args.seed,
        patience: args.patience.unwrap_or_else(|| LearnExtensions::usual_patience(args.nodes)),
    })
}

/// The positions of the suite that have an answer, as lines of EPD.
fn suite(game: &dyn AnyGame, args: &Arguments) -> Result<Vec<String>> {
    let file = args.suite.as_deref().unwrap_or_default();
    let mut entries = read_entries(game, file, &args.part, args.seed)?;
    entries.retain(|entry| !entry.best.is_empty());
    match entries.is_empty() {
        true => Err(Failure::input(format!("suite '{file}' names no best move (bm), so that nothing can be learned"))),
        false => Ok(entries.iter().map(|entry| entry.to_string()).collect()),
    }
}

/// What is learned: options of an engine, named parameters, or the prices of extensions.
fn tunables(args: &Arguments, setup: &Setup) -> Result<Vec<Tunable>> {
    match (&args.options, args.play) {
        (Some(file), _) => Ok(tunables::OptionFile::read(file)?.tunables),
        (None, _) if !args.tune.is_empty() => {
            args.tune.iter().map(|path| tunables::of_parameter(&setup.params, path)).collect()
        }
        (None, Some(_)) => Ok(Slots::BY_CLASS_AND_PHASE.tunables(args.start, delta(args))),
        (None, None) => Ok(Slots::BY_CLASS.tunables(args.start, delta(args))),
    }
}

fn delta(args: &Arguments) -> f64 {
    args.delta.unwrap_or(if args.offline { OFFLINE_DELTA } else { ONLINE_DELTA })
}

/// An engine that is examined: `uci:COMMAND` or `thesis:COMMAND`.
#[derive(Clone, Debug)]
pub struct ExaminedEngine {
    pub(crate) engine: Engine,
    examination: Examination,
}

impl FromStr for ExaminedEngine {
    type Err = String;

    fn from_str(text: &str) -> Result<ExaminedEngine, String> {
        let read = |command: &str| format!("uci:{command}").parse::<Engine>().ok();
        let found = match text.split_once(':') {
            Some(("uci", command)) => read(command).map(|engine| (engine, Examination::Uci)),
            Some(("thesis", command)) => read(command).map(|engine| (engine, Examination::Thesis)),
            _ => None,
        };
        let (engine, examination) =
            found.ok_or_else(|| format!("'{text}' does not name an engine: write uci:COMMAND or thesis:COMMAND"))?;
        Ok(ExaminedEngine { engine, examination })
    }
}
