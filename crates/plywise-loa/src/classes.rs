//! Classes of moves for realization probability search.
//!
//! Winands & Björnsson, "Enhanced Realization Probability Search" (2008), section 3.2, class a move by whether it
//! captures, by the [`Region`]s it leaves and reaches, and by the number of squares it travels towards or away from the
//! centre of mass. They count 277 classes but do not say how that distance is measured.
//!
//! Here the centre of mass is the exact mean of the mover's pieces before the move, a distance is the greater of the
//! distances in files and in ranks, and the difference of the two distances is rounded to whole squares, halves away
//! from zero. So symmetric moves share a class. The board's geometry alone allows 251 combinations of regions and
//! squares travelled. Fewer remain when a legal move has to show them: the moving piece weighs in its own centre of
//! mass, the pieces must not be connected yet, and a long move needs a full line. A randomised search that built
//! positions for every pair of squares found 196 without and 204 with a capture; those, the pass, and one empty class
//! (see `SPANS`) make the 402 of [`COUNT`]. It may have missed a rare one, which then joins its neighbour.

use crate::board::Region;
use crate::moves::Move;
use plywise_game::bitboard::squares;

/// The number of classes: those below, and the pass, which is the last.
pub(crate) const COUNT: usize = FIRST_CLASSES[2 * REGIONS * REGIONS] + 1;

const REGIONS: usize = Region::ALL.len();

/// The least and the greatest number of squares that a move can travel away from the centre of mass, without and with
/// a capture, for each region left (rows) and reached (columns). A capture needs two squares at least, so it cannot
/// stay in the centre: one class is kept there all the same, because a table without holes is simpler.
const SPANS: [[[(i32, i32); REGIONS]; REGIONS]; 2] = [
    [
        [(-2, 3), (-5, 4), (-4, 3), (-5, 3), (-4, 3)],
        [(-3, 5), (-4, 4), (-5, 4), (-5, 4), (-4, 4)],
        [(-2, 4), (-3, 5), (-4, 5), (-4, 4), (-3, 3)],
        [(-2, 5), (-3, 5), (-4, 4), (-3, 3), (-2, 2)],
        [(-1, 4), (-2, 4), (-3, 3), (-2, 2), (-1, 1)],
    ],
    [
        [(-3, 4), (-5, 4), (-4, 4), (-5, 4), (-4, 3)],
        [(-3, 5), (-4, 5), (-5, 5), (-5, 5), (-4, 4)],
        [(-3, 5), (-3, 6), (-5, 5), (-4, 4), (-3, 3)],
        [(-2, 5), (-3, 5), (-4, 4), (-3, 3), (-2, 2)],
        [(-1, 4), (-2, 4), (-3, 3), (-2, 2), (0, 0)],
    ],
];

/// The class with which each span begins, and the number of all.
const FIRST_CLASSES: [usize; 2 * REGIONS * REGIONS + 1] = {
    let mut first = [0; 2 * REGIONS * REGIONS + 1];
    let mut i = 0;
    while i < 2 * REGIONS * REGIONS {
        let (least, greatest) = SPANS[i / (REGIONS * REGIONS)][i / REGIONS % REGIONS][i % REGIONS];
        first[i + 1] = first[i] + (greatest - least + 1) as usize;
        i += 1;
    }
    first
};

/// The class of a move of one of the `own` pieces, below [`COUNT`].
pub(crate) fn class_of(own: u64, mv: Move) -> usize {
    if mv.is_pass() {
        return COUNT - 1;
    }
    let (from, to, captures) =
        (Region::of(mv.from()) as usize, Region::of(mv.to()) as usize, usize::from(mv.captures()));
    let (least, greatest) = SPANS[captures][from][to];
    // Should a position nobody has built go beyond the span, the nearest class is the right one.
    let travelled = squares_travelled(own, mv).clamp(least, greatest);
    FIRST_CLASSES[(captures * REGIONS + from) * REGIONS + to] + (travelled - least) as usize
}

/// How many squares further from the centre of mass of the `own` pieces a move ends than it begins.
fn squares_travelled(own: u64, mv: Move) -> i32 {
    let (mut count, mut files, mut ranks) = (0, 0, 0);
    for square in squares(own) {
        count += 1;
        files += i32::from(square.file());
        ranks += i32::from(square.rank());
    }
    // Everything is `count` times too large, which keeps it whole.
    let distance = |square: plywise_game::bitboard::Square| {
        (i32::from(square.file()) * count - files).abs().max((i32::from(square.rank()) * count - ranks).abs())
    };
    let difference = distance(mv.to()) - distance(mv.from());
    difference.signum() * ((2 * difference.abs() + count) / (2 * count).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Loa;
    use crate::{twin, twin_of_move};
    use plywise_game::bitboard::SYMMETRIES;
    use plywise_game::{Game, Notation};

    #[test]
    fn the_classes_are_as_many_as_documented() {
        assert_eq!(COUNT, 196 + 204 + 1 + 1);
    }

    /// The squares travelled by a move in a position.
    fn travelled(position: &str, mv: &str) -> i32 {
        let position = Loa::parse_position(position).unwrap();
        squares_travelled(position.own(), Loa::parse_move(&position, mv).unwrap())
    }

    #[test]
    fn travelling_is_measured_from_the_exact_centre_of_mass() {
        let start = Loa::write_position(&Loa::start());
        assert_eq!(travelled(&start, "b8-b6"), -1, "from 3.5 to 2.5");
        assert_eq!(travelled(&start, "b8-h8"), 0, "from 3.5 to 3.5");
        // The centre of mass lies at file 2 of a = 0, rank 0: f1 is 3 squares away, f2 still is.
        assert_eq!(travelled("8/8/8/8/8/w6w/8/bb3b2 b", "f1-f2"), 0);
        assert_eq!(travelled("8/8/8/8/8/w6w/8/bb3b2 b", "f1-c1"), -3);
        assert_eq!(travelled("8/8/8/8/8/w6w/8/bb4b1 b", "b1-b2"), 0, "from 4/3 to 4/3");
        assert_eq!(travelled("8/8/8/8/8/w6w/8/bb4b1 b", "a1-d1"), -2, "from 7/3 to 2/3");
    }

    #[test]
    fn symmetric_moves_share_a_class() {
        let mut position = Loa::start();
        for ply in 0..40 {
            let moves = Loa::legal_moves(&position);
            for &mv in &moves {
                let class = Loa::move_class(&position, mv);
                assert!(class < COUNT);
                for symmetry in SYMMETRIES {
                    assert_eq!(
                        Loa::move_class(&twin(symmetry, &position), twin_of_move(symmetry, mv)),
                        class,
                        "{mv:?}"
                    );
                }
            }
            let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            position = Loa::play(&position, mv);
        }
    }
}
