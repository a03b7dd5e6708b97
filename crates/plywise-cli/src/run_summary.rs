//! What a run directory shows: facts, curves and tables.

use crate::plots::Plot;
use crate::table::Sheet;
use crate::{Failure, Result};
use plywise_run::{Manifest, Run};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::Path;

/// The result of a match so far.
pub struct MatchResult {
    /// Elo with its error.
    pub elo: String,
    /// Games that the first player won, drew and lost.
    pub games: [u64; 3],
    /// Pairs of games by the points of the first player: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// The likelihood ratio of a sequential test, and its bounds.
    pub test: Option<[f64; 3]>,
}

/// What there is to see of a run so far.
#[derive(Default)]
pub struct RunSummary {
    /// The result, if the run is a match of two.
    pub result: Option<MatchResult>,
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

impl RunSummary {
    /// The same as data.
    pub fn to_json(&self) -> Value {
        let fact = |(name, value): &(String, String)| json!({"name": name, "value": value});
        let table = |(title, sheet): &(&str, Sheet)| {
            let mut table = sheet.to_json();
            table["title"] = json!(title);
            table
        };
        json!({
            "hero": self.hero(),
            "facts": self.facts.iter().map(fact).collect::<Vec<_>>(),
            "charts": self.plots.iter().map(Plot::to_json).collect::<Vec<_>>(),
            "tables": self.sheets.iter().map(table).collect::<Vec<_>>(),
            "games": self.games,
            "is_decided": self.is_decided,
        })
    }

    /// The one figure that a run is about: the result of a match, or the best that was found.
    fn hero(&self) -> Value {
        if let Some(MatchResult { elo, games, pairs, test }) = &self.result {
            return json!({"name": "Elo", "value": elo, "games": games, "pairs": pairs, "test": test});
        }
        let best = self.facts.iter().find(|(name, _)| name.starts_with("Best")).or(self.facts.first());
        best.map_or(Value::Null, |(name, value)| json!({"name": name, "value": value}))
    }
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
