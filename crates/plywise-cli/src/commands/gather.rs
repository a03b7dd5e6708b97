//! `plywise gather`: statistics from self-play or from recorded games for the techniques that need them.

mod cut_nodes;
mod picture;

use crate::arguments::{LimitArgs, SearchArgs, describe_limits};
use crate::commands::matches::openings;
use crate::engine::{Setup, hosted, setup};
use crate::games::{self, Playable};
use crate::plots::PlotArgs;
use crate::progress::Meter;
use crate::recorded::{self, Recorded};
use crate::runs::{RunArgs, Work, describe_setup, fail};
use crate::text::show_counted;
use crate::{Failure, Result, document, files};
use clap::{Args, ValueEnum};
use plywise_game::Depth;
use plywise_learn::{
    Gathered, ProbCutQuestion, RankQuestion, RealizationCounter, RealizationQuestion, SelfPlay, Statistic,
};
use plywise_search::{Blueprint, ClassTable, LearnedTable, Limits, Origin, Params, RankBound, RankTable, Signal};
use serde_json::json;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// Gather the statistics that RankCut, realization probability or ProbCut need, or that explain multi-cut, from self-play
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise gather realization loa --games 100 --nodes 10000 -o realization.toml
  plywise gather realization loa --pgn games.pgn -o realization.toml
  plywise gather rankcut loa --games 100 --depth 6 -o rankcut.toml
  plywise gather rankcut loa --games 20 --depth 5 --profile rankcut --until-stable -o rankcut.toml
  plywise gather probcut loa --games 100 --depth 4 --pairs 1-3,2-4 -o probcut.toml
  plywise gather probcut loa --games 100 --depth 4 --pairs 2-4 -o probcut.toml --plot probcut.svg
  plywise gather cutnodes chess --games 4 --depth 5 -o cutnodes.csv")]
pub struct Arguments {
    /// What to gather
    pub kind: Kind,
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// Games to play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000),
          required_unless_present = "pgn")]
    pub games: Option<u64>,
    /// Realization: count the moves of these recorded games instead of playing
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    pub pgn: Option<PathBuf>,
    /// A file of openings, EPD or PGN, from which the games begin in turn [default: the start of the game]
    #[arg(long, value_name = "FILE", conflicts_with = "pgn")]
    pub openings: Option<String>,
    /// Random plies before the players begin to think [default: 8, with --openings none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=100))]
    pub random_plies: Option<u64>,
    /// Stop a game after so many plies
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub longest: u64,
    /// RankCut: the width of the score intervals, a quarter of a pawn or what is like it
    #[arg(long, value_name = "SCORE", default_value_t = 25, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    pub unit: i32,
    /// RankCut: what a later move must exceed to count as better: best, alpha, or a margin above the best
    #[arg(long, value_name = "best|alpha|MARGIN", default_value = "alpha", value_parser = parse_bound)]
    pub bound: RankBound,
    /// RankCut: nodes with less depth left, in plies, are not counted
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(i32).range(0..=60))]
    pub least_depth: i32,
    /// RankCut: states seen fewer times are dropped
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub least_count: u64,
    /// RankCut: gather again with what was gathered, until the probabilities move by less than so many percent on
    /// average; the player must use RankCut
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_missing_value = "0.1", value_parser = parse_percent)]
    pub until_stable: Option<f64>,
    /// Cut-nodes: of so many expected cut-nodes, one is looked at
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
    /// ProbCut: pairs of depths in plies, shallow and deep
    #[arg(long, value_name = "SHALLOW-DEEP", value_delimiter = ',', value_parser = parse_pair,
          default_value = "1-3,2-4,1-5,3-5,2-6,4-6,3-7,4-8")]
    pub pairs: Vec<(i32, i32)>,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub plot: PlotArgs,
}

/// The statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// How often a better move still came, for RankCut
    Rankcut,
    /// How often moves of each class are played
    Realization,
    /// How well a shallow search predicts a deep one
    Probcut,
    /// Which signs tell that an expected cut-node will be cut, as multi-cut has to know
    Cutnodes,
}

fn parse_bound(text: &str) -> Result<RankBound, String> {
    match text {
        "best" => Ok(RankBound::Best),
        "alpha" => Ok(RankBound::Alpha),
        margin => margin.parse().map(RankBound::Margin).map_err(|_| "the bound is best, alpha or a margin".to_string()),
    }
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| "a percentage is a number from 0 to 100".to_string())
}

fn parse_pair(text: &str) -> Result<(i32, i32), String> {
    let numbers = text.split_once('-').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    numbers
        .filter(|&(shallow, deep)| 1 <= shallow && shallow < deep && deep <= 60)
        .ok_or_else(|| "a pair of depths is written shallow-deep, such as 4-8".to_string())
}

/// What documents and run directories call it.
const COMMAND: &str = "gather";

/// Plays or reads the games and writes the table.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    args.plot.check()?;
    if args.plot.plot.is_some() && !matches!(args.kind, Kind::Rankcut | Kind::Probcut) {
        return Err(Failure::input("--plot is for rankcut and probcut"));
    }
    if args.kind == Kind::Cutnodes {
        return cut_nodes::run::<G>(args, out, stop);
    }
    let (samples, states) = match &args.pgn {
        Some(file) => read_games::<G>(args, file, out)?,
        None => play_games::<G>(args, out, stop)?,
    };
    let file = args.output.display().to_string();
    if args.json {
        let seed = args.pgn.is_none().then_some(args.seed);
        let results = json!({"game": G::NAME, "samples": samples, "states": states, "file": file});
        return document::write(out, COMMAND, seed, results);
    }
    let (samples, shown) = (show_counted(samples, "sample"), show_counted(states as u64, "state"));
    writeln!(out, "{samples}, {shown}: {file}")?;
    if states == 0 {
        writeln!(out, "The table is empty, because nothing was seen often enough: it takes more games.")?;
    }
    Ok(())
}

/// Counts the moves of recorded games; broken ones are skipped.
fn read_games<G: Playable>(args: &Arguments, file: &Path, out: &mut dyn Write) -> Result<(u64, usize)> {
    if args.kind != Kind::Realization {
        return Err(Failure::input("--pgn is for realization; the other statistics come from searches"));
    }
    if args.run.run.is_some() {
        return Err(Failure::input("--run is for games that are played, not for those of --pgn"));
    }
    let mut counter = RealizationCounter::<G>::default();
    let Recorded { games, broken, .. } = recorded::read_games::<G>(&[file], u64::MAX, |_, record| {
        counter.add(&record.start, &record.moves);
        Ok(())
    })?;
    let gathered = counter.finish();
    let settings = format!("{games} recorded games, {broken} broken ones skipped");
    args.write(&gathered, settings, out)?;
    Ok((gathered.samples, classes_seen(&gathered.table)))
}

fn classes_seen(table: &ClassTable) -> usize {
    table.classes.iter().filter(|class| class.available > 0).count()
}

fn play_games<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result<(u64, usize)> {
    let (limits, setup) = (args.limits()?, setup::<G>(&args.search)?);
    match args.kind {
        Kind::Cutnodes => Err(Failure::input("cut-nodes make no table that a search uses")),
        Kind::Rankcut => {
            let Arguments { unit, bound, least_count, .. } = *args;
            let least_depth = Depth::plies(args.least_depth);
            let question = RankQuestion { unit, bound, least_depth, least_count };
            let gathered = gather_ranks::<G>(args, setup, limits, &question, out, stop)?;
            args.plot.draw(&|| picture::ranks(&gathered.table), out)?;
            Ok((gathered.samples, gathered.table.counts.len()))
        }
        Kind::Realization => {
            let gathered = gather_and_write::<G, _>(args, &setup, limits, &RealizationQuestion, &args.run, out, stop)?;
            Ok((gathered.samples, classes_seen(&gathered.table)))
        }
        Kind::Probcut => {
            let question = ProbCutQuestion { pairs: args.pairs.clone() };
            let mut searches = Vec::new();
            let (games, gathered) = gather::<G, _>(args, &setup, limits, &question, &args.run, stop, &mut |share| {
                if args.plot.plot.is_some() {
                    searches.extend_from_slice(share);
                }
            })?;
            args.write(&gathered, args.settings(games, &setup.name, &limits), out)?;
            args.plot.draw(&|| picture::predictions(&args.pairs, &gathered.table, &searches), out)?;
            Ok((gathered.samples, gathered.table.rows.len()))
        }
    }
}

/// More rounds than this would not settle it either.
const MOST_ROUNDS: usize = 10;

/// RankCut's statistics; where they are to be stable, again and again by a player that prunes by the last ones.
fn gather_ranks<G: Playable>(
    args: &Arguments,
    mut setup: Setup,
    limits: Limits,
    question: &RankQuestion,
    out: &mut dyn Write,
    stop: &Signal,
) -> Result<Gathered<RankTable>> {
    let Some(percent) = args.until_stable else {
        return gather_and_write::<G, _>(args, &setup, limits, question, &args.run, out, stop);
    };
    if !setup.params.rank_cut.on() {
        return Err(Failure::input("--until-stable gathers with pruning on: use --profile rankcut or rankcut-paper"));
    }
    let mut last: Option<RankTable> = None;
    for round in 0..MOST_ROUNDS {
        // The first round prunes nothing.
        let first =
            Setup { params: Params { rank_cut: Params::DEFAULT.rank_cut, ..setup.params.clone() }, ..setup.clone() };
        let player = if round == 0 { &first } else { &setup };
        let run = args.run.within(&format!("round-{round}"));
        let gathered = gather_and_write::<G, _>(args, player, limits, question, &run, out, stop)?;
        let moved = last.as_ref().map(|last| last.distance(&gathered.table));
        if let Some(moved) = moved
            && !args.json
        {
            writeln!(out, "round {round}: the probabilities moved by {:.3} % on average", 100.0 * moved)?;
        }
        if moved.is_some_and(|moved| 100.0 * moved < percent) || stop.is_stopped() {
            return Ok(gathered);
        }
        setup.tables.rank_cut = Some(Arc::new(gathered.table.clone()));
        last = Some(gathered.table);
    }
    Err(Failure::Failed(format!("after {MOST_ROUNDS} rounds the probabilities still move; the last ones are kept")))
}

/// The table of a game of self-play, in MB.
const SMALL_TABLE: usize = 16;

/// Gathers a table and writes it.
fn gather_and_write<G: Playable, S: Statistic<G, Table: LearnedTable>>(
    args: &Arguments,
    setup: &Setup,
    limits: Limits,
    statistic: &S,
    run: &RunArgs,
    out: &mut dyn Write,
    stop: &Signal,
) -> Result<Gathered<S::Table>> {
    let (games, gathered) = gather::<G, _>(args, setup, limits, statistic, run, stop, &mut |_| {})?;
    args.write(&gathered, args.settings(games, &setup.name, &limits), out)?;
    Ok(gathered)
}

/// Plays the games that are left; how many there are in all, and what they amount to. `look` sees what each says.
fn gather<G: Playable, S: Statistic<G>>(
    args: &Arguments,
    setup: &Setup,
    limits: Limits,
    statistic: &S,
    run: &RunArgs,
    stop: &Signal,
    look: &mut dyn FnMut(&S::Share),
) -> Result<(usize, Gathered<S::Table>)> {
    let openings = openings::typed_positions::<G>(args.openings.as_deref())?;
    let work = json!({
        "command": COMMAND,
        "question": format!("{statistic:?}"),
        "game": G::NAME,
        "player": describe_setup(&*hosted::<G>(), setup)?,
        "limits": describe_limits(&limits),
        "openings": openings.iter().map(G::write_position).collect::<Vec<_>>(),
        "random_plies": args.random_plies(),
        "longest": args.longest,
        "seed": args.seed,
    });
    let mut units = run.units(Work::new(work, args.games), |_, _| Ok(()))?;
    let play = SelfPlay {
        limits,
        openings,
        random_plies: args.random_plies() as usize,
        balance: None,
        // The last moves of a game count as much as its first; searches after a proven win count for nothing.
        to_the_end: args.kind == Kind::Realization,
        longest: args.longest as usize,
        seed: args.seed,
        player: Blueprint { threads: 1, megabytes: SMALL_TABLE, ..setup.blueprint::<G>()? },
    };
    let games = args.games.unwrap_or(1);
    let mut meter = Meter::new(games, "games");
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut each = |_, _: &S::Share| {
        meter.advance();
        ControlFlow::Continue(())
    };
    let work = |(): &mut (), number, stop: &Signal| statistic.share(&play, number, stop);
    units.work(games, vec![(); cores], stop, work, &mut each).map_err(fail)?;
    meter.finish();
    let shares: Vec<S::Share> = units.into_finished().into_iter().filter(|(n, _)| *n < games).map(|(_, s)| s).collect();
    if shares.is_empty() {
        return Err(Failure::Interrupted);
    }
    shares.iter().for_each(look);
    Ok((shares.len(), statistic.table(shares)))
}

impl Arguments {
    fn limits(&self) -> Result<Limits> {
        let limits = self.limits.once(Limits::default())?;
        if limits == Limits::default() {
            return Err(Failure::input("a limit is needed: --depth, --nodes, --movetime or --tc"));
        }
        Ok(limits)
    }

    fn random_plies(&self) -> u64 {
        self.random_plies.unwrap_or(if self.openings.is_some() { 0 } else { 8 })
    }

    /// What made the table, for its header.
    fn settings(&self, games: usize, profile: &str, limits: &Limits) -> String {
        let Arguments { longest, seed, .. } = self;
        let random_plies = self.random_plies();
        let changes: Vec<String> =
            self.search.resources.set.iter().map(|set| format!(" --set {}={}", set.path, set.value)).collect();
        format!(
            "{games} games of self-play, {}, profile {profile}{}, {random_plies} random plies, at most {longest} plies, \
             seed {seed}",
            describe_limits(limits),
            changes.concat()
        )
    }

    /// Writes the table with where it comes from.
    fn write<T: LearnedTable>(&self, gathered: &Gathered<T>, settings: String, out: &mut dyn Write) -> Result {
        let origin = Origin { game: self.game.clone(), settings, samples: gathered.samples };
        files::write(&self.output, &gathered.table.write(&origin), out)
    }
}
