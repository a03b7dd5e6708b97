//! Connect Four for plywise: rules on bitboards, notation, an evaluation by threats, a solver.
//!
//! Two players drop discs into seven columns of six places; a disc falls to the lowest free place. Four discs of one
//! player in a row, level, upright or diagonal, win; a full board without such a row is a draw. Howard Wexler and Ned
//! Strongin invented the game, which Milton Bradley published in 1974. James Allen and Victor Allis solved it
//! independently in 1988: the first player wins, but only by beginning in the middle column.
//!
//! ```
//! use plywise_connect4::Connect4;
//! use plywise_game::{Game, Notation, perft};
//!
//! let start = Connect4::start();
//! assert_eq!(perft::<Connect4>(&start, 5), 16_807);
//! let after = Connect4::play(&start, Connect4::parse_move(&start, "d").unwrap());
//! assert_eq!(Connect4::write_position(&after), "7/7/7/7/7/3x3 o");
//! // The columns that were played, as most programs and solvers write positions.
//! assert_eq!(Connect4::parse_position("4").unwrap(), after);
//! ```
//!
//! Absent on purpose: null moves. Being obliged to move loses most games of Connect Four between good players, so a pass
//! proves nothing.

mod board;
mod board_game;
mod classes;
pub mod evaluation;
mod game;
pub mod lines;
mod notation;
pub mod solver;
mod symmetry;

pub use board::{COLUMNS, Place, Position, ROWS};
pub use evaluation::{Evaluator, Weights};
pub use game::Connect4;
pub use solver::Solver;
pub use symmetry::{canonical, mirrored};
