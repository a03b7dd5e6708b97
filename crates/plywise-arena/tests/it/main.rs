//! The arena as its users see it: matches between players in this process and engines in others, with faults of every
//! kind, killed and resumed.

mod cecp;
mod check;
mod entrants;
mod executors;
mod fake_engine;
mod faults;
mod forge;
mod gtp;
mod journal;
mod knockout;
mod local;
mod matches;
mod openings;
mod players;
#[path = "../../../plywise-game/tests/it/tic_tac_toe.rs"]
#[allow(dead_code)]
mod tic_tac_toe;
mod toy;

use plywise_arena::matches::{Entry, Format, Match, Rules};
use plywise_arena::{Contender, Limits, TimeControl};
use plywise_host::{AnyPosition, Style};
use std::time::Duration;
use toy::toy;

/// The start of the game and its nine first moves, each an opening.
fn openings() -> Vec<AnyPosition> {
    let after = |mv| {
        let mut position = toy().start();
        position.play(mv).unwrap();
        position
    };
    toy().start().legal_moves().into_iter().map(after).collect()
}

/// A match of two that plays `games` games on `threads` threads without limits.
fn contest<'a>(players: [&'a dyn Contender; 2], openings: &'a [AnyPosition], games: u64, threads: usize) -> Match<'a> {
    Match {
        game: toy(),
        entries: players.map(|contender| Entry { contender, limits: Limits::default() }).into(),
        format: Format::RoundRobin,
        openings,
        shuffle: false,
        games,
        rules: Rules { grace: Duration::from_secs(1), ..Rules::default() },
        sprt: None,
        cores: None,
        concurrency: threads,
        seed: 1,
    }
}

/// A number of milliseconds for each move, as a clock: nothing at the start, all by increment.
fn increment(milliseconds: u64) -> Limits {
    let clock = TimeControl { moves: None, base: Duration::ZERO, increment: Duration::from_millis(milliseconds) };
    Limits::clock(clock)
}

/// Every game of the journal, as its moves in one line.
fn lines(records: &[plywise_arena::matches::GameRecord]) -> Vec<String> {
    let mut records: Vec<_> = records.iter().collect();
    records.sort_by_key(|record| record.index);
    let moves = |record: &plywise_arena::matches::GameRecord| {
        record.moves.iter().map(|played| played.text.clone()).collect::<Vec<_>>().join(" ")
    };
    records.iter().map(|record| format!("{} {} {}", record.index, moves(record), record.result)).collect()
}

#[test]
fn the_toy_game_reads_its_own_moves() {
    let start = toy().start();
    assert_eq!(start.write_move_as(start.parse_move("b2").unwrap(), Style::Engine), "b2");
}
