//! `plywise learn extensions`: what moves cost in the search, by following the gradient of the number of nodes.

pub(crate) mod course;
mod offline;
mod online;
mod play;

use super::tunables;
use crate::arguments::{ResourceArgs, parse_nodes};
use crate::commands::suite::{PartArgs, read_problems};
use crate::document::joined;
use crate::engine::setup_of_profile;
use crate::games::{self, Playable};
use crate::runs::RunArgs;
use crate::table::DataArgs;
use crate::{Failure, Result, files};
use clap::{ArgGroup, Args};
use plywise_arena::engine::{Engine, Examination};
use plywise_game::Notation;
use plywise_learn::control::{Descent, Slots, Tunable};
use plywise_search::Signal;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

/// Learn what checks, only replies, recaptures and advances cost in the search, from positions with known answers or from
/// play
///
/// The method is that of Björnsson's thesis (2002, chapters 6 and 7): the weights follow the gradient of the number of
/// nodes that the answers take to find. Off-line every position is searched once more for each weight, by an engine in
/// another process: plywise itself, or yours. On-line one search counts along what altered weights would cost; it learns
/// from a suite, or with --play from its own mistakes in games. The weights of the iteration with the fewest nodes are
/// written as a profile.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("how").args(["offline", "online"]).required(true))]
#[command(group = ArgGroup::new("from what").args(["suite", "play"]).required(true))]
#[command(after_help = "\
Engines: uci:COMMAND for one that speaks UCI (its options come from --options), thesis:COMMAND for one that knows setboard,
setparam and gountil. A file of options has one table for each: [[option]] with name, min, max, start and perhaps step.

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
    /// Learn from so many games against --against
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

/// What documents and run directories call it.
const COMMAND: &str = "learn extensions";

fn parse_plies(text: &str) -> Result<f64, String> {
    let plies = text.trim().parse().ok().filter(|plies| (0.01..=2.0).contains(plies));
    plies.ok_or_else(|| "it must be a number of plies from 0.01 to 2".to_string())
}

/// A position and the moves that solve it.
struct Task<G: Playable> {
    position: G::Position,
    answers: Vec<G::Move>,
}

/// Learns as the arguments say.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    let setup = setup_of_profile::<G>(&args.profile, &args.resources)?;
    let course = match (args.play, args.offline) {
        (Some(games), _) => play::learn::<G>(args, games, &setup, stop)?,
        (None, true) => offline::learn::<G>(args, &tasks::<G>(args)?, &setup, stop)?,
        (None, false) => online::learn::<G>(args, &tasks::<G>(args)?, &setup, stop)?,
    };
    course.finish::<G>(args, &setup, out)
}

/// The positions of the suite that have an answer.
fn tasks<G: Playable>(args: &Arguments) -> Result<Vec<Task<G>>> {
    let file = args.suite.as_deref().unwrap_or_default();
    let problems = read_problems::<G>(file, &args.part, args.seed)?;
    let entries = problems.into_iter().map(|problem| problem.entry).filter(|entry| !entry.best.is_empty());
    let tasks: Vec<Task<G>> = entries.map(|entry| Task { position: entry.position, answers: entry.best }).collect();
    if tasks.is_empty() {
        return Err(Failure::input(format!("suite '{file}' names no best move (bm), so that nothing can be learned")));
    }
    Ok(tasks)
}

/// The suite by content.
fn describe_tasks<G: Playable>(tasks: &[Task<G>]) -> Value {
    let describe = |task: &Task<G>| format!("{} bm {}", G::write_position(&task.position), answers(task).join(" "));
    tasks.iter().map(describe).collect()
}

/// The right moves as engines write them.
fn answers<G: Playable>(task: &Task<G>) -> Vec<String> {
    task.answers.iter().map(|&mv| <G as Notation>::write_engine_move(&task.position, mv)).collect()
}

/// The prices of extensions, as they begin.
fn prices(args: &Arguments, slots: &Slots) -> Vec<Tunable> {
    let named = slots.names().into_iter().zip(slots.paths());
    let tunable = |(name, paths)| Tunable {
        name,
        paths,
        unit: 100.0,
        start: args.start,
        min: 0.1,
        max: 2.0,
        step: delta(args),
        reach: 1.0,
        is_switch: false,
    };
    named.map(tunable).collect()
}

/// Off-line a small change often leaves every tree as it is, because most moves cost a whole ply. On-line the nodes that
/// would be missing are counted one by one.
fn delta(args: &Arguments) -> f64 {
    args.delta.unwrap_or(if args.offline { 0.5 } else { 0.1 })
}

fn descent(args: &Arguments, tunables: Vec<Tunable>) -> Descent {
    let usual = if args.play.is_some() { 0.5 } else { 1.0 };
    Descent::new(tunables, args.rate.unwrap_or(usual), args.momentum)
}

fn jobs(args: &Arguments, tasks: usize) -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    args.jobs.map_or_else(cores, usize::from).clamp(1, tasks.max(1))
}

fn patience(args: &Arguments) -> Duration {
    Duration::from_secs(args.patience.unwrap_or(30 + args.nodes / 5000))
}

/// What every way of learning depends on.
fn work(args: &Arguments, descent: &Descent, more: Value) -> Value {
    let common = json!({
        "command": COMMAND,
        "game": args.game,
        "tunables": descent.tunables,
        "rate": descent.rate,
        "momentum": descent.momentum,
        "nodes": args.nodes,
        "seed": args.seed,
    });
    joined(common, more)
}

/// An engine that is examined: `uci:COMMAND` or `thesis:COMMAND`.
#[derive(Clone, Debug)]
pub struct ExaminedEngine {
    /// As it is written.
    text: String,
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
        Ok(ExaminedEngine { text: text.to_owned(), engine, examination })
    }
}
