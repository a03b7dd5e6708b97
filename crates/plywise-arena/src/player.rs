//! Players, which can be asked for moves: an engine in another process, or a search in this one.

use plywise_game::{Score, Side};
use plywise_host::AnyPosition;
use plywise_search::{Clock, Limits, Signal};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Somebody who can be entered into a match. Every game thread asks for a player of its own.
pub trait Contender: Send + Sync {
    /// The name in tables and game records.
    fn name(&self) -> &str;

    /// Brings a player to the board: starts the engine, allocates the tables.
    fn enter(&self) -> Result<Box<dyn Player>, Fault>;
}

/// One player at one board, for one game after another.
///
/// A player behaves in every game as if it were its first: what it has learnt in one must not leak into the next, or
/// results would depend on how games are spread over threads.
pub trait Player: Send {
    /// Prepares for a new game that begins with the moves of `opening`, playing `side` under `limits`. `seed` decides
    /// everything that a player does at random.
    fn begin(&mut self, opening: &AnyPosition, side: Side, limits: &Limits, seed: u64) -> Result<(), Fault>;

    /// Chooses a move, or gives up. It is this player's turn.
    fn choose(&mut self, turn: &Turn) -> Result<Reply, Fault>;

    /// What people should know about the last move, though it is no failure: what would follow the player's name in a
    /// sentence. The same every time, so that it can be said once.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Learns that the game is over: `result` as game records write it, and the reason in words.
    fn end(&mut self, result: &str, reason: &str) {
        let _ = (result, reason);
    }
}

/// What a player gets when it is to move.
pub struct Turn<'a> {
    /// The position on the board, with all moves of the game, those of its opening included.
    pub position: &'a AnyPosition,
    /// The limits for every move.
    pub limits: &'a Limits,
    /// The clocks of the player and of the opponent, for those who play by one.
    pub clocks: [Option<Clock>; 2],
    /// Whether the opponent offered a draw with its last move.
    pub draw_offered: bool,
    /// The time after which a reply loses by time; `None` where time does not matter.
    pub deadline: Option<Duration>,
    /// How long to wait for a reply beyond the deadline, or at all where there is none, before the player is given up
    /// as hung.
    pub patience: Duration,
    /// Set when the game is given up: whatever is answered then counts for nothing.
    pub stop: &'a Signal,
}

/// What a player answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What it does.
    pub action: Action,
    /// The time it took.
    pub elapsed: Duration,
    /// What it thought.
    pub thought: Thought,
    /// Whether it offers a draw with its move, or accepts one.
    pub offers_draw: bool,
}

/// What a player does on its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// It plays this move, in any notation that the game reads. The referee checks that it is legal.
    Play(String),
    /// It gives up.
    Resign,
}

/// What a search reported about its last move, as far as it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thought {
    /// The score for the player itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time that it took by the player's own account, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "ms")]
    pub time: Option<u64>,
}

/// How a player failed. Each of them loses the game, but for the last, which ends the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// It could not be brought to the board.
    StartFailure,
    /// Its process ended or closed its pipe, or its search in this process panicked.
    Crash,
    /// It did not answer.
    Hang,
    /// It answered too late.
    TimeForfeit,
    /// It played a move that the rules do not allow.
    IllegalMove,
    /// It claimed a result that the game does not have, or called a legal move illegal.
    FalseClaim,
    /// This machine has no file handle, thread or memory left for it: that is not its fault.
    NoResources,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            FaultKind::StartFailure => "start failure",
            FaultKind::Crash => "crash",
            FaultKind::Hang => "hang",
            FaultKind::TimeForfeit => "time forfeit",
            FaultKind::IllegalMove => "illegal move",
            FaultKind::FalseClaim => "false claim",
            FaultKind::NoResources => "no resources",
        })
    }
}

/// A failure of a player, with what is known about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// How it failed.
    pub kind: FaultKind,
    /// What happened, for people.
    pub detail: String,
}

impl Fault {
    /// A failure of this kind.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}
