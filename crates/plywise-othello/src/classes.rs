//! Classes of moves for realization probability search.
//!
//! Moves are alike when they are played in the same part of the game, to the same kind of square, and leave the enemy
//! about as many replies: what players look at first. Beside a corner it also matters who has the corner.

use crate::board::Position;
use crate::moves::Move;
use plywise_game::bitboard::Square;

/// The number of classes: those below, and the pass, which is the last.
pub(crate) const COUNT: usize = STAGES.len() * KINDS * REPLIES.len() + 1;

/// The number of discs with which each part of the game begins.
const STAGES: [u32; 3] = [0, 21, 41];

/// The least number of replies in each class.
const REPLIES: [u32; 7] = [0, 1, 3, 5, 7, 9, 12];

/// The ten kinds of squares that the symmetries leave. Those beside a corner, along the rim and on the diagonal, count
/// twice more: for a corner of one's own and for one of the enemy's.
const KINDS: usize = 10 + 2 * 2;

/// The kinds of the squares of a quarter of the board, by row and file from its corner.
const QUARTER: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 4, 5, 6], [2, 5, 7, 8], [3, 6, 8, 9]];

/// The class of a legal move, below [`COUNT`].
pub(crate) fn class_of(position: &Position, mv: Move) -> usize {
    let Some(square) = mv.square() else { return COUNT - 1 };
    let after = position.with_disc_placed(square, position.flips(square));
    let stage = part_of(&STAGES, position.occupied().count_ones());
    let replies = part_of(&REPLIES, after.mobility().count_ones());
    (stage * KINDS + kind_of(position, square)) * REPLIES.len() + replies
}

/// The kind of a square, below [`KINDS`].
fn kind_of(position: &Position, square: Square) -> usize {
    let (file, row) = (square.file(), square.rank());
    let kind = QUARTER[usize::from(row.min(7 - row))][usize::from(file.min(7 - file))];
    let corner = Square::from_index(u32::from(row / 4 * 56 + file / 4 * 7)).bit();
    match kind {
        1 | 4 if position.own() & corner != 0 => 10 + usize::from(kind == 4),
        1 | 4 if position.enemy() & corner != 0 => 12 + usize::from(kind == 4),
        _ => kind,
    }
}

/// The part in which a number lies, where each part begins with one of these.
fn part_of(beginnings: &[u32], number: u32) -> usize {
    beginnings.iter().rposition(|&beginning| beginning <= number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Othello;
    use crate::{twin, twin_of_move};
    use plywise_game::bitboard::SYMMETRIES;
    use plywise_game::{Game, Notation};

    #[test]
    fn the_classes_are_as_many_as_documented() {
        assert_eq!(COUNT, 3 * 14 * 7 + 1);
    }

    #[test]
    fn a_square_beside_a_corner_depends_on_its_owner() {
        let kind = |corner: char, square: u32| {
            let text = format!("{corner}------------------XO------------------------------------------- X");
            kind_of(&Othello::parse_position(&text).unwrap(), Square::from_index(square))
        };
        assert_eq!([kind('-', 1), kind('X', 1), kind('O', 1)], [1, 10, 12]);
        assert_eq!([kind('-', 9), kind('X', 9), kind('O', 9)], [4, 11, 13]);
        assert_eq!([kind('X', 6), kind('X', 2), kind('X', 0), kind('X', 35)], [1, 2, 0, 9]);
    }

    #[test]
    fn symmetric_moves_share_a_class() {
        let mut position = Othello::start();
        for ply in 0..60 {
            let moves = Othello::legal_moves(&position);
            for &mv in &moves {
                let class = class_of(&position, mv);
                assert!(class < COUNT);
                for symmetry in SYMMETRIES {
                    let twins = class_of(&twin(symmetry, &position), twin_of_move(symmetry, mv));
                    assert_eq!(twins, class, "{mv:?} in {position:?}");
                }
            }
            let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            position = Othello::play(&position, mv);
        }
    }
}
