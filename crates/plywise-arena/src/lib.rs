//! The arena of plywise: players, openings, suites, matches, and honest statistics.

pub mod commit_test;
mod duel;
pub mod engine;
mod entrant;
pub mod forge;
mod local;
pub mod matches;
pub mod openings;
mod player;
mod report;
pub mod statistics;
pub mod suites;

pub use duel::Duel;
pub use entrant::{Entrant, Who};
pub use local::Local;
pub use player::{Action, Contender, Fault, FaultKind, Player, Reply, Thought, Turn};
pub use plywise_search::{Clock, Limits, TimeControl, TimeControlError};
pub use report::{facts, forfeits, report, with_error};
