//! How numbers, scores and lines of moves are shown to people.

use crate::games::Playable;
use plywise_game::{Ended, GameSoFar, Score, score};
use std::time::Duration;

/// A score from the view of the side to move.
pub fn show_score<G: Playable>(score: Score) -> String {
    score::plies_to_end(score).map_or_else(|| G::show_score(score), G::show_win)
}

/// Moves as players write them, played one after the other from `position`.
pub fn show_moves<G: Playable>(position: &G::Position, moves: &[G::Move]) -> Vec<String> {
    write_moves::<G>(position, moves, G::write_move)
}

/// Moves in some notation, played one after the other from `position`.
pub fn write_moves<G: Playable>(
    position: &G::Position,
    moves: &[G::Move],
    write: impl Fn(&G::Position, G::Move) -> String,
) -> Vec<String> {
    let mut position = position.clone();
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        words.push(write(&position, mv));
        position = G::play(&position, mv);
    }
    words
}

/// How a game ended, in words that follow "the game is over: ".
pub fn show_ending<G: Playable>(line: &GameSoFar<G>) -> String {
    match line.ended() {
        Some(Ended::Decided(_) | Ended::DrawnByRule) => G::describe_end(line.position()),
        Some(Ended::Repetition(_)) => "third repetition".to_string(),
        None => "nobody has won yet".to_string(),
    }
}

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
    use plywise_chess::Chess;
    use plywise_loa::Loa;

    #[test]
    fn counts_are_set_in_threes() {
        assert_eq!(show_count(0), "0");
        assert_eq!(show_count(999), "999");
        assert_eq!(show_count(1_000), "1,000");
        assert_eq!([show_counted(1, "node"), show_counted(2000, "node")], ["1 node", "2,000 nodes"]);
        assert_eq!(show_count(12_345_678), "12,345,678");
    }

    #[test]
    fn wins_are_counted_as_players_count_them() {
        assert_eq!(show_score::<Chess>(35), "+0.35");
        assert_eq!(show_score::<Chess>(score::win_in(1)), "#1");
        assert_eq!(show_score::<Chess>(score::win_in(5)), "#3");
        assert_eq!(show_score::<Chess>(score::loss_in(2)), "#-1");
        assert_eq!(show_score::<Loa>(35), "+35");
        assert_eq!(show_score::<Loa>(score::loss_in(4)), "loss in 4");
    }
}
