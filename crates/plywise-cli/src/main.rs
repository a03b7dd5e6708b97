//! The binary `plywise`; everything it does is in the library beside it.

use plywise_search::Signal;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The handle is not locked: the engine's search thread writes to it as well.
    plywise_cli::run(std::env::args_os(), &mut io::stdout(), &mut io::stderr(), &stop_on_interrupt)
}

/// Lets the first interrupt (Ctrl-C, or the signal to terminate) stop the work, and the second one end the process at
/// once. Nothing but the engines of a match would have to be tidied up then, and they end by themselves.
#[allow(clippy::exit)]
fn stop_on_interrupt(stop: &Signal) {
    let stop = stop.clone();
    let handler = move || {
        if stop.is_stopped() {
            std::process::exit(plywise_cli::INTERRUPTED.into());
        }
        stop.stop();
    };
    // Where no handler can be set, an interrupt ends the process as it always did.
    let _ = ctrlc::set_handler(handler);
}
