//! The binary `plywise`; everything it does is in the library beside it.

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The handle is not locked: the engine's search thread writes to it as well.
    plywise_cli::run(std::env::args_os(), &mut io::stdout(), &mut io::stderr())
}
