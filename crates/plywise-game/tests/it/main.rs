//! Tests of everything that is generic over the game, on a game small enough to be seen through.

mod broken;
mod conformance;
mod epd;
mod pgn;
mod tic_tac_toe;
