//! The twelve symmetries of the board.

use crate::board::Position;
use crate::cells::{Cell, Direction, for_each_cell};
use crate::moves::Move;
use plywise_game::Side;

/// A symmetry of the board: a rotation, after a reflection or not. The rules do not tell symmetric positions apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Whether left and right are exchanged first.
    mirrored: bool,
    /// How often sixty degrees are turned then.
    turns: usize,
}

/// All twelve symmetries, the identity first.
pub const SYMMETRIES: [Symmetry; 12] = {
    let mut all = [Symmetry { mirrored: false, turns: 0 }; 12];
    let mut i = 0;
    while i < 12 {
        all[i] = Symmetry { mirrored: i >= 6, turns: i % 6 };
        i += 1;
    }
    all
};

impl Symmetry {
    /// Where a cell goes.
    pub fn cell(self, cell: Cell) -> Cell {
        let mut image = cell;
        if self.mirrored {
            // Left of the middle of row a lie as many cells as right of it; every row above begins half a cell earlier.
            let diagonal = 4 + cell.row() - cell.diagonal();
            image = Cell::at(cell.row(), diagonal).unwrap_or(cell);
        }
        for _ in 0..self.turns {
            image = Cell::from_index(SIXTY_DEGREES * image.index() as u32);
        }
        image
    }

    /// Where a direction goes.
    pub const fn direction(self, direction: Direction) -> Direction {
        let mirrored = if self.mirrored { Direction::ALL[(9 - direction as usize) % 6] } else { direction };
        mirrored.turned(self.turns)
    }

    /// Where a set of cells goes.
    pub fn bitboard(self, bits: u64) -> u64 {
        let mut image = 0;
        for_each_cell(bits, |cell| image |= self.cell(cell).bit());
        image
    }
}

/// Multiplying the number of a cell by this turns it by sixty degrees round the middle, which is 0.
const SIXTY_DEGREES: u32 = 14;

/// The symmetric twin of a position.
pub fn twin(symmetry: Symmetry, position: &Position) -> Position {
    let sides = [Side::First, Side::Second];
    Position::new(
        sides.map(|side| symmetry.bitboard(position.marbles(side))),
        sides.map(|side| position.lost(side)),
        position.side_to_move(),
        position.quiet_plies(),
    )
}

/// The twin of a move, legal in the twin of its position.
pub fn twin_of_move(symmetry: Symmetry, mv: Move) -> Move {
    let (from, direction) = (symmetry.cell(mv.from()), symmetry.direction(mv.direction()));
    let Some(line) = mv.line() else {
        return Move::inline(from, direction, mv.marbles(), mv.pushed(), mv.ejects());
    };
    let line = symmetry.direction(line);
    if Direction::AXES.contains(&line) {
        Move::broadside(from, line, mv.marbles(), direction)
    } else {
        Move::broadside(symmetry.cell(mv.end()), line.opposite(), mv.marbles(), direction)
    }
}

/// The one among the symmetric twins of a position that stands for all of them: two positions are symmetric exactly
/// when their canonical forms are equal. The colours are not exchanged.
///
/// ```
/// use plywise_abalone::{Abalone, canonical};
/// use plywise_game::{Game, Notation};
///
/// let start = Abalone::start();
/// let after = |mv| Abalone::play(&start, Abalone::parse_move(&start, mv).unwrap());
/// assert_eq!(canonical(&after("a1b2")), canonical(&after("a5b5")));
/// assert_ne!(canonical(&after("a1b2")), canonical(&after("b1c1")));
/// ```
pub fn canonical(position: &Position) -> Position {
    let marbles = |twin: &Position| (twin.marbles(Side::First), twin.marbles(Side::Second));
    let twins = SYMMETRIES.map(|symmetry| twin(symmetry, position));
    twins.into_iter().min_by_key(marbles).unwrap_or(*position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::BOARD;
    use std::collections::HashSet;

    #[test]
    fn the_symmetries_differ_and_keep_neighbours() {
        let mut images = HashSet::new();
        for symmetry in SYMMETRIES {
            assert_eq!(symmetry.bitboard(BOARD), BOARD);
            for_each_cell(BOARD, |cell| {
                assert_eq!(symmetry.cell(cell).ring(), cell.ring());
                for direction in Direction::ALL {
                    assert_eq!(
                        symmetry.cell(cell).neighbour(symmetry.direction(direction)),
                        cell.neighbour(direction).map(|cell| symmetry.cell(cell)),
                        "{symmetry:?} {cell} {direction:?}"
                    );
                }
            });
            images.insert(Cell::at(0, 1).map(|cell| symmetry.cell(cell)));
        }
        assert_eq!(images.len(), 12);
    }
}
