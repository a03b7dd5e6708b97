//! What learners found out and techniques use: tables of counts and regressions, in versioned files.
//!
//! Each table lives beside the technique that reads it; here is what they share. A file is TOML: what it is, for which
//! game, under which settings and from how many samples it was gathered, then the rows, one line of numbers each. Loading
//! one that does not fit, or that is cut off, is an error that says why.

use crate::Params;
use crate::end_mark;
use crate::techniques::learned_price::{PriceTable, Prices};
use crate::techniques::probcut::{Predictions, ProbCutTable};
use crate::techniques::rank_cut::{RankTable, RankVerdicts};
use crate::techniques::realization::ClassTable;
use plywise_game::notation::excerpt;
use plywise_game::{BoardGame, Depth};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::str::{FromStr, SplitAsciiWhitespace};
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
    /// For learned prices.
    pub prices: Option<Arc<PriceTable>>,
}

impl Knowledge {
    /// The tables that come with a game and that these parameters ask for. A technique may still lack its table: see
    /// [`missing`](Knowledge::missing).
    pub fn built_in<G: BoardGame>(params: &Params) -> Knowledge {
        Knowledge {
            rank_cut: params.rank_cut.on().then(built_in_table::<G, _>).flatten(),
            realization: params.realization.on().then(built_in_table::<G, _>).flatten(),
            probcut: params.probcut.on().then(built_in_table::<G, _>).flatten(),
            prices: params.learned_price.on().then(built_in_table::<G, _>).flatten(),
        }
    }

    /// The name of a technique that is switched on and lacks its table, if there is one.
    pub fn missing(&self, params: &Params) -> Option<&'static str> {
        let lacks = [
            (RankTable::KIND, params.rank_cut.on() && self.rank_cut.is_none()),
            (ClassTable::KIND, params.realization.on() && self.realization.is_none()),
            (ProbCutTable::KIND, params.probcut.on() && self.probcut.is_none()),
            (PriceTable::KIND, params.learned_price.on() && self.prices.is_none()),
        ];
        lacks.into_iter().find(|(_, lacks)| *lacks).map(|(name, _)| name)
    }

    /// Works out what the tables say under these parameters.
    pub(crate) fn prepare(&self, params: &Params) -> Prepared {
        let realization = self.realization.as_ref().filter(|_| params.realization.on());
        let class_prices = realization.map_or_else(Vec::new, |table| table.prices(&params.realization));
        Prepared {
            least_price: class_prices.iter().copied().min().unwrap_or(Depth::PLY),
            class_prices,
            rank_verdicts: (self.rank_cut.as_ref().filter(|_| params.rank_cut.on()))
                .map(|table| table.verdicts(&params.rank_cut)),
            predictions: (self.probcut.as_ref().filter(|_| params.probcut.on())).map(|table| table.predictions()),
            prices: (self.prices.as_ref().filter(|_| params.learned_price.on()))
                .map(|table| table.prepare(&params.learned_price)),
        }
    }
}

/// What the tables say under one set of parameters: worked out once, read by all threads of all searches.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    /// The price of each move class, where realization probability search is on.
    pub(crate) class_prices: Vec<Depth>,
    /// The least of them.
    pub(crate) least_price: Depth,
    /// For RankCut.
    pub(crate) rank_verdicts: Option<RankVerdicts>,
    /// For ProbCut.
    pub(crate) predictions: Option<Predictions>,
    /// For learned prices.
    pub(crate) prices: Option<Prices>,
}

fn built_in_table<G: BoardGame, T: LearnedTable>() -> Option<Arc<T>> {
    let (kind, text) = G::TABLES.iter().find(|(kind, _)| *kind == T::KIND)?;
    let (table, _) = T::read(kind, text, G::NAME, G::MOVE_CLASSES).ok()?;
    Some(Arc::new(table))
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
const VERSION: u32 = 2;

/// The keys that every table file has, read before the rows are.
#[derive(Deserialize)]
struct Head {
    kind: String,
    version: u32,
    game: String,
}

#[derive(Serialize, Deserialize)]
struct File<T> {
    kind: String,
    version: u32,
    #[serde(flatten)]
    origin: Origin,
    columns: String,
    #[serde(flatten)]
    table: T,
}

/// A table that can be kept in a file.
pub trait LearnedTable: Clone + Serialize + DeserializeOwned {
    /// What the file calls it: the group of parameters of its technique.
    const KIND: &'static str;

    /// What the numbers of a row are.
    const COLUMNS: &'static str;

    /// Says what is wrong with the table, for a game with this many classes of moves.
    fn check(&self, _move_classes: usize) -> Result<(), String> {
        Ok(())
    }

    /// The text of a file that holds the table.
    fn write(&self, origin: &Origin) -> String {
        // TOML's numbers end where an i64 does.
        let samples = origin.samples.min(i64::MAX as u64);
        let file = File {
            kind: Self::KIND.to_string(),
            version: VERSION,
            origin: Origin { samples, ..origin.clone() },
            columns: Self::COLUMNS.to_string(),
            table: self.clone(),
        };
        end_mark::add(toml::to_string_pretty(&file).expect("numbers and texts can always be written"))
    }

    /// Reads the table from the text of a file, for a game with this name and number of move classes.
    fn read(file: &str, text: &str, game: &str, move_classes: usize) -> Result<(Self, Origin), TableError> {
        let error = |reason: String| TableError { file: file.to_string(), reason };
        let malformed = |problem: toml::de::Error| error(problem.message().to_string());
        let head: Head = toml::from_str(text).map_err(malformed)?;
        if head.kind != Self::KIND {
            return Err(error(format!("it is a table of '{}', not of '{}'", head.kind, Self::KIND)));
        }
        if head.version != VERSION {
            return Err(error(format!("its version is {}, but {VERSION} is expected", head.version)));
        }
        if head.game != game {
            return Err(error(format!("it was gathered for '{}', not for '{game}'", head.game)));
        }
        end_mark::check(text).map_err(error)?;
        let File { origin, columns, table, .. } = toml::from_str::<File<Self>>(text).map_err(malformed)?;
        if columns != Self::COLUMNS {
            return Err(error(format!("its columns are '{}', not '{}'", excerpt(&columns), Self::COLUMNS)));
        }
        table.check(move_classes).map_err(error)?;
        Ok((table, origin))
    }
}

/// One line of numbers in a table file.
pub(crate) trait Row: Sized {
    /// The numbers, with spaces between them.
    fn write(&self) -> String;

    /// The row from its numbers; `None` if one is missing or out of its bounds.
    fn read(cells: &mut Cells) -> Option<Self>;
}

/// The numbers of a row that is being read.
pub(crate) struct Cells<'a>(SplitAsciiWhitespace<'a>);

impl Cells<'_> {
    /// Counts above this are refused; all computations with smaller ones stay within 64 bits.
    const LARGEST_COUNT: u64 = 1 << 48;

    /// The next number, if it lies within `range`.
    pub(crate) fn number<N: FromStr + PartialOrd>(&mut self, range: RangeInclusive<N>) -> Option<N> {
        self.0.next()?.parse().ok().filter(|number| range.contains(number))
    }

    /// The next word, whatever it is.
    pub(crate) fn word(&mut self) -> Option<&str> {
        self.0.next()
    }

    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.clone().next().is_none()
    }

    /// The next number, a count.
    pub(crate) fn count(&mut self) -> Option<u64> {
        self.number(0..=Self::LARGEST_COUNT)
    }

    /// The next number, a finite one.
    pub(crate) fn real(&mut self) -> Option<f64> {
        self.number(f64::MIN..=f64::MAX)
    }
}

/// Rows as serde keeps them: a list of lines.
pub(crate) mod rows {
    use super::{Cells, Row, excerpt};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// What can be walked row by row: a list, or a map of pairs.
    pub(crate) trait Rows: FromIterator<Self::Row> {
        type Row: Row;
        fn lines(&self) -> Vec<String>;
    }

    impl<R: Row> Rows for Vec<R> {
        type Row = R;
        fn lines(&self) -> Vec<String> {
            self.iter().map(Row::write).collect()
        }
    }

    impl<K: Copy + Ord, V: Copy> Rows for std::collections::BTreeMap<K, V>
    where
        (K, V): Row,
    {
        type Row = (K, V);
        fn lines(&self) -> Vec<String> {
            self.iter().map(|(&key, &value)| (key, value).write()).collect()
        }
    }

    pub(crate) fn serialize<T: Rows, S: Serializer>(rows: &T, serializer: S) -> Result<S::Ok, S::Error> {
        rows.lines().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: Rows, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        let row = |(number, line): (usize, &String)| {
            let mut cells = Cells(line.split_ascii_whitespace());
            let row = T::Row::read(&mut cells).filter(|_| cells.0.next().is_none());
            row.ok_or_else(|| D::Error::custom(format!("row {} makes no sense: '{}'", number + 1, excerpt(line))))
        };
        Vec::<String>::deserialize(deserializer)?.iter().enumerate().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::techniques::learned_price::{PriceInput, PriceWeights};
    use crate::techniques::probcut::Prediction;
    use crate::techniques::rank_cut::{RankBound, RankCounts, RankState};
    use crate::techniques::realization::ClassCounts;
    use plywise_game::Phase;

    const CLASSES: usize = 2;

    fn origin() -> Origin {
        Origin { game: "loa".into(), settings: "--games 10".into(), samples: 12 }
    }

    fn read<T: LearnedTable>(text: &str, game: &str) -> Result<(T, Origin), String> {
        T::read("file", text, game, CLASSES).map_err(|error| error.to_string())
    }

    fn refusal<T: LearnedTable>(text: &str, game: &str) -> String {
        let error = read::<T>(text, game).map(|_| ()).unwrap_err();
        error.strip_prefix("the table 'file' cannot be used: ").unwrap_or(&error).to_string()
    }

    #[track_caller]
    fn check_round_trip<T: LearnedTable + PartialEq + std::fmt::Debug>(table: T) {
        let text = table.write(&origin());
        assert_eq!(read(&text, "loa"), Ok((table, origin())), "{text}");
        assert_eq!(refusal::<T>(&text, "chess"), "it was gathered for 'loa', not for 'chess'");
        let newer = text.replace("version = 2", "version = 3");
        assert_eq!(refusal::<T>(&newer, "loa"), "its version is 3, but 2 is expected");
        for cut in 0..text.len() - 1 {
            assert!(read::<T>(&text[..cut], "loa").is_err(), "cut off after {cut} bytes");
        }
    }

    fn ranks(bound: RankBound) -> RankTable {
        let state = RankState { depth: 7, in_check: true, move_number: 12, best_changes: 1, gap: 3, drop: 6, phase: 2 };
        RankTable { unit: 25, bound, counts: [(state, RankCounts { better: 3, seen: 5000 })].into() }
    }

    fn classes() -> ClassTable {
        ClassTable { classes: vec![ClassCounts { played: 1, available: 1 << 48 }, ClassCounts::default()] }
    }

    fn predictions() -> ProbCutTable {
        let (phase, samples) = (Phase::Endgame, 77);
        let row = Prediction { deep: 8, shallow: 4, phase, slope: 1.0625, intercept: -3.5, sigma: 41.25, samples };
        ProbCutTable { rows: vec![row] }
    }

    fn prices() -> PriceTable {
        let weights = PriceInput::ALL.iter().map(|&input| {
            let weights = (0..input.bins(CLASSES) as i32).map(|bin| 7 * bin - 9).collect();
            PriceWeights { input, weights }
        });
        PriceTable::new(20, -2000, weights.collect())
    }

    #[test]
    fn a_table_of_prices_that_was_changed_is_refused() {
        let text = prices().write(&origin());
        let refused = |from: &str, to: &str| refusal::<PriceTable>(&text.replacen(from, to, 1), "loa");
        let sum = prices().checksum;
        assert!(refused("class -9", "class -8").starts_with(&format!("its checksum is {sum}, not ")));
        assert_eq!(refused("unit = 20", "unit = 0"), "its unit is 0, but must lie between 1 and 900000");
        assert_eq!(refused("start = -2000", "start = 16385"), "its start is 16385, but must lie within ±16384");
        assert_eq!(refused("class -9 ", "class "), "'class' has 1 weights, but 2 are expected");
        assert_eq!(refused("\"class -9 -2\",", ""), "its inputs are not those of this version; learn it again");
        assert_eq!(refused("class -9 -2", "class 99999 -2"), "row 17 makes no sense: 'class 99999 -2'");
    }

    #[test]
    fn tables_survive_their_files() {
        for bound in [RankBound::Best, RankBound::Alpha, RankBound::Margin(30)] {
            check_round_trip(ranks(bound));
        }
        check_round_trip(classes());
        check_round_trip(predictions());
        check_round_trip(prices());
    }

    #[test]
    fn a_table_of_another_kind_is_refused() {
        let text = classes().write(&origin());
        assert_eq!(refusal::<ProbCutTable>(&text, "loa"), "it is a table of 'realization', not of 'probcut'");
        assert!(read::<ProbCutTable>("rows", "loa").is_err());
    }

    #[track_caller]
    fn check_refused<T: LearnedTable>(table: &T, from: &str, to: &str, reason: &str) {
        let text = table.write(&origin());
        assert!(text.contains(from), "{text}");
        assert_eq!(refusal::<T>(&text.replace(from, to), "loa"), reason);
    }

    #[test]
    fn every_table_says_what_is_wrong_with_it() {
        let ranks = ranks(RankBound::Best);
        check_refused(&ranks, "unit = 25", "unit = 0", "its unit is 0, but must lie between 1 and 900000");
        check_refused(&ranks, "7 1 12", "13 1 12", "row 1 makes no sense: '13 1 12 1 3 6 2 3 5000'");
        check_refused(&ranks, "3 5000", "5001 5000", "row 1 makes no sense: '7 1 12 1 3 6 2 5001 5000'");
        check_refused(&ranks, " 3 5000", "", "row 1 makes no sense: '7 1 12 1 3 6 2'");
        check_refused(
            &ranks,
            "gap drop",
            "drop gap",
            &format!(
                "its columns are '{}', not '{}'",
                RankTable::COLUMNS.replace("gap drop", "drop gap"),
                RankTable::COLUMNS
            ),
        );
        let (classes, predictions) = (classes(), predictions());
        check_refused(&classes, "    \"0 0\",\n", "", "it has 1 rows, but the game has 2 classes of moves");
        let huge = "99999999999999999999";
        check_refused(&classes, "\"0 0\"", &format!("\"0 {huge}\""), &format!("row 2 makes no sense: '0 {huge}'"));
        for bad in ["NaN", "inf", "1e999", "x"] {
            let row = format!("row 1 makes no sense: '8 4 2 {bad} -3.5000 41.2500 77'");
            check_refused(&predictions, "1.0625", bad, &row);
        }
        check_refused(&predictions, "8 4 2", "8 8 2", "row 1 makes no sense: '8 8 2 1.0625 -3.5000 41.2500 77'");
    }
}
