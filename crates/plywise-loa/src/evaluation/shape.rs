//! Features that depend on the pieces of one side alone.

use super::UNIT;
use super::Weights;
use crate::board::{MAX_PIECES, Region};
use crate::lines::Direction;
use plywise_game::bitboard::squares;
use plywise_game::linear::{Owner, Terms};

/// Adds the terms of one side's pieces, of which there is at least one.
pub(super) fn add(pieces: u64, owner: Owner, terms: &mut impl Terms<Weights>) {
    let mass = Mass::of(pieces);
    let mut add_average = |pick: fn(&mut super::Weights) -> &mut i32, total: i32| {
        terms.add(owner, pick, total * UNIT / mass.count);
    };
    let count_in = |region: Region| (pieces & region.squares()).count_ones() as i32;
    add_average(|w| &mut w.centralisation.regions[0], count_in(Region::Corner));
    add_average(|w| &mut w.centralisation.regions[1], count_in(Region::Edge));
    add_average(|w| &mut w.centralisation.regions[2], count_in(Region::Middle));
    add_average(|w| &mut w.centralisation.regions[3], count_in(Region::Inner));
    add_average(|w| &mut w.centralisation.regions[4], count_in(Region::Centre));

    let links = links(pieces);
    add_average(|w| &mut w.connectedness.neighbours, 2 * links);

    terms.add(owner, |w| &mut w.concentration.surplus, mass.surplus(pieces));
    terms.add(owner, |w| &mut w.centre_of_mass.distance, mass.distance_from_middle());

    let (threes, fours) = quads(pieces);
    let near = mass.quads_nearby();
    let count = |bits: u64| bits.count_ones() as i32;
    terms.add(owner, |w| &mut w.quads.threes, UNIT * count(threes & near));
    terms.add(owner, |w| &mut w.quads.fours, UNIT * count(fours & near));
    let euler = mass.count - links + count(threes) + 3 * count(fours);
    terms.add(owner, |w| &mut w.quads.groups, UNIT * (euler - 1));
    terms.add(owner, |w| &mut w.uniformity.area, UNIT * area(pieces));
}

/// The number of pieces and the sums of their files and ranks: the exact centre of mass, without a fraction.
struct Mass {
    count: i32,
    files: i32,
    ranks: i32,
}

impl Mass {
    fn of(pieces: u64) -> Mass {
        let mut mass = Mass { count: 0, files: 0, ranks: 0 };
        for square in squares(pieces) {
            mass.count += 1;
            mass.files += i32::from(square.file());
            mass.ranks += i32::from(square.rank());
        }
        mass.count = mass.count.max(1);
        mass
    }

    /// How many squares further from the centre of mass than needed the average piece stands, in parts of [`UNIT`].
    fn surplus(&self, pieces: u64) -> i32 {
        /// The least sum of distances for each number of pieces: one piece in the middle, eight round it, the others
        /// two squares away.
        const LEAST: [i32; MAX_PIECES as usize + 1] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14];
        let scaled: i32 = squares(pieces)
            .map(|square| {
                let files = (i32::from(square.file()) * self.count - self.files).abs();
                let ranks = (i32::from(square.rank()) * self.count - self.ranks).abs();
                files.max(ranks)
            })
            .sum();
        let least = LEAST.get(self.count as usize).copied().unwrap_or(0) * self.count;
        (scaled - least).max(0) * UNIT / (self.count * self.count)
    }

    /// The distance of the centre of mass from the middle of the board in squares, in parts of [`UNIT`].
    fn distance_from_middle(&self) -> i32 {
        // The middle lies at 3.5: twice its distance is whole.
        let files = (2 * self.files - 7 * self.count).abs();
        let ranks = (2 * self.ranks - 7 * self.count).abs();
        files.max(ranks) * UNIT / (2 * self.count)
    }

    /// The quads whose middle is at most two squares from the centre of mass, each named by its south-western square.
    fn quads_nearby(&self) -> u64 {
        let near =
            |sum: i32| (0..8).filter(move |at| (2 * at * self.count + self.count - 2 * sum).abs() <= 4 * self.count);
        let files: u64 = near(self.files).map(|file| 0x0101_0101_0101_0101 << file).sum();
        let ranks: u64 = near(self.ranks).map(|rank| 0xff << (8 * rank)).sum();
        files & ranks
    }
}

/// The number of pairs of neighbours.
fn links(pieces: u64) -> i32 {
    [Direction::East, Direction::NorthEast, Direction::North, Direction::NorthWest]
        .into_iter()
        .map(|direction| (pieces & direction.shift(pieces, 1)).count_ones() as i32)
        .sum()
}

/// The quads with three and those with four pieces, each named by its south-western square.
///
/// With the links they give the Euler number, the groups less the holes in them: pieces are the corners of a net whose
/// edges are the links, whose triangles are threes and parts of fours, and in which each four is a solid. So it is
/// pieces - links + (threes + 4 fours) - fours. Quads in Lines of Action are due to Dyer and to Winands, Uiterwijk &
/// van den Herik, "The quad heuristic in Lines of Action" (2001), who count differently.
fn quads(pieces: u64) -> (u64, u64) {
    let east = Direction::West.shift(pieces, 1);
    let (north, north_east) = (pieces >> 8, east >> 8);
    let threes = (pieces & east & (north ^ north_east)) | ((pieces ^ east) & north & north_east);
    (threes, pieces & east & north & north_east)
}

/// The squares of the smallest rectangle that holds all pieces.
fn area(pieces: u64) -> i32 {
    let ranks = 8 - pieces.leading_zeros() / 8 - pieces.trailing_zeros() / 8;
    let mut files = pieces | pieces >> 32;
    files |= files >> 16;
    files |= files >> 8;
    let files = files as u8;
    ((8 - files.leading_zeros().min(7) - files.trailing_zeros().min(7)) * ranks) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use plywise_game::Side;

    const RING: u64 = 0x0000_0038_2838_0000;
    const BLOCK: u64 = 0x0000_0018_1800_0000;

    fn euler(pieces: u64) -> i32 {
        let (threes, fours) = quads(pieces);
        pieces.count_ones() as i32 - links(pieces) + threes.count_ones() as i32 + 3 * fours.count_ones() as i32
    }

    #[test]
    fn the_euler_number_is_groups_less_holes() {
        assert_eq!(euler(Position::START.pieces(Side::First)), 2);
        assert_eq!(euler(RING), 0);
        assert_eq!(euler(BLOCK), 1);
        assert_eq!(euler(0x8100_0000_0000_0081), 4);
    }

    #[test]
    fn areas() {
        assert_eq!(area(BLOCK), 4);
        assert_eq!(area(RING), 9);
        assert_eq!(area(1), 1);
        assert_eq!(area(1 << 63), 1);
        assert_eq!(area(Position::START.pieces(Side::Second)), 48);
    }

    #[test]
    fn the_closest_pieces_have_no_surplus() {
        assert_eq!(Mass::of(BLOCK).surplus(BLOCK), 0);
        assert_eq!(Mass::of(RING | 1 << 28).surplus(RING | 1 << 28), 0);
        let corners = 0x8100_0000_0000_0081;
        assert_eq!(Mass::of(corners).surplus(corners), (14 - 3) * UNIT / 4);
    }
}
