//! The command line of plywise.
//!
//! [`main_of`] is the whole program, for the games that it is given; the program `plywise` gives it [`built_in`]. Each command
//! has a file under `commands`. [`uci`] is the engine for graphical interfaces and match runners, driven by any reader and
//! writer; [`embed`] runs commands and searches inside another program.

mod arguments;
mod cli;
mod cluster;
mod commands;
mod document;
pub mod embed;
mod engine;
mod failure;
mod files;
mod games;
mod jobs;
mod memory;
#[cfg(test)]
mod minimal_game;
mod network;
mod players;
mod plots;
mod process;
mod progress;
mod recorded;
mod recording;
mod run_summary;
mod runs;
mod sources;
mod suites;
mod table;
mod text;
pub mod uci;
mod variants;
mod version;
mod which_game;

pub use cli::{INTERRUPTED, command, run};
pub use failure::{Failure, Result};
pub use plywise_host::{Hosted, Playable};
pub use plywise_learn::LearnableGame;
#[cfg(feature = "games")]
pub use plywise_learn::games::built_in;
pub use process::main_of;
