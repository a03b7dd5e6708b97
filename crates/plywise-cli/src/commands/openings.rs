//! `plywise openings`: systematic openings, and random ones that a search finds balanced.

use crate::arguments::SearchArgs;
use crate::engine::Setup;
use crate::games::{self, BoardGame};
use crate::progress::Meter;
use crate::text::show_moves;
use crate::{Failure, Outcome, files};
use clap::Args;
use plywise_arena::{Opening, openings};
use plywise_game::epd::{Entry, Operation};
use plywise_game::random::Random;
use plywise_search::Limits;
use serde_json::json;
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

/// Make openings: all of a length, symmetric ones once, or random ones, and only those that a search finds balanced
///
/// Without --random all openings of the length are made. With --window a search looks at each, and those in which either
/// side is further ahead are left out. Lines are EPD: the position, the moves as its id, and its score as ce.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise openings loa --plies 2 --distinct
  plywise openings loa --plies 3 --distinct --window 30 --count 100 -o loa.epd
  plywise openings abalone --from belgian-daisy --plies 4 --random 100 -o abalone.epd
  plywise openings chess --plies 8 --random 100 --window 50 --nodes 20000 --seed 7 -o chess.epd")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::help())]
    pub game: String,
    /// The position that they begin from, if it is not the start
    #[arg(long, value_name = "POSITION", default_value = "startpos")]
    pub from: String,
    /// The plies of each opening
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=200))]
    pub plies: u16,
    /// One opening for all that symmetries of the board or orders of moves make the same position
    #[arg(long)]
    pub distinct: bool,
    /// So many random openings, each a position of its own, in place of all
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub random: Option<u32>,
    /// So many of all openings, drawn by lot
    #[arg(long, value_name = "COUNT", conflicts_with = "random", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,
    /// Only openings whose score lies within ± this, in the evaluation's unit (hundredths of a pawn in chess)
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(i32).range(0..=900_000))]
    pub window: Option<i32>,
    /// Nodes of the search that judges an opening
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    #[command(flatten)]
    pub search: SearchArgs,
    /// What everything that is drawn by lot comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Write the openings to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

/// Random openings are given up if so many times as many as are wanted were not enough.
const PATIENCE: u64 = 1000;

/// Makes the openings of the arguments.
pub fn run<G: BoardGame>(args: &Arguments, out: &mut dyn Write) -> Outcome {
    let start = games::parse_position::<G>(&args.from)?;
    let mut judge = Judge::<G>::new(args)?;
    let entries = match args.random {
        Some(wanted) => random(args, &start, wanted as usize, &mut judge)?,
        None => systematic(args, &start, &mut judge)?,
    };
    let text: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
    if let Some(path) = &args.output {
        files::write(path, &text)?;
    }
    match (args.json, &args.output) {
        (true, file) => {
            let lines = file.is_none().then(|| text.lines().collect::<Vec<_>>());
            writeln!(out, "{}", json!({"game": G::NAME, "openings": entries.len(), "file": file, "lines": lines}))?;
        }
        (false, Some(path)) => writeln!(out, "{} openings in {}", entries.len(), path.display())?,
        (false, None) => write!(out, "{text}")?,
    }
    Ok(())
}

/// Turns openings into lines, and leaves out those that are not balanced.
struct Judge<G: BoardGame>(Option<openings::Balance<G, G::Evaluation>>);

impl<G: BoardGame> Judge<G> {
    fn new(args: &Arguments) -> Outcome<Judge<G>> {
        let limits = Limits::nodes(args.nodes);
        let balance = args.window.map(|window| {
            let searcher = Setup::<G>::new(&args.search)?.searcher()?;
            Ok(openings::Balance { searcher, limits, window })
        });
        balance.transpose().map(Judge)
    }

    fn entry(&mut self, opening: &Opening<G>) -> Option<Entry<G>> {
        let mut entry = Entry::new(opening.position());
        entry.id = Some(show_moves::<G>(&opening.start, &opening.moves).join(" "));
        if let Some(balance) = &mut self.0 {
            let score = balance.judge(opening)?;
            entry.operations.push(Operation { opcode: "ce".to_string(), operands: score.to_string() });
        }
        Some(entry)
    }
}

fn systematic<G: BoardGame>(args: &Arguments, start: &G::Position, judge: &mut Judge<G>) -> Outcome<Vec<Entry<G>>> {
    let canonical = args.distinct.then_some(G::canonical as openings::Canonical<G>);
    let mut all = openings::systematic::<G>(start, args.plies.into(), canonical).map_err(Failure::input)?;
    let wanted = args.count.map_or(all.len(), |count| count as usize);
    if args.count.is_some() {
        Random::new(args.seed).shuffle(&mut all);
    }
    let entries: Vec<Entry<G>> = all.iter().filter_map(|opening| judge.entry(opening)).take(wanted).collect();
    match args.count {
        Some(count) if entries.len() < count as usize => {
            Err(Failure::input(format!("only {} openings fit, but {count} are wanted", entries.len())))
        }
        _ => Ok(entries),
    }
}

fn random<G: BoardGame>(
    args: &Arguments,
    start: &G::Position,
    wanted: usize,
    judge: &mut Judge<G>,
) -> Outcome<Vec<Entry<G>>> {
    let mut seen = HashSet::new();
    let mut entries: Vec<Entry<G>> = Vec::with_capacity(wanted);
    let mut meter = Meter::new(wanted as u64, "openings");
    for number in 0..PATIENCE * wanted as u64 {
        if entries.len() == wanted {
            break;
        }
        let Some(opening) = openings::random::<G>(start, args.plies.into(), args.seed, number) else { break };
        if !seen.insert(G::write_position(&G::canonical(&opening.position()))) {
            continue;
        }
        if let Some(entry) = judge.entry(&opening) {
            entries.push(entry);
            meter.advance();
        }
    }
    meter.finish();
    if entries.len() < wanted {
        return Err(Failure::input(format!("only {} random openings fit, but {wanted} are wanted", entries.len())));
    }
    Ok(entries)
}
