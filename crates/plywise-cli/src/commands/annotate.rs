//! `plywise annotate`: whole games with scores, better moves and marks.

mod report;

use crate::arguments::{LimitArgs, SearchArgs, describe_limits, jobs, no_limit};
use crate::engine::{Setup, new_engine};
use crate::games;
use crate::memory::check_tables;
use crate::plots::PlotArgs;
use crate::progress::Meter;
use crate::runs::{RunArgs, RunContents, describe_setup, fail};
use crate::table::DataArgs;
use crate::{Failure, Result, files, recorded};
use clap::Args;
use plywise_host::{AnyGame, Engine, Found, Record, Verdict};
use plywise_search::{Limits, Signal};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Annotate whole games: every position with its score, weak moves with a mark and what was better
///
/// Every position is searched from a clean slate, several at a time; the result is the same with any number of --jobs. A move is
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

/// Annotates the games of the arguments.
pub fn run(game: &dyn AnyGame, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let file = args.file.as_deref().ok_or_else(|| Failure::input("a file of games is needed"))?;
    let limits = args.limits.single()?.ok_or_else(no_limit)?;
    args.output.as_deref().map_or(Ok(()), files::check_writable)?;
    args.plot.check()?;
    let mut records: Vec<Record> = Vec::new();
    let mut positions = 0;
    let read = recorded::read_records(game, &[file], u64::MAX, |_, record| {
        positions += record.position.plies() + 1;
        if positions > MOST_POSITIONS {
            let sentence =
                format!("more than {MOST_POSITIONS} positions are too many at once; cut the file into parts");
            return Err(files::unreadable(file, sentence));
        }
        records.push(record);
        Ok(())
    })?;
    let setup = args.search.setup(game)?;
    let work = json!({
        "command": COMMAND,
        "game": game.name(),
        "games": args.run.digest(file)?,
        "player": describe_setup(game, &setup)?,
        "limits": describe_limits(&limits),
    });
    let found = search_all(game, args, &records, &setup, &limits, RunContents::new(work, total(&records)), stop)?;
    let mut found = found.into_iter();
    // An interrupted run tells of the games that were finished.
    let judged: Vec<Verdict> = records
        .into_iter()
        .map(|record| {
            let of_game: Vec<Option<Found>> = found.by_ref().take(record.position.plies() + 1).collect();
            Some(Verdict::new(game, record, of_game.into_iter().collect::<Option<_>>()?))
        })
        .map_while(|verdict| verdict)
        .collect();
    if judged.is_empty() {
        return Err(Failure::Interrupted);
    }
    report::write(game, args, &judged, &read, out)
}

/// The positions of all games.
fn total(records: &[Record]) -> u64 {
    records.iter().map(|record| record.position.plies() as u64 + 1).sum()
}

/// Searches every position of every game, several at a time; in their order, with nothing where it was interrupted before.
fn search_all(
    game: &dyn AnyGame,
    args: &Arguments,
    records: &[Record],
    setup: &Setup,
    limits: &Limits,
    work: RunContents,
    stop: &Signal,
) -> Result<Vec<Option<Found>>> {
    let total = total(records);
    let jobs = jobs(args.jobs, setup.threads).min(usize::try_from(total).unwrap_or(usize::MAX));
    check_tables(setup.hash, jobs)?;
    let mut units = args.run.units(work, |_, _| Ok(()))?;
    let engines = (0..jobs).map(|_| new_engine(game, setup)).collect::<Result<Vec<_>>>()?;
    // The game and the place in it of each position.
    let firsts: Vec<u64> = records
        .iter()
        .scan(0, |next, record| Some(std::mem::replace(next, *next + record.position.plies() as u64 + 1)))
        .collect();
    let search = |engine: &mut Box<dyn Engine>, number: u64, stop: &Signal| {
        let place = firsts.partition_point(|first| *first <= number) - 1;
        Found::of(&mut **engine, &records[place].position.at((number - firsts[place]) as usize), limits, stop)
    };
    let mut meter = Meter::new(total, "positions");
    let mut each = |_, _: &Found| {
        meter.advance();
        ControlFlow::Continue(())
    };
    units.work(total, engines, stop, search, &mut each).map_err(fail)?;
    meter.finish();
    let mut finished: BTreeMap<u64, Found> = units.into_finished();
    Ok((0..total).map(|number| finished.remove(&number)).collect())
}
