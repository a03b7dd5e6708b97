//! The run directories of each command: what their units are called, and what they show.

use crate::commands::{evolve, forge, learn, matches, suite};
use crate::shown::Shown;
use crate::{Failure, Result};
use plywise_arena::run::Run;
use serde_json::{Map, Value};
use std::path::Path;

/// The run directories of one command.
struct Kind {
    command: &'static str,
    /// What their units are called.
    units: &'static str,
    show: fn(&Path) -> Result<Shown>,
}

const fn kind(command: &'static str, units: &'static str, show: fn(&Path) -> Result<Shown>) -> Kind {
    Kind { command, units, show }
}

/// The command that learns from searches, or in games.
const EXTENSIONS: &str = "learn extensions";

const KINDS: [Kind; 17] = [
    kind("match", "games", matches::shown),
    kind("suite", "searches", suite::report::shown),
    kind("compare", "searches", progress_alone),
    kind("annotate", "positions", progress_alone),
    kind("openings", "positions", progress_alone),
    kind("gather", "games", progress_alone),
    kind("forge games", "games", super::replay::shown),
    kind("forge suite", "games", progress_alone),
    kind("forge data", "blocks of games", forge::data::shown),
    kind("learn eval", "epochs", learn::eval::shown),
    kind("learn net", "epochs", learn::net::shown),
    kind("learn loop", "generations", learn::generations::shown),
    kind("learn spsa", "iterations", learn::spsa::shown),
    kind(EXTENSIONS, "searches", learn::extensions::course::shown),
    kind("evolve eval", "trials", evolve::show::shown),
    kind("evolve coeval", "trials", evolve::show::shown),
    kind("evolve search", "trials", evolve::show::shown),
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
pub(super) fn show(path: &Path) -> Result<Shown> {
    let manifest = Run::glance(path).map_err(Failure::input)?.manifest;
    of(&manifest.work).map_or_else(|| progress_alone(path), |kind| (kind.show)(path))
}

/// Of these how far they have come says enough.
fn progress_alone(_: &Path) -> Result<Shown> {
    Ok(Shown::default())
}
