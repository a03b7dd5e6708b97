//! What a two-player board game must offer to be searched, and the kit that checks it.
//!
//! A game is an empty type that implements [`Game`]: its rules, and hooks for what a search may ask. [`Evaluate`]
//! scores a position, [`Notation`] reads and writes positions and moves, [`BoardGame`] ties them together for the
//! commands. Nothing here knows any particular game or any search.
//!
//! [`conformance`] checks an implementation; run it on every game you write.

pub mod bitboard;
mod board_game;
pub mod chances;
pub mod conformance;
mod depth;
pub mod epd;
mod evaluate;
pub mod explanation;
pub mod features;
mod game;
mod info;
pub mod linear;
pub mod lines;
pub mod notation;
pub mod parameters;
mod perft;
pub mod pgn;
pub mod processor;
pub mod random;
pub mod score;
mod so_far;
pub mod svg;
pub mod view;
mod window;
pub mod zobrist;

pub use board_game::{BoardGame, Grade};
pub use chances::Chances;
pub use depth::Depth;
pub use evaluate::Evaluate;
pub use explanation::Explanation;
pub use game::{Game, MoveTraits, Outcome, Phase, Side};
pub use info::GameInfo;
pub use linear::Linear;
pub use notation::{Notation, NotationError};
pub use perft::{divide, perft};
pub use score::Score;
pub use so_far::{Ended, GameSoFar};
pub use view::View;
pub use window::Window;
