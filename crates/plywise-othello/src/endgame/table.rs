//! What the solver remembers of positions: between which bounds their values lie, and which moves were best.

use super::MOST;
use crate::board::mixed;

/// No square, where one is expected.
pub(super) const NO_SQUARE: u8 = 64;

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    lower: i8,
    upper: i8,
    /// The best moves of the last two visits, the last one first; [`NO_SQUARE`] where there is none.
    pub(super) squares: [u8; 2],
}

impl Known {
    pub(super) const NOTHING: Known = Known { lower: -(MOST as i8), upper: MOST as i8, squares: [NO_SQUARE; 2] };

    /// The value is at most this.
    #[inline]
    pub(super) fn upper(&self) -> i32 {
        i32::from(self.upper)
    }

    /// What to answer if asked for the value between `alpha` and `beta`, where enough is known.
    #[inline]
    pub(super) fn answer(&self, alpha: i32, beta: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower >= beta || lower == upper {
            Some(lower)
        } else if upper <= alpha {
            Some(upper)
        } else {
            None
        }
    }

    /// Adds what a search between `alpha` and `beta` has found.
    fn learn(&mut self, found: &Found) {
        let Found { value, alpha, beta, square } = *found;
        if value > alpha {
            self.lower = self.lower.max(value as i8);
        }
        if value < beta {
            self.upper = self.upper.min(value as i8);
        }
        if self.squares[0] != square {
            self.squares = [square, self.squares[0]];
        }
    }
}

/// What a search has found: the value between `alpha` and `beta`, and the square of the best move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) value: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) square: u8,
}

/// All that the solver remembers.
///
/// Most positions are near the end of the game. They have a small table of their own, which stays in the processor's
/// cache: what falls out of it is soon found again, but a look into memory takes as long as searching many nodes.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    near: Table,
    far: Table,
}

/// Positions with more empty squares than this are far from the end.
const NEAR: u32 = 10;

/// The size of the small table.
const NEAR_BYTES: usize = 512 << 10;

impl Memory {
    /// A memory whose large table has at most this many bytes.
    pub(super) fn new(bytes: usize) -> Memory {
        Memory { near: Table::new(NEAR_BYTES), far: Table::new(bytes) }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.near.clear();
        self.far.clear();
    }

    /// Begins a new solve: what earlier ones have left gives way to what this one stores.
    pub(super) fn begin(&mut self) {
        self.near.begin();
        self.far.begin();
    }

    /// What is known about the position with this key and number of empty squares.
    #[inline]
    pub(super) fn get(&self, key: u64, empty: u32) -> Option<&Known> {
        let table = if empty <= NEAR { &self.near } else { &self.far };
        table.get(key)
    }

    /// Remembers what was found with this many nodes.
    #[inline]
    pub(super) fn put(&mut self, key: u64, empty: u32, found: &Found, nodes: u64) {
        let table = if empty <= NEAR { &mut self.near } else { &mut self.far };
        table.put(key, found, nodes);
    }
}

/// The key of a position: as strong as the game's own hash, without the side to move, which changes nothing here.
#[inline]
pub(super) fn key(own: u64, enemy: u64) -> u64 {
    mixed(mixed(own) ^ enemy)
}

/// A place in a table.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    known: Known,
    /// The binary digits of the number of nodes spent on it; 0 marks a free place.
    effort: u8,
    /// The solve that wrote it, counted modulo 256.
    generation: u8,
}

const FREE: Entry = Entry { key: 0, known: Known::NOTHING, effort: 0, generation: 0 };

/// Entries that share an index, in one line of the processor's cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket([Entry; 4]);

impl Bucket {
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        self.0.iter().position(|entry| entry.key == key && entry.effort != 0)
    }

    /// The place to give away: a free one, else one of an earlier solve, and the one that cost the least.
    fn least(&self, generation: u8) -> usize {
        let worth = |entry: &Entry| (entry.effort != 0, entry.generation == generation, entry.effort);
        (1..self.0.len()).fold(0, |least, i| if worth(&self.0[i]) < worth(&self.0[least]) { i } else { least })
    }
}

/// A transposition table. It takes up memory from the first solve on.
#[derive(Clone)]
struct Table {
    buckets: Vec<Bucket>,
    /// The number of buckets, once there are any: a power of two.
    size: usize,
    generation: u8,
}

impl Table {
    fn new(bytes: usize) -> Table {
        let size = 1 << (bytes / size_of::<Bucket>()).max(1).ilog2();
        Table { buckets: Vec::new(), size, generation: 0 }
    }

    fn clear(&mut self) {
        self.buckets.fill(Bucket([FREE; 4]));
        self.generation = 0;
    }

    fn begin(&mut self) {
        if self.buckets.is_empty() {
            self.buckets = vec![Bucket([FREE; 4]); self.size];
        }
        self.generation = self.generation.wrapping_add(1);
    }

    #[inline]
    fn get(&self, key: u64) -> Option<&Known> {
        let bucket = self.buckets.get(key as usize & (self.size - 1))?;
        bucket.find(key).map(|place| &bucket.0[place].known)
    }

    fn put(&mut self, key: u64, found: &Found, nodes: u64) {
        let Some(bucket) = self.buckets.get_mut(key as usize & (self.size - 1)) else { return };
        let place = bucket.find(key).unwrap_or_else(|| {
            let place = bucket.least(self.generation);
            bucket.0[place] = Entry { key, ..FREE };
            place
        });
        let entry = &mut bucket.0[place];
        entry.known.learn(found);
        entry.effort = entry.effort.max(nodes.max(1).ilog2() as u8 + 1);
        entry.generation = self.generation;
    }
}

impl std::fmt::Debug for Table {
    /// The size: the contents say nothing to a reader.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Table({} buckets)", self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_fill_the_line_of_the_cache() {
        assert_eq!(size_of::<Bucket>(), 64);
    }

    const FOUND: Found = Found { value: 4, alpha: 2, beta: 8, square: 19 };

    #[test]
    fn what_is_found_narrows_the_bounds() {
        let mut known = Known::NOTHING;
        assert_eq!(known.answer(-64, 64), None);
        known.learn(&Found { value: 2, alpha: -2, beta: 2, square: 19 });
        assert_eq!((known.answer(-2, 0), known.answer(0, 4), known.answer(2, 4)), (Some(2), None, None));
        known.learn(&Found { value: 10, alpha: 10, beta: 12, square: 20 });
        assert_eq!((known.answer(10, 12), known.answer(8, 12)), (Some(10), None));
        assert_eq!(known.squares, [20, 19]);
        known.learn(&FOUND);
        assert_eq!(known.answer(-64, 64), Some(4));
        assert_eq!(known.squares, [19, 20]);
    }

    #[test]
    fn cheap_and_old_entries_give_way_first() {
        let mut table = Table::new(64);
        table.begin();
        for (key, nodes) in [(1, 1000), (2, 10), (3, 100), (4, 100)] {
            table.put(key, &FOUND, nodes);
        }
        table.put(5, &FOUND, 1);
        assert!(table.get(2).is_none());
        assert!([1, 3, 4, 5].iter().all(|&key| table.get(key).is_some()));
        table.begin();
        table.put(3, &FOUND, 1);
        table.put(6, &FOUND, 1);
        table.put(7, &FOUND, 1);
        assert!(table.get(3).is_some() && table.get(1).is_some(), "3 is new again, 1 costs the most of the old ones");
        table.clear();
        assert!((0..8).all(|key| table.get(key).is_none()));
    }
}
