//! `plywise bench`: a node count that changes when the behaviour of the search does, and its speed.

use crate::Result;
use crate::arguments::{DEFAULT_PROFILE, ResourceArgs};
use crate::document::{self, joined};
use crate::engine::{new_engine, setup_for};
use crate::games::Games;
use crate::table::{DataArgs, write_csv};
use crate::text::{milliseconds, nodes_per_second, show_count, show_time};
use clap::Args;
use plywise_host::{AnyGame, Ask};
use plywise_search::{Limits, Signal};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Search fixed positions to a fixed depth: the node count is a signature of the search's behaviour
///
/// One thread, the default profile, and nothing remembered from one position to the next: the count is the same on
/// every machine. The last line is the one that OpenBench reads.
#[derive(Debug, Args)]
#[command(after_help = "Example: plywise bench chess")]
pub struct Arguments {
    /// The game [default: all games]
    pub game: Option<String>,
    /// How the counts are written.
    #[command(flatten)]
    pub data: DataArgs,
}

/// What the bench of a game measured.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// Nodes in all positions.
    pub nodes: u64,
    /// The time they took.
    pub time: Duration,
}

impl Measurement {
    fn to_json(self) -> Value {
        let Measurement { nodes, time } = self;
        json!({"nodes": nodes, "time_ms": milliseconds(time), "nps": nodes_per_second(nodes, time)})
    }
}

/// The size of the table in MB; another one would change the count.
const HASH: usize = 16;

/// Measures one game or all of them.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    let mut measured = Vec::new();
    for game in games.selected(args.game.as_deref())? {
        let measurement = measure(&*game, 0)?;
        if args.data.is_text() {
            writeln!(out, "{}", summary(&*game, measurement))?;
        }
        measured.push((game.name().to_string(), measurement));
    }
    if args.data.json {
        let games: Map<String, Value> = measured.iter().map(|(name, m)| (name.clone(), m.to_json())).collect();
        return document::write(out, "bench", None, json!({"games": games}));
    }
    if args.data.csv {
        let row = |(name, measurement): (String, Measurement)| joined(json!({"game": name}), measurement.to_json());
        return write_csv(out, measured.into_iter().map(row));
    }
    // The first game is the one that match servers ask about.
    let (_, Measurement { nodes, time }) = measured[0];
    Ok(writeln!(out, "{nodes} nodes {} nps", nodes_per_second(nodes, time))?)
}

/// The bench of a game in words.
fn summary(game: &dyn AnyGame, measurement: Measurement) -> String {
    let (positions, depth) = game.bench();
    let Measurement { nodes, time } = measurement;
    format!(
        "{}: {} positions to depth {depth}: {} nodes in {}, {} nodes/s",
        game.title(),
        positions.len(),
        show_count(nodes),
        show_time(time),
        show_count(nodes_per_second(nodes, time)),
    )
}

/// A bench that is short enough for a worker to run before every run.
pub(crate) fn quick(game: &dyn AnyGame) -> Result<Measurement> {
    const SHALLOWER: i32 = 4;
    measure(game, SHALLOWER)
}

/// Searches the bench positions of a game, `shallower` plies less deep than its bench has it.
pub(crate) fn measure(game: &dyn AnyGame, shallower: i32) -> Result<Measurement> {
    let (positions, depth) = game.bench();
    let limits = Limits::depth((depth - shallower).max(1));
    let resources = ResourceArgs { hash: HASH, ..ResourceArgs::default() };
    let mut engine = new_engine(game, &setup_for(game, DEFAULT_PROFILE, &resources)?)?;
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for position in &positions {
        engine.forget();
        let begun = Instant::now();
        nodes += engine.search(&Ask::new(position), &limits, &Signal::new(), &mut |_| {}).nodes;
        time += begun.elapsed();
    }
    Ok(Measurement { nodes, time })
}
