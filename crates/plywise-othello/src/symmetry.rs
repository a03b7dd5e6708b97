//! The eight symmetries of the board. The start has only four of them, but the rules have all.

use crate::board::Position;
use crate::moves::Move;
use plywise_game::bitboard::{SYMMETRIES, Symmetry};

/// The symmetric twin of a position.
pub const fn twin(symmetry: Symmetry, position: &Position) -> Position {
    Position::new(symmetry.bitboard(position.own()), symmetry.bitboard(position.enemy()), position.side_to_move())
}

/// The twin of a move, legal in the twin of its position.
pub const fn twin_of_move(symmetry: Symmetry, mv: Move) -> Move {
    match mv.square() {
        Some(square) => Move::to(symmetry.square(square)),
        None => mv,
    }
}

/// The one among the symmetric twins of a position that stands for all of them: two positions are symmetric exactly
/// when their canonical forms are equal.
///
/// ```
/// use plywise_game::Notation;
/// use plywise_othello::{Othello, canonical};
///
/// let after = |moves| canonical(&Othello::parse_position(moves).unwrap());
/// assert_eq!(after("f5"), after("c4"));
/// assert_ne!(after("f5 f6"), after("f5 d6"));
/// ```
pub fn canonical(position: &Position) -> Position {
    let twins = SYMMETRIES.map(|symmetry| twin(symmetry, position));
    twins.into_iter().min_by_key(|twin| (twin.own(), twin.enemy())).unwrap_or(*position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Othello;
    use plywise_game::{Game, Notation};

    #[test]
    fn twins_of_moves_are_the_moves_of_twins() {
        let position = Othello::parse_position("f5d6c3d3c4f4f6").unwrap();
        for symmetry in SYMMETRIES {
            let codes = |moves: Vec<Move>| {
                let mut codes: Vec<u16> = moves.into_iter().map(Move::code).collect();
                codes.sort_unstable();
                codes
            };
            let moves = Othello::legal_moves(&position).into_iter().map(|mv| twin_of_move(symmetry, mv)).collect();
            assert_eq!(codes(moves), codes(Othello::legal_moves(&twin(symmetry, &position))), "{symmetry:?}");
        }
        assert_eq!(twin_of_move(SYMMETRIES[3], Move::PASS), Move::PASS);
    }
}
