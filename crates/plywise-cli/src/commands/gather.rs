//! `plywise gather`: statistics from self-play or from recorded games for the techniques that need them.

mod cut_nodes;
mod picture;

use crate::arguments::{LimitArgs, SearchArgs, describe_limits, jobs};
use crate::commands::matches::openings;
use crate::engine::setup_for;
use crate::games;
use crate::jobs::Place;
use crate::plots::PlotArgs;
use crate::progress::JobMeter;
use crate::runs::RunArgs;
use crate::text::show_counted;
use crate::{Failure, Result, document, files, sources};
use clap::{Args, ValueEnum};
use plywise_host::{AnyPosition, Setup, WrittenSetup};
use plywise_learn::{
    CutNodeQuestion, Gather, GatherEvent, Gathered, LearnableGame, ProbCutQuestion, Question, RankQuestion,
    RealizationQuestion, SelfPlay, Table, count_recorded,
};
use plywise_run::Job;
use plywise_search::{Limits, RankBound, Signal};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// Stop a game after this many plies
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
    /// RankCut: count whether the move itself was better, not this or a later one; for rank_cut.single=on
    #[arg(long)]
    pub single: bool,
    /// RankCut: count the moves before history too, tactical ones and killers, which are never reduced
    #[arg(long)]
    pub early: bool,
    /// RankCut: gather again with what was gathered, until the probabilities move by less than this percentage on
    /// average; the player must use RankCut
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_missing_value = "0.1", value_parser = parse_percent)]
    pub until_stable: Option<f64>,
    /// Cut-nodes: look at one in N expected cut-nodes
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

/// Plays or reads the games and writes the table.
pub(crate) fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    args.plot.check()?;
    if args.plot.plot.is_some() && !matches!(args.kind, Kind::Rankcut | Kind::Probcut) {
        return Err(Failure::input("--plot is for rankcut and probcut"));
    }
    let table = match &args.pgn {
        Some(file) => read_games(&**game, args, file, out, stop)?,
        None => play_games(game, args, out, stop)?,
    };
    if let Table::CutNodes(nodes) = &table {
        return cut_nodes::report(args, nodes, out);
    }
    let (samples, states) = (table.samples(), table.states());
    let file = args.output.display().to_string();
    if args.json {
        let seed = args.pgn.is_none().then_some(args.seed);
        let results = json!({"game": game.name(), "samples": samples, "states": states, "file": file});
        return document::write(out, Gather::NAME, seed, results);
    }
    let (samples, shown) = (show_counted(samples, "sample"), show_counted(states as u64, "state"));
    writeln!(out, "{samples}, {shown}: {file}")?;
    if states == 0 {
        writeln!(out, "The table is empty, because nothing was seen often enough: it takes more games.")?;
    }
    Ok(())
}

/// Counts the moves of recorded games; broken ones are skipped.
fn read_games(
    game: &dyn LearnableGame,
    args: &Arguments,
    file: &Path,
    out: &mut dyn Write,
    stop: &Signal,
) -> Result<Table> {
    match args.kind {
        Kind::Realization => {}
        _ => return Err(Failure::input("--pgn is for realization; the other statistics come from searches")),
    }
    if args.run.run.is_some() {
        return Err(Failure::input("--run is for games that are played, not for those of --pgn"));
    }
    let (table, read) = count_recorded(game, &sources::recorded(&[file.to_owned()], &args.run)?, stop)?;
    let table = Table::Realization(table);
    let settings = format!("{} recorded games, {} broken ones skipped", read.games, read.broken);
    write(args, game, &table, &settings, out)?;
    Ok(table)
}

fn play_games(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result<Table> {
    let limits = args.limits()?;
    let setup = setup_for(&**game, &args.search.profile, &args.search.resources)?;
    if args.kind == Kind::Rankcut && args.until_stable.is_some() && !setup.params.rank_cut.on() {
        return Err(Failure::input("--until-stable gathers with pruning on: use --profile rankcut or rankcut-paper"));
    }
    let job = args.job(&**game, &setup, limits)?;
    let meter = JobMeter::default();
    let watch = |event| match event {
        GatherEvent::Round(games) => meter.begin(games, "games"),
        GatherEvent::Game => meter.advance(),
    };
    let gathered = Place::new(&args.run, jobs(None, 1), stop).run(&job, game, &watch);
    meter.finish();
    let Gathered { games, table, moves, is_unstable } = gathered?;
    for (round, moved) in moves.iter().enumerate().filter(|_| !args.json) {
        writeln!(out, "round {}: the probabilities moved by {:.3} % on average", round + 1, 100.0 * moved)?;
    }
    write(args, &**game, &table, &args.settings(games, &setup.name, &limits), out)?;
    if is_unstable {
        let rounds = moves.len() + 1;
        return Err(Failure::Failed(format!(
            "after {rounds} rounds the probabilities still move; the last ones are kept"
        )));
    }
    match &table {
        Table::RankCut { table, .. } => args.plot.draw(&|| picture::ranks(table), out)?,
        Table::ProbCut { table, searches } => {
            args.plot.draw(&|| picture::predictions(&args.pairs, table, searches), out)?;
        }
        Table::Realization(_) | Table::CutNodes(_) => {}
    }
    Ok(table)
}

/// Writes the table with where it comes from.
fn write(args: &Arguments, game: &dyn LearnableGame, table: &Table, settings: &str, out: &mut dyn Write) -> Result {
    match table.file(game.name(), settings) {
        Some(text) => files::write(&args.output, &text, out),
        None => Ok(()),
    }
}

impl Arguments {
    fn limits(&self) -> Result<Limits> {
        let limits = self.limits.once(Limits::default())?;
        if limits == Limits::default() { Err(crate::arguments::no_limit()) } else { Ok(limits) }
    }

    fn random_plies(&self) -> u64 {
        self.random_plies.unwrap_or(if self.openings.is_some() { 0 } else { 8 })
    }

    fn question(&self) -> Question {
        let Arguments { unit, bound, least_depth, least_count, single, early, every, .. } = *self;
        match self.kind {
            Kind::Rankcut => Question::RankCut(RankQuestion { unit, bound, least_depth, least_count, single, early }),
            Kind::Realization => Question::Realization(RealizationQuestion),
            Kind::Probcut => Question::ProbCut(ProbCutQuestion { pairs: self.pairs.clone() }),
            Kind::Cutnodes => Question::CutNodes(CutNodeQuestion::of_thesis(every, unit)),
        }
    }

    fn job(&self, game: &dyn LearnableGame, setup: &Setup, limits: Limits) -> Result<Gather> {
        let openings = openings::positions(game, self.openings.as_deref())?;
        let question = self.question();
        let player = Setup { threads: 1, hash: Gather::TABLE_MB, ..setup.clone() };
        Ok(Gather {
            game: game.name().to_owned(),
            games: self.games.unwrap_or(1),
            play: SelfPlay {
                player: WrittenSetup::of(game, &player),
                limits,
                openings: openings.iter().map(AnyPosition::text).collect(),
                random_plies: self.random_plies() as usize,
                balance: None,
                to_the_end: Gather::plays_to_the_end(&question),
                longest: self.longest as usize,
                seed: self.seed,
            },
            question,
            until_stable: self.until_stable.filter(|_| self.kind == Kind::Rankcut).map(|percent| percent / 100.0),
        })
    }

    /// What made the table, for its header.
    fn settings(&self, games: u64, profile: &str, limits: &Limits) -> String {
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
}
