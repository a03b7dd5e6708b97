//! What is said while a match is played, on standard error.

use super::output;
use crate::progress::say;
use crate::{Failure, Result, files};
use plywise_arena::matches::{GameRecord, MatchEvent, games_to_pgn};
use plywise_arena::statistics::Summary;
use plywise_host::AnyGame;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Tells of every game as it ends, with the failure that ended it, and adds it to a PGN file.
pub struct Live<'a> {
    game: &'a dyn AnyGame,
    pgn: Option<&'a Path>,
    begun: Instant,
    /// Microseconds that players thought, in games of this sitting.
    thought: AtomicU64,
    moves: AtomicU64,
    written: Mutex<Written>,
}

#[derive(Default)]
struct Written {
    /// What the match is called.
    title: String,
    /// What was remarked about players.
    remarks: Vec<String>,
    /// The PGN file, once the match has begun.
    pgn: Option<Result<files::Growing>>,
}

/// What a sitting took.
pub struct Sitting {
    /// From its beginning to its end.
    pub time: Duration,
    /// The share of the time of all game threads in which a player thought; `None` if nothing was played.
    pub thinking_share: Option<f64>,
    /// Moves that were played.
    pub moves: u64,
}

impl<'a> Live<'a> {
    /// For a match whose games are added to a PGN file, if one is named.
    pub fn new(game: &'a dyn AnyGame, pgn: Option<&'a Path>) -> Live<'a> {
        let (begun, written) = (Instant::now(), Mutex::default());
        Live { game, pgn, begun, thought: AtomicU64::new(0), moves: AtomicU64::new(0), written }
    }

    /// What was measured on `threads` threads, and the PGN file.
    pub fn finish(self, threads: usize) -> (Sitting, Option<Result<files::Growing>>) {
        let (time, moves) = (self.begun.elapsed(), self.moves.into_inner());
        let thought = Duration::from_micros(self.thought.into_inner());
        let thinking_share = (moves > 0).then(|| thought.as_secs_f64() / (time.as_secs_f64() * threads as f64));
        let written = self.written.into_inner().unwrap_or_else(PoisonError::into_inner);
        (Sitting { time, thinking_share, moves }, written.pgn)
    }

    /// Takes note of what happens.
    pub fn take(&self, event: MatchEvent) {
        match event {
            MatchEvent::Begun { title, records, .. } => self.begin(title, &records),
            MatchEvent::Started { .. } => {}
            MatchEvent::Moved(elapsed) => {
                self.thought.fetch_add(u64::try_from(elapsed.as_micros()).unwrap_or(0), Ordering::Relaxed);
                self.moves.fetch_add(1, Ordering::Relaxed);
            }
            MatchEvent::Remarked(sentence) => {
                let mut written = self.written();
                // Every game thread has a player of its own who notices it.
                if !written.remarks.contains(&sentence) {
                    say(&sentence);
                    written.remarks.push(sentence);
                }
            }
            MatchEvent::Ended { record, scheduled, summary, table } => {
                let Written { title, pgn, .. } = &mut *self.written();
                if let Some(Ok(pgn)) = pgn {
                    // What our own referee wrote down can be replayed.
                    pgn.add(&self.to_pgn(&record, title).unwrap_or_default());
                }
                tell(&record, scheduled, summary.as_deref());
                if let Some(table) = table {
                    say(&format!("standings: {}", standings(&table)));
                }
            }
        }
    }

    fn begin(&self, title: String, records: &[GameRecord]) {
        if !records.is_empty() {
            say(&format!("going on after {} finished games", records.len()));
        }
        let pgn = self.pgn.map(|path| {
            let games = records.iter().map(|record| self.to_pgn(record, &title));
            output::complete(path, &games.collect::<Result<Vec<_>>>()?)
        });
        *self.written() = Written { title, pgn, ..Written::default() };
    }

    fn to_pgn(&self, record: &GameRecord, title: &str) -> Result<String> {
        games_to_pgn(self.game, std::slice::from_ref(record), title).map_err(|error| Failure::Failed(error.to_string()))
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says how a game ended, and where a match of two stands.
fn tell(record: &GameRecord, scheduled: u64, summary: Option<&Summary>) {
    let [first, second] = &record.names;
    let (number, plies) = (record.index + 1, record.moves.len());
    let game = format!(
        "game {number}/{scheduled}: {first} – {second} {} ({}, {plies} plies)",
        record.result,
        record.ending_words()
    );
    say(&match summary.filter(|summary| summary.games > 0) {
        Some(summary) => format!("{game} | {}", running(summary)),
        None => game,
    });
}

/// The points of everybody, the best first: `best 3.5/4, classic 2/4`.
pub(super) fn standings(table: &[(String, f64, u64)]) -> String {
    let rows: Vec<String> = table.iter().map(|(name, points, games)| format!("{name} {points}/{games}")).collect();
    rows.join(", ")
}

/// Where a match of two stands.
fn running(summary: &Summary) -> String {
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
    text
}
