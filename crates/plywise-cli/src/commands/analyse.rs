//! `plywise analyse`: search one position and show the lines as they deepen.

use crate::arguments::{LimitArgs, PositionArgs, SearchArgs, show_limits};
use crate::engine::{self, Event, Setup, TypedSetup, setup};
use crate::games::Playable;
use crate::network::NamedNetwork;
use crate::recording::RecordArgs;
use crate::table::{DataArgs, Format, Sheet, write_csv};
use crate::text::{
    milliseconds, nodes_per_second, show_count, show_counted, show_ending, show_moves, show_score, show_time,
};
use crate::{Result, document};
use clap::Args;
use plywise_game::{Evaluate, GameSoFar, Linear, Score, score};
use plywise_net::Role;
use plywise_search::{Bound, Limits, Line, Progress, Report, Request, Signal, Technique};
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
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let line = args.place.line::<G>()?;
    let limits = args.limits.once(Limits::time(DEFAULT_TIME))?;
    let setup = setup::<G>(&args.search)?;
    let mut searcher = setup.searcher::<G>()?;
    if args.show.data.is_text() {
        introduce(args, &line, &setup, &limits, out)?;
    }
    let mut request = Request::of(&line);
    request.lines = args.show.lines.into();
    let signal = stop.child();
    let (mut rows, mut iterations) = (Rows::<G>::new(&request), Vec::new());
    // A search cannot return an error of its observer: it is kept until the end.
    let mut written = Ok(());
    let each = |event: Event<'_, G::Move>| {
        let Event::Progress(progress) = event else { return };
        if !args.show.data.is_text() {
            iterations.push(iteration_to_json::<G>(&request.position, progress));
        } else if written.is_ok() {
            written = rows.add(progress, out);
            if written.is_err() {
                signal.stop();
            }
        }
    };
    let report = args.record.search(1, &setup, &mut searcher, &request, &limits, &signal, each)?;
    written?;
    rows.finish(out)?;
    if args.show.data.csv {
        return write_csv(out, if args.show.stats { stats_to_json(&report) } else { iterations });
    }
    if args.show.data.json {
        let mut results = to_json(args, &line, &setup, &report);
        results["iterations"] = iterations.into();
        return document::write(out, "analyse", None, results);
    }
    conclude(args, &line, &report, out)
}

fn introduce<G: Playable>(
    args: &Arguments,
    line: &GameSoFar<G>,
    setup: &Setup,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result {
    writeln!(out, "{}: {}\n\n{}", G::TITLE, G::write_position(line.position()), G::draw(line.position()))?;
    if args.show.explain {
        explain::<G>(line.position(), setup, out)?;
    }
    let threads = if setup.threads == 1 { "1 thread".to_string() } else { format!("{} threads", setup.threads) };
    writeln!(out, "profile {}, {threads}, {} MB, {}", setup.name, setup.hash, show_limits(limits))?;
    if line.ended().is_none() {
        writeln!(out, "scores are for {}, who is to move\n", G::player(line.side_to_move()))?;
        writeln!(out, "{:>7} {:>9} {:>9} {:>13} {:>11}  line", "depth", "score", "time", "nodes", "nodes/s")?;
    }
    Ok(())
}

/// Shows the evaluation term by term, and what the network makes of each piece.
pub(crate) fn explain<G: Playable>(position: &G::Position, setup: &Setup, out: &mut dyn Write) -> Result {
    if engine::require_weights::<G>().is_ok() {
        writeln!(out, "{}", setup.weights.to_typed::<G::Weights>().explain(position))?;
    }
    if let Some(named) = &setup.network {
        explain_network::<G>(position, setup, named, out)?;
    }
    let total = show_score::<G>(setup.evaluation::<G>().evaluate(position));
    Ok(writeln!(out, "the evaluation in all: {total} for {}, who is to move\n", G::player(G::side_to_move(position)))?)
}

fn explain_network<G: Playable>(
    position: &G::Position,
    setup: &Setup,
    named: &NamedNetwork,
    out: &mut dyn Write,
) -> Result {
    let role = match named.network.role() {
        Role::Replace => "in place of these terms",
        Role::Add => "added to these terms",
    };
    let value = named.network.evaluate::<G>(position);
    let mut sheet = Sheet::new(&["network", "with it, less without it"], &[0]);
    for (feature, points) in setup.evaluation::<G>().explain(position) {
        sheet.add(vec![feature, format!("{points:+}")]);
    }
    writeln!(out, "{}", sheet.show(&Format::default()))?;
    let player = G::player(G::side_to_move(position));
    Ok(writeln!(out, "the network '{}', {role}: {value:+} for {player}, who is to move", named.name)?)
}

/// The rows of the table. Several lines stand together, best first, once all of them are finished; the last rows are
/// what the search ended with.
struct Rows<'a, G: Playable> {
    position: &'a G::Position,
    /// How many lines there will be.
    wanted: usize,
    /// What was told last.
    pending: Vec<Progress<G::Move>>,
}

impl<'a, G: Playable> Rows<'a, G> {
    fn new(request: &'a Request<G>) -> Rows<'a, G> {
        let wanted = request.lines.min(G::move_count(&request.position));
        Rows { position: &request.position, wanted, pending: Vec::new() }
    }

    fn add(&mut self, progress: &Progress<G::Move>, out: &mut dyn Write) -> io::Result<()> {
        if progress.line == 1 {
            self.pending.clear();
        }
        self.pending.push(progress.clone());
        let is_settled = |row: &Progress<G::Move>| row.bound == Bound::Exact && row.depth == progress.depth;
        let is_whole = self.pending.len() >= self.wanted && self.pending.iter().all(is_settled);
        if self.wanted == 1 || is_whole { self.finish(out) } else { Ok(()) }
    }

    /// Writes what was told and not written yet.
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.pending.drain(..).try_for_each(|row| write_row::<G>(out, self.position, &row))
    }
}

/// A score, and whether it is a bound.
fn show_bounded<G: Playable>(score: Score, bound: Bound) -> String {
    let sign = match bound {
        Bound::Exact => "",
        Bound::Lower => "≥",
        Bound::Upper => "≤",
    };
    format!("{sign}{}", show_score::<G>(score))
}

fn write_row<G: Playable>(out: &mut dyn Write, position: &G::Position, progress: &Progress<G::Move>) -> io::Result<()> {
    writeln!(
        out,
        "{:>7} {:>9} {:>9} {:>13} {:>11}  {}",
        format!("{}/{}", progress.depth, progress.selective_depth),
        show_bounded::<G>(progress.score, progress.bound),
        show_time(progress.time),
        show_count(progress.nodes),
        show_count(nodes_per_second(progress.nodes, progress.time)),
        show_moves::<G>(position, &progress.pv).join(" "),
    )
}

fn conclude<G: Playable>(
    args: &Arguments,
    line: &GameSoFar<G>,
    report: &Report<G::Move>,
    out: &mut dyn Write,
) -> Result {
    match engine::best_move(report, &Request::of(line)) {
        None => writeln!(out, "The game is over: {}.", show_ending(line))?,
        Some(mv) => {
            let best = G::write_move(line.position(), mv);
            let Report { nodes, time, .. } = report;
            writeln!(
                out,
                "\nbest move: {best}   score {}, depth {}, {} in {}",
                report.lines.first().map_or(String::new(), |line| show_bounded::<G>(line.score, line.bound)),
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
    for (name, tries, cuts) in counted(report) {
        let share = if tries == 0 { "–".to_string() } else { format!("{:.1} %", 100.0 * cuts as f64 / tries as f64) };
        writeln!(out, "{name:24} {:>15} {:>15} {share:>8}", show_count(tries), show_count(cuts))?;
    }
    Ok(())
}

/// How often each technique was tried and had an effect.
fn counted<M>(report: &Report<M>) -> impl Iterator<Item = (&'static str, u64, u64)> {
    let counters = &report.counters;
    Technique::ALL.iter().map(|&technique| (technique.name(), counters.tries(technique), counters.cuts(technique)))
}

fn stats_to_json<M>(report: &Report<M>) -> Vec<Value> {
    let row = |(name, tries, cuts)| json!({"technique": name, "tries": tries, "effects": cuts});
    counted(report).map(row).collect()
}

fn to_json<G: Playable>(args: &Arguments, line: &GameSoFar<G>, setup: &Setup, report: &Report<G::Move>) -> Value {
    let position = line.position();
    let mut document = report_to_json(line, setup, report);
    if args.show.stats {
        document["techniques"] = techniques_to_json(report);
    }
    if args.show.explain {
        let has_weights = engine::require_weights::<G>().is_ok();
        document["explanation"] = json!(has_weights.then(|| setup.weights.to_typed::<G::Weights>().explain(position)));
        document["evaluation"] = json!(setup.evaluation::<G>().evaluate(position));
        if let Some(named) = &setup.network {
            let pieces: Vec<Value> = setup
                .evaluation::<G>()
                .explain(position)
                .into_iter()
                .map(|(feature, points)| json!({"feature": feature, "points": points}))
                .collect();
            let (role, value) = (named.network.role(), named.network.evaluate::<G>(position));
            document["network"] = json!({"name": named.name, "role": role, "value": value, "pieces": pieces});
        }
    }
    document
}

/// What a search found.
pub(crate) fn report_to_json<G: Playable>(line: &GameSoFar<G>, setup: &Setup, report: &Report<G::Move>) -> Value {
    let position = line.position();
    let best = engine::best_move(report, &Request::of(line));
    let pv = report.lines.first().map_or(Vec::new(), |line| show_moves::<G>(position, &line.pv));
    // Where nothing is left to search, the rules say how it stands.
    let outcome = G::outcome(position);
    let value = outcome.map_or(report.score(), |outcome| score::of_outcome(outcome, 0));
    json!({
        "game": G::NAME,
        "position": G::write_position(position),
        "profile": setup.name,
        "best": best.map(|mv| G::write_move(position, mv)),
        "best_engine": best.map(|mv| G::write_engine_move(position, mv)),
        "score": value,
        "plies_to_end": score::plies_to_end(value),
        "ended": line.ended().is_some().then(|| show_ending(line)),
        "depth": report.depth(),
        "selective_depth": report.selective_depth,
        "nodes": report.nodes,
        "time_ms": milliseconds(report.time),
        "nps": nodes_per_second(report.nodes, report.time),
        "pv": pv,
        "lines": report.lines.iter().map(|line| line_to_json::<G>(position, line)).collect::<Vec<_>>(),
    })
}

/// What each technique did.
pub(crate) fn techniques_to_json<M>(report: &Report<M>) -> Value {
    counted(report).map(|(name, tries, cuts)| (name, json!({"tries": tries, "effects": cuts}))).collect()
}

fn line_to_json<G: Playable>(position: &G::Position, line: &Line<G::Move>) -> Value {
    let (bound, pv) = (bound_name(line.bound), show_moves::<G>(position, &line.pv));
    json!({"score": line.score, "bound": bound, "depth": line.depth, "pv": pv})
}

/// A row of the table: an iteration, or one of its lines, or a bound on the way to it.
pub(crate) fn iteration_to_json<G: Playable>(position: &G::Position, progress: &Progress<G::Move>) -> Value {
    json!({
        "depth": progress.depth,
        "selective_depth": progress.selective_depth,
        "line": progress.line,
        "score": progress.score,
        "bound": bound_name(progress.bound),
        "nodes": progress.nodes,
        "time_ms": milliseconds(progress.time),
        "nps": nodes_per_second(progress.nodes, progress.time),
        "pv": show_moves::<G>(position, &progress.pv),
    })
}

fn bound_name(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}
