//! The games of run directories.

use crate::run_summary::{self, RunSummary};
use crate::text::milliseconds;
use crate::{Failure, Result};
use plywise_arena::matches::{Ending, GameRecord, MoveRecord, games_to_pgn};
use plywise_game::Side;
use plywise_game::pgn::GameResult;
use plywise_host::{AnyGame, find_game};
use plywise_run::{Mark, Run, RunError};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// What a run directory of games without a match shows.
pub(super) fn summary(path: &Path) -> Result<RunSummary> {
    let (_, _, records) = run_summary::read::<Value, GameRecord>(path)?;
    let count = |result| records.iter().filter(|record| record.result == result).count().to_string();
    let facts = vec![
        ("First player wins".into(), count(GameResult::Win(Side::First))),
        ("Draws".into(), count(GameResult::Draw)),
        ("Second player wins".into(), count(GameResult::Win(Side::Second))),
    ];
    Ok(RunSummary { games: records.len(), facts, ..RunSummary::default() })
}

/// The games of the run directories that were looked at last, each with its line in the list and its place in the journal: a
/// journal is read once, and then what came since.
#[derive(Default)]
pub(super) struct Indexes(Mutex<VecDeque<Index>>);

/// How many run directories have an index at once.
const INDEXES: usize = 8;

/// Where the games of one run directory stand in its journal, as far as that was read.
struct Index {
    path: PathBuf,
    /// The journal of another run in the same place is another one.
    begun: SystemTime,
    read: Mark,
    games: BTreeMap<u64, (Mark, Value)>,
}

/// What the list tells of a game. Its moves are counted, and no more.
#[derive(Deserialize)]
struct Brief {
    index: u64,
    names: [String; 2],
    opening: usize,
    moves: Vec<IgnoredAny>,
    result: String,
    ending: Ending,
}

impl Brief {
    fn line(&self) -> Value {
        json!({
            "number": self.index + 1,
            "players": self.names,
            "result": self.result,
            "ending": self.ending.words(&self.names),
            "plies": self.moves.len(),
            "opening": self.opening + 1,
        })
    }
}

impl Index {
    /// Reads what came since.
    fn read_on(&mut self) -> Result<(), RunError> {
        let take = &mut |mark, game: Brief| {
            self.games.insert(game.index, (mark, game.line()));
        };
        self.read = Run::read_on(&self.path, self.read, take)?;
        Ok(())
    }
}

impl Indexes {
    /// Where the games of a run directory stand, as of now.
    fn of<T>(&self, path: &Path, look: impl FnOnce(&BTreeMap<u64, (Mark, Value)>) -> T) -> Result<T> {
        let begun = Run::glance(path).map_err(Failure::input)?.begun;
        let mut indexes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = indexes.iter().position(|index| index.path == path).and_then(|place| indexes.remove(place));
        let fresh = || Index { path: path.into(), begun, read: Mark::default(), games: BTreeMap::new() };
        let mut index = known.filter(|index| index.begun == begun).unwrap_or_else(fresh);
        if index.read_on().is_err() {
            // What is damaged from here on may be another journal, and whole.
            index = fresh();
            index.read_on().map_err(Failure::input)?;
        }
        let found = look(&index.games);
        indexes.push_back(index);
        if indexes.len() > INDEXES {
            indexes.pop_front();
        }
        Ok(found)
    }

    /// A line for each of some games, by their numbers.
    pub(super) fn list(&self, path: &Path, from: usize, count: usize) -> Result<Value> {
        self.of(path, |games| {
            let lines: Vec<&Value> = games.values().skip(from).take(count).map(|(_, line)| line).collect();
            json!({"total": games.len(), "games": lines})
        })
    }

    /// The name of the game that a run is of, and its game with this number.
    pub(super) fn find(&self, path: &Path, number: u64) -> Result<(String, GameRecord)> {
        let work = Run::glance(path).map_err(Failure::input)?.manifest.work;
        let game = work.get("game").and_then(Value::as_str);
        let game = game.ok_or_else(|| Failure::input(format!("'{}' names no game", path.display())))?;
        let mark = number
            .checked_sub(1)
            .map_or(Ok(None), |index| self.of(path, |games| games.get(&index).map(|(mark, _)| *mark)))?;
        let mark = mark.ok_or_else(|| Failure::input(format!("game {number} is not finished")))?;
        Ok((game.into(), Run::unit_at(path, mark).map_err(Failure::input)?))
    }
}

/// A game to be replayed.
pub(super) fn replay(game: &dyn AnyGame, record: &GameRecord) -> Result<Value> {
    let replayed = record.to_pgn(game, "").map_err(Failure::input)?.position;
    let texts = replayed.at(0).write_line(&replayed.moves());
    let note = |(text, played): (String, &MoveRecord)| {
        json!({
            "text": text,
            "score": played.thought.score.map(|score| game.show_score(score)),
            "value": played.thought.score,
            "depth": played.thought.depth,
            "time_ms": played.elapsed.map(milliseconds),
        })
    };
    let notes: Vec<Value> = texts.into_iter().zip(&record.moves).map(note).collect();
    let moves: Vec<&str> = record.moves.iter().map(|played| played.text.as_str()).collect();
    Ok(json!({
        "number": record.index + 1,
        "players": record.names,
        "result": record.result.to_string(),
        "ending": record.ending_words(),
        "opening": record.opening + 1,
        "game": game.name(),
        "start": record.start,
        "moves": moves,
        "notes": notes,
    }))
}

/// All games of a run as PGN, in their order.
pub(super) fn pgn(games: &[Arc<dyn AnyGame>], path: &Path) -> Result<String> {
    let (work, _, mut records) = run_summary::read::<Value, GameRecord>(path)?;
    let game = find_game(games, work["game"].as_str().unwrap_or_default()).map_err(Failure::input)?;
    records.sort_by_key(|record| record.index);
    let event = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    games_to_pgn(&**game, &records, &event).map_err(|error| Failure::Failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_run::Manifest;

    fn game(index: u64) -> Value {
        json!({
            "index": index, "players": [0, 1], "names": ["a", "b"], "opening": 0, "date": "2026.01.01",
            "time_controls": ["-", "-"], "start": "", "moves": [], "result": "1/2-1/2", "ending": {"how": "repetition", "times": 3},
        })
    }

    #[test]
    fn a_page_of_games_is_read_without_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut manifest = Manifest::default();
        manifest.work.insert("game".into(), "chess".into());
        let mut run = Run::open::<Value>(folder.path(), &manifest, false, &mut |_| Ok(())).unwrap();
        for index in [1, 0, 2] {
            run.append(&game(index)).unwrap();
        }
        let indexes = Indexes::default();
        let numbers = |from, count| {
            let list = indexes.list(folder.path(), from, count).unwrap();
            let numbers = list["games"].as_array().unwrap().iter().map(|game| game["number"].as_u64().unwrap());
            (list["total"].as_u64().unwrap(), numbers.collect::<Vec<u64>>())
        };
        assert_eq!(numbers(0, 2), (3, vec![1, 2]));
        // What was read once is not read again: damage there is not seen, and what came since is.
        let journal = folder.path().join("journal.jsonl");
        let text = std::fs::read_to_string(&journal).unwrap();
        std::fs::write(&journal, text.replacen("unit", "unix", 1)).unwrap();
        run.append(&game(3)).unwrap();
        assert_eq!(numbers(2, 9), (4, vec![3, 4]));
        assert_eq!(indexes.find(folder.path(), 4).unwrap().1.index, 3);
        assert!(indexes.find(folder.path(), 2).unwrap_err().to_string().contains("line 1"));
        assert!(indexes.find(folder.path(), 5).is_err() && indexes.find(folder.path(), 0).is_err());

        // Another journal in the same place is read from its beginning.
        drop(run);
        std::fs::remove_dir_all(folder.path()).unwrap();
        let mut run = Run::open::<Value>(folder.path(), &manifest, false, &mut |_| Ok(())).unwrap();
        run.append(&game(7)).unwrap();
        assert_eq!(numbers(0, 9), (1, vec![8]));
    }
}
