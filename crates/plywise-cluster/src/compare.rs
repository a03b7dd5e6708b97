use serde_json::Value;

/// What results call the time that something took, or when it was.
const TIMES: [&str; 4] = ["time", "us", "clock_us", "date"];

/// Whether two results say the same, whatever time they took.
pub fn same_apart_from_times(one: &[u8], other: &[u8]) -> bool {
    let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok().map(without_times);
    one == other || read(one).is_some_and(|value| Some(value) == read(other))
}

fn without_times(value: Value) -> Value {
    match value {
        Value::Object(keys) => {
            let kept = keys.into_iter().filter(|(key, _)| !TIMES.contains(&key.as_str()));
            Value::Object(kept.map(|(key, value)| (key, without_times(value))).collect())
        }
        Value::Array(values) => values.into_iter().map(without_times).collect(),
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_may_differ() {
        let check = |one: &str, other: &str| same_apart_from_times(one.as_bytes(), other.as_bytes());
        assert!(check(r#"{"nodes":5,"time":{"secs":1}}"#, r#"{"nodes":5,"time":{"secs":2}}"#));
        assert!(check(r#"{"moves":[{"move":"a1a2","us":7}]}"#, r#"{"moves":[{"move":"a1a2","us":9}]}"#));
        assert!(!check(r#"{"moves":[{"move":"a1a2","us":7}]}"#, r#"{"moves":[{"move":"a1a3","us":7}]}"#));
        assert!(!check(r#"{"nodes":5}"#, r#"{"nodes":6}"#));
        assert!(!check("{", "}"));
    }
}
