//! `plywise-engine.toml`: how somebody's engine is built, run, tested and tuned.

use crate::engine::Protocol;
use crate::matches::{DrawRule, ResignRule, Rules};
use crate::statistics::{EloModel, Sprt};
use plywise_search::{Limits, TimeControl};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What the file is called.
pub const FILE_NAME: &str = "plywise-engine.toml";

/// The file. Every part may be missing: a file that only names options is enough for tuning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineFile {
    /// How the engine is built and run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<Recipe>,
    /// How two versions of it are tested.
    #[serde(default)]
    pub test: TestSettings,
    /// Its options.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub option: Vec<EngineOption>,
}

/// How an engine is built and run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recipe {
    /// The game that it plays.
    #[serde(default = "chess")]
    pub game: String,
    /// The language that it speaks.
    #[serde(default = "uci")]
    pub protocol: Protocol,
    /// The command that builds it; empty if there is nothing to build.
    #[serde(default)]
    pub build: String,
    /// The program with its arguments.
    pub run: String,
    /// The command that prints the nodes of its bench.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<String>,
    /// The most minutes that the build may take.
    #[serde(default = "build_minutes")]
    pub build_minutes: u32,
    /// The most minutes that the bench may take.
    #[serde(default = "bench_minutes")]
    pub bench_minutes: u32,
    /// The folder of the source in which all of this runs; that of the file in the repository.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub folder: String,
}

fn chess() -> String {
    "chess".to_owned()
}

fn uci() -> Protocol {
    Protocol::Uci
}

fn build_minutes() -> u32 {
    20
}

fn bench_minutes() -> u32 {
    10
}

/// How two versions of an engine are tested.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TestSettings {
    /// The version to test against if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The clock, such as `8+0.08`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// Milliseconds for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Nodes for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// The Elo bounds of the sequential test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<[f64; 2]>,
    /// The probability to accept what is not better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// The probability to miss what is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beta: Option<f64>,
    /// What the bounds mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo_model: Option<EloModel>,
    /// The most games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// The file of openings, from the folder of this file; `start` for the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
    /// Plies to take from each game of a PGN file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// Whether the openings are used in random order.
    #[serde(default)]
    pub shuffle: bool,
    /// From this move on, a game is drawn after a number of moves with scores close to 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<[u32; 3]>,
    /// A game is lost after a number of moves with a score far below 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<[u32; 2]>,
    /// The most moves of each player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// How often the speed is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_rounds: Option<u64>,
}

/// An option of the engine: `value` for all games, or what tuning may do with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineOption {
    /// Its name.
    pub name: String,
    /// What it is set to in every game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<OptionValue>,
    /// Its least value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Its greatest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Where tuning begins: its default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// By how much it is altered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
}

/// What an option is set to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// A check box.
    Switch(bool),
    /// A whole number.
    Number(i64),
    /// Another number.
    Fraction(f64),
    /// A text.
    Text(String),
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            OptionValue::Switch(value) => value.fmt(f),
            OptionValue::Number(value) => value.fmt(f),
            OptionValue::Fraction(value) => value.fmt(f),
            OptionValue::Text(value) => value.fmt(f),
        }
    }
}

/// What is wrong with a file, for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FileError(String);

impl FileError {
    fn of(error: impl ToString) -> FileError {
        FileError(error.to_string().replace(char::is_control, " "))
    }

    /// What is no TOML, or not what the file holds, on one line.
    fn in_line(text: &str, error: &toml::de::Error) -> FileError {
        let problem = error.message().replace(char::is_control, " ");
        FileError(match error.span().and_then(|span| text.get(..span.start)) {
            Some(before) => format!("line {}: {problem}", 1 + before.matches('\n').count()),
            None => problem,
        })
    }
}

impl EngineFile {
    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<EngineFile, FileError> {
        let file: EngineFile = toml::from_str(text).map_err(|error| FileError::in_line(text, &error))?;
        for EngineOption { name, value, min, max, start, step } in &file.option {
            if name.trim().is_empty() || name.contains(char::is_control) {
                return Err(FileError("an option has no name, or one of more than a line".into()));
            }
            let is_tuned = min.is_some() && max.is_some() && start.is_some();
            let is_partly = min.is_some() || max.is_some() || start.is_some() || step.is_some();
            if value.is_none() && !is_tuned {
                return Err(FileError(format!("option '{name}' needs a value, or min, max and start")));
            }
            if value.is_some() && is_partly {
                return Err(FileError(format!("option '{name}' has a value, so that min, max, start and step go")));
            }
        }
        Ok(file)
    }

    /// Its options for all games, as engines are given them.
    pub fn fixed_options(&self) -> Vec<(String, String)> {
        let fixed =
            self.option.iter().filter_map(|option| Some((option.name.clone(), option.value.as_ref()?.to_string())));
        fixed.collect()
    }
}

impl TestSettings {
    /// A common clock of authors' tests.
    const USUAL_TC: &'static str = "8+0.08";

    /// The limits of every move.
    pub fn limits(&self) -> Result<Limits, FileError> {
        let TestSettings { tc, movetime, nodes, depth, .. } = self;
        if movetime == &Some(0) || nodes == &Some(0) || depth.is_some_and(|depth| depth < 1) {
            return Err(FileError("movetime, nodes and depth are at least 1".into()));
        }
        if tc.is_some() && movetime.is_some() {
            return Err(FileError("tc and movetime exclude each other".into()));
        }
        let is_bare = movetime.is_none() && nodes.is_none() && depth.is_none();
        let tc = tc.as_deref().or(is_bare.then_some(TestSettings::USUAL_TC));
        let control = tc.map(str::parse::<TimeControl>).transpose().map_err(FileError::of)?;
        let clock = control.map(|control| Limits::clock(control).clock);
        Ok(Limits {
            depth: *depth,
            nodes: *nodes,
            movetime: movetime.map(Duration::from_millis),
            clock: clock.flatten(),
            ..Limits::default()
        })
    }

    /// The sequential test.
    pub fn sprt(&self) -> Result<Sprt, FileError> {
        let [elo0, elo1] = self.sprt.unwrap_or([0.0, 5.0]);
        let (alpha, beta) = (self.alpha.unwrap_or(0.05), self.beta.unwrap_or(0.05));
        Sprt::new(elo0, elo1, alpha, beta, self.elo_model.unwrap_or(EloModel::Normalised)).map_err(FileError::of)
    }

    /// The rules of the referee.
    pub fn rules(&self) -> Rules {
        let score = |score: u32| i32::try_from(score).unwrap_or(i32::MAX);
        Rules {
            longest: Some(self.max_moves.unwrap_or(500).saturating_mul(2)),
            draw: self.draw.map(|[from_move, moves, within]| DrawRule { from_move, moves, score: score(within) }),
            resign: self.resign.map(|[moves, behind]| ResignRule { moves, score: score(behind), two_sided: false }),
            ..Rules::default()
        }
    }

    /// The most games.
    pub fn games(&self) -> u64 {
        self.games.unwrap_or(40_000)
    }

    /// How often the speed is measured.
    pub fn speed_rounds(&self) -> u64 {
        self.speed_rounds.unwrap_or(5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_how_to_build_to_test_and_to_tune() {
        let text = "[engine]\nbuild = \"make\"\nrun = \"./engine\"\n[test]\nbase = \"main\"\nnodes = 500\nsprt = [0, 3]\n\
                    draw = [34, 8, 10]\n[[option]]\nname = \"Hash\"\nvalue = 16\n[[option]]\nname = \"Margin\"\n\
                    min = 0\nmax = 100\nstart = 40\nstep = 5\n";
        let file = EngineFile::read(text).unwrap();
        let recipe = file.engine.clone().unwrap();
        assert_eq!((recipe.game.as_str(), recipe.protocol, recipe.bench.as_deref()), ("chess", Protocol::Uci, None));
        assert_eq!(file.fixed_options(), [("Hash".to_owned(), "16".to_owned())]);
        assert_eq!(file.test.limits().unwrap(), Limits::nodes(500));
        assert_eq!(file.test.rules().draw.unwrap().score, 10);
        let again = EngineFile::read(&toml::to_string(&file).unwrap()).unwrap();
        assert_eq!(again, file);
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        #[track_caller]
        fn check(text: &str, words: &str) {
            let error = EngineFile::read(text).and_then(|file| file.test.limits().and(file.test.sprt()));
            let error = error.unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        check("[engine]\nbuild = \"make\"\n", "run");
        check("[engine]\nrun = \"a\"\nrnu = \"b\"\n", "rnu");
        check("[test]\ntc = \"fast\"\n", "fast");
        check("[test]\ntc = \"1+1\"\nmovetime = 5\n", "exclude");
        check("[test]\nnodes = 0\n", "at least 1");
        check("[test]\nsprt = [5, 0]\n", "below");
        check("[[option]]\nname = \"a\"\nmin = 1\n", "option 'a' needs a value");
        check("[[option]]\nname = \"a\"\nvalue = 1\nmax = 1\n", "option 'a' has a value");
    }

    #[test]
    fn without_a_limit_there_is_a_clock() {
        assert!(TestSettings::default().limits().unwrap().clock.is_some());
    }
}
