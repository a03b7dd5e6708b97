//! Chess for plywise: the rules on [cozy-chess](cozy_chess), notation, and an evaluation that is linear in weights
//! declared once.
//!
//! [`Chess`] is the game, [`Evaluator`] its evaluation with [`Weights`]. Castling is stored as cozy-chess stores it, the
//! king taking its own rook, so that Chess960 needs no rules of its own; [`engine_move`] and the parsers know both forms.
//!
//! ```
//! use plywise_chess::Chess;
//! use plywise_game::{Game, Notation, perft};
//!
//! let start = Chess::start();
//! assert_eq!(perft::<Chess>(&start, 3), 8902);
//! let mv = Chess::parse_move(&start, "Nf3").unwrap();
//! assert_eq!(Chess::write_engine_move(&start, mv), "g1f3");
//! ```
//!
//! Deliberately absent: repetition (the search and the match runner keep the history), tablebases, variants other than
//! Chess960.

mod bits;
mod board_game;
mod classes;
pub mod evaluation;
mod exchange;
mod features;
mod fen;
mod game;
mod lists;
mod moves;
mod notation;
mod picture;
mod polyglot;
mod san;
mod sliders;
mod symmetry;

pub use evaluation::{Evaluator, Weights};
pub use game::Chess;
pub use moves::{captured_piece, gives_check, is_castling};
pub use notation::engine_move;
pub use symmetry::canonical;
