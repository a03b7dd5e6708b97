//! `plywise perft`: count move paths, the test of every move generator.

use crate::arguments::PositionArgs;
use crate::table::{DataArgs, write_csv};
use crate::text::{milliseconds, nodes_per_second, show_count, show_time};
use crate::{Result, document};
use clap::Args;
use plywise_host::{AnyGame, Style};
use plywise_search::Signal;
use serde_json::{Map, json};
use std::io::Write;
use std::time::Instant;

/// Count the move paths of exactly the given length
///
/// A pass is a ply, and a game that is over earlier counts nothing.
#[derive(Debug, Args)]
#[command(after_help = "Example: plywise perft chess --depth 5 --divide")]
pub struct Arguments {
    #[command(flatten)]
    pub place: PositionArgs,
    /// The length of the paths in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub depth: u32,
    /// Split the count by the first move
    #[arg(long)]
    pub divide: bool,
    #[command(flatten)]
    pub data: DataArgs,
}

/// Counts from the position of the arguments.
pub fn run(game: &dyn AnyGame, args: &Arguments, out: &mut dyn Write) -> Result {
    let position = args.place.position(game)?;
    // An interrupt ends the process: the command has nothing to finish.
    let never = Signal::new();
    let begun = Instant::now();
    let rows: Option<Vec<(String, u64)>> = args.divide.then(|| {
        let name = |mv| position.write_move_as(mv, Style::Engine);
        position.divide(args.depth, &never).map(|(mv, paths)| (name(mv), paths)).collect()
    });
    let nodes = match &rows {
        Some(rows) => rows.iter().map(|(_, paths)| paths).sum(),
        None => position.perft(args.depth, &never).unwrap_or_default(),
    };
    let time = begun.elapsed();
    if let (true, Some(rows)) = (args.data.csv, &rows) {
        return write_csv(out, rows.iter().map(|(mv, paths)| json!({"move": mv, "nodes": paths})));
    }
    if !args.data.is_text() {
        let mut results = json!({
            "game": game.name(),
            "position": position.text(),
            "depth": args.depth,
            "nodes": nodes,
            "time_ms": milliseconds(time),
            "nps": nodes_per_second(nodes, time),
        });
        if let Some(rows) = rows {
            results["divide"] = rows.into_iter().map(|(mv, paths)| (mv, json!(paths))).collect::<Map<_, _>>().into();
        }
        return if args.data.csv { write_csv(out, [results]) } else { document::write(out, "perft", None, results) };
    }
    for (mv, paths) in rows.unwrap_or_default() {
        writeln!(out, "{mv}: {paths}")?;
    }
    let speed = show_count(nodes_per_second(nodes, time));
    Ok(writeln!(out, "perft {}: {nodes} paths in {}, {speed} paths/s", args.depth, show_time(time))?)
}
