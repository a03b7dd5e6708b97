//! The program as a process: its arguments, its standard streams, and the signals that interrupt it.

use crate::games::{BoardGame, GameCommands};
use crate::{INTERRUPTED, run};
use plywise_search::Signal;
use std::io;
use std::process::ExitCode;

/// The `main` of a program for one game: every command of plywise.
///
/// ```no_run
/// # use plywise_chess::Chess as MyGame;
/// fn main() -> std::process::ExitCode {
///     plywise_cli::main::<MyGame>()
/// }
/// ```
pub fn main<G: BoardGame>() -> ExitCode {
    main_of(const { &[GameCommands::of::<G>()] })
}

/// The `main` of a program for several games; where a command has a default game, it is the first.
pub fn main_of(games: &'static [GameCommands]) -> ExitCode {
    // The handle is not locked: the engine's search thread writes to it as well.
    run(games, std::env::args_os(), &mut io::stdout(), &mut io::stderr(), &stop_on_interrupt)
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
