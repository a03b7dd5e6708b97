//! The tables, one file for each subject.

mod control;
mod duels;
mod evolution;
mod gain;
mod pruning;
mod rankcut;
mod realization;

use crate::figure::{Figure, Row};
use crate::{Lab, Suite};
use plywise_arena::statistics::{Pentanomial, Wdl, score_interval, share_interval};
use plywise_run::JobError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// What a table takes at scale 1.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// Nodes that are searched, by game.
    #[serde(default)]
    pub nodes: BTreeMap<String, f64>,
    /// Hours on clocks, of games and searches one after another.
    #[serde(default)]
    pub hours: f64,
}

/// What runs the jobs of a table and makes rows of their outcomes.
type Experiment = Box<dyn Fn(&mut Lab) -> Result<Vec<Row>, JobError> + Send + Sync>;

/// A table of a paper.
pub struct Table {
    /// What commands call it.
    pub name: String,
    /// The paper.
    pub paper: String,
    /// What is in it.
    pub what: String,
    /// What must be known to compare the two.
    pub conditions: String,
    /// The names of parts that can be made alone, such as games; most tables have none.
    pub parts: Vec<String>,
    /// What it takes at scale 1.
    pub work: Work,
    /// The state of our last run.
    pub last: String,
    experiment: Experiment,
}

impl Table {
    /// Runs the experiment: the rows, in the order of the paper. A table that has parts and is interrupted gives the rows
    /// that are finished.
    pub fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        if let Some(word) = lab.conditions.only.iter().find(|word| !self.parts.contains(word)) {
            let parts = self.parts.join(", ");
            return Err(JobError::input(match self.parts.is_empty() {
                true => format!("'{}' is made as a whole: leave out --only", self.name),
                false => format!("'{}' has no part '{word}'; its parts are {parts}", self.name),
            }));
        }
        (self.experiment)(lab)
    }
}

/// All tables: ours, then those of the papers in their order.
pub fn tables() -> Result<Vec<Table>, JobError> {
    let mut tables = gain::tables()?;
    tables.extend(rankcut::tables()?);
    tables.extend(pruning::tables()?);
    tables.extend(control::tables()?);
    tables.extend(realization::tables()?);
    tables.extend(evolution::tables()?);
    tables.extend(duels::tables()?);
    Ok(tables)
}

/// What a data file says of a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry<P> {
    paper: String,
    what: String,
    conditions: String,
    work: Work,
    /// The state of our last run.
    last: String,
    /// What the paper printed, and under which conditions.
    printed: P,
}

impl<P: Send + Sync + 'static> Entry<P> {
    /// The table of this name.
    fn table(
        self,
        name: &str,
        experiment: impl Fn(&P, &mut Lab) -> Result<Vec<Row>, JobError> + Send + Sync + 'static,
    ) -> Table {
        let Entry { paper, what, conditions, work, last, printed } = self;
        let experiment = Box::new(move |lab: &mut Lab| experiment(&printed, lab));
        Table { name: name.to_owned(), paper, what, conditions, parts: Vec::new(), work, last, experiment }
    }
}

/// Reads a data file. A test reads all of them.
fn data<T: DeserializeOwned>(text: &str) -> Result<T, JobError> {
    toml::from_str(text).map_err(|error| JobError::failed(format!("the figures of the papers: {error}")))
}

/// The suites of the papers.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Suites {
    ecm: Suite,
    wac: Suite,
    wcs: Suite,
    lct_ii: Suite,
    bratko_kopec: Suite,
    loa_wins: Suite,
    loa_hard: Suite,
    abalone: Suite,
    grandmasters: Suite,
}

impl Suites {
    fn read() -> Result<Suites, JobError> {
        data(include_str!("../data/suites.toml"))
    }
}

/// A score as a paper has it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum PrintedScore {
    /// With its draws.
    Games { wins: u64, draws: u64, losses: u64 },
    /// Without.
    Percent { percent: f64, games: f64 },
}

impl PrintedScore {
    fn figure(&self) -> Option<Figure> {
        match *self {
            PrintedScore::Games { wins, draws, losses } => {
                let games = Wdl { wins, draws, losses };
                let interval = score_interval(&games, &Pentanomial::default());
                Some(Figure::percent((games.points() / games.games().max(1) as f64, interval)))
            }
            PrintedScore::Percent { percent, games } => {
                Some(Figure::percent((percent / 100.0, share_interval(games * percent / 100.0, games))))
            }
        }
    }
}

/// A number that a paper prints without an error.
fn number(value: f64) -> Option<Figure> {
    Some(Figure::exact(value, ""))
}

/// A percentage that a paper prints without an error.
fn percent(value: f64) -> Option<Figure> {
    Some(Figure::exact(value, crate::figure::PERCENT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_data_file_reads_and_every_table_has_a_name_of_its_own() {
        let tables = tables().unwrap();
        let mut names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names.len(), 34);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 34);
        assert!(tables.iter().all(|table| table.conditions.ends_with('.') && !table.paper.is_empty()));
        assert!(tables.iter().all(|table| table.work != Work::default() && !table.last.is_empty()));
    }

    #[test]
    fn draws_make_a_printed_score_more_certain() {
        let with = PrintedScore::Games { wins: 40, draws: 74, losses: 10 }.figure().unwrap();
        let without = PrintedScore::Percent { percent: 100.0 * 77.0 / 124.0, games: 124.0 }.figure().unwrap();
        assert!((with.value - without.value).abs() < 1e-9 && with.error() < 0.8 * without.error());
    }
}
