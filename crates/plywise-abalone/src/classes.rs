//! Classes of moves for realization probability search.
//!
//! Winands & Björnsson, "Enhanced Realization Probability Search" (2008), class the moves of Lines of Action by what
//! they capture and by where they lead. The like for Abalone: how many marbles move and whether they move inline, what
//! they push, the outermost ring that they reach, and how much closer to the middle they come in all. Symmetric moves
//! share a class.

use crate::moves::Move;

/// The number of classes. A few stay empty: a table without holes is simpler.
pub(crate) const COUNT: usize = KINDS * RINGS * GAINS;

const KINDS: usize = 11;
const RINGS: usize = 5;
/// From three steps further away to three steps closer.
const GAINS: usize = 7;

/// The class of a move, below [`COUNT`].
#[inline]
pub(crate) fn class_of(mv: Move) -> usize {
    let (ring, steps) = reach(mv);
    (kind_of(mv) * RINGS + ring as usize) * GAINS + (steps + 3).clamp(0, 6) as usize
}

/// What moves, and what it pushes.
fn kind_of(mv: Move) -> usize {
    match (mv.line().is_some(), mv.marbles(), mv.pushed(), mv.ejects()) {
        (true, 3, _, _) => 10,
        (true, _, _, _) => 9,
        (false, 3, 2, true) => 8,
        (false, 3, 2, false) => 7,
        (false, 3, 1, true) => 6,
        (false, 3, 1, false) => 5,
        (false, 3, _, _) => 4,
        (false, 2, 1, true) => 3,
        (false, 2, 1, false) => 2,
        (false, 2, _, _) => 1,
        (false, _, _, _) => 0,
    }
}

/// The outermost ring of the cells that are newly taken, and by how many steps all marbles together move outwards.
fn reach(mv: Move) -> (u8, i32) {
    let outwards = |from: crate::Cell, to: crate::Cell| i32::from(to.ring()) - i32::from(from.ring());
    match mv.line() {
        // All marbles but the last are replaced by the one behind them.
        None => {
            let front = mv.end().ahead(mv.direction(), 1);
            (front.ring(), outwards(mv.from(), front))
        }
        Some(line) => (0..mv.marbles()).fold((0, 0), |(ring, steps), i| {
            let cell = mv.from().ahead(line, i);
            let target = cell.ahead(mv.direction(), 1);
            (ring.max(target.ring()), steps + outwards(cell, target))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symmetry::{SYMMETRIES, twin, twin_of_move};
    use crate::{Abalone, Position};
    use plywise_game::{Game, Notation};

    /// What a move of a position reaches, and how far outwards it goes.
    fn reach_of(position: &Position, mv: &str) -> (u8, i32) {
        reach(Abalone::parse_move(position, mv).unwrap())
    }

    #[test]
    fn distances_are_counted_for_all_marbles() {
        let start = Position::STANDARD;
        assert_eq!(reach_of(&start, "c3d3"), (2, 0), "from 2 to 2");
        assert_eq!(reach_of(&start, "a1b2"), (1, -3), "from 4 to 1");
        assert_eq!(reach_of(&start, "c3c5d4"), (2, -2), "from 2, 2, 2 to 1, 1, 2");
        assert_eq!(reach_of(&start, "b1b2c1"), (4, 0), "from 4, 3 to 4, 3");
    }

    #[test]
    fn symmetric_moves_share_a_class() {
        let mut position = Position::BELGIAN_DAISY;
        for ply in 0..60 {
            let moves = Abalone::legal_moves(&position);
            for &mv in &moves {
                let class = Abalone::move_class(&position, mv);
                assert!(class < COUNT);
                for symmetry in SYMMETRIES {
                    let twin = twin(symmetry, &position);
                    assert_eq!(Abalone::move_class(&twin, twin_of_move(symmetry, mv)), class, "{mv:?}");
                }
            }
            let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            position = Abalone::play(&position, mv);
        }
    }
}
