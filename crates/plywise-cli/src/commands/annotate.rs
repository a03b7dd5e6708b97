//! `plywise annotate`: whole games with scores, better moves and marks.

mod report;
mod verdict;

use crate::arguments::{LimitArgs, SearchArgs, describe_limits, no_limit};
use crate::engine::{self, Setup, TypedSetup, hosted, setup};
use crate::games::{self, Playable};
use crate::memory::check_tables;
use crate::plots::PlotArgs;
use crate::progress::Meter;
use crate::runs::{RunArgs, Work, describe_setup, fail};
use crate::table::DataArgs;
use crate::{Failure, Result, files, recorded};
use clap::Args;
use plywise_game::pgn::Record;
use plywise_game::{GameSoFar, Score, score};
use plywise_net::NetworkEvaluation;
use plywise_search::{Limits, Request, Searcher, Signal};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread;
use verdict::Verdict;

/// Annotate whole games: every position with its score, weak moves with a mark and what was better
///
/// Every position is searched from a clean slate, several at a time; the result is the same whatever --jobs is. A move is
/// judged by the points that it gives away, as our own games turn scores into results: ?! for a twentieth of a game,
/// ? for a tenth, ?? for a fifth. !? marks a move that the search had not preferred and, one ply later, likes better
/// than its own by a tenth. Scores are those of who moves first, as [%eval …], which other programs read.
///
/// All that the games hold is kept: tags, comments, marks and variations. Ours stand beside them; only an [%eval …] of an
/// earlier search is replaced.
#[derive(Debug, Args)]
#[command(override_usage = "plywise annotate [OPTIONS] [GAME] <FILE.pgn>")]
#[command(after_help = "\
Examples:
  plywise annotate chess masters.pgn --nodes 100000 -o annotated.pgn --plot score.svg
  plywise annotate othello game.pgn --depth 8 --jobs 2 --csv
  plywise annotate chess masters.pgn --movetime 1000 --profile best --run runs/annotate -o annotated.pgn")]
pub struct Arguments {
    /// The name of the game.
    #[arg(default_value = games::DEFAULT, help = games::HELP)]
    pub game: String,
    // The parser cannot require it, because the game before it may be left out.
    /// The games, as PGN
    pub file: Option<PathBuf>,
    /// How many positions to search at the same time [default: as many as the machine has cores for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// The file for the annotated games [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

/// What documents and run directories call it.
const COMMAND: &str = "annotate";

/// All games are held in memory, and an input may never end.
const MOST_POSITIONS: usize = 5_000_000;

/// What a search found in a position: a unit of the work.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Found {
    /// Seen by the side to move.
    score: Score,
    depth: i32,
    nodes: u64,
    /// The line, by the codes of its moves.
    pv: Vec<u16>,
}

/// Annotates the games of the arguments.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let file = args.file.as_deref().ok_or_else(|| Failure::input("a file of games is needed"))?;
    let limits = args.limits.single()?.ok_or_else(no_limit)?;
    args.output.as_deref().map_or(Ok(()), files::check_writable)?;
    args.plot.check()?;
    let mut records: Vec<Record<G>> = Vec::new();
    let mut positions = 0;
    let read = recorded::read_games::<G>(&[file], u64::MAX, |_, record| {
        positions += record.moves.len() + 1;
        if positions > MOST_POSITIONS {
            let sentence =
                format!("more than {MOST_POSITIONS} positions are too many at once; cut the file into parts");
            return Err(files::unreadable(file, sentence));
        }
        records.push(record.clone());
        Ok(())
    })?;
    let setup = setup::<G>(&args.search)?;
    let work = json!({
        "command": COMMAND,
        "game": G::NAME,
        "games": args.run.digest(file)?,
        "player": describe_setup(&*hosted::<G>(), &setup)?,
        "limits": describe_limits(&limits),
    });
    let found = search_all(args, &records, &setup, &limits, Work::new(work, total(&records)), stop)?;
    let mut found = found.into_iter();
    // An interrupted run tells of the games that were finished.
    let judged: Vec<Verdict<G>> = records
        .into_iter()
        .map(|record| {
            let of_game: Vec<Option<Found>> = found.by_ref().take(record.moves.len() + 1).collect();
            Some(Verdict::new(record, of_game.into_iter().collect::<Option<_>>()?))
        })
        .map_while(|verdict| verdict)
        .collect();
    if judged.is_empty() {
        return Err(Failure::Interrupted);
    }
    report::write(args, &judged, &read, out)
}

/// The positions of all games.
fn total<G: Playable>(records: &[Record<G>]) -> u64 {
    records.iter().map(|record| record.moves.len() as u64 + 1).sum()
}

/// Searches every position of every game, several at a time; in their order, with nothing where it was interrupted before.
fn search_all<G: Playable>(
    args: &Arguments,
    records: &[Record<G>],
    setup: &Setup,
    limits: &Limits,
    work: Work,
    stop: &Signal,
) -> Result<Vec<Option<Found>>> {
    let total = total(records);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores / setup.threads, usize::from).clamp(1, usize::try_from(total).unwrap_or(1));
    check_tables(setup.hash, jobs)?;
    let mut units = args.run.units(work, |_, _| Ok(()))?;
    let searchers = (0..jobs).map(|_| setup.searcher::<G>()).collect::<Result<Vec<_>>>()?;
    // The game and the place in it of each position.
    let firsts: Vec<u64> = records
        .iter()
        .scan(0, |next, record| Some(std::mem::replace(next, *next + record.moves.len() as u64 + 1)))
        .collect();
    let search = |searcher: &mut Searcher<G, NetworkEvaluation<G>>, number: u64, stop: &Signal| {
        let game = firsts.partition_point(|first| *first <= number) - 1;
        look(searcher, &records[game], (number - firsts[game]) as usize, limits, stop)
    };
    let mut meter = Meter::new(total, "positions");
    let mut each = |_, _: &Found| {
        meter.advance();
        ControlFlow::Continue(())
    };
    units.work(total, searchers, stop, search, &mut each).map_err(fail)?;
    meter.finish();
    let mut finished: BTreeMap<u64, Found> = units.into_finished();
    Ok((0..total).map(|number| finished.remove(&number)).collect())
}

/// Searches the position after so many moves of a game; nothing where `stop` interrupts it.
fn look<G: Playable>(
    searcher: &mut Searcher<G, NetworkEvaluation<G>>,
    record: &Record<G>,
    moves: usize,
    limits: &Limits,
    stop: &Signal,
) -> Option<Found> {
    let mut line = GameSoFar::<G>::new(record.start.clone());
    record.moves[..moves].iter().for_each(|&mv| line.play(mv));
    if let Some(outcome) = G::outcome(line.position()) {
        return Some(Found { score: score::of_outcome(outcome, 0), depth: 0, nodes: 0, pv: Vec::new() });
    }
    searcher.forget();
    let report = engine::search(searcher, &Request::of(&line), limits, stop, |_| {});
    if stop.is_stopped() {
        return None;
    }
    let pv = report.lines.first().map_or(Vec::new(), |line| line.pv.iter().map(|&mv| G::move_code(mv)).collect());
    Some(Found { score: report.score(), depth: report.depth(), nodes: report.nodes, pv })
}
