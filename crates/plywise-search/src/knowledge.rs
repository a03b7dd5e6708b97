//! What learners found out and techniques use: tables of counts and regressions, in versioned files.
//!
//! A file is TOML: what it is, for which game, under which settings and from how many samples it was gathered, then the
//! rows. Loading one that does not fit is an error that says why.

use crate::Params;
use crate::params::{RankCut, Realization};
pub use crate::techniques::rank_cut::RankState;
use crate::techniques::rank_cut::RankVerdicts;
use plywise_game::{Depth, Phase, Score};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The tables that a search uses. A technique whose table is missing does nothing: ask [`Knowledge::missing`].
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// For RankCut.
    pub rank_cut: Option<Arc<RankTable>>,
    /// For realization probability search.
    pub realization: Option<Arc<ClassTable>>,
    /// For ProbCut.
    pub probcut: Option<Arc<ProbCutTable>>,
}

impl Knowledge {
    /// The name of a technique that is switched on and lacks its table, if there is one.
    pub fn missing(&self, params: &Params) -> Option<&'static str> {
        let lacks = [
            ("rank_cut", params.rank_cut.on() && self.rank_cut.is_none()),
            ("realization", params.realization.on() && self.realization.is_none()),
            ("probcut", params.probcut.on() && self.probcut.is_none()),
        ];
        lacks.into_iter().find(|(_, lacks)| *lacks).map(|(name, _)| name)
    }

    pub(crate) fn class_prices(&self, params: &Realization) -> Vec<Depth> {
        self.realization.as_ref().filter(|_| params.on()).map_or_else(Vec::new, |table| table.prices(params))
    }

    pub(crate) fn rank_verdicts(&self, params: &RankCut) -> Option<RankVerdicts> {
        self.rank_cut.as_ref().filter(|_| params.on()).map(|table| table.verdicts(params))
    }
}

/// How often a state was seen, and how often this or a later move turned out better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankCounts {
    /// How often a better move came.
    pub better: u64,
    /// How often the state was seen.
    pub seen: u64,
}

/// RankCut's table: counts for each state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankTable {
    /// The width of the intervals into which differences of scores are sorted, in the evaluation's unit.
    pub unit: Score,
    /// The bound that counts as better: the best score so far, alpha, or the best score plus a margin.
    pub bound: RankBound,
    /// The counts.
    pub counts: BTreeMap<RankState, RankCounts>,
}

/// The bound x of Π_x: what a move must exceed to count as better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RankBound {
    /// The best score so far.
    #[default]
    Best,
    /// The alpha with which the node was entered, or the best score if that is higher.
    Alpha,
    /// The best score so far and this much more.
    Margin(Score),
}

/// How often moves of a class were available, and how often one was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassCounts {
    /// Positions in which a move of the class was played.
    pub played: u64,
    /// Positions in which one was available.
    pub available: u64,
}

/// Realization probability's table: counts for each move class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassTable {
    /// By class.
    pub classes: Vec<ClassCounts>,
}

/// A regression of deep on shallow values: deep = slope · shallow + intercept, with standard deviation sigma.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The deep search, in plies.
    pub deep: i32,
    /// The shallow search, in plies.
    pub shallow: i32,
    /// The phase of the game.
    pub phase: Phase,
    /// a.
    pub slope: f64,
    /// b.
    pub intercept: f64,
    /// σ.
    pub sigma: f64,
    /// How many positions it rests on.
    pub samples: u64,
}

/// ProbCut's table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProbCutTable {
    /// Cheapest first within a depth.
    pub rows: Vec<Prediction>,
}

impl ProbCutTable {
    pub(crate) fn rows_for(&self, plies: i32, phase: Phase) -> impl Iterator<Item = &Prediction> {
        self.rows.iter().filter(move |row| row.deep == plies && row.phase == phase && row.slope > 0.0)
    }
}

/// Why a table cannot be used: one sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table '{file}' cannot be used: {reason}")]
pub struct TableError {
    /// The file.
    pub file: String,
    /// What is wrong.
    pub reason: String,
}

/// What a table file says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The game.
    pub game: String,
    /// The command or settings with which it was gathered.
    pub settings: String,
    /// The number of samples.
    pub samples: u64,
}

/// The version of the file format.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct File {
    kind: String,
    version: u32,
    #[serde(flatten)]
    origin: Origin,
    unit: Option<Score>,
    bound: Option<RankBound>,
    rows: Vec<Vec<f64>>,
}

/// A table that can be kept in a file.
pub trait Kept: Sized {
    /// What the file calls it.
    const KIND: &'static str;

    /// The table as rows of numbers, with the unit and the bound where it has them.
    fn to_rows(&self) -> (Option<Score>, Option<RankBound>, Vec<Vec<f64>>);

    /// The table from such rows, or what is wrong with them.
    fn from_rows(unit: Option<Score>, bound: Option<RankBound>, rows: &[Vec<f64>]) -> Result<Self, String>;

    /// The text of a file that holds the table.
    fn write(&self, origin: &Origin) -> String {
        let (unit, bound, rows) = self.to_rows();
        let header =
            File { kind: Self::KIND.into(), version: VERSION, origin: origin.clone(), unit, bound, rows: Vec::new() };
        let mut text = toml::to_string(&header).unwrap_or_default().replace("rows = []\n", "");
        let bound_at = text.find("[bound]").unwrap_or(text.len());
        let mut body = String::from("rows = [\n");
        for row in rows {
            let numbers: Vec<String> = row.iter().map(|n| number(*n)).collect();
            body.push_str(&format!("  [{}],\n", numbers.join(", ")));
        }
        body.push_str("]\n");
        text.insert_str(bound_at, &body);
        text
    }

    /// Reads the table for `game` from the text of a file.
    fn read(file: &str, text: &str, game: &str) -> Result<(Self, Origin), TableError> {
        let error = |reason: String| TableError { file: file.to_string(), reason };
        let parsed: File = toml::from_str(text).map_err(|e| error(e.message().to_string()))?;
        if parsed.kind != Self::KIND {
            return Err(error(format!("it is a table of '{}', not of '{}'", parsed.kind, Self::KIND)));
        }
        if parsed.version != VERSION {
            return Err(error(format!("its version is {}, but {VERSION} is expected", parsed.version)));
        }
        if parsed.origin.game != game {
            return Err(error(format!("it was gathered for '{}', not for '{game}'", parsed.origin.game)));
        }
        let table = Self::from_rows(parsed.unit, parsed.bound, &parsed.rows).map_err(error)?;
        Ok((table, parsed.origin))
    }
}

fn number(n: f64) -> String {
    if n.fract() == 0.0 { format!("{n:.0}") } else { format!("{n:.4}") }
}

fn row_of<const N: usize>(row: &[f64]) -> Result<[f64; N], String> {
    row.try_into().map_err(|_| format!("a row has {} numbers, but {N} are expected", row.len()))
}

impl Kept for RankTable {
    const KIND: &'static str = "rank_cut";

    fn to_rows(&self) -> (Option<Score>, Option<RankBound>, Vec<Vec<f64>>) {
        let rows = (self.counts.iter())
            .map(|(s, c)| {
                let state = [s.depth, s.in_check.into(), s.move_number, s.best_changes, s.gap, s.drop, s.phase];
                state.map(f64::from).into_iter().chain([c.better as f64, c.seen as f64]).collect()
            })
            .collect();
        (Some(self.unit), Some(self.bound), rows)
    }

    fn from_rows(unit: Option<Score>, bound: Option<RankBound>, rows: &[Vec<f64>]) -> Result<RankTable, String> {
        let unit = unit.filter(|unit| *unit > 0).ok_or("it has no positive unit")?;
        let bound = bound.ok_or("it has no bound")?;
        let mut counts = BTreeMap::new();
        for row in rows {
            let [depth, in_check, move_number, best_changes, gap, drop, phase, better, seen] = row_of(row)?;
            let state = RankState {
                depth: depth as u8,
                in_check: in_check != 0.0,
                move_number: move_number as u8,
                best_changes: best_changes as u8,
                gap: gap as u8,
                drop: drop as u8,
                phase: phase as u8,
            };
            if !state.is_valid() {
                return Err(format!("{row:?} is not a state with its counts"));
            }
            counts.insert(state, RankCounts { better: better as u64, seen: seen as u64 });
        }
        Ok(RankTable { unit, bound, counts })
    }
}

impl Kept for ClassTable {
    const KIND: &'static str = "realization";

    fn to_rows(&self) -> (Option<Score>, Option<RankBound>, Vec<Vec<f64>>) {
        (None, None, self.classes.iter().map(|c| vec![c.played as f64, c.available as f64]).collect())
    }

    fn from_rows(_: Option<Score>, _: Option<RankBound>, rows: &[Vec<f64>]) -> Result<ClassTable, String> {
        let counts = |row: &Vec<f64>| {
            let [played, available] = row_of(row)?;
            Ok(ClassCounts { played: played as u64, available: available as u64 })
        };
        Ok(ClassTable { classes: rows.iter().map(counts).collect::<Result<_, String>>()? })
    }
}

impl Kept for ProbCutTable {
    const KIND: &'static str = "probcut";

    fn to_rows(&self) -> (Option<Score>, Option<RankBound>, Vec<Vec<f64>>) {
        let row = |p: &Prediction| {
            let phase = p.phase as u8 as f64;
            vec![p.deep.into(), p.shallow.into(), phase, p.slope, p.intercept, p.sigma, p.samples as f64]
        };
        (None, None, self.rows.iter().map(row).collect())
    }

    fn from_rows(_: Option<Score>, _: Option<RankBound>, rows: &[Vec<f64>]) -> Result<ProbCutTable, String> {
        let prediction = |row: &Vec<f64>| {
            let [deep, shallow, phase, slope, intercept, sigma, samples] = row_of(row)?;
            let phase = match phase as i64 {
                0 => Phase::Opening,
                1 => Phase::Middlegame,
                2 => Phase::Endgame,
                other => return Err(format!("{other} is not a phase")),
            };
            let (deep, shallow, samples) = (deep as i32, shallow as i32, samples as u64);
            if !(0..deep).contains(&shallow) {
                return Err(format!("{shallow} plies cannot predict {deep}"));
            }
            Ok(Prediction { deep, shallow, phase, slope, intercept, sigma, samples })
        };
        Ok(ProbCutTable { rows: rows.iter().map(prediction).collect::<Result<_, String>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin() -> Origin {
        Origin { game: "loa".into(), settings: "--games 10".into(), samples: 12 }
    }

    #[track_caller]
    fn check_round_trip<T: Kept + PartialEq + std::fmt::Debug>(table: T) {
        let text = table.write(&origin());
        assert_eq!(T::read("file", &text, "loa").unwrap(), (table, origin()), "{text}");
        let error = T::read("file", &text, "chess").map(|_| ()).unwrap_err().to_string();
        assert_eq!(error, "the table 'file' cannot be used: it was gathered for 'loa', not for 'chess'");
        let newer = text.replace("version = 1", "version = 2");
        let error = T::read("file", &newer, "loa").map(|_| ()).unwrap_err().to_string();
        assert_eq!(error, "the table 'file' cannot be used: its version is 2, but 1 is expected");
    }

    #[test]
    fn tables_survive_their_files() {
        let state = RankState { depth: 7, in_check: true, move_number: 12, best_changes: 1, gap: 3, drop: 6, phase: 2 };
        for bound in [RankBound::Best, RankBound::Alpha, RankBound::Margin(30)] {
            let counts = [(state, RankCounts { better: 3, seen: 5000 })].into();
            check_round_trip(RankTable { unit: 25, bound, counts });
        }
        check_round_trip(ClassTable { classes: vec![ClassCounts { played: 1, available: 9 }, ClassCounts::default()] });
        let (phase, samples) = (Phase::Endgame, 77);
        let row = Prediction { deep: 8, shallow: 4, phase, slope: 1.0625, intercept: -3.5, sigma: 41.25, samples };
        check_round_trip(ProbCutTable { rows: vec![row] });
    }

    #[test]
    fn a_table_of_another_kind_is_refused() {
        let text = ClassTable::default().write(&origin());
        let error = ProbCutTable::read("t", &text, "loa").unwrap_err().to_string();
        assert_eq!(error, "the table 't' cannot be used: it is a table of 'realization', not of 'probcut'");
        assert!(ProbCutTable::read("t", "rows", "loa").is_err());
    }
}
