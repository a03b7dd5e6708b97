//! What is said while a match is played, on standard error.

use crate::progress::say;
use plywise_arena::matches::{Fixture, GameRecord, MoveRecord, Observer, Standings};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Tells of every game as it ends, with the failure that ended it.
pub struct Live {
    begun: Instant,
    /// Microseconds that players thought, in games of this sitting.
    thought: AtomicU64,
    moves: AtomicU64,
    /// What was remarked about players.
    said: Mutex<Vec<String>>,
}

/// What a sitting took.
pub struct Sitting {
    /// From its beginning to its end.
    pub time: Duration,
    /// The share of the time of all game threads in which a player thought; `None` where nothing was played.
    pub thinking_share: Option<f64>,
    /// Moves that were played.
    pub moves: u64,
}

impl Live {
    /// For a match of which so many games are finished.
    pub fn new(finished: usize) -> Live {
        if finished > 0 {
            say(&format!("going on after {finished} finished games"));
        }
        Live { begun: Instant::now(), thought: AtomicU64::new(0), moves: AtomicU64::new(0), said: Mutex::default() }
    }

    /// What was measured on `threads` threads.
    pub fn finish(self, threads: usize) -> Sitting {
        let (time, moves) = (self.begun.elapsed(), self.moves.into_inner());
        let thought = Duration::from_micros(self.thought.into_inner());
        let thinking_share = (moves > 0).then(|| thought.as_secs_f64() / (time.as_secs_f64() * threads as f64));
        Sitting { time, thinking_share, moves }
    }
}

impl Observer for Live {
    fn moved(&self, _: &Fixture, played: &MoveRecord) {
        let elapsed = played.elapsed.unwrap_or_default();
        self.thought.fetch_add(u64::try_from(elapsed.as_micros()).unwrap_or(0), Ordering::Relaxed);
        self.moves.fetch_add(1, Ordering::Relaxed);
    }

    fn remarked(&self, name: &str, remark: &str) {
        let sentence = format!("{name} {remark}");
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        // Every game thread has a player of its own who notices it.
        if !said.contains(&sentence) {
            say(&sentence);
            said.push(sentence);
        }
    }

    fn game_finished(&self, record: &GameRecord, standings: &Standings) {
        let [first, second] = &record.names;
        let (number, all, plies) = (record.index + 1, standings.scheduled(), record.moves.len());
        let game = format!(
            "game {number}/{all}: {first} – {second} {} ({}, {plies} plies)",
            record.result,
            record.ending_words()
        );
        say(&match running(standings) {
            Some(running) => format!("{game} | {running}"),
            None => game,
        });
    }
}

/// Where a match of two stands.
fn running(standings: &Standings) -> Option<String> {
    let summary = standings.summary().filter(|summary| summary.games > 0)?;
    let mut text = format!("+{} ={} -{}", summary.wins, summary.draws, summary.losses);
    if let Some(score) = summary.score {
        text.push_str(&format!(", {:.1} %", 100.0 * score));
    }
    if let (Some(elo), Some(error)) = (summary.elo, summary.elo_error) {
        text.push_str(&format!(", Elo {elo:+.1} ± {error:.1}"));
    }
    if let Some(sprt) = summary.sprt {
        text.push_str(&format!(", LLR {:.2} ({:.2}, {:.2})", sprt.llr, sprt.lower, sprt.upper));
    }
    Some(text)
}
