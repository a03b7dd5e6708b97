//! The arena of plywise: players, openings, suites, matches, and honest statistics.

pub mod engine;
pub mod files;
pub mod forge;
mod local;
pub mod matches;
pub mod openings;
mod player;
mod report;
pub mod run;
pub mod statistics;

pub use local::Local;
pub use player::{Action, Contender, Fault, FaultKind, Player, Reply, Thought, Turn};
pub use plywise_search::{Clock, Limits, TimeControl, TimeControlError};
pub use report::{facts, forfeits, report};
