//! The run directories of each command: what their units are called, and what they show.

use crate::commands::{evolve, forge, learn, matches, suite, test};
use crate::run_summary::RunSummary;
use crate::{Failure, Result};
use plywise_run::Run;
use serde_json::{Map, Value};
use std::path::Path;

/// The run directories of one command.
struct Kind {
    command: &'static str,
    /// What their units are called.
    units: &'static str,
    show: fn(&Path) -> Result<RunSummary>,
}

const fn kind(command: &'static str, units: &'static str, show: fn(&Path) -> Result<RunSummary>) -> Kind {
    Kind { command, units, show }
}

/// The command that learns from searches, or in games.
const EXTENSIONS: &str = "learn extensions";

const KINDS: [Kind; 20] = [
    kind("match", "games", matches::summary),
    kind("test", "games", test::summary),
    kind("test speed", "rounds", progress_alone),
    kind("suite", "searches", suite::report::summary),
    kind("compare", "searches", progress_alone),
    kind("annotate", "positions", progress_alone),
    kind("openings", "positions", progress_alone),
    kind("gather", "games", progress_alone),
    kind("forge games", "games", super::replay::summary),
    kind("forge suite", "games", progress_alone),
    kind("forge data", "blocks of games", forge::data::summary),
    kind("learn eval", "epochs", learn::eval::summary),
    kind("learn net", "epochs", learn::net::summary),
    kind("learn prices", "games", progress_alone),
    kind("learn loop", "generations", learn::generations::summary),
    kind("learn spsa", "iterations", learn::spsa::summary),
    kind(EXTENSIONS, "searches", learn::extensions::course::summary),
    kind("evolve eval", "trials", evolve::show::summary),
    kind("evolve coeval", "trials", evolve::show::summary),
    kind("evolve search", "trials", evolve::show::summary),
];

fn of(work: &Map<String, Value>) -> Option<&'static Kind> {
    let command = work.get("command").and_then(Value::as_str)?;
    KINDS.iter().find(|kind| kind.command == command)
}

/// What the units of a run are called.
pub(super) fn units(work: &Map<String, Value>) -> &'static str {
    match of(work) {
        Some(kind) if kind.command == EXTENSIONS && !work.contains_key("suite") => "games",
        Some(kind) => kind.units,
        None => "units",
    }
}

/// What a run directory of some command shows.
pub(super) fn summary(path: &Path) -> Result<RunSummary> {
    let manifest = Run::glance(path).map_err(Failure::input)?.manifest;
    of(&manifest.work).map_or_else(|| progress_alone(path), |kind| (kind.show)(path))
}

/// Of these how far they have come says enough.
fn progress_alone(_: &Path) -> Result<RunSummary> {
    Ok(RunSummary::default())
}
