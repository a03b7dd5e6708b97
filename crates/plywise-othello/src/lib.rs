//! Othello for plywise: rules on bitboards, notation, a learned evaluation, an endgame solver.
//!
//! Two players put discs on a board of eight by eight squares. A disc must enclose a straight line of enemy discs
//! between itself and another own disc, in one direction or more; all enclosed discs turn over. A player who cannot
//! do that passes; where neither can, the game is over, and the player with more discs wins. Goro Hasegawa gave the game its
//! present rules in 1971, after Reversi of the 1880s.
//!
//! All scores are in discs. A game that ends before the board is full gives the empty squares to its winner, as
//! tournaments and the usual endgame test sets do: so every score is even, and a wipe-out is worth 64.
//!
//! ```
//! use plywise_game::{Game, Notation, perft};
//! use plywise_othello::Othello;
//!
//! let start = Othello::start();
//! assert_eq!(perft::<Othello>(&start, 5), 1396);
//! let opening = Othello::parse_move(&start, "f5").unwrap();
//! assert_eq!(Othello::play(&start, opening), Othello::parse_position("f5").unwrap());
//! ```

mod board;
mod board_game;
mod classes;
pub mod endgame;
pub mod evaluation;
pub mod flips;
mod game;
mod moves;
mod notation;
mod symmetry;

pub use board::Position;
pub use evaluation::{Evaluator, Weights};
pub use game::Othello;
pub use moves::Move;
pub use symmetry::{canonical, twin, twin_of_move};
