//! Features that depend on the pieces of both sides: mobility and walls, and whose turn it is.

use super::UNIT;
use super::Weights;
use crate::board::{Position, Region};
use crate::lines::Direction;
use crate::moves::{Landings, landings};
use plywise_game::linear::{Owner, Terms};

#[inline(always)]
pub(super) fn add(position: &Position, terms: &mut impl Terms<Weights>) {
    let (own, enemy) = (position.own(), position.enemy());
    let [own_landings, enemy_landings] = landings(own, enemy);
    add_mobility(&own_landings, enemy, Owner::Mover, terms);
    add_mobility(&enemy_landings, own, Owner::Opponent, terms);
    add_walls(own, enemy, Owner::Mover, terms);
    add_walls(enemy, own, Owner::Opponent, terms);
    terms.add(Owner::Mover, |w| &mut w.turn.bonus, UNIT);
}

#[inline(always)]
fn add_mobility(landings: &Landings, victims: u64, owner: Owner, terms: &mut impl Terms<Weights>) {
    const AREAS: [u64; 3] = [
        Region::Corner.squares() | Region::Edge.squares(),
        Region::Middle.squares(),
        Region::Inner.squares() | Region::Centre.squares(),
    ];
    for (i, area) in AREAS.into_iter().enumerate() {
        terms.add(owner, |w| &mut w.mobility.quiet[i], UNIT * landings.count_within(area & !victims));
        terms.add(owner, |w| &mut w.mobility.captures[i], UNIT * landings.count_within(area & victims));
    }
}

/// Adds what `builders` gain by closing in `victims` on the edge.
#[inline(always)]
fn add_walls(builders: u64, victims: u64, owner: Owner, terms: &mut impl Terms<Weights>) {
    let [two, three] = walled_in(builders, victims);
    terms.add(owner, |w| &mut w.walls.two_closed, UNIT * two.count_ones() as i32);
    terms.add(owner, |w| &mut w.walls.three_closed, UNIT * three.count_ones() as i32);
}

/// The pieces of `victims` on the edge, corners excepted, that have enemies on exactly two and on all three of their
/// neighbours inwards. A piece moves at least one square and may not jump an enemy, so such a way is open only to a
/// capture.
fn walled_in(builders: u64, victims: u64) -> [u64; 2] {
    use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
    const SOUTH: u64 = 0x0000_0000_0000_007e;
    const NORTH: u64 = SOUTH << 56;
    const WEST: u64 = 0x0001_0101_0101_0100;
    const EAST: u64 = WEST << 7;
    // A builder to the north of a square is seen by shifting the builders south.
    let seen = |towards: Direction| towards.opposite().shift(builders, 1);
    let ahead = seen(North) & SOUTH | seen(South) & NORTH | seen(East) & WEST | seen(West) & EAST;
    let left = seen(NorthWest) & SOUTH | seen(SouthEast) & NORTH | seen(NorthEast) & WEST | seen(SouthWest) & EAST;
    let right = seen(NorthEast) & SOUTH | seen(SouthWest) & NORTH | seen(SouthEast) & WEST | seen(NorthWest) & EAST;
    let three = ahead & left & right;
    let two_or_more = ahead & left | ahead & right | left & right;
    [two_or_more & !three & victims, three & victims]
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_game::bitboard::SYMMETRIES;

    #[test]
    fn walls_on_every_edge() {
        let square = |name: &str| {
            let (file, rank) = (name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1');
            1_u64 << (rank * 8 + file)
        };
        let builders = square("b3") | square("b4") | square("b5");
        let victims = square("a3") | square("a4") | square("a5") | square("a7") | square("c4");
        for symmetry in SYMMETRIES {
            let walled = walled_in(symmetry.bitboard(builders), symmetry.bitboard(victims));
            let expected = [square("a3") | square("a5"), square("a4")].map(|bits| symmetry.bitboard(bits));
            assert_eq!(walled, expected, "{symmetry:?}");
        }
    }
}
