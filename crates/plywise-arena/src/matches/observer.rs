use super::record::{GameRecord, MoveRecord};
use super::schedule::Fixture;
use super::standings::Standings;
use crate::player::Fault;

/// Watches a match. Every method does nothing unless written; games are played on several threads, so calls
/// come from all of them.
pub trait Observer: Sync {
    /// A game begins between these two, the one who moves first named first.
    fn game_started(&self, fixture: &Fixture, names: [&str; 2]) {
        let _ = (fixture, names);
    }

    /// A move was played in a game.
    fn moved(&self, fixture: &Fixture, played: &MoveRecord) {
        let _ = (fixture, played);
    }

    /// A player failed in a game, and loses it.
    fn failed(&self, fixture: &Fixture, name: &str, fault: &Fault) {
        let _ = (fixture, name, fault);
    }

    /// Something about a player that people should know, though it is no failure: its name, and what would follow it in
    /// a sentence.
    fn remarked(&self, name: &str, remark: &str) {
        let _ = (name, remark);
    }

    /// A game is finished and kept. The standings count what is finished without gaps.
    fn game_finished(&self, record: &GameRecord, standings: &Standings) {
        let _ = (record, standings);
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}
