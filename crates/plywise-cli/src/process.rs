//! The program as a process: its file, its arguments, its standard streams, and the signals that interrupt it.

use crate::cli::{INTERRUPTED, run, run_to_code};
use plywise_learn::LearnableGame;
use plywise_search::Signal;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

/// The `main` of a program for these games; where a command has a default game, it is the first.
pub fn main_of(games: &[Arc<dyn LearnableGame>]) -> ExitCode {
    // The handle is not locked: the engine's search thread writes to it as well.
    run(games, std::env::args_os(), &mut io::stdout(), &mut io::stderr(), &stop_on_interrupt)
}

/// The program inside another one: its arguments begin with a name for it, and the exit code is for the caller to use.
pub fn main_inside(games: &[Arc<dyn LearnableGame>], arguments: impl IntoIterator<Item = OsString>) -> u8 {
    run_to_code(games, arguments, &mut io::stdout(), &mut io::stderr(), &stop_on_interrupt)
}

/// How this program is started, for work that needs another process of it.
#[derive(Clone, Debug)]
pub struct Program {
    /// What the system runs.
    pub command: PathBuf,
    /// The arguments before those of plywise.
    pub arguments: Vec<String>,
    /// The file with the code of plywise: another one may give other results.
    pub file: PathBuf,
}

static PROGRAM: OnceLock<Program> = OnceLock::new();

/// Says how a program with plywise inside is started. Unless it does, it is taken for plywise itself.
pub fn introduce(program: Program) {
    // Who says it twice says the same.
    let _ = PROGRAM.set(program);
}

/// This program.
pub(crate) fn this_program() -> io::Result<Program> {
    match PROGRAM.get() {
        Some(program) => Ok(program.clone()),
        None => {
            let file = std::env::current_exe()?;
            Ok(Program { command: file.clone(), arguments: Vec::new(), file })
        }
    }
}

/// Lets the first interrupt (Ctrl-C, or the signal to terminate) stop the work, and the second one end the process at
/// once. Nothing but the engines of a match would have to be tidied up then, and they end by themselves.
#[allow(clippy::exit)]
fn stop_on_interrupt(stop: &Signal) {
    let stop = stop.clone();
    let handler = move || {
        if stop.is_stopped() {
            std::process::exit(INTERRUPTED.into());
        }
        stop.stop();
    };
    // Where no handler can be set, an interrupt ends the process as it always did.
    let _ = ctrlc::set_handler(handler);
}
