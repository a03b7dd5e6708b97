//! What a run directory shows to somebody who watches it: facts, curves and tables.

use crate::plots::Plot;
use crate::table::Sheet;
use crate::{Failure, Result};
use plywise_arena::run::{Manifest, Run};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::Path;

/// What there is to see of a run so far.
#[derive(Default)]
pub struct Shown {
    /// Names and values, in the order in which people want to know them.
    pub facts: Vec<(String, String)>,
    /// Curves over its course.
    pub plots: Vec<Plot>,
    /// Tables with their titles.
    pub sheets: Vec<(&'static str, Sheet)>,
    /// How many games there are to look at.
    pub games: usize,
    /// Whether nothing is left to do although not all units are done.
    pub is_decided: bool,
}

impl Shown {
    /// The same as data.
    pub fn to_json(&self) -> Value {
        let fact = |(name, value): &(String, String)| json!({"name": name, "value": value});
        let table = |(title, sheet): &(&str, Sheet)| {
            let mut table = sheet.to_json();
            table["title"] = json!(title);
            table
        };
        json!({
            "facts": self.facts.iter().map(fact).collect::<Vec<_>>(),
            "charts": self.plots.iter().map(Plot::to_json).collect::<Vec<_>>(),
            "tables": self.sheets.iter().map(table).collect::<Vec<_>>(),
            "games": self.games,
            "is_decided": self.is_decided,
        })
    }
}

/// A unit of work in a journal that numbers them.
#[derive(Deserialize)]
pub struct Numbered<T> {
    /// Its number.
    pub number: u64,
    /// What it came to.
    pub result: T,
}

/// What a run directory says about its work, and the units of its journal.
pub fn read<W: DeserializeOwned, T: DeserializeOwned>(path: &Path) -> Result<(W, Manifest, Vec<T>)> {
    let mut units = Vec::new();
    let mut take = |unit| {
        units.push(unit);
        Ok(())
    };
    let manifest = Run::look(path, &mut take).map_err(Failure::input)?;
    let work = serde_json::from_value(Value::Object(manifest.work.clone()));
    let work = work.map_err(|error| Failure::input(format!("'{}' is damaged: {error}", path.display())))?;
    Ok((work, manifest, units))
}
