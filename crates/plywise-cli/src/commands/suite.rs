//! `plywise suite`: a test suite under several profiles: nodes, time, and what is solved.

mod attempt;
mod report;

use crate::arguments::LimitArgs;
use crate::engine::{Setup, read_file};
use crate::games::{self, BoardGame};
use crate::memory::check_tables;
use crate::progress::Meter;
use crate::table::Format;
use crate::variants::VariantArgs;
use crate::{Failure, Outcome};
use attempt::{Attempt, Problem};
use clap::Args;
use plywise_game::epd;
use plywise_game::random::Random;
use plywise_search::{Limits, Searcher};
use report::Row;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Run a test suite under several profiles: nodes, time, solved, and what changed against the first
///
/// A position is solved if the move at the end of its search is one of the best moves (bm) of its line and none to be
/// avoided (am). Every position is searched from a clean slate, so that the numbers do not depend on the order. The
/// standard error of the number solved, n of N, is sqrt(N p (1 - p)) with p = n / N (Lim & Lee 2006).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise suite wac.epd --game chess --profiles brute,best --depth 4,6
  plywise suite wac.epd --profiles best --sweep aspiration.window=10,25,50 --nodes 100000 --markdown")]
pub struct Arguments {
    /// The suite: lines of POSITION bm MOVE [MOVE…]; id "…";
    pub file: String,
    /// The name of the game.
    #[arg(long, value_name = "GAME", default_value = "chess", help = games::help())]
    pub game: String,
    /// Positions that are searched at the same time [default: as many as the machine has cores for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Stop a search when its best move has been right for N iterations in a row, and count the nodes up to the first
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    pub stop_when_solved: Option<u16>,
    /// Only this many positions, drawn at random
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub sample: Option<u32>,
    /// Where the random draw begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub variants: VariantArgs,
    /// List every position with its move, nodes and the depth at which it was solved
    #[arg(long, help_heading = "Output")]
    pub details: bool,
    #[command(flatten)]
    pub format: Format,
}

/// Runs the suite of the arguments.
pub fn run<G: BoardGame>(args: &Arguments, out: &mut dyn Write) -> Outcome {
    let all_limits = args.limits.required()?;
    let setups = args.variants.setups::<G>()?;
    let problems = sample(read_problems::<G>(&args.file)?, args);
    let jobs = jobs(args, problems.len());
    check_tables(args.variants.resources.hash, jobs)?;
    let heats: Vec<Heat<G>> =
        all_limits.iter().flat_map(|limits| setups.iter().map(move |setup| Heat { setup, limits })).collect();
    let attempts = run_heats(&heats, &problems, jobs, args.stop_when_solved)?;
    let rows: Vec<Row<G>> = heats.iter().zip(attempts).map(|(heat, attempts)| Row::new(heat, attempts)).collect();
    // The first row of each limit is what the others of that limit are measured against.
    let groups: Vec<&[Row<G>]> = rows.chunks(setups.len()).collect();
    report::write(args, &problems, &groups, out)
}

/// One player under one limit.
struct Heat<'a, G: BoardGame> {
    setup: &'a Setup<G>,
    limits: &'a Limits,
}

fn read_problems<G: BoardGame>(file: &str) -> Outcome<Vec<Problem<G>>> {
    let text = read_file(file)?;
    let entries = epd::read::<G, _>(text.as_bytes());
    let named = |error| Failure::input(format!("suite '{file}', {error}"));
    let problems: Vec<Problem<G>> = entries
        .enumerate()
        .map(|(i, entry)| entry.map(|entry| Problem::new(i, entry)).map_err(named))
        .collect::<Outcome<_>>()?;
    if problems.is_empty() {
        return Err(Failure::input(format!("suite '{file}' holds no position")));
    }
    if let Some(over) = problems.iter().find(|problem| G::outcome(&problem.entry.position).is_some()) {
        return Err(Failure::input(format!("suite '{file}': the game is over in position '{}'", over.id)));
    }
    Ok(problems)
}

fn sample<G: BoardGame>(mut problems: Vec<Problem<G>>, args: &Arguments) -> Vec<Problem<G>> {
    let wanted = args.sample.map_or(problems.len(), |n| problems.len().min(n as usize));
    let mut drawn = Random::new(args.seed).shuffled(0..problems.len());
    drawn.truncate(wanted);
    drawn.sort_unstable();
    let mut place = 0;
    problems.retain(|_| {
        place += 1;
        drawn.binary_search(&(place - 1)).is_ok()
    });
    problems
}

fn jobs(args: &Arguments, problems: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores / args.variants.resources.threads, usize::from);
    jobs.clamp(1, problems)
}

/// Searches every problem in every heat, several at a time; the attempts of each heat in the order of the problems.
fn run_heats<G: BoardGame>(
    heats: &[Heat<G>],
    problems: &[Problem<G>],
    jobs: usize,
    patience: Option<u16>,
) -> Outcome<Vec<Vec<Attempt<G::Move>>>> {
    let total = heats.len() * problems.len();
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    // What is wrong with a heat is found before hours are spent on those before it.
    heats.iter().try_for_each(|heat| heat.setup.knowledge().map(drop))?;
    let mut attempts: Vec<Option<Attempt<G::Move>>> = vec![None; total];
    let searchers = (0..jobs).map(|_| heats[0].setup.searcher()).collect::<Outcome<Vec<_>>>()?;
    thread::scope(|scope| -> Outcome {
        for mut searcher in searchers {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                // The searchers were made for the first heat.
                let mut last_heat = 0;
                while let Some(task) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&task| task < total) {
                    let (heat, problem) = (task / problems.len(), &problems[task % problems.len()]);
                    let attempt = prepare(&mut searcher, heats[heat].setup, heat != last_heat)
                        .map(|()| problem.attempt(&mut searcher, heats[heat].limits, patience));
                    last_heat = heat;
                    if sender.send((task, attempt)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut meter = Meter::new(total as u64, "positions");
        for (task, attempt) in results {
            attempts[task] = Some(attempt?);
            meter.advance();
        }
        meter.finish();
        Ok(())
    })?;
    let attempts: Vec<Attempt<G::Move>> = attempts.into_iter().flatten().collect();
    Ok(attempts.chunks(problems.len()).map(<[_]>::to_vec).collect())
}

/// Lets a searcher begin from nothing as the player of a heat.
fn prepare<G: BoardGame>(searcher: &mut Searcher<G, G::Evaluation>, setup: &Setup<G>, is_new: bool) -> Outcome {
    if is_new {
        return setup.teach(searcher);
    }
    searcher.forget();
    Ok(())
}
