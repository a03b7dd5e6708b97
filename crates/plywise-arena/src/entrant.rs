use crate::engine::Engine;
use crate::{Contender, Limits, Local};
use plywise_host::{AnyGame, HostError, Setup, WrittenSetup};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A player and its limits as plain data: everything that decides how it plays, and no file but an engine's program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Who plays.
    pub who: Who,
    /// What each of its moves may use up.
    pub limits: Limits,
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    /// A search in this process.
    Setup(WrittenSetup),
    /// An engine in another process.
    Engine(Engine),
}

impl Entrant {
    /// A search of this setup.
    pub fn of_setup(game: &dyn AnyGame, setup: &Setup, limits: Limits) -> Entrant {
        Entrant { who: Who::Setup(WrittenSetup::of(game, setup)), limits }
    }

    /// The name in tables and game records.
    pub fn name(&self) -> &str {
        match &self.who {
            Who::Setup(setup) => &setup.name,
            Who::Engine(engine) => &engine.name,
        }
    }

    /// The table that it fills in this process, in MB.
    pub fn hash(&self) -> usize {
        match &self.who {
            Who::Setup(setup) => setup.hash,
            Who::Engine(_) => 0,
        }
    }

    /// The engine in another process, if it is one.
    pub fn engine(&self) -> Option<&Engine> {
        match &self.who {
            Who::Setup(_) => None,
            Who::Engine(engine) => Some(engine),
        }
    }

    /// The same, to be changed.
    pub fn engine_mut(&mut self) -> Option<&mut Engine> {
        match &mut self.who {
            Who::Setup(_) => None,
            Who::Engine(engine) => Some(engine),
        }
    }

    /// The player for matches of this game. A setup with a missing table, or with one that memory cannot hold, is refused.
    pub fn contender(&self, game: &Arc<dyn AnyGame>) -> Result<Box<dyn Contender>, HostError> {
        match &self.who {
            Who::Setup(written) => {
                let player = Local::new(game.clone(), written.read(&**game)?);
                player.check()?;
                Ok(Box::new(player))
            }
            Who::Engine(engine) => Ok(Box::new(engine.clone())),
        }
    }
}
