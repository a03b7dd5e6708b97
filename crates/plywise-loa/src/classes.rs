//! Classes of moves for realization probability search.
//!
//! Winands & Björnsson, "Enhanced Realization Probability Search" (2008), section 3.2, class a move by whether it
//! captures, by the [`Region`]s it leaves and reaches, and by the number of squares it travels towards or away from the
//! centre of mass. They do not say how that distance is measured, but the 27 prices of their Table 1 fit one reading: the
//! centre of mass is the exact mean of the mover's pieces before the move, a distance is the greater of the distances in
//! files and in ranks, and of the difference of the two distances the whole squares count. Moves of one price are of one
//! class then, and moves of different prices of different classes. Symmetric moves share a class.
//!
//! Winands & Björnsson count 277 classes that can occur. Not every combination of regions and squares travelled can: the
//! moving piece weighs in its own centre of mass, the pieces must not be connected yet, and a long move needs a full line.
//! A randomised search that built positions for every pair of squares found 183 without and 190 with a capture; those, the
//! pass, and one empty class (see `SPANS`) make the 375 of [`COUNT`]. It may have missed a rare one, which then joins its
//! neighbour. How many of them are common enough for games to show them stands in docs/results/erps.md.

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
        [(-1, 2), (-4, 3), (-3, 2), (-4, 3), (-4, 3)],
        [(-2, 4), (-4, 4), (-5, 4), (-5, 4), (-4, 3)],
        [(-1, 3), (-3, 5), (-4, 5), (-4, 4), (-3, 3)],
        [(-1, 5), (-3, 5), (-4, 4), (-3, 3), (-2, 2)],
        [(-1, 4), (-2, 4), (-3, 3), (-2, 2), (-1, 1)],
    ],
    [
        [(-2, 3), (-4, 4), (-3, 3), (-5, 3), (-4, 3)],
        [(-3, 5), (-4, 4), (-5, 4), (-5, 4), (-4, 3)],
        [(-2, 4), (-3, 5), (-4, 5), (-4, 4), (-3, 3)],
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
#[inline]
pub(crate) fn class_of(own: u64, mv: Move) -> usize {
    if mv.is_pass() {
        return COUNT - 1;
    }
    let (from, to, captures) =
        (Region::of(mv.from()) as usize, Region::of(mv.to()) as usize, usize::from(mv.captures()));
    let (least, greatest) = SPANS[captures][from][to];
    // Should an odd position go beyond the span, the nearest class is the right one.
    let travelled = squares_travelled(own, mv).clamp(least, greatest);
    FIRST_CLASSES[(captures * REGIONS + from) * REGIONS + to] + (travelled - least) as usize
}

/// How many squares further from the centre of mass of the `own` pieces a move ends than it begins.
#[inline]
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
    // Division truncates.
    (distance(mv.to()) - distance(mv.from())) / count.max(1)
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
        assert_eq!(COUNT, 183 + 190 + 1 + 1);
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
        assert_eq!(travelled("8/8/8/8/8/w6w/8/bb4b1 b", "a1-d1"), -1, "from 7/3 to 2/3");
    }

    /// Table 1 of Winands & Björnsson (2008): the prices of Black's moves in the position of their Figure 3b.
    const TABLE_1: [(&str, &str); 27] = [
        ("h2-g1", "1.90"),
        ("c3xc6", "0.95"),
        ("d3-g3", "2.33"),
        ("h7-g8", "3.10"),
        ("c3-d2", "1.57"),
        ("d3xa3", "4.00"),
        ("g4xe2", "1.22"),
        ("c3-b4", "3.14"),
        ("g4-g3", "1.80"),
        ("g4-h3", "3.39"),
        ("d3-d1", "3.73"),
        ("g4-g5", "1.80"),
        ("g4-f5", "1.97"),
        ("d3xd5", "0.78"),
        ("h2-f2", "1.70"),
        ("h2-f4", "1.12"),
        ("e4xe2", "1.50"),
        ("c3-d4", "1.79"),
        ("e4-h1", "4.00"),
        ("e4-e6", "3.30"),
        ("c3-b2", "3.14"),
        ("h7-f7", "1.70"),
        ("e4-c4", "4.00"),
        ("h7-h5", "1.67"),
        ("d3-b5", "4.00"),
        ("c3-f3", "1.43"),
        ("h2-h4", "1.90"),
    ];

    #[test]
    fn the_classes_fit_the_prices_of_the_paper() {
        let position = Loa::parse_position("8/2w4b/2w5/3w4/4b1b1/w1bb4/4w2b/1w6 b").unwrap();
        assert_eq!(Loa::legal_moves(&position).len(), TABLE_1.len());
        let class = |mv: &str| Loa::move_class(&position, Loa::parse_move(&position, mv).unwrap());
        for (one, price) in TABLE_1 {
            for (other, their_price) in TABLE_1 {
                // 4.00 is the greatest price: many classes have it.
                let tells = price != "4.00" || their_price != "4.00";
                assert!(!tells || (class(one) == class(other)) == (price == their_price), "{one} and {other}");
            }
        }
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
