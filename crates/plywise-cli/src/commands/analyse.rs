//! `plywise analyse`: search one position and show the lines as they deepen.

use crate::arguments::{LimitArgs, PositionArgs, SearchArgs, show_limits};
use crate::engine::{Setup, new_engine};
use crate::recording::{RecordArgs, Search};
use crate::table::{DataArgs, Format, Sheet, write_csv};
use crate::text::{nodes_per_second, show_count, show_counted, show_time};
use crate::{Result, document};
use clap::Args;
use plywise_game::Score;
use plywise_host::{AnyGame, AnyPosition, Ask, Event, Move, iteration_to_json, report_to_json, techniques_to_json};
use plywise_net::Role;
use plywise_search::{Bound, Limits, Progress, Report, Signal, Technique};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Duration;

/// Search one position and show the lines as they deepen
///
/// Scores are for the side to move, which the output names; those of recorded games, in 'annotate' and PGN, are for who
/// moves first.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise analyse chess --movetime 3000
  plywise analyse chess r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4 --depth 6
  plywise analyse loa --moves b8-b6 a3-c3 --lines 3 --movetime 2000 --json")]
pub struct Arguments {
    #[command(flatten)]
    pub place: PositionArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    #[command(flatten)]
    pub record: RecordArgs,
}

/// What to show.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct ShowArgs {
    /// How many of the best moves to show, each with its line
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub lines: u16,
    /// Show how often each technique was tried and had an effect
    #[arg(long)]
    pub stats: bool,
    /// Show the evaluation of the position term by term
    #[arg(long)]
    pub explain: bool,
    #[command(flatten)]
    pub data: DataArgs,
}

/// How long to think unless the user says.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Analyses the position of the arguments.
pub fn run(game: &dyn AnyGame, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let position = args.place.position(game)?;
    let limits = args.limits.once(Limits::time(DEFAULT_TIME))?;
    let setup = args.search.setup(game)?;
    let mut engine = new_engine(game, &setup)?;
    if args.show.data.is_text() {
        introduce(game, args, &position, &setup, &limits, out)?;
    }
    let search = Search { game, setup: &setup, ask: Ask { lines: args.show.lines.into(), ..Ask::new(&position) } };
    let signal = stop.child();
    let (mut rows, mut iterations) = (Rows::new(&search), Vec::new());
    // A search cannot return an error of its observer: it is kept until the end.
    let mut written = Ok(());
    let mut each = |event: Event| {
        let Event::Progress(progress) = event else { return };
        if !args.show.data.is_text() {
            iterations.push(iteration_to_json(&position, progress));
        } else if written.is_ok() {
            written = rows.add(progress, out);
            if written.is_err() {
                signal.stop();
            }
        }
    };
    let report = args.record.search(1, &search, &mut *engine, &limits, &signal, &mut each)?;
    written?;
    rows.finish(out)?;
    if args.show.data.csv {
        return write_csv(out, if args.show.stats { stats_to_json(&report) } else { iterations });
    }
    if args.show.data.json {
        let mut results = to_json(args, &search, &report);
        results["iterations"] = iterations.into();
        return document::write(out, "analyse", None, results);
    }
    conclude(args, &search, &report, out)
}

fn introduce(
    game: &dyn AnyGame,
    args: &Arguments,
    position: &AnyPosition,
    setup: &Setup,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result {
    writeln!(out, "{}: {}\n\n{}", game.title(), position.text(), position.draw())?;
    if args.show.explain {
        explain(game, setup, position, out)?;
    }
    let threads = if setup.threads == 1 { "1 thread".to_string() } else { format!("{} threads", setup.threads) };
    writeln!(out, "profile {}, {threads}, {} MB, {}", setup.name, setup.hash, show_limits(limits))?;
    if position.ended().is_none() {
        writeln!(out, "scores are for {}, who is to move\n", game.player(position.side_to_move()))?;
        writeln!(out, "{:>7} {:>9} {:>9} {:>13} {:>11}  line", "depth", "score", "time", "nodes", "nodes/s")?;
    }
    Ok(())
}

/// Shows the evaluation term by term, and what the network makes of each piece.
pub(crate) fn explain(game: &dyn AnyGame, setup: &Setup, position: &AnyPosition, out: &mut dyn Write) -> Result {
    if let Some(explanation) = game.explain(setup, position) {
        writeln!(out, "{explanation}")?;
    }
    let player = game.player(position.side_to_move());
    if let (Some(named), Some(explained)) = (&setup.network, game.explain_network(setup, position)) {
        let role = match named.network.role() {
            Role::Replace => "in place of these terms",
            Role::Add => "added to these terms",
        };
        let mut sheet = Sheet::new(&["network", "with it, less without it"], &[0]);
        for (feature, points) in explained.shares {
            sheet.add(vec![feature, format!("{points:+}")]);
        }
        writeln!(out, "{}", sheet.show(&Format::default()))?;
        writeln!(out, "the network '{}', {role}: {:+} for {player}, who is to move", named.name, explained.value)?;
    }
    let value = game.evaluate(setup, position).unwrap_or_default();
    Ok(writeln!(out, "the evaluation in all: {} for {player}, who is to move\n", game.show_score(value))?)
}

/// The rows of the table. Several lines stand together, best first, once all of them are finished; the last rows are
/// what the search ended with.
struct Rows<'a> {
    search: &'a Search<'a>,
    /// How many lines there will be.
    wanted: usize,
    /// What was told last.
    pending: Vec<Progress<Move>>,
}

impl<'a> Rows<'a> {
    fn new(search: &'a Search) -> Rows<'a> {
        let Ask { position, lines, .. } = search.ask;
        Rows { search, wanted: lines.min(position.legal_moves().len()), pending: Vec::new() }
    }

    fn add(&mut self, progress: &Progress<Move>, out: &mut dyn Write) -> io::Result<()> {
        if progress.line == 1 {
            self.pending.clear();
        }
        self.pending.push(progress.clone());
        let is_settled = |row: &Progress<Move>| row.bound == Bound::Exact && row.depth == progress.depth;
        let is_whole = self.pending.len() >= self.wanted && self.pending.iter().all(is_settled);
        if self.wanted == 1 || is_whole { self.finish(out) } else { Ok(()) }
    }

    /// Writes what was told and not written yet.
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.pending.drain(..).try_for_each(|row| write_row(out, self.search, &row))
    }
}

/// A score, and whether it is a bound.
fn show_bounded(game: &dyn AnyGame, score: Score, bound: Bound) -> String {
    let sign = match bound {
        Bound::Exact => "",
        Bound::Lower => "≥",
        Bound::Upper => "≤",
    };
    format!("{sign}{}", game.show_score(score))
}

fn write_row(out: &mut dyn Write, search: &Search, progress: &Progress<Move>) -> io::Result<()> {
    writeln!(
        out,
        "{:>7} {:>9} {:>9} {:>13} {:>11}  {}",
        format!("{}/{}", progress.depth, progress.selective_depth),
        show_bounded(search.game, progress.score, progress.bound),
        show_time(progress.time),
        show_count(progress.nodes),
        show_count(nodes_per_second(progress.nodes, progress.time)),
        search.ask.position.write_line(&progress.pv).join(" "),
    )
}

fn conclude(args: &Arguments, search: &Search, report: &Report<Move>, out: &mut dyn Write) -> Result {
    let Search { game, ref ask, .. } = *search;
    match ask.best_move(report) {
        None => writeln!(out, "The game is over: {}.", ask.position.describe_end())?,
        Some(mv) => {
            let Report { nodes, time, .. } = report;
            writeln!(
                out,
                "\nbest move: {}   score {}, depth {}, {} in {}",
                ask.position.write_move(mv),
                report.lines.first().map_or(String::new(), |line| show_bounded(game, line.score, line.bound)),
                report.depth(),
                show_counted(*nodes, "node"),
                show_time(*time),
            )?;
        }
    }
    if args.show.stats {
        write_stats(report, out)?;
    }
    Ok(())
}

fn write_stats<M>(report: &Report<M>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{:24} {:>15} {:>15} {:>8}", "technique", "tries", "effects", "share")?;
    for (name, tries, cuts) in techniques(report) {
        let share = if tries == 0 { "–".to_string() } else { format!("{:.1} %", 100.0 * cuts as f64 / tries as f64) };
        writeln!(out, "{name:24} {:>15} {:>15} {share:>8}", show_count(tries), show_count(cuts))?;
    }
    Ok(())
}

/// The name of each technique, how often it was tried, and how often it had an effect.
fn techniques<M>(report: &Report<M>) -> impl Iterator<Item = (&'static str, u64, u64)> {
    let counters = &report.counters;
    Technique::ALL.iter().map(|&technique| (technique.name(), counters.tries(technique), counters.cuts(technique)))
}

fn stats_to_json<M>(report: &Report<M>) -> Vec<Value> {
    let row = |(name, tries, cuts)| json!({"technique": name, "tries": tries, "effects": cuts});
    techniques(report).map(row).collect()
}

fn to_json(args: &Arguments, search: &Search, report: &Report<Move>) -> Value {
    let Search { game, setup, ref ask } = *search;
    let mut document = report_to_json(game, setup, ask, report);
    if args.show.stats {
        document["techniques"] = techniques_to_json(report);
    }
    if args.show.explain {
        document["explanation"] = json!(game.explain(setup, ask.position));
        document["evaluation"] = json!(game.evaluate(setup, ask.position));
        if let (Some(named), Some(explained)) = (&setup.network, game.explain_network(setup, ask.position)) {
            let piece = |(feature, points)| json!({"feature": feature, "points": points});
            let pieces: Vec<Value> = explained.shares.into_iter().map(piece).collect();
            let (name, role, value) = (&named.name, named.network.role(), explained.value);
            document["network"] = json!({"name": name, "role": role, "value": value, "pieces": pieces});
        }
    }
    document
}
