//! `plywise tree record`: search, and keep every node.

use crate::arguments::{LimitArgs, PositionArgs, SearchArgs};
use crate::engine::new_engine;
use crate::games::{self, Games};
use crate::text::{milliseconds, show_count, show_time};
use crate::{Failure, Result, document, files};
use clap::Args;
use plywise_host::{AnyGame, Ask, RecordedSearch};
use plywise_search::Signal;
use plywise_tree::{Filter, Recorded, TreeNotation, record_pipe};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write, stdin};
use std::path::{Path, PathBuf};

/// Search a position and record every node, or record the trees that another engine sends
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise tree record chess --depth 9 -o start.tree
  plywise tree record loa --nodes 5000000 --iterations 7-8 --above 1 -o loa.tree
  ./engine | plywise tree record --from-pipe - -o engine.tree")]
pub struct Arguments {
    /// The name of the game.
    #[arg(help = games::HELP)]
    pub game: Option<String>,
    /// The position in the game's one-line notation (FEN for chess), with or without quotes [default: the start]
    #[arg(value_name = "POSITION", num_args = 0..)]
    pub position: Vec<String>,
    /// Moves to play from the position first, in any notation of the game: --moves e4 e5 Nf3
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Record what another engine sends through a pipe or a file, '-' for the standard input (docs/tree-protocol.md)
    #[arg(long, value_name = "PIPE", conflicts_with_all = ["depth", "nodes", "movetime", "tc", "game"])]
    pub from_pipe: Option<PathBuf>,
    /// The file
    #[arg(short, long, value_name = "FILE", required = true, help_heading = "Output")]
    pub output: PathBuf,
    /// One JSON document instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Which nodes are recorded. What hangs below a node that is not is not recorded either.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Filters")]
pub struct FilterArgs {
    /// Only these iterations
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse_iterations)]
    pub iterations: Option<(i32, i32)>,
    /// Only nodes with more than this many plies left
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(i32).range(0..=128))]
    pub above: Option<i32>,
    /// Only nodes fewer than this many plies from the root
    #[arg(long, value_name = "PLY", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub below: Option<u16>,
    /// Of subtrees with fewer than N nodes, only one in N
    #[arg(long, value_name = "1/N", value_parser = parse_sample)]
    pub sample: Option<u64>,
}

fn parse_iterations(text: &str) -> Result<(i32, i32), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok((first, last)),
        _ => Err("iterations are written as 9-12, the first not above the last".into()),
    }
}

fn parse_sample(text: &str) -> Result<u64, String> {
    let one_in = text.trim().strip_prefix("1/").and_then(|n| n.parse().ok());
    one_in.filter(|n| (2..=1_000_000).contains(n)).ok_or_else(|| "a sample is written as 1/100".into())
}

impl FilterArgs {
    fn filter(&self) -> Filter {
        let FilterArgs { iterations, above, below, sample } = *self;
        Filter { iterations, above, below: below.map(usize::from), sample }
    }
}

const COMMAND: &str = "tree record";

/// Searches and records.
pub fn run(game: &dyn AnyGame, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let Arguments { position, moves, .. } = args;
    let place = PositionArgs { game: game.name().into(), position: position.clone(), moves: moves.clone() };
    let position = place.position(game)?;
    if position.outcome().is_some() {
        return Err(Failure::input("the game is over in this position: there is nothing to search"));
    }
    let [ref limits] = args.limits.required()?[..] else {
        return Err(Failure::input("a list of depths is for compare and suite; here --depth takes one"));
    };
    let setup = args.search.setup(game)?;
    let mut engine = new_engine(game, &setup)?;
    files::check_writable(&args.output)?;
    let search = RecordedSearch { game, setup: &setup, path: &args.output, filter: args.filter.filter() };
    let (report, recorded) = search.run(&mut *engine, &Ask::new(&position), limits, stop, &mut |_| {})?;
    let recorded = recorded?;
    let pv = report.lines.first().map_or(Vec::new(), |best| position.write_line(&best.pv));
    if args.json {
        let results = json!({
            "game": game.name(),
            "position": position.text(),
            "profile": setup.name,
            "best": pv.first(),
            "score": report.score(),
            "depth": report.depth(),
            "searched": report.nodes,
            "time_ms": milliseconds(report.time),
            "pv": pv,
        });
        return document::write(out, COMMAND, None, document::joined(results, describe(&args.output, &recorded)));
    }
    writeln!(
        out,
        "best move: {}   score {}, depth {}, {} nodes in {}",
        pv.first().map_or("none", String::as_str),
        game.show_score(report.score()),
        report.depth(),
        show_count(report.nodes),
        show_time(report.time),
    )?;
    tell(out, &args.output, &recorded)
}

fn describe(path: &Path, recorded: &Recorded) -> Value {
    let Recorded { records, bytes } = *recorded;
    json!({
        "nodes": records,
        "bytes": bytes,
        "bytes_per_node": bytes as f64 / records.max(1) as f64,
        "file": path.display().to_string(),
    })
}

fn tell(out: &mut dyn Write, path: &Path, recorded: &Recorded) -> Result {
    let Recorded { records, bytes } = *recorded;
    let each = bytes as f64 / records.max(1) as f64;
    let (path, records, bytes) = (path.display(), show_count(records), show_count(bytes));
    Ok(writeln!(out, "recorded {records} nodes in {bytes} bytes ({each:.1} each): {path}")?)
}

/// Records what another engine sends.
pub(crate) fn from_pipe(games: Games, args: &Arguments, pipe: &Path, out: &mut dyn Write) -> Result {
    files::check_writable(&args.output)?;
    let mut input: Box<dyn BufRead> = match pipe.as_os_str() == "-" {
        true => Box::new(BufReader::new(stdin())),
        false => Box::new(files::open(pipe)?),
    };
    let find = |game: &str, position: &str| {
        let root = games.game(game).ok()?.position(position).map_err(|error| error.to_string());
        Some(root.map(|root| Box::new(root) as Box<dyn TreeNotation>))
    };
    let build = concat!("plywise ", env!("CARGO_PKG_VERSION"));
    let (sent, result) = record_pipe(&mut *input, &args.output, args.filter.filter(), build, &find);
    if args.json {
        let files: Vec<Value> = sent.iter().map(|sent| describe(&sent.path, &sent.recorded)).collect();
        let nodes: u64 = sent.iter().map(|sent| sent.recorded.records).sum();
        let bytes: u64 = sent.iter().map(|sent| sent.recorded.bytes).sum();
        document::write(out, COMMAND, None, json!({"nodes": nodes, "bytes": bytes, "files": files}))?;
    } else {
        sent.iter().try_for_each(|sent| tell(out, &sent.path, &sent.recorded))?;
    }
    match result {
        Ok(()) if sent.is_empty() => Err(Failure::input("no tree came through the pipe")),
        Ok(()) => Ok(()),
        Err(error) if sent.is_empty() => Err(Failure::input(error)),
        Err(error) => Err(Failure::input(format!("{error}; what came before it is kept"))),
    }
}
