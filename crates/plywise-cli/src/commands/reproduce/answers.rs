//! What the tables read from the answers of other commands. A key that is missing would be read as 0, so an answer is held
//! against these before anything is made of it.
#![allow(dead_code, reason = "the tables read the same keys from the document")]

use crate::{Failure, Result};
use serde::Deserialize;
use serde_json::Value;

/// A match of two.
#[derive(Deserialize)]
struct Played {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    pentanomial: [u64; 5],
}

/// A match of more.
#[derive(Deserialize)]
struct Tournament {
    games: u64,
    ratings: Vec<Rating>,
}

#[derive(Deserialize)]
struct Rating {
    name: String,
    games: Points,
}

#[derive(Deserialize)]
struct Points {
    wins: u64,
    draws: u64,
    losses: u64,
}

#[derive(Deserialize)]
struct Searched<Row> {
    suite: String,
    positions: u64,
    with_answer: u64,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    limit: String,
    nodes: u64,
    time_ms: f64,
    solved: u64,
    standard_error: f64,
    nodes_percent: f64,
    researches: u64,
    same_score: u64,
}

/// With `--details`.
#[derive(Deserialize)]
struct Detailed {
    #[serde(flatten)]
    row: Row,
    details: Vec<Detail>,
}

#[derive(Deserialize)]
struct Detail {
    depth: f64,
    nodes: u64,
    solved: bool,
    // Without this a missing key would be taken for null.
    #[serde(deserialize_with = "Option::deserialize")]
    found_time_ms: Option<f64>,
}

/// With `--until-proven`.
#[derive(Deserialize)]
struct Proving {
    #[serde(flatten)]
    row: Row,
    proven: u64,
    common: u64,
    common_nodes: u64,
}

#[derive(Deserialize)]
struct Learned {
    learned: Vec<f64>,
}

#[derive(Deserialize)]
struct Evolved {
    positions: u64,
    train_rate: f64,
    test_rate: f64,
    curve: Vec<Point>,
}

#[derive(Deserialize)]
struct Point {
    mean: f64,
}

#[derive(Deserialize)]
struct CutNodes {
    samples: u64,
    #[serde(rename = "false")]
    is_false: u64,
    schemes: Vec<Scheme>,
}

#[derive(Deserialize)]
struct Scheme {
    // Null where there were no such nodes.
    #[serde(rename = "true", deserialize_with = "Option::deserialize")]
    is_true: Option<Vec<f64>>,
    #[serde(rename = "false", deserialize_with = "Option::deserialize")]
    is_false: Option<Vec<f64>>,
    #[serde(deserialize_with = "Option::deserialize")]
    false_not_none: Option<Vec<f64>>,
}

#[derive(Deserialize)]
struct Classes {
    moves: Vec<Class>,
}

#[derive(Deserialize)]
struct Class {
    r#move: String,
    price: f64,
    played: u64,
    available: u64,
}

/// Says what is missing from the answer to a command.
pub(super) fn check(words: &[String], answer: &Value) -> Result {
    let has = |word: &str| words.iter().any(|found| found == word);
    let found = match words.first().map(String::as_str) {
        Some("match") if has("--player") => Tournament::deserialize(answer).map(drop),
        Some("match") => Played::deserialize(answer).map(drop),
        Some("suite") if has("--until-proven") => Searched::<Proving>::deserialize(answer).map(drop),
        Some("suite") if has("--details") => Searched::<Detailed>::deserialize(answer).map(drop),
        Some("suite") => Searched::<Row>::deserialize(answer).map(drop),
        Some("learn") => Learned::deserialize(answer).map(drop),
        Some("evolve") => Evolved::deserialize(answer).map(drop),
        Some("gather") => CutNodes::deserialize(answer).map(drop),
        Some("classes") => Classes::deserialize(answer).map(drop),
        _ => return Err(Failure::Failed(format!("no table knows what '{}' answers", words.join(" ")))),
    };
    found.map_err(|error| Failure::Failed(format!("the answer of '{}' cannot be used: {error}", words.join(" "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_without_a_key_is_no_zero() {
        let words = ["match", "loa"].map(str::to_owned);
        let whole =
            json!({"games": 4, "wins": 1, "draws": 2, "losses": 1, "score": 0.5, "pentanomial": [0, 0, 2, 0, 0]});
        assert!(check(&words, &whole).is_ok());
        for key in ["games", "wins", "draws", "losses", "score", "pentanomial"] {
            let mut cut = whole.clone();
            cut.as_object_mut().unwrap().shift_remove(key);
            let sentence = check(&words, &cut).unwrap_err().to_string();
            assert!(sentence.contains(key) && sentence.contains("'match loa'"), "{sentence}");
        }
        let detail = json!({"depth": 3, "nodes": 10, "solved": true});
        assert!(Detail::deserialize(&detail).is_err());
        assert!(check(&["bench".to_owned()], &whole).is_err());
    }
}
