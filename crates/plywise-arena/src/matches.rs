//! Matches between two, gauntlets and round robins.
//!
//! A [`Match`] says who plays whom, from which openings and by which [`Rules`]; [`Match::run`] plays it on several
//! threads. Which two players meet in a game, from which opening and with which colours follows from the game's number
//! alone. Results are counted in that order too, and a sequential test is decided on it, so that neither depends on the
//! number of threads.

mod adjudication;
mod job;
mod knockout;
mod observer;
mod record;
mod referee;
mod rehearsal;
mod rules;
mod runner;
mod schedule;
mod self_play;
mod standings;

pub use job::{MatchEvent, MatchOutcome, PlayMatch, games_to_pgn};
pub use knockout::{Bracket, Meeting, play_knockout};
pub use observer::{Observer, Silent};
pub use record::{Ending, GameRecord, MoveRecord, RecordError};
pub use rules::{DrawRule, ResignRule, Rules};
pub use runner::{Entry, Match, MatchError};
pub use schedule::{Fixture, Format, Schedule};
pub use self_play::{ForgeGames, ForgeGamesEvent};
pub use standings::{Pairing, Standings};
