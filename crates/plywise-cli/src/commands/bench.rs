//! `plywise bench`: a node count that changes when the behaviour of the search does, and its speed.

use crate::Result;
use crate::arguments::{DEFAULT_PROFILE, ResourceArgs};
use crate::document::{self, joined};
use crate::engine::{self, TypedSetup, setup_of_profile};
use crate::games::{Games, Playable};
use crate::table::{DataArgs, write_csv};
use crate::text::{milliseconds, nodes_per_second, show_count, show_time};
use clap::Args;
use plywise_search::{Limits, Request, Signal};
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
        let Summary { measurement, text } = (game.bench)()?;
        if args.data.is_text() {
            writeln!(out, "{text}")?;
        }
        measured.push((game.name, measurement));
    }
    if args.data.json {
        let games: Map<String, Value> = measured.iter().map(|(name, m)| (name.to_string(), m.to_json())).collect();
        return document::write(out, "bench", None, json!({"games": games}));
    }
    if args.data.csv {
        let row = |(name, measurement): (&str, Measurement)| joined(json!({"game": name}), measurement.to_json());
        return write_csv(out, measured.into_iter().map(row));
    }
    // The first game is the one that match servers ask about.
    let (_, Measurement { nodes, time }) = measured[0];
    Ok(writeln!(out, "{nodes} nodes {} nps", nodes_per_second(nodes, time))?)
}

/// The bench of a game, for people too.
pub(crate) struct Summary {
    measurement: Measurement,
    text: String,
}

pub(crate) fn summarise<G: Playable>() -> Result<Summary> {
    let measurement = measure::<G>(G::BENCH_DEPTH)?;
    let Measurement { nodes, time } = measurement;
    let text = format!(
        "{}: {} positions to depth {}: {} nodes in {}, {} nodes/s",
        G::TITLE,
        positions::<G>()?.len(),
        G::BENCH_DEPTH,
        show_count(nodes),
        show_time(time),
        show_count(nodes_per_second(nodes, time)),
    );
    Ok(Summary { measurement, text })
}

/// The same, but so much shorter that a worker can afford it before every run.
pub(crate) fn quick<G: Playable>() -> Result<Measurement> {
    const SHALLOWER: i32 = 4;
    measure::<G>((G::BENCH_DEPTH - SHALLOWER).max(1))
}

/// Searches the bench positions of a game to `depth` plies.
pub fn measure<G: Playable>(depth: i32) -> Result<Measurement> {
    let resources = ResourceArgs { hash: HASH, ..ResourceArgs::default() };
    let mut searcher = setup_of_profile::<G>(DEFAULT_PROFILE, &resources)?.searcher::<G>()?;
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for position in positions::<G>()? {
        let request = Request::<G>::new(position);
        searcher.forget();
        let begun = Instant::now();
        nodes += engine::search(&mut searcher, &request, &Limits::depth(depth), &Signal::new(), |_| {}).nodes;
        time += begun.elapsed();
    }
    Ok(Measurement { nodes, time })
}

/// The bench positions of a game: the start, if it names none.
fn positions<G: Playable>() -> Result<Vec<G::Position>> {
    match G::BENCH_POSITIONS {
        [] => Ok(vec![G::start()]),
        texts => Ok(texts.iter().map(|text| G::parse_position(text)).collect::<Result<_, _>>()?),
    }
}
