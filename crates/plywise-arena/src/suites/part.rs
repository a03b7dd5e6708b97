use plywise_game::random::Random;
use plywise_host::{AnyGame, AnyPosition, SuiteEntry};
use plywise_run::{JobError, digest};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Which positions of a suite are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Only one half of the suite.
    pub half: Option<Half>,
    /// Only this many positions, chosen at random.
    pub sample: Option<u32>,
    /// The seed of the choice.
    pub seed: u64,
}

/// A half of a suite. A hash of the position decides to which half it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// To choose settings on.
    Tune,
    /// To report them on.
    Report,
}

impl Half {
    /// The half that a position belongs to, in every suite that has it.
    pub fn of(position: &AnyPosition) -> Half {
        // The last digit of the digest of what the position looks like, whatever its counters.
        let text = position.text();
        let board: Vec<&str> = text.split_whitespace().take(2).collect();
        match digest(board.join(" ").as_bytes()).bytes().last() {
            Some(b'0'..=b'7') => Half::Tune,
            _ => Half::Report,
        }
    }
}

impl fmt::Display for Half {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Half::Tune => "tune",
            Half::Report => "report",
        })
    }
}

impl FromStr for Half {
    type Err = String;

    fn from_str(text: &str) -> Result<Half, String> {
        match text {
            "tune" => Ok(Half::Tune),
            "report" => Ok(Half::Report),
            _ => Err("a half is tune or report".to_owned()),
        }
    }
}

/// The suites that come with a game: names and texts.
pub fn own_suites(game: &dyn AnyGame) -> Vec<(&'static str, &'static str)> {
    let openings = Some(("openings", game.openings())).filter(|(_, text)| !text.is_empty());
    game.suites().iter().copied().chain(openings).collect()
}

/// The positions of a part of a suite. People call the suite `name`, and `text` is what it holds.
pub fn read_part(game: &dyn AnyGame, name: &str, text: &str, part: &Part) -> Result<Vec<SuiteEntry>, JobError> {
    let entries = game.read_epd(Box::new(text.as_bytes())).enumerate().map(|(i, entry)| {
        let entry = entry.map_err(|error| JobError::input(format!("suite '{name}', {error}")))?;
        // A position without a name is known by its place in the file.
        Ok(SuiteEntry { id: Some(entry.id.unwrap_or_else(|| format!("#{}", i + 1))), ..entry })
    });
    let mut entries = entries.collect::<Result<Vec<SuiteEntry>, JobError>>()?;
    if entries.is_empty() {
        return Err(JobError::input(format!("suite '{name}' holds no position")));
    }
    if let Some(over) = entries.iter().find(|entry| entry.position.outcome().is_some()) {
        let id = over.id.as_deref().unwrap_or_default();
        return Err(JobError::input(format!("suite '{name}': the game is over in position '{id}'")));
    }
    entries.retain(|entry| part.half.is_none_or(|half| half == Half::of(&entry.position)));
    if entries.is_empty() {
        return Err(JobError::input("this half of the suite is empty"));
    }
    let wanted = part.sample.map_or(entries.len(), |count| entries.len().min(count as usize));
    let mut chosen = Random::new(part.seed).shuffled(0..entries.len());
    chosen.truncate(wanted);
    chosen.sort_unstable();
    let mut entries: Vec<Option<SuiteEntry>> = entries.into_iter().map(Some).collect();
    Ok(chosen.into_iter().filter_map(|place| entries[place].take()).collect())
}
