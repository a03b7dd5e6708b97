use plywise_game::Score;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// When the referee ends a game that the rules of the game do not end, and how patient it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// A position that occurs so often draws the game; `None` where repetition does not matter.
    pub repetitions: Option<u32>,
    /// A game this long, in plies with the opening's, is drawn.
    pub longest: Option<u32>,
    /// Draws by the players' own scores.
    pub draw: Option<DrawRule>,
    /// Wins by the players' own scores.
    pub resign: Option<ResignRule>,
    /// Time that a move may take beyond what the clock allows, for the way between the processes.
    pub margin: Duration,
    /// How long to wait for a late move before its player counts as hung.
    pub grace: Duration,
    /// How long to wait for a move where no time was given.
    pub untimed_patience: Duration,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            repetitions: Some(3),
            longest: Some(1000),
            draw: None,
            resign: None,
            margin: Duration::from_millis(50),
            grace: Duration::from_secs(5),
            untimed_patience: Duration::from_secs(600),
        }
    }
}

/// The game is drawn when both players score it close to even for a number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// The first move, counted from the start of the game, at which it may happen.
    pub from_move: u32,
    /// For this many moves of each player in a row...
    pub moves: u32,
    /// ...all scores lie within ± this.
    pub score: Score,
}

/// The game is lost for a player who scores it as lost for a number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// For this many of its own moves in a row...
    pub moves: u32,
    /// ...the player is at least so far behind by its own score.
    pub score: Score,
    /// Whether the opponent must see itself as far ahead over the same moves.
    pub two_sided: bool,
}
