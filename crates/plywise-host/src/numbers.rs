//! How counts and times are shown to people, and written for programs.

use std::time::Duration;

/// A count with its thousands set apart: `1,234,567`.
pub fn show_count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of things that one name stands for: `1 node`, `1,234 nodes`.
pub fn show_counted(count: u64, name: &str) -> String {
    format!("{} {name}{}", show_count(count), if count == 1 { "" } else { "s" })
}

/// A time in seconds, or in minutes where seconds would be hard to read.
pub fn show_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 600.0 {
        format!("{seconds:.2} s")
    } else {
        format!("{}:{:02} min", time.as_secs() / 60, time.as_secs() % 60)
    }
}

/// Nodes for each second.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

/// Milliseconds, for JSON and protocols.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_set_in_threes() {
        assert_eq!(show_count(0), "0");
        assert_eq!(show_count(999), "999");
        assert_eq!(show_count(1_000), "1,000");
        assert_eq!([show_counted(1, "node"), show_counted(2000, "node")], ["1 node", "2,000 nodes"]);
        assert_eq!(show_count(12_345_678), "12,345,678");
    }

    #[test]
    fn times_are_shown_in_seconds_or_minutes() {
        assert_eq!(show_time(Duration::from_millis(1234)), "1.23 s");
        assert_eq!(show_time(Duration::from_secs(3661)), "61:01 min");
    }
}
