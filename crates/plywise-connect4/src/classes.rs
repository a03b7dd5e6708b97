//! Classes of moves for realization probability search.
//!
//! Moves are alike when they do the same with lines of four, stand equally far from the middle, and are played in the
//! same part of the game. Mirrored moves share a class.

use crate::board::{COLUMNS, Place, Position};
use crate::game::Connect4;
use crate::lines::completing;
use plywise_game::Game;

/// The number of classes.
pub(crate) const COUNT: usize = Kind::COUNT * DISTANCES * PHASES;

/// How far a column can be from the middle one.
const DISTANCES: usize = COLUMNS as usize / 2 + 1;
/// The parts of the game.
const PHASES: usize = 3;

/// What a move does with lines of four. The first that fits counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It completes one.
    Wins,
    /// It keeps the opponent from one.
    Blocks,
    /// It lets the opponent complete one on the place above.
    Loses,
    /// It lets the opponent block an own one on the place above.
    Spoils,
    /// It threatens to complete one with the next move.
    Threatens,
    /// It makes a place, out of reach so far, complete one.
    Prepares,
    /// None of these.
    Quiet,
}

impl Kind {
    const COUNT: usize = Kind::Quiet as usize + 1;

    fn of(position: &Position, mv: Place) -> Kind {
        let (bit, above) = (mv.bit(), mv.bit() << 1);
        let [own, enemy] = [position.own(), position.enemy()].map(completing);
        let after = position.with_disc_on(bit);
        let fresh = completing(after.enemy()) & !own & !after.occupied();
        match () {
            _ if own & bit != 0 => Kind::Wins,
            _ if enemy & bit != 0 => Kind::Blocks,
            _ if enemy & above != 0 => Kind::Loses,
            _ if own & above != 0 => Kind::Spoils,
            _ if fresh & after.reachable() != 0 => Kind::Threatens,
            _ if fresh != 0 => Kind::Prepares,
            _ => Kind::Quiet,
        }
    }
}

/// The class of a legal move, below [`COUNT`].
pub(crate) fn class_of(position: &Position, mv: Place) -> usize {
    let distance = usize::from(mv.column().abs_diff(COLUMNS / 2));
    let phase = Connect4::phase(position) as usize;
    (phase * DISTANCES + distance) * Kind::COUNT + Kind::of(position, mv) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mirrored;
    use plywise_game::random::Random;
    use plywise_game::{Game, Notation};

    #[test]
    fn moves_are_known_by_what_they_do() {
        let kind = |text: &str, mv: &str| {
            let position = Connect4::parse_position(text).unwrap();
            Kind::of(&position, Connect4::parse_move(&position, mv).unwrap())
        };
        assert_eq!(["c", "g"].map(|mv| kind("7/7/7/7/o6/oo1xxx1 x", mv)), [Kind::Wins; 2]);
        assert_eq!(["c", "g"].map(|mv| kind("7/7/7/7/7/oo1xxx1 o", mv)), [Kind::Blocks; 2]);
        // Three on d2, e2 and f2, with nothing on c1.
        assert_eq!(kind("7/7/7/7/3xxx1/ox1oxoo o", "c"), Kind::Loses);
        assert_eq!(kind("7/7/7/7/o2xxx1/ox1oxoo x", "c"), Kind::Spoils);
        assert_eq!(kind("7/7/7/7/7/o2xx1o x", "f"), Kind::Threatens);
        assert_eq!(kind("7/7/7/7/3xx2/o2oxo1 x", "f"), Kind::Prepares);
        assert_eq!(kind("7/7/7/7/7/7 x", "d"), Kind::Quiet);
    }

    #[test]
    fn mirrored_moves_share_a_class() {
        for seed in 0..20 {
            for position in Random::new(seed).game::<Connect4>(Connect4::start(), 42) {
                let twin = mirrored(&position);
                for mv in Connect4::legal_moves(&position) {
                    let class = class_of(&position, mv);
                    assert!(class < COUNT);
                    let image = Place::at(COLUMNS - 1 - mv.column(), mv.row()).unwrap();
                    assert_eq!(class_of(&twin, image), class, "{mv} in {position:?}");
                }
            }
        }
    }
}
