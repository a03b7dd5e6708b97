//! Which commands have units that other machines can do, and which of their arguments matter there.

use crate::cli::Command;
use crate::commands::{evolve, forge, learn};
use crate::games::Games;
use crate::inputs::{Input, Kind};
use crate::players::PlayerSpec;
use crate::runs::RunArgs;
use crate::{Failure, Result};
use plywise_arena::engine::Engine;
use std::ffi::OsString;
use std::path::PathBuf;

/// What others have to know of a command, or may not touch. An argument that names a file or starts a process is in one of
/// these lists, or it does not exist for workers.
pub(crate) struct Parts<'a> {
    pub(crate) run: &'a mut RunArgs,
    pub(crate) game: &'a str,
    /// Whether later units follow from the results of earlier ones.
    pub(crate) in_steps: bool,
    pub(crate) jobs: Jobs<'a>,
    /// The files that it reads.
    pub(crate) inputs: Vec<Input<'a>>,
    /// The files that it writes.
    pub(crate) outputs: Vec<Output<'a>>,
    /// The processes that it starts.
    pub(crate) starts: Vec<Start<'a>>,
}

/// A file that a command writes.
#[derive(Debug)]
pub(crate) enum Output<'a> {
    /// It always does.
    Always(&'a mut PathBuf),
    /// Only where it is asked for.
    Wanted(&'a mut Option<PathBuf>),
}

/// A process that a command starts.
#[derive(Debug)]
pub(crate) struct Start<'a> {
    pub(crate) engine: &'a mut Engine,
    /// Whether a folder is named in which it runs.
    pub(crate) has_directory: bool,
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
    match command {
        Command::Suite(args) => Some(Parts {
            run: &mut args.run,
            game: &args.game,
            in_steps: false,
            jobs: Jobs::Maybe(&mut args.jobs),
            inputs: joined([texts(Kind::Suite, &mut args.file), args.variants.inputs()]),
            outputs: vec![Output::Wanted(&mut args.plot.plot)],
            starts: Vec::new(),
        }),
        Command::Match(args) => {
            let (mut inputs, mut starts) = (args.openings.inputs(), Vec::new());
            for spec in args.a.iter_mut().chain(&mut args.b).chain(&mut args.player) {
                let (files, start) = spec.needs();
                inputs.extend(files);
                starts.extend(start);
            }
            Some(Parts {
                run: &mut args.run,
                game: &args.game,
                in_steps: false,
                jobs: Jobs::Maybe(&mut args.jobs),
                inputs,
                outputs: vec![Output::Wanted(&mut args.pgn), Output::Wanted(&mut args.plot.plot)],
                starts,
            })
        }
        Command::Gather(args) => Some(Parts {
            run: &mut args.run,
            game: &args.game,
            in_steps: args.until_stable.is_some(),
            jobs: Jobs::Never,
            inputs: joined([paths(&mut args.pgn), texts(Kind::Openings, &mut args.openings), args.search.inputs()]),
            outputs: vec![Output::Always(&mut args.output), Output::Wanted(&mut args.plot.plot)],
            starts: Vec::new(),
        }),
        Command::Forge(args) => match &mut args.what {
            forge::What::Data(args) => Some(Parts {
                run: &mut args.run,
                game: &args.game,
                in_steps: false,
                jobs: Jobs::Always(&mut args.jobs),
                inputs: joined([
                    paths(&mut args.merge),
                    paths(&mut args.stats),
                    texts(Kind::Openings, &mut args.openings),
                    args.search.inputs(),
                ]),
                outputs: args.output.iter_mut().map(Output::Always).collect(),
                starts: Vec::new(),
            }),
            forge::What::Games(args) => {
                let (inputs, start) = args.player.needs();
                Some(Parts {
                    run: &mut args.run,
                    game: &args.game,
                    in_steps: false,
                    jobs: Jobs::Always(&mut args.jobs),
                    inputs,
                    outputs: vec![Output::Always(&mut args.output)],
                    starts: start.into_iter().collect(),
                })
            }
            forge::What::Suite(args) => Some(Parts {
                run: &mut args.run,
                game: &args.game,
                in_steps: false,
                jobs: Jobs::Always(&mut args.jobs),
                inputs: texts(Kind::Profile, [&mut args.player, &mut args.prover]),
                outputs: vec![Output::Always(&mut args.output)],
                starts: Vec::new(),
            }),
        },
        Command::Learn(args) => match &mut args.what {
            learn::What::Extensions(args) => Some(Parts {
                run: &mut args.run,
                game: &args.game,
                in_steps: true,
                jobs: Jobs::Maybe(&mut args.jobs),
                inputs: joined([
                    texts(Kind::Suite, &mut args.suite),
                    texts(Kind::Profile, [&mut args.against, &mut args.profile]),
                    paths(&mut args.options),
                    args.resources.inputs(),
                ]),
                outputs: vec![Output::Always(&mut args.output)],
                starts: (args.engine.iter_mut())
                    .map(|examined| Start { engine: &mut examined.engine, has_directory: false })
                    .collect(),
            }),
            learn::What::Spsa(args) => {
                let (inputs, start) = args.player.needs();
                Some(Parts {
                    run: &mut args.run,
                    game: &args.game,
                    in_steps: true,
                    jobs: Jobs::Always(&mut args.jobs),
                    inputs: joined([inputs, paths(&mut args.options), args.openings.inputs()]),
                    outputs: vec![Output::Always(&mut args.output)],
                    starts: start.into_iter().collect(),
                })
            }
            _ => None,
        },
        Command::Evolve(args) => match &mut args.what {
            evolve::What::Coeval(args) => Some(Parts {
                run: &mut args.run,
                game: &args.game,
                in_steps: true,
                jobs: Jobs::Maybe(&mut args.jobs),
                inputs: joined([
                    texts(Kind::Profile, args.from.iter_mut().chain([&mut args.profile])),
                    args.games.openings.inputs(),
                    paths(&mut args.genes.genes),
                ]),
                outputs: vec![Output::Always(&mut args.output)],
                starts: Vec::new(),
            }),
            evolve::What::Search(args) => {
                let (inputs, start) = args.engine.as_mut().map(PlayerSpec::needs).unwrap_or_default();
                Some(Parts {
                    run: &mut args.run,
                    game: &args.game,
                    in_steps: true,
                    jobs: Jobs::Maybe(&mut args.jobs),
                    inputs: joined([
                        texts(Kind::Suite, &mut args.suite),
                        texts(Kind::Profile, [&mut args.profile]),
                        inputs,
                        paths(&mut args.options),
                        args.games.openings.inputs(),
                        paths(&mut args.genes.genes),
                    ]),
                    outputs: vec![Output::Always(&mut args.output)],
                    starts: start.into_iter().collect(),
                })
            }
            _ => None,
        },
        _ => None,
    }
}

fn texts<'a>(kind: Kind, names: impl IntoIterator<Item = &'a mut String>) -> Vec<Input<'a>> {
    names.into_iter().map(|name| Input::text(kind, name)).collect()
}

fn paths<'a>(names: impl IntoIterator<Item = &'a mut PathBuf>) -> Vec<Input<'a>> {
    names.into_iter().map(Input::path).collect()
}

fn joined<'a>(inputs: impl IntoIterator<Item = Vec<Input<'a>>>) -> Vec<Input<'a>> {
    inputs.into_iter().flatten().collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::{CommandFactory, Parser};

    /// Command lines for workers, with as little as each command needs. Where options exclude each other there are several.
    const LINES: [(&str, &[&str]); 10] = [
        ("suite", &["suite loa", "suite"]),
        ("match", &["match loa", "match loa --a x", "match loa --b x"]),
        ("gather", &["gather rankcut loa --games 1", "gather rankcut loa --games 1 -o x", "gather rankcut loa -o x"]),
        ("forge data", &["forge data loa -o x", "forge data loa --games 1", "forge data loa --games 1 -o x"]),
        ("forge games", &["forge games loa --games 1", "forge games loa --games 1 -o x"]),
        ("forge suite", &["forge suite loa --count 1", "forge suite loa --count 1 -o x"]),
        (
            "learn extensions",
            &[
                "learn extensions loa --offline --suite x",
                "learn extensions loa --offline -o x",
                "learn extensions loa --offline --suite x -o x",
                "learn extensions loa --offline --suite x --engine uci:x -o x",
                "learn extensions loa --online --play 1 -o x",
            ],
        ),
        ("learn spsa", &["learn spsa loa --tune x", "learn spsa loa -o x", "learn spsa loa --tune x -o x"]),
        ("evolve coeval", &["evolve coeval loa"]),
        (
            "evolve search",
            &[
                "evolve search loa --suite x",
                "evolve search loa",
                "evolve search loa --suite x --engine uci:x",
                "evolve search loa --suite x --options x",
            ],
        ),
    ];

    /// Whether an argument names a file or a program.
    fn names_something(argument: &clap::Arg) -> bool {
        const NAMES: [&str; 5] = ["FILE", "PLAYER", "PROFILE", "COMMAND", "A,B"];
        let names = argument.get_value_names().unwrap_or_default();
        names.iter().any(|name| NAMES.iter().any(|known| name.contains(known))) || argument.get_id() == "file"
    }

    /// No argument of a command that workers run reads, writes or starts something that is not in its parts.
    #[test]
    fn every_argument_that_names_a_file_or_a_program_is_known() {
        let all = Cli::command();
        for (name, lines) in LINES {
            let command = name.split(' ').fold(&all, |command, name| command.find_subcommand(name).unwrap());
            let arguments: Vec<_> = command.get_arguments().filter(|argument| names_something(argument)).collect();
            assert!(!arguments.is_empty(), "{name}");
            for argument in arguments {
                let marked = |line: &&str| {
                    let mut words: Vec<String> = format!("plywise {line}").split(' ').map(str::to_owned).collect();
                    words.extend(argument.get_long().map(|option| format!("--{option}")));
                    let is_command = argument.get_value_names().unwrap_or_default()[0].contains("COMMAND");
                    words.push(if is_command { "thesis:MARK".into() } else { "MARK".into() });
                    let mut command = Cli::try_parse_from(words).ok()?.command;
                    let parts = parts(&mut command)?;
                    Some(format!("{:?} {:?} {:?}", parts.inputs, parts.outputs, parts.starts))
                };
                let found = lines.iter().find_map(marked);
                let found = found.unwrap_or_else(|| panic!("{name}: no line takes {}", argument.get_id()));
                assert!(found.contains("MARK"), "{name}: {} is unknown to workers", argument.get_id());
            }
        }
    }
}
