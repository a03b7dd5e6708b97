//! `plywise openings`: systematic openings, and random ones that a search finds balanced.

use crate::arguments::SearchArgs;
use crate::engine::{hosted, setup_for};
use crate::games::{self, Playable};
use crate::memory::check_tables;
use crate::progress::Meter;
use crate::runs::{RunArgs, Work, describe_setup, fail};
use crate::{Failure, Result, document, files};
use clap::Args;
use plywise_arena::openings;
use plywise_game::Score;
use plywise_game::epd::Operation;
use plywise_game::random::Random;
use plywise_host::{AnyGame, AnyPosition, SuiteEntry};
use plywise_search::{Limits, Signal};
use serde_json::json;
use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Make openings: all of a length, symmetric ones once, or random ones, and only those that a search finds balanced
///
/// Without --random it makes all openings of the length. With --window a search looks at each and drops those in which
/// either side is further ahead. Lines are EPD: the position, the moves as its id, and its score as ce.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise openings loa --plies 2 --distinct
  plywise openings loa --plies 3 --distinct --window 30 --count 100 -o loa.epd
  plywise openings abalone --from belgian-daisy --plies 4 --random 100 -o abalone.epd
  plywise openings chess --plies 8 --random 100 --window 50 --nodes 20000 --seed 7 -o chess.epd")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// The position to begin from
    #[arg(long, value_name = "POSITION", default_value = "startpos")]
    pub from: String,
    /// The plies of each opening
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=200))]
    pub plies: u16,
    /// One opening for all that symmetries of the board or orders of moves make the same position
    #[arg(long)]
    pub distinct: bool,
    /// So many random openings, all different, instead of every one
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub random: Option<u32>,
    /// So many of all openings, chosen at random
    #[arg(long, value_name = "COUNT", conflicts_with = "random", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,
    /// Only openings whose score lies within ± this, in the evaluation's unit (hundredths of a pawn in chess)
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(i32).range(0..=900_000))]
    pub window: Option<i32>,
    /// Nodes of the search that judges an opening
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file for the openings [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// What documents and run directories call it.
const COMMAND: &str = "openings";

/// Random openings are given up if so many times as many as are wanted were not enough.
const PATIENCE: u64 = 1000;

/// Makes the openings of the arguments.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    if let Some(path) = &args.output {
        files::check_writable(path)?;
    }
    let game = &*hosted::<G>();
    let start = game.position(&args.from)?;
    let (candidates, wanted) = match args.random {
        Some(wanted) => (random(args, start.clone(), wanted.into()), Some(wanted)),
        None => (systematic(args, &start)?, args.count),
    };
    let most = wanted.map_or(usize::MAX, |wanted| wanted as usize);
    let entries = match args.window {
        Some(window) => balanced(game, args, &start, candidates, window, most, stop)?,
        None if args.run.run.is_some() => {
            return Err(Failure::input("--run is for openings that a search judges: it needs --window"));
        }
        None => candidates.take(most).map(|opening| entry(&opening, None)).collect(),
    };
    match wanted {
        Some(wanted) if entries.len() < most && !stop.is_stopped() => {
            let kind = if args.random.is_some() { "random openings" } else { "openings" };
            Err(Failure::input(format!("only {} {kind} fit, but {wanted} are wanted", entries.len())))
        }
        _ if entries.is_empty() && stop.is_stopped() => Err(Failure::Interrupted),
        _ => write(game, args, &entries, out),
    }
}

fn write(game: &dyn AnyGame, args: &Arguments, entries: &[SuiteEntry], out: &mut dyn Write) -> Result {
    let text: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
    if let Some(path) = &args.output {
        files::write(path, &text, out)?;
    }
    match (args.json, &args.output) {
        (true, file) => {
            let lines = file.is_none().then(|| text.lines().collect::<Vec<_>>());
            let is_random = args.random.is_some() || args.count.is_some();
            let results = json!({"game": game.name(), "openings": entries.len(), "file": file, "lines": lines});
            document::write(out, COMMAND, is_random.then_some(args.seed), results)?;
        }
        (false, Some(path)) => writeln!(out, "{} openings in {}", entries.len(), path.display())?,
        (false, None) => write!(out, "{text}")?,
    }
    Ok(())
}

/// Openings to choose from, one after another.
type Candidates<'a> = Box<dyn Iterator<Item = AnyPosition> + Send + 'a>;

/// All openings of the length, in random order where only some are wanted.
fn systematic<'a>(args: &Arguments, start: &AnyPosition) -> Result<Candidates<'a>> {
    let mut all = openings::systematic(start, args.plies.into(), args.distinct).map_err(Failure::input)?;
    if args.count.is_some() {
        Random::new(args.seed).shuffle(&mut all);
    }
    Ok(Box::new(all.into_iter()))
}

/// Random openings, each a position of its own.
fn random(args: &Arguments, start: AnyPosition, wanted: u64) -> Candidates<'_> {
    let mut seen = HashSet::new();
    let candidates =
        (0..PATIENCE * wanted).map_while(move |number| openings::random(&start, args.plies.into(), args.seed, number));
    Box::new(candidates.filter(move |opening| seen.insert(opening.canonical().text())))
}

/// The line of an opening.
fn entry(opening: &AnyPosition, score: Option<Score>) -> SuiteEntry {
    let id = opening.at(0).write_line(&opening.moves()).join(" ");
    let score = score.map(|score| Operation { opcode: "ce".to_string(), operands: score.to_string() });
    SuiteEntry {
        position: opening.alone(),
        best: Vec::new(),
        avoid: Vec::new(),
        id: Some(id),
        operations: score.into_iter().collect(),
    }
}

/// The first `most` candidates whose score lies within the window; the search of each is a unit of work.
fn balanced(
    game: &dyn AnyGame,
    args: &Arguments,
    start: &AnyPosition,
    candidates: Candidates,
    window: Score,
    most: usize,
    stop: &Signal,
) -> Result<Vec<SuiteEntry>> {
    let setup = setup_for(game, &args.search.profile, &args.search.resources)?;
    check_tables(setup.hash, 1)?;
    let work = json!({
        "command": COMMAND,
        "game": game.name(),
        "from": start.text(),
        "plies": args.plies,
        "distinct": args.distinct,
        "random": args.random.is_some(),
        "shuffled": args.count.is_some(),
        "nodes": args.nodes,
        "judge": describe_setup(game, &setup)?,
        "seed": args.seed,
    });
    let mut units = args.run.units::<Score>(Work::new(work, None), |_, _| Ok(()))?;
    let judge = openings::Balance { engine: game.engine(&setup)?, limits: Limits::nodes(args.nodes) };
    let asked = Mutex::new(Asked { openings: Vec::new(), more: candidates });
    let candidate = |number: u64| asked.lock().unwrap_or_else(PoisonError::into_inner).get(number as usize);
    let mut entries = Vec::new();
    let mut meter = (most < usize::MAX).then(|| Meter::new(most as u64, "openings"));
    let mut each = |number, score: &Score| {
        if let Some(opening) = candidate(number).filter(|_| score.abs() <= window) {
            entries.push(entry(&opening, Some(*score)));
            meter.iter_mut().for_each(Meter::advance);
        }
        if entries.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let work = |judge: &mut openings::Balance, number, stop: &Signal| judge.score(&candidate(number)?, stop);
    units.work(u64::MAX, vec![judge], stop, work, &mut each).map_err(fail)?;
    meter.into_iter().for_each(Meter::finish);
    Ok(entries)
}

/// Candidates that have been asked for so far, and those to come.
struct Asked<'a> {
    openings: Vec<AnyPosition>,
    more: Candidates<'a>,
}

impl Asked<'_> {
    fn get(&mut self, place: usize) -> Option<AnyPosition> {
        let missing = (place + 1).saturating_sub(self.openings.len());
        self.openings.extend(self.more.by_ref().take(missing));
        self.openings.get(place).cloned()
    }
}
