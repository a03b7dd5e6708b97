//! Which commands have units that other machines can do, and which of their arguments matter there.

use crate::cli::Command;
use crate::commands::{evolve, forge, learn};
use crate::games::Games;
use crate::runs::RunArgs;
use crate::{Failure, Result};
use std::ffi::OsString;
use std::path::PathBuf;

/// What others have to know of a command, or may not touch.
pub(crate) struct Parts<'a> {
    pub(crate) run: &'a mut RunArgs,
    pub(crate) game: &'a str,
    /// Whether later units follow from the results of earlier ones.
    pub(crate) in_steps: bool,
    pub(crate) jobs: Jobs<'a>,
    /// The files that it writes.
    pub(crate) outputs: Vec<&'a mut PathBuf>,
}

/// How many units at the same time, as commands have it.
pub(crate) enum Jobs<'a> {
    /// As many as there are cores, unless it is said.
    Maybe(&'a mut Option<u16>),
    /// As many as are said.
    Always(&'a mut u16),
    /// As many as there are cores.
    Never,
}

impl Jobs<'_> {
    pub(crate) fn set(&mut self, number: u16) {
        match self {
            Jobs::Maybe(jobs) => **jobs = Some(number),
            Jobs::Always(jobs) => **jobs = number,
            Jobs::Never => {}
        }
    }
}

/// The parts of a command with units that others can do.
pub(crate) fn parts(command: &mut Command) -> Option<Parts<'_>> {
    /// The fields that all of these commands have, by their usual names.
    macro_rules! parts {
        ($args:expr, $jobs:expr, in_steps: $in_steps:expr) => {
            Some(Parts {
                run: &mut $args.run,
                game: &$args.game,
                in_steps: $in_steps,
                jobs: $jobs,
                outputs: vec![&mut $args.output],
            })
        };
    }
    match command {
        Command::Suite(args) => Some(Parts {
            run: &mut args.run,
            game: &args.game,
            in_steps: false,
            jobs: Jobs::Maybe(&mut args.jobs),
            outputs: Vec::new(),
        }),
        Command::Match(args) => Some(Parts {
            run: &mut args.run,
            game: &args.game,
            in_steps: false,
            jobs: Jobs::Maybe(&mut args.jobs),
            outputs: args.pgn.iter_mut().collect(),
        }),
        Command::Gather(args) => parts!(args, Jobs::Never, in_steps: args.until_stable.is_some()),
        Command::Forge(args) => match &mut args.what {
            forge::What::Data(args) => Some(Parts {
                run: &mut args.run,
                game: &args.game,
                in_steps: false,
                jobs: Jobs::Always(&mut args.jobs),
                outputs: args.output.iter_mut().collect(),
            }),
            forge::What::Games(args) => parts!(args, Jobs::Always(&mut args.jobs), in_steps: false),
            forge::What::Suite(args) => parts!(args, Jobs::Always(&mut args.jobs), in_steps: false),
        },
        Command::Learn(args) => match &mut args.what {
            learn::What::Extensions(args) => parts!(args, Jobs::Maybe(&mut args.jobs), in_steps: true),
            learn::What::Spsa(args) => parts!(args, Jobs::Always(&mut args.jobs), in_steps: true),
            _ => None,
        },
        Command::Evolve(args) => match &mut args.what {
            evolve::What::Coeval(args) => parts!(args, Jobs::Maybe(&mut args.jobs), in_steps: true),
            evolve::What::Search(args) => parts!(args, Jobs::Maybe(&mut args.jobs), in_steps: true),
            _ => None,
        },
        _ => None,
    }
}

/// The run arguments of a command whose work is one piece.
fn alone(command: &Command) -> Option<&RunArgs> {
    match command {
        Command::Annotate(args) => Some(&args.run),
        Command::Compare(args) => Some(&args.run),
        Command::Openings(args) => Some(&args.run),
        Command::Learn(args) => match &args.what {
            learn::What::Eval(args) => Some(&args.run),
            learn::What::Net(args) => Some(&args.run),
            _ => None,
        },
        Command::Evolve(args) => match &args.what {
            evolve::What::Eval(args) => Some(&args.run),
            _ => None,
        },
        _ => None,
    }
}

/// Runs a command, with the help of the workers that it names, if it names any.
pub(crate) fn run(
    mut command: Command,
    games: Games,
    words: &[OsString],
    run_here: &mut dyn FnMut(&Command) -> Result,
) -> Result {
    if alone(&command).is_some_and(|run| run.workers.is_some()) {
        return Err(Failure::input("this command has no units of work that --workers could do"));
    }
    match parts(&mut command) {
        Some(parts) if parts.run.workers.is_some() => with_workers(command, games, words, run_here),
        _ => run_here(&command),
    }
}

#[cfg(not(feature = "cluster"))]
fn with_workers(_: Command, _: Games, _: &[OsString], _: &mut dyn FnMut(&Command) -> Result) -> Result {
    Err(without_cluster())
}

/// Says that this program cannot use other machines.
#[cfg(not(feature = "cluster"))]
pub(crate) fn without_cluster() -> Failure {
    Failure::input("this program cannot use other machines: build it with 'cargo build --release --features cluster'")
}

#[cfg(feature = "cluster")]
use crate::cluster::with_workers;
