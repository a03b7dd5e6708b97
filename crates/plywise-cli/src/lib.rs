//! The command line of plywise.
//!
//! [`run`] is the whole program. Each command has a file under `commands`; [`games`] is the one place that maps a
//! game's name to its type; [`uci`] is the engine for graphical interfaces and match runners, driven by any reader and
//! writer.

mod arguments;
mod cli;
mod commands;
mod engine;
mod failure;
mod files;
pub mod games;
mod memory;
#[cfg(test)]
mod outsider;
mod players;
mod progress;
mod recorded;
mod runs;
mod table;
mod text;
pub mod uci;
mod variants;

pub use cli::{INTERRUPTED, run};
pub use commands::bench;
pub use failure::{Failure, Outcome};
