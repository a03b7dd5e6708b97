//! What the rules do not tell apart. Castling and the direction of pawns leave no symmetry of the board, but counters and
//! idle rights may differ.

use crate::Chess;
use cozy_chess::Board;
use plywise_game::{Game, Notation};

/// The one that stands for all positions with the same moves to come: the move counters start over, and a square for
/// en passant that no pawn can use is left out.
///
/// ```
/// use plywise_chess::{Chess, canonical};
/// use plywise_game::{Game, conformance};
///
/// let after = |moves| canonical(&conformance::after::<Chess>(&Chess::start(), moves));
/// assert_eq!(after("Nf3 Nf6 Nc3"), after("Nc3 Nf6 Nf3"));
/// assert_eq!(after("e4"), after("e3 Nf6 Be2 Ng8 Bd3 Nf6 Bf1 Ng8 e4"));
/// ```
pub fn canonical(board: &Board) -> Board {
    let text = Chess::write_position(board);
    let words: Vec<&str> = text.split(' ').collect();
    let without_counters = |en_passant: &str| {
        let placement = words.get(..3).unwrap_or(&words).join(" ");
        Chess::parse_position(&format!("{placement} {en_passant}")).unwrap_or_else(|_| board.clone())
    };
    let without_square = without_counters("-");
    if Chess::move_count(&without_square) == Chess::move_count(board) {
        return without_square;
    }
    without_counters(words.get(3).unwrap_or(&"-"))
}
