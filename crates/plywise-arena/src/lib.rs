//! The arena of plywise: players, openings, suites, matches, and honest statistics.

pub mod engine;
mod limits;
pub mod matches;
pub mod openings;
mod player;
mod report;
pub mod run;
pub mod statistics;

pub use limits::{Clock, Limits, TimeControl, TimeControlError};
pub use player::{Action, Contender, Fault, FaultKind, Opening, Player, Reply, Thought, Turn};
pub use report::report;
