//! Lines of Action for plywise: rules on bitboards, notation, an evaluation like MIA's.
//!
//! Two players with twelve pieces each try to bring all their own pieces into one group. A piece moves in a straight
//! line, exactly as many squares as there are pieces of either colour on that line; it may jump its own pieces but not
//! the enemy's, and captures by landing. Claude Soucie invented the game; Sid Sackson described it in "A Gamut of
//! Games" (1969). The rules here are those of Winands & Björnsson, "Enhanced Realization Probability Search" (2008):
//! a move that connects both sides draws, and a player without a move passes.
//!
//! ```
//! use plywise_game::{Game, Notation, perft};
//! use plywise_loa::Loa;
//!
//! let start = Loa::start();
//! assert_eq!(perft::<Loa>(&start, 3), 44_952);
//! let opening = Loa::parse_move(&start, "b8-b6").unwrap();
//! assert_eq!(Loa::write_position(&Loa::play(&start, opening)), "2bbbbb1/w6w/wb5w/w6w/w6w/w6w/w6w/1bbbbbb1 w");
//! ```
//!
//! Absent on purpose: repetition, which needs the history of the game and is the search's business.

mod board;
mod board_game;
mod classes;
mod connection;
pub mod evaluation;
mod game;
mod lines;
mod moves;
mod notation;
mod symmetry;

pub use board::{Position, Region};
pub use evaluation::{Evaluator, Weights};
pub use game::Loa;
pub use moves::Move;
pub use symmetry::{canonical, twin, twin_of_move};
