//! The games of run directories.

use crate::games::Playable;
use crate::shown::{self, Shown};
use crate::text::{milliseconds, show_score};
use crate::{Failure, Result};
use plywise_arena::matches::GameRecord;
use plywise_arena::run::Run;
use plywise_game::Side;
use plywise_game::pgn::GameResult;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

/// What a run directory of games without a match shows.
pub(super) fn shown(path: &Path) -> Result<Shown> {
    let (_, _, records) = shown::read::<Value, GameRecord>(path)?;
    let count = |result| records.iter().filter(|record| record.result == result).count().to_string();
    let facts = vec![
        ("First player wins".into(), count(GameResult::Win(Side::First))),
        ("Draws".into(), count(GameResult::Draw)),
        ("Second player wins".into(), count(GameResult::Win(Side::Second))),
    ];
    Ok(Shown { games: records.len(), facts, ..Shown::default() })
}

/// A line for each of some games, by their numbers.
pub(super) fn list(path: &Path, from: usize, count: usize) -> Result<Value> {
    let mut lines = Vec::new();
    let mut take = |record: GameRecord| {
        lines.push((record.index, line(&record)));
        Ok(())
    };
    Run::look(path, &mut take).map_err(Failure::input)?;
    lines.sort_by_key(|(index, _)| *index);
    let total = lines.len();
    let games: Vec<Value> = lines.into_iter().skip(from).take(count).map(|(_, line)| line).collect();
    Ok(json!({"total": total, "games": games}))
}

fn line(record: &GameRecord) -> Value {
    json!({
        "number": record.index + 1,
        "players": record.names,
        "result": record.result.to_string(),
        "ending": record.ending_words(),
        "plies": record.moves.len(),
        "opening": record.opening + 1,
    })
}

/// The name of the game that a run is of, and its game with this number.
pub(super) fn find(path: &Path, number: u64) -> Result<(String, GameRecord)> {
    #[derive(Deserialize)]
    struct Work {
        game: String,
    }
    let (Work { game }, _, records) = shown::read::<Work, GameRecord>(path)?;
    let found = records.into_iter().find(|record| record.index.checked_add(1) == Some(number));
    let found = found.ok_or_else(|| Failure::input(format!("game {number} is not finished")))?;
    Ok((game, found))
}

/// A game to be replayed.
pub(super) fn replay<G: Playable>(record: &GameRecord) -> Result<Value> {
    let mut position = G::parse_position(&record.start).map_err(Failure::input)?;
    let mut notes = Vec::new();
    for played in &record.moves {
        let mv = G::parse_move(&position, &played.text).map_err(Failure::input)?;
        notes.push(json!({
            "text": G::write_move(&position, mv),
            "score": played.thought.score.map(show_score::<G>),
            "value": played.thought.score,
            "depth": played.thought.depth,
            "time_ms": played.elapsed.map(milliseconds),
        }));
        position = G::play(&position, mv);
    }
    let moves: Vec<&str> = record.moves.iter().map(|played| played.text.as_str()).collect();
    let mut told = line(record);
    told["game"] = json!(G::NAME);
    told["start"] = json!(record.start);
    told["moves"] = json!(moves);
    told["notes"] = json!(notes);
    Ok(told)
}
