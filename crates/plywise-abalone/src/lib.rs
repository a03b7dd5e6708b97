//! Abalone for plywise: rules on bitboards, notation, a linear evaluation.
//!
//! Two players with fourteen marbles each push the other's marbles off a hexagonal board of 61 cells. Lines of one to
//! three marbles move one step, along themselves or sideways; along themselves they push a shorter line of the enemy's
//! that has room behind it, or the rim. The first to push six marbles off wins. Laurent Lévi and Michel Lalet invented
//! the game (1987).
//!
//! ```
//! use plywise_abalone::Abalone;
//! use plywise_game::{Game, Notation, perft};
//!
//! let start = Abalone::start();
//! assert_eq!(perft::<Abalone>(&start, 3), 98_912);
//! let opening = Abalone::parse_move(&start, "a1b2").unwrap();
//! let after = Abalone::play(&start, opening);
//! assert_eq!(Abalone::write_position(&after), "wwwww/wwwwww/2www2/8/9/3b4/2bbb2/bbbbbb/1bbbb w 0 0 1");
//! ```
//!
//! Absent on purpose: repetition, which needs the history of the game and is the search's business.

mod board;
mod board_game;
mod cells;
mod classes;
pub mod evaluation;
mod game;
mod moves;
mod notation;
mod picture;
mod symmetry;

pub use board::{LOST_TO_LOSE, MARBLES, PLIES_TO_DRAW, Position};
pub use cells::{BOARD, CELLS, Cell, Direction};
pub use evaluation::{Evaluator, Weights};
pub use game::Abalone;
pub use moves::Move;
pub use symmetry::{SYMMETRIES, Symmetry, canonical, twin, twin_of_move};
