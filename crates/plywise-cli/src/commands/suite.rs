//! `plywise suite`: a test suite under several profiles: nodes, time, and what is solved.

mod attempt;
mod picture;
pub(crate) mod report;

use crate::arguments::{LimitArgs, describe_limits};
use crate::engine::{Setup, TypedSetup, hosted};
use crate::games::{self, Playable};
use crate::memory::check_tables;
use crate::plots::PlotArgs;
use crate::progress::Meter;
use crate::runs::{RunArgs, Work, describe_setup, fail};
use crate::table::Format;
use crate::variants::VariantArgs;
use crate::{Failure, Result, files};
use attempt::Attempt;
pub(crate) use attempt::{Enough, Problem};
use clap::{Args, ValueEnum};
use plywise_arena::run::digest;
use plywise_game::epd;
use plywise_game::random::Random;
use plywise_net::NetworkEvaluation;
use plywise_search::{Limits, Searcher, Signal};
use report::Row;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread;

/// Run a test suite under several profiles: nodes, time, solved, and what changed against the first
///
/// A position is solved if the move at the end of its search is one of the best moves (bm) of its line and none to be
/// avoided (am). Every search starts from a clean slate: the order does not matter. The
/// standard error of the number solved, n of N, is sqrt(N p (1 - p)) with p = n / N (Lim & Lee 2006). --plot shows how many
/// were solved for good after how many nodes, or with --sweep a map of what each value solves.
#[derive(Debug, Args)]
#[command(override_usage = "plywise suite [OPTIONS] [GAME] [FILE]")]
#[command(after_help = "\
Examples:
  plywise suite chess --profiles brute,best --depth 3,4
  plywise suite chess wac.epd --profiles brute,best --depth 4,6
  plywise suite chess wac.epd --depth 6 --details --csv
  plywise suite chess wac.epd --profiles brute,best --nodes 100000 --until-proven
  plywise suite chess wac.epd --profiles brute,best --nodes 100000 --plot solved.svg
  plywise suite chess wac.epd --profiles best --sweep aspiration.window=10,25,50 --nodes 100000 --markdown")]
pub struct Arguments {
    /// The name of the game.
    #[arg(default_value = games::DEFAULT, help = games::HELP)]
    pub game: String,
    /// The suite: lines of POSITION bm MOVE [MOVE…]; id "…"; or the name of one that comes with the game: 'tactics' of
    /// chess, 'wins' and 'wins-by-brute' of Lines of Action, 'openings' of all [default: the first of the game's own]
    pub file: Option<String>,
    /// How many positions to search at the same time [default: as many as the machine has cores for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Stop a search when its best move has been right for N iterations in a row, and count the nodes up to the first
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    pub stop_when_solved: Option<u16>,
    /// Count a position as solved where a forced win was proved, whatever the move, and stop its search there
    #[arg(long, conflicts_with = "stop_when_solved")]
    pub until_proven: bool,
    #[command(flatten)]
    pub part: PartArgs,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub variants: VariantArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// List every position with its move, nodes and the depth at which it was solved
    #[arg(long, help_heading = "Output")]
    pub details: bool,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub format: Format,
}

/// Which positions of a suite.
#[derive(Debug, Default, Args)]
pub struct PartArgs {
    /// Only one half of the suite: choose settings on 'tune' and report the other. A hash of the position decides
    #[arg(long, value_name = "tune|report")]
    pub half: Option<Half>,
    /// Only this many positions, chosen at random
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub sample: Option<u32>,
}

/// A half of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Half {
    /// To choose settings on
    Tune,
    /// To report them on
    Report,
}

impl Half {
    /// The half that a position belongs to, in every suite that has it.
    fn of<G: Playable>(position: &G::Position) -> Half {
        // The last digit of the digest of what the position looks like, whatever its counters.
        let text = G::write_position(position);
        let board: Vec<&str> = text.split_whitespace().take(2).collect();
        match digest(board.join(" ").as_bytes()).bytes().last() {
            Some(b'0'..=b'7') => Half::Tune,
            _ => Half::Report,
        }
    }
}

/// What documents and run directories call it.
const COMMAND: &str = "suite";

/// Runs the suite of the arguments.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let all_limits = args.limits.required()?;
    args.plot.check()?;
    let setups = args.variants.setups::<G>()?;
    let problems = read_problems::<G>(args.file::<G>()?, &args.part, args.seed)?;
    let jobs = jobs(args, problems.len());
    check_tables(args.variants.resources.hash, jobs)?;
    let heats: Vec<Heat> =
        all_limits.iter().flat_map(|limits| setups.iter().map(move |setup| Heat { setup, limits })).collect();
    let attempts = run_heats(args, &heats, &problems, jobs, stop)?;
    // An interrupted suite tells of the positions that all players have searched.
    let searched = problems.into_iter().zip(attempts).filter_map(|(problem, attempts)| Some((problem, attempts?)));
    let (problems, attempts): (Vec<Problem<G>>, Vec<Vec<Attempt>>) = searched.unzip();
    let of_heat = |heat: usize| attempts.iter().map(|of_problem| of_problem[heat].clone()).collect();
    let rows: Vec<Row> = heats.iter().enumerate().map(|(i, heat)| Row::new(heat, of_heat(i))).collect();
    // The first row of each limit is what the others of that limit are measured against.
    let groups: Vec<&[Row]> = rows.chunks(setups.len()).collect();
    args.plot.draw(&|| picture::panels(args, &groups), out)?;
    report::write(args, &problems, &groups, out)
}

impl Arguments {
    fn enough(&self) -> Enough {
        match (self.until_proven, self.stop_when_solved) {
            (true, _) => Enough::Proof,
            (false, Some(iterations)) => Enough::Right(iterations),
            (false, None) => Enough::Limit,
        }
    }

    fn file<G: Playable>(&self) -> Result<&str> {
        let own = || G::SUITES.first().map(|(name, _)| *name);
        let none = || {
            Failure::input(format!("{} has no suite of its own: name a file with positions, or 'openings'", G::TITLE))
        };
        self.file.as_deref().or_else(own).ok_or_else(none)
    }
}

/// One player under one limit.
struct Heat<'a> {
    setup: &'a Setup,
    limits: &'a Limits,
}

/// The suites that come with a game: names and texts.
fn all_own<G: Playable>() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    G::SUITES.iter().chain((!G::OPENINGS.is_empty()).then_some(&("openings", G::OPENINGS)))
}

/// The text of a suite that comes with a game.
pub(crate) fn own<G: Playable>(name: &str) -> Option<&'static str> {
    all_own::<G>().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The text of a suite of this name: one that comes with the game, or a file.
fn read_suite<G: Playable>(name: &str) -> Result<Cow<'static, str>> {
    match own::<G>(name) {
        Some(text) => Ok(Cow::Borrowed(text)),
        None => files::read_text(name).map(Cow::Owned).map_err(|failure| {
            let own = all_own::<G>().map(|(name, _)| format!("'{name}'")).collect::<Vec<_>>();
            match failure {
                Failure::Input(sentence) if !own.is_empty() && Path::new(name).extension().is_none() => {
                    Failure::Input(format!("{sentence}; the suites of {} are {}", G::TITLE, own.join(", ")))
                }
                failure => failure,
            }
        }),
    }
}

/// The positions of a suite, or the part of them that is wanted.
pub(crate) fn read_problems<G: Playable>(file: &str, part: &PartArgs, seed: u64) -> Result<Vec<Problem<G>>> {
    let text = read_suite::<G>(file)?;
    let entries = epd::read::<G, _>(text.as_bytes());
    let named = |error| Failure::input(format!("suite '{file}', {error}"));
    let mut problems: Vec<Problem<G>> = entries
        .enumerate()
        .map(|(i, entry)| entry.map(|entry| Problem::new(i, entry)).map_err(named))
        .collect::<Result<_>>()?;
    if problems.is_empty() {
        return Err(Failure::input(format!("suite '{file}' holds no position")));
    }
    if let Some(over) = problems.iter().find(|problem| G::outcome(&problem.entry.position).is_some()) {
        return Err(Failure::input(format!("suite '{file}': the game is over in position '{}'", over.id)));
    }
    problems.retain(|problem| part.half.is_none_or(|half| half == Half::of::<G>(&problem.entry.position)));
    if problems.is_empty() {
        return Err(Failure::input("this half of the suite is empty"));
    }
    Ok(sample(problems, part.sample, seed))
}

fn sample<G: Playable>(mut problems: Vec<Problem<G>>, wanted: Option<u32>, seed: u64) -> Vec<Problem<G>> {
    let wanted = wanted.map_or(problems.len(), |n| problems.len().min(n as usize));
    let mut chosen = Random::new(seed).shuffled(0..problems.len());
    chosen.truncate(wanted);
    chosen.sort_unstable();
    let mut place = 0;
    problems.retain(|_| {
        place += 1;
        chosen.binary_search(&(place - 1)).is_ok()
    });
    problems
}

fn jobs(args: &Arguments, problems: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores / args.variants.resources.threads, usize::from);
    jobs.clamp(1, problems)
}

/// Searches every problem in every heat, several at a time; for each problem the attempts of all heats, or nothing where
/// it was interrupted before.
///
/// A unit of the work is one problem in one heat. All heats search a problem before the next one begins: what an
/// interrupted suite has found can be compared.
fn run_heats<G: Playable>(
    args: &Arguments,
    heats: &[Heat],
    problems: &[Problem<G>],
    jobs: usize,
    stop: &Signal,
) -> Result<Vec<Option<Vec<Attempt>>>> {
    let total = (heats.len() * problems.len()) as u64;
    let mut units = args.run.units(Work::new(work(args, heats, problems)?, total), |_, _| Ok(()))?;
    // The searchers are made for the first heat.
    let searchers = (0..jobs).map(|_| Ok((heats[0].setup.searcher::<G>()?, 0))).collect::<Result<Vec<_>>>()?;
    let search =
        |(searcher, last_heat): &mut (Searcher<G, NetworkEvaluation<G>>, usize), number: u64, stop: &Signal| {
            let (problem, heat) = (number as usize / heats.len(), number as usize % heats.len());
            // What a heat needs was looked at before.
            prepare(searcher, heats[heat].setup, heat != *last_heat).ok()?;
            *last_heat = heat;
            problems[problem].attempt(searcher, heats[heat].limits, args.enough(), stop)
        };
    let mut meter = Meter::new(total, "positions");
    let mut each = |_, _: &Attempt| {
        meter.advance();
        ControlFlow::Continue(())
    };
    units.work(total, searchers, stop, search, &mut each).map_err(fail)?;
    meter.finish();
    let mut found = units.into_finished();
    let in_all_heats = |problem: usize| {
        let first = problem * heats.len();
        (first..first + heats.len()).map(|number| found.remove(&(number as u64))).collect()
    };
    Ok((0..problems.len()).map(in_all_heats).collect())
}

/// Everything that decides the results.
fn work<G: Playable>(args: &Arguments, heats: &[Heat], problems: &[Problem<G>]) -> Result<Value> {
    let describe = |heat: &Heat| {
        Ok(json!({"limits": describe_limits(heat.limits), "player": describe_setup(&*hosted::<G>(), heat.setup)?}))
    };
    Ok(json!({
        "command": COMMAND,
        "game": G::NAME,
        "positions": problems.iter().map(|problem| problem.entry.to_string()).collect::<Vec<_>>(),
        "heats": heats.iter().map(describe).collect::<Result<Vec<_>>>()?,
        "stop_when_solved": args.stop_when_solved,
        "until_proven": args.until_proven,
    }))
}

/// Lets a searcher begin from nothing as the player of a heat.
fn prepare<G: Playable>(searcher: &mut Searcher<G, NetworkEvaluation<G>>, setup: &Setup, is_new: bool) -> Result {
    if is_new {
        return setup.reconfigure(searcher);
    }
    searcher.forget();
    Ok(())
}
