//! The eight symmetries of the board.

use crate::board::Position;
use crate::moves::Move;
use plywise_game::Side;
use plywise_game::bitboard::{SYMMETRIES, Symmetry};

/// The symmetric twin of a position.
pub const fn twin(symmetry: Symmetry, position: &Position) -> Position {
    Position::new(
        symmetry.bitboard(position.pieces(Side::First)),
        symmetry.bitboard(position.pieces(Side::Second)),
        position.side_to_move(),
    )
}

/// The twin of a move, legal in the twin of its position.
pub const fn twin_of_move(symmetry: Symmetry, mv: Move) -> Move {
    if mv.is_pass() { mv } else { Move::new(symmetry.square(mv.from()), symmetry.square(mv.to()), mv.captures()) }
}

/// The one among the symmetric twins of a position that stands for all of them: two positions are symmetric exactly
/// when their canonical forms are equal.
///
/// ```
/// use plywise_game::{Game, Notation};
/// use plywise_loa::{Loa, canonical};
///
/// let start = Loa::start();
/// let after = |mv| Loa::play(&start, Loa::parse_move(&start, mv).unwrap());
/// assert_eq!(canonical(&after("b8-b6")), canonical(&after("g1-g3")));
/// assert_ne!(canonical(&after("b8-b6")), canonical(&after("b8-h8")));
/// ```
pub fn canonical(position: &Position) -> Position {
    let pieces = |twin: &Position| (twin.pieces(Side::First), twin.pieces(Side::Second));
    let twins = SYMMETRIES.map(|symmetry| twin(symmetry, position));
    twins.into_iter().min_by_key(pieces).unwrap_or(*position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_game::Game;

    #[test]
    fn twins_of_moves_are_the_moves_of_twins() {
        let start = crate::Loa::start();
        for symmetry in SYMMETRIES {
            let mut twins: Vec<u16> =
                crate::Loa::legal_moves(&start).into_iter().map(|mv| twin_of_move(symmetry, mv).code()).collect();
            let mut moves: Vec<u16> =
                crate::Loa::legal_moves(&twin(symmetry, &start)).into_iter().map(Move::code).collect();
            twins.sort_unstable();
            moves.sort_unstable();
            assert_eq!(twins, moves, "{symmetry:?}");
        }
    }
}
