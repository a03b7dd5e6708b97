//! The program `plywise`: every command, for the games that come with it.

use std::process::ExitCode;

fn main() -> ExitCode {
    plywise_cli::main_of(&plywise_cli::built_in())
}
