//! The command line of plywise.
//!
//! [`main`] is the whole program, for the games that it is given: the binary `plywise` has four, yours may have its own.
//! Each command has a file under `commands`; [`games`] puts the commands of a game behind pointers; [`uci`] is the engine
//! for graphical interfaces and match runners, driven by any reader and writer; [`embed`] runs commands and searches
//! inside another program.

mod arguments;
// The unit tests need no game, and compiling every command for four takes a while.
#[cfg(all(feature = "games", not(test)))]
mod built_in;
mod cli;
#[cfg(feature = "cluster")]
mod cluster;
mod commands;
mod document;
pub mod embed;
mod engine;
mod failure;
mod files;
pub mod games;
// Without the cluster no file has to travel.
#[cfg_attr(not(feature = "cluster"), allow(dead_code))]
mod inputs;
mod memory;
mod network;
#[cfg(test)]
mod outsider;
mod players;
mod plots;
mod process;
mod progress;
mod recorded;
mod recording;
mod runs;
mod shown;
mod table;
mod text;
pub mod uci;
mod variants;
mod version;
mod which_game;
// Without the cluster nobody asks for the parts of a command.
#[cfg_attr(not(feature = "cluster"), allow(dead_code))]
mod workable;

#[cfg(all(feature = "games", not(test)))]
pub use built_in::GAMES;
pub use cli::{INTERRUPTED, command, run};
pub use commands::bench;
pub use failure::{Failure, Result};
pub use games::{GameCommands, Playable};
pub use process::{main, main_of};
