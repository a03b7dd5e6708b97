//! The program `plywise-trials`.

use clap::Parser;
use comfy_table::{Table, presets};
use plywise_trials::{GROUPS, Programs, Settings, Trial, TrialCounts, engines, run, trials};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

/// Try to break plywise, and say how often it was tried and what broke
///
/// Every case follows from the trial, the seed and its number. What is found is printed with the command that shows it
/// again, and the exit code is 1.
#[derive(Debug, Parser)]
#[command(after_help = "\
Examples:
  plywise-trials all --long
  plywise-trials parsers --count 1000000 --seed 7
  plywise-trials parsers --only 'chess PGN' --seed 7 --case 4711")]
struct Arguments {
    /// What to try
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(["all"].into_iter().chain(GROUPS)))]
    group: String,
    /// Only trials whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// The cases of each trial [default: as many as take seconds]
    #[arg(long, value_name = "N", conflicts_with = "case")]
    count: Option<u64>,
    /// As many cases of each trial as a release is tried with
    #[arg(long, conflicts_with_all = ["count", "case"])]
    long: bool,
    /// What all cases follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// This case alone
    #[arg(long, value_name = "N")]
    case: Option<u64>,
    /// Begin no case after this many minutes of one trial
    #[arg(long, value_name = "N")]
    minutes: Option<f64>,
    /// Cases at the same time [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The program plywise [default: the one that this is built with]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    match arguments.nth(1).as_deref().and_then(|word| word.to_str()) {
        Some(plywise_trials::AS_PLYWISE) => {
            let line = ["plywise".into()].into_iter().chain(arguments);
            return plywise_cli::run(&plywise_cli::built_in(), line, &mut io::stdout(), &mut io::stderr(), &|_| {});
        }
        Some(engines::AS_ENGINE) => return engines::serve(arguments),
        _ => {}
    }
    match try_out(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "plywise-trials: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the trials that are asked for, and gives the number of finds.
fn try_out(args: &Arguments) -> io::Result<usize> {
    let programs = Programs::new(&std::env::current_exe()?, args.program.clone());
    let chosen: Vec<Trial> = trials(&programs)
        .into_iter()
        .filter(|trial| (args.group == "all" || args.group == trial.group) && trial.name.contains(&args.only))
        .collect();
    let mut out = io::stdout();
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(["trial", "", "cases", "finds", "seconds"]);
    let mut finds = 0;
    for trial in &chosen {
        let counts = run(trial, &settings(args, trial));
        for find in &counts.finds {
            writeln!(out, "{find}\n")?;
        }
        let _ = writeln!(io::stderr(), "{}: {}, {} cases", trial.group, trial.name, counts.cases);
        finds += counts.finds.len();
        table.add_row(row(trial, &counts));
    }
    writeln!(out, "{table}")?;
    Ok(finds)
}

fn settings(args: &Arguments, trial: &Trial) -> Settings {
    let count = match (args.case, args.count) {
        (Some(_), _) => 1,
        (None, Some(count)) => count,
        (None, None) => {
            if args.long {
                trial.long
            } else {
                trial.short
            }
        }
    };
    Settings {
        seed: args.seed,
        first: args.case.unwrap_or(0),
        count,
        until: args.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(minutes.max(0.0) * 60.0)),
        jobs: args.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)),
    }
}

fn row(trial: &Trial, counts: &TrialCounts) -> [String; 5] {
    let seconds = format!("{:.1}", counts.time.as_secs_f64());
    [trial.group.into(), trial.name.clone(), counts.cases.to_string(), counts.finds.len().to_string(), seconds]
}
