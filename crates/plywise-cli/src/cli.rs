use crate::commands::{
    analyse, annotate, bench, check_engine, classes, compare, completions, draw, evolve, fastchess, forge, gather, gtp,
    learn, man, matches, openings, params, perft, play, profiles, reproduce, stats, studio, suite, test, tree, worker,
    workers,
};
use crate::games::Games;
use crate::jobs::check_workers;
use crate::{Failure, Result, files, uci, version, which_game};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use plywise_learn::LearnableGame;
use plywise_search::Signal;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// Selective game-tree search for two-player board games: analyse, play, compare and measure.
#[derive(Debug, Parser)]
#[command(name = "plywise", version, after_help = "Example: plywise analyse chess --movetime 3000")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Analyse(analyse::Arguments),
    Compare(compare::Arguments),
    Annotate(annotate::Arguments),
    Play(play::Arguments),
    Uci(uci::Arguments),
    Gtp(gtp::Arguments),
    Perft(perft::Arguments),
    Draw(draw::Arguments),
    Bench(bench::Arguments),
    Profiles(profiles::Arguments),
    Params(params::Arguments),
    Classes(classes::Arguments),
    Suite(suite::Arguments),
    Match(Box<matches::Arguments>),
    Test(Box<test::Arguments>),
    Stats(stats::Arguments),
    CheckEngine(check_engine::Arguments),
    Fastchess(fastchess::Arguments),
    Openings(openings::Arguments),
    Gather(gather::Arguments),
    Forge(forge::Arguments),
    Learn(learn::Arguments),
    Evolve(evolve::Arguments),
    Tree(tree::Arguments),
    Reproduce(reproduce::Arguments),
    Studio(studio::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
    Worker(worker::Arguments),
    Workers(workers::Arguments),
}

/// The exit code for what the user asked wrongly.
const BAD_INPUT: u8 = 2;

/// The exit code of a command that was interrupted: it has told and kept what it had until then.
pub const INTERRUPTED: u8 = 130;

/// Runs the program: reads the arguments, writes results to `out` and complaints to `err`.
///
/// Before long work `listen` is handed the signal that stops it, to be given when the user interrupts the program. The
/// engine of `uci` talks to the process's own standard input and output, because it does so from two threads.
pub fn run(
    games: &[Arc<dyn LearnableGame>],
    arguments: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    listen: &dyn Fn(&Signal),
) -> ExitCode {
    ExitCode::from(run_to_code(games, arguments, out, err, listen))
}

/// [`run`] with the exit code as a number.
pub(crate) fn run_to_code(
    games: &[Arc<dyn LearnableGame>],
    arguments: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    listen: &dyn Fn(&Signal),
) -> u8 {
    const SUCCESS: u8 = 0;
    const FAILURE: u8 = 1;
    let stop = Signal::new();
    let games = Games(games);
    let result = match parse(games, arguments) {
        Ok(cli) => {
            if cli.command.is_long() {
                listen(&stop);
            }
            cli.command.run(games, out, &stop)
        }
        Err(error) => answer_clap(&error, games, out),
    };
    match result {
        Ok(()) if stop.is_stopped() => {
            let _ = writeln!(err, "plywise: interrupted; this is what was finished");
            INTERRUPTED
        }
        Ok(()) => SUCCESS,
        // The reader has read enough, as `head` does.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => SUCCESS,
        Err(Failure::Verdict(code)) => code,
        Err(failure) => {
            // What the user wrote may hold line breaks; the sentence stays on its line.
            let sentence = failure.to_string().replace(char::is_control, " ");
            // Nothing is left to tell if even this fails.
            let _ = writeln!(err, "plywise: {sentence}");
            match failure {
                Failure::Input(_) => BAD_INPUT,
                Failure::Interrupted => INTERRUPTED,
                Failure::Verdict(code) => code,
                Failure::Failed(_) | Failure::Output(_) => FAILURE,
            }
        }
    }
}

/// Runs a command for another one, whose signal stops it.
pub(crate) fn run_within(
    games: Games,
    arguments: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    stop: &Signal,
) -> Result {
    let cli = parse(games, arguments).map_err(|error| refusal(&error))?;
    match cli.command.run(games, out, stop) {
        // Its document says the same as its exit code.
        Err(Failure::Verdict(_)) => Ok(()),
        result => result,
    }
}

/// All commands with their arguments and their help.
pub fn command(games: &[Arc<dyn LearnableGame>]) -> clap::Command {
    completed(Cli::command(), Games(games))
}

/// Reads the arguments.
pub(crate) fn parse(games: Games, arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let words = as_called(arguments.into_iter().map(shielded).collect());
    let mut matches = which_game::read(command(games.0), games, words)?;
    Cli::from_arg_matches_mut(&mut matches)
}

/// The words of a command line, with the command that the program's name stands for. Interfaces that start an engine
/// without arguments start a link or a copy of this name.
fn as_called(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_engine = words.first().and_then(|name| Path::new(name).file_stem()).is_some_and(|name| name == ENGINE_NAME);
    if is_engine {
        words.insert(1, "uci".into());
    }
    words
}

/// What the program is called where it is an engine and nothing else.
const ENGINE_NAME: &str = "plywise-uci";

/// A command whose arguments know the games. A negative number is a value everywhere: each option says itself what it
/// takes.
pub(crate) fn completed(command: clap::Command, games: Games) -> clap::Command {
    let takes_value = |arg: &clap::Arg| arg.get_action().takes_values();
    let after = command.get_after_help().map(|text| unbroken(&text.to_string()));
    let command = if let Some(after) = after { command.after_help(after) } else { command };
    command
        .mut_args(|arg| if takes_value(&arg) { arg.allow_negative_numbers(true) } else { arg })
        .mut_args(|arg| games.introduce(arg))
        .mut_subcommands(|command| completed(command, games))
}

/// A text whose paragraphs are one line each, for the terminal to break. Indented lines and headings stay as they are.
fn unbroken(text: &str) -> String {
    let mut whole = String::new();
    let mut goes_on = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        match whole.is_empty() {
            true => {}
            false => whole.push(if goes_on && is_prose { ' ' } else { '\n' }),
        }
        whole.push_str(line);
        goes_on = is_prose && !line.ends_with(':');
    }
    whole
}

/// Positions of Othello often begin with the hyphens of empty squares. No option is that long, and a leading space says
/// so; parsing a position ignores it.
fn shielded(argument: OsString) -> OsString {
    const LONGEST_OPTION: usize = 60;
    match argument.to_str() {
        Some(text) if text.starts_with('-') && !text.contains('=') && text.len() > LONGEST_OPTION => {
            format!(" {text}").into()
        }
        _ => argument,
    }
}

impl Command {
    /// Whether an interrupt lets it finish its books. Everything else has none and is ended by it.
    fn is_long(&self) -> bool {
        use Command::{
            Analyse, Annotate, CheckEngine, Compare, Evolve, Fastchess, Forge, Gather, Learn, Match, Openings,
            Reproduce, Suite, Test, Tree, Worker,
        };
        match self {
            Analyse(_) | Annotate(_) | Compare(_) | Suite(_) | Match(_) | Test(_) | Openings(_) | Gather(_)
            | Forge(_) | Learn(_) | Evolve(_) | Reproduce(_) | Worker(_) | CheckEngine(_) | Fastchess(_) => true,
            Tree(args) => args.is_long(),
            _ => false,
        }
    }

    /// Runs it.
    fn run(&self, games: Games, out: &mut dyn Write, stop: &Signal) -> Result {
        check_workers(self)?;
        files::interruptible(stop, || self.run_with(games, out, stop))
    }

    fn run_with(&self, games: Games, out: &mut dyn Write, stop: &Signal) -> Result {
        match self {
            Command::Analyse(args) => analyse::run(&*games.game(&args.place.game)?, args, out, stop),
            Command::Compare(args) => compare::run(&*games.game(&args.place.game)?, args, out, stop),
            Command::Annotate(args) => annotate::run(&*games.game(&args.game)?, args, out, stop),
            Command::Play(args) => play::run(&*games.game(&args.place.game)?, args, out),
            Command::Uci(args) => uci::run(games.game(&args.game)?, args),
            Command::Gtp(args) => gtp::run(&*games.game(&args.game)?, args),
            Command::Perft(args) => perft::run(&*games.game(&args.place.game)?, args, out),
            Command::Draw(args) => draw::run(&*games.game(&args.place.game)?, args, out),
            Command::Bench(args) => bench::run(games, args, out),
            Command::Profiles(args) => profiles::run(games, args, out),
            Command::Params(args) => params::run(games, args, out),
            Command::Classes(args) => classes::run(&*games.game(&args.place.game)?, args, out),
            Command::Gather(args) => gather::run(&games.learnable(&args.game)?, args, out, stop),
            Command::Suite(args) => suite::run(&games.game(&args.game)?, args, out, stop),
            Command::Match(args) => matches::run(&games.game(&args.game)?, args, out, stop),
            Command::Test(args) => test::run(games, args, out, stop),
            Command::Stats(args) => stats::run(args, out),
            Command::Fastchess(args) => fastchess::run(games, args, out, stop),
            Command::CheckEngine(args) => check_engine::run(&*games.game(&args.game)?, args, out, stop),
            Command::Openings(args) => openings::run(&games.game(&args.game)?, args, out, stop),
            Command::Learn(args) => learn::run(games, args, out, stop),
            Command::Evolve(args) => evolve::run(games, args, out, stop),
            Command::Tree(args) => tree::run(games, args, out, stop),
            Command::Reproduce(args) => reproduce::run(games, args, out, stop),
            Command::Studio(args) => studio::run(games, args, out),
            Command::Completions(args) => completions::run(games, args, out),
            Command::Man(args) => man::run(games, args, out),
            Command::Forge(args) => forge::run(games, args, out, stop),
            Command::Worker(args) => worker::run(games, args, stop),
            Command::Workers(args) => workers::run(args, out),
        }
    }
}

/// Shows help where it was asked for, and turns clap's paragraphs about mistakes into one sentence.
fn answer_clap(error: &clap::Error, games: Games, out: &mut dyn Write) -> Result {
    match error.kind() {
        ErrorKind::DisplayVersion => Ok(write!(out, "{}", version::text(games))?),
        ErrorKind::DisplayHelp => {
            // clap knows whether the terminal takes colours.
            error.print()?;
            Ok(out.flush()?)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Err(Failure::input("a command is needed; --help lists them"))
        }
        _ => Err(refusal(error)),
    }
}

/// Why words are no command line, in one sentence.
pub(crate) fn refusal(error: &clap::Error) -> Failure {
    Failure::Input(one_sentence(&error.render().to_string()))
}

/// What the standard library calls an invalid digit, be it a minus sign.
const NO_NUMBER: &str = "it must be a whole number within its range";

/// The message and the tips of a rendered error, without the usage and what follows it.
fn one_sentence(rendered: &str) -> String {
    const BOILERPLATE: [&str; 3] = ["Usage:", "For more information", "tip: to pass"];
    let clean = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let says_something = |paragraph: &String| !BOILERPLATE.iter().any(|start| paragraph.starts_with(start));
    let sentence = rendered.split("\n\n").map(clean).filter(|p| !p.is_empty() && says_something(p));
    let sentence = sentence.collect::<Vec<_>>().join("; ").replace("invalid digit found in string", NO_NUMBER);
    sentence.strip_prefix("error: ").unwrap_or(&sentence).to_string()
}
