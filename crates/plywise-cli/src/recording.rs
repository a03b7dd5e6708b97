//! Searches whose trees are recorded.

use crate::Result;
use crate::engine::Setup;
use clap::Args;
use plywise_host::{AnyGame, Ask, Engine, Event, Move, RecordedSearch};
use plywise_search::{Limits, Report, Signal};
use plywise_tree::{Filter, numbered};
use std::path::PathBuf;

/// A search: the game, how the engine thinks, and what it is asked.
pub struct Search<'a> {
    pub game: &'a dyn AnyGame,
    pub setup: &'a Setup,
    pub ask: Ask<'a>,
}

/// For commands that can record what they search.
#[derive(Debug, Default, Args)]
pub struct RecordArgs {
    /// Record the tree of the search to a file, for 'plywise tree'; those after the first get a number: a-2.tree after a.tree
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub record: Option<PathBuf>,
}

impl RecordArgs {
    /// Searches, and records where a file is asked for: this is search number `number`, from 1.
    pub fn search(
        &self,
        number: usize,
        Search { game, setup, ask }: &Search,
        engine: &mut dyn Engine,
        limits: &Limits,
        signal: &Signal,
        each: &mut dyn FnMut(Event),
    ) -> Result<Report<Move>> {
        let Some(path) = &self.record else { return Ok(engine.search(ask, limits, signal, each)) };
        let search = RecordedSearch { game: *game, setup, path: &numbered(path, number), filter: Filter::default() };
        let (report, recorded) = search.run(engine, ask, limits, signal, each)?;
        recorded?;
        Ok(report)
    }
}
