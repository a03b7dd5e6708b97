//! `plywise suite`: a test suite under several profiles: nodes, time, and what is solved.

mod picture;
pub(crate) mod report;

use crate::arguments::{self, LimitArgs};
use crate::games;
use crate::jobs::Place;
use crate::memory::check_tables;
use crate::plots::PlotArgs;
use crate::progress::Meter;
use crate::runs::RunArgs;
use crate::suites::read_entries;
use crate::table::Format;
use crate::variants::VariantArgs;
use crate::{Failure, Result};
use clap::Args;
use plywise_arena::suites::{Attempt, Enough, Half, Problem, RunSuite};
use plywise_host::{AnyGame, SuiteEntry, WrittenSetup};
use plywise_search::Signal;
use report::Row;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

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

/// Runs the suite of the arguments.
pub fn run(game: &Arc<dyn AnyGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    args.plot.check()?;
    let job = args.job(&**game)?;
    let jobs = args.jobs(job.positions.len());
    check_tables(args.variants.resources.hash, jobs)?;
    let meter = Mutex::new(Meter::new((job.heats().count() * job.positions.len()) as u64, "positions"));
    let attempts = Place::new(&args.run, jobs, stop)
        .run(&job, game, &|()| meter.lock().unwrap_or_else(PoisonError::into_inner).advance())?;
    meter.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    // An interrupted suite tells of the positions that all players have searched.
    let searched = job.problems(&**game)?.into_iter().zip(attempts);
    let searched = searched.filter_map(|(problem, attempts)| Some((problem, attempts?)));
    let (problems, attempts): (Vec<Problem>, Vec<Vec<Attempt>>) = searched.unzip();
    let of_heat = |heat: usize| attempts.iter().map(|of_problem| of_problem[heat].clone()).collect();
    let row = |(i, (limits, player))| Row::new(player, limits, of_heat(i));
    let rows: Vec<Row> = job.heats().enumerate().map(row).collect();
    // The first row of each limit is what the others of that limit are measured against.
    let groups: Vec<&[Row]> = rows.chunks(job.players.len()).collect();
    args.plot.draw(&|| picture::panels(args, &groups), out)?;
    report::write(&**game, args, &problems, &groups, out)
}

impl Arguments {
    fn enough(&self) -> Enough {
        match (self.until_proven, self.stop_when_solved) {
            (true, _) => Enough::Proof,
            (false, Some(iterations)) => Enough::Right(iterations),
            (false, None) => Enough::Limit,
        }
    }

    /// The suite as a job.
    pub(crate) fn job(&self, game: &dyn AnyGame) -> Result<RunSuite> {
        let limits = self.limits.required()?;
        let setups = self.variants.setups(game)?;
        let entries = read_entries(game, self.file(game)?, &self.part, self.seed)?;
        Ok(RunSuite {
            game: game.name().to_owned(),
            positions: entries.iter().map(SuiteEntry::to_string).collect(),
            limits,
            players: setups.iter().map(|setup| WrittenSetup::of(game, setup)).collect(),
            enough: self.enough(),
        })
    }

    fn file<'a>(&'a self, game: &'a dyn AnyGame) -> Result<&'a str> {
        let own = || game.suites().first().map(|(name, _)| *name);
        let none = || {
            let title = game.title();
            Failure::input(format!("{title} has no suite of its own: name a file with positions, or 'openings'"))
        };
        self.file.as_deref().or_else(own).ok_or_else(none)
    }

    /// How many positions at the same time.
    pub(crate) fn jobs(&self, positions: usize) -> usize {
        arguments::jobs(self.jobs, self.variants.resources.threads).clamp(1, positions)
    }
}
