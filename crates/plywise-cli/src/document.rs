//! JSON documents. Every one begins with the version, the command and the seed.

use crate::Result;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::Write;

/// Writes the document of a command on one line. The seed is that of everything random, if anything was; `results` is an
/// object.
pub fn write(out: &mut dyn Write, command: &str, seed: Option<u64>, results: Value) -> Result {
    let origin = json!({"version": env!("CARGO_PKG_VERSION"), "command": command, "seed": seed});
    Ok(writeln!(out, "{}", joined(origin, results))?)
}

/// An object with the keys of both.
pub fn joined(first: Value, second: Value) -> Value {
    let mut keys = object(first);
    keys.extend(object(second));
    keys.into()
}

/// A plain struct of numbers and texts, which always becomes JSON.
pub fn describe(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// The keys of an object; anything else has none.
pub fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(keys) => keys,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_says_where_it_comes_from() {
        let mut out = Vec::new();
        write(&mut out, "suite", Some(7), json!({"positions": 3})).unwrap();
        write(&mut out, "bench", None, json!({})).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let first = format!("{{\"version\":\"{version}\",\"command\":\"suite\",\"seed\":7,\"positions\":3}}\n");
        let second = format!("{{\"version\":\"{version}\",\"command\":\"bench\",\"seed\":null}}\n");
        assert_eq!(String::from_utf8_lossy(&out), first + &second);
    }
}
