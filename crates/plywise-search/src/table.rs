//! The transposition table: what the search already knows about positions it meets again.
//!
//! Each bucket is two deep (Breuker, Uiterwijk & van den Herik, "Replacement schemes and two-level tables", 1996): one
//! place keeps the deepest value, the other the newest. Threads share the table without locks: an entry is two words,
//! and the key is stored xored with the data, so a torn entry does not match (Hyatt & Mann, "A lock-less
//! transposition-table implementation for parallel search", 2002).

use crate::hints;
use plywise_game::{Depth, Score, Window, score};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// On which side of the stored score the true value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is at most the score.
    Upper,
    /// The value is at least the score.
    Lower,
    /// The value is the score.
    Exact,
}

impl Bound {
    /// What a fail-soft score proves about the value it was searched for with this window.
    pub fn of(value: Score, window: Window) -> Bound {
        if value >= window.beta {
            Bound::Lower
        } else if value > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The score, its wins counted from the position itself.
    pub score: Score,
    /// What the score means.
    pub bound: Bound,
    /// The depth that was searched.
    pub depth: Depth,
    /// The code of the best move, 0 if none is known.
    pub move_code: u16,
    /// The value came out of an uncertainty cutoff: it may suggest a move and nothing else.
    pub uncertain: bool,
}

impl Entry {
    /// The value of this position `ply` plies from the root, if this entry settles the question that `window` asks.
    pub fn settles(&self, window: Window, ply: usize) -> Option<Score> {
        let score = from_table(self.score, ply);
        let settled = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        (settled && !self.uncertain).then_some(score)
    }

    /// The score as seen from the root, `ply` plies above.
    pub fn score_at(&self, ply: usize) -> Score {
        from_table(self.score, ply)
    }
}

/// Wins are stored by their distance from the position, not from the root.
pub(crate) fn to_table(score: Score, ply: usize) -> Score {
    match score {
        s if s > score::WIN_THRESHOLD => s + ply as Score,
        s if s < -score::WIN_THRESHOLD => s - ply as Score,
        s => s,
    }
}

pub(crate) fn from_table(score: Score, ply: usize) -> Score {
    match score {
        s if s > score::WIN_THRESHOLD => s - ply as Score,
        s if s < -score::WIN_THRESHOLD => s + ply as Score,
        s => s,
    }
}

// The data word, from the low end: move 16, depth 16, bound 2, uncertain 1, generation 6, score 23.
const DEPTH: u32 = 16;
const BOUND: u32 = 32;
const UNCERTAIN: u32 = 34;
const GENERATION: u32 = 35;
const SCORE: u32 = 41;
const GENERATIONS: u8 = 64;

fn pack(entry: &Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1u64,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.move_code)
        | u64::from(entry.depth.in_hundredths() as u16) << DEPTH
        | bound << BOUND
        | u64::from(entry.uncertain) << UNCERTAIN
        | u64::from(generation) << GENERATION
        | (entry.score as u64) << SCORE
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> BOUND & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        score: (data as i64 >> SCORE) as Score,
        bound,
        depth: Depth::hundredths(i32::from((data >> DEPTH) as u16 as i16)),
        move_code: data as u16,
        uncertain: data >> UNCERTAIN & 1 == 1,
    })
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    fn load(&self, key: u64) -> Option<u64> {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) == key ^ data).then_some(data)
    }

    fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// The first slot keeps the deepest value of the running search, the second the newest.
#[derive(Default)]
#[repr(align(32))]
struct Bucket {
    deepest: Slot,
    newest: Slot,
}

/// A transposition table that threads may share.
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    generation: AtomicU8,
}

/// There is not enough memory for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a table of {megabytes} MB does not fit into memory")]
pub struct TableTooLarge {
    /// The size that was asked for.
    pub megabytes: usize,
}

impl TranspositionTable {
    /// A table of at most `megabytes` MB, or an error where memory does not suffice. 0 gives the smallest table.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, TableTooLarge> {
        let too_large = TableTooLarge { megabytes };
        let bytes = megabytes.checked_mul(1 << 20).ok_or(too_large)?;
        let count = (bytes / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| too_large)?;
        hints::prefer_large_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        Ok(TranspositionTable { buckets: buckets.into_boxed_slice(), generation: AtomicU8::new(0) })
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.bucket(key);
        bucket.deepest.load(key).or_else(|| bucket.newest.load(key)).and_then(unpack)
    }

    /// Asks for the memory that [`probe`](TranspositionTable::probe) will read for this key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        hints::prefetch(self.bucket(key));
    }

    /// Remembers `entry`. It takes the place of the deepest entry if it is at least as deep, or if that one belongs to
    /// an earlier search or to the same position; else that of the newest.
    pub fn store(&self, key: u64, entry: &Entry) {
        let generation = self.generation.load(Relaxed);
        let bucket = self.bucket(key);
        let old = bucket.deepest.data.load(Relaxed);
        let old_key = bucket.deepest.check.load(Relaxed) ^ old;
        let stale = (old >> GENERATION) as u8 % GENERATIONS != generation;
        let shallower = unpack(old).is_none_or(|old| old.depth <= entry.depth);
        let data = pack(entry, generation);
        if old_key == key || shallower || stale {
            if old_key != key && old != 0 {
                bucket.newest.store(old_key, old);
            }
            bucket.deepest.store(key, data);
        } else {
            bucket.newest.store(key, data);
        }
    }

    /// Begins a new search: what older ones left may now be replaced.
    pub fn next_generation(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| [&bucket.deepest, &bucket.newest]) {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
        self.generation.store(0, Relaxed);
    }

    /// How many in a thousand entries hold something from the running search, estimated from a sample.
    pub fn permille_full(&self) -> usize {
        let generation = self.generation.load(Relaxed);
        let sample = self.buckets.len().min(500);
        let used = self.buckets[..sample]
            .iter()
            .flat_map(|bucket| [&bucket.deepest, &bucket.newest])
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| unpack(data).is_some() && (data >> GENERATION) as u8 % GENERATIONS == generation)
            .count();
        used * 1000 / (2 * sample)
    }

    fn bucket(&self, key: u64) -> &Bucket {
        // The high bits of the product spread the keys over any number of buckets without a division.
        let index = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        &self.buckets[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, score: Score) -> Entry {
        Entry { score, bound: Bound::Exact, depth: Depth::plies(depth), move_code: 0x1234, uncertain: false }
    }

    #[test]
    fn every_entry_survives_packing() {
        for score in [0, 1, -1, 500, -500, score::INFINITY, -score::INFINITY, score::win_in(3), score::loss_in(4)] {
            for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
                for hundredths in [-300, 0, 50, 12_800] {
                    for uncertain in [false, true] {
                        let depth = Depth::hundredths(hundredths);
                        let entry = Entry { score, bound, depth, move_code: 0xffff, uncertain };
                        assert_eq!(unpack(pack(&entry, 63)), Some(entry));
                    }
                }
            }
        }
        assert_eq!(unpack(0), None);
    }

    #[test]
    fn a_bucket_keeps_the_deepest_and_the_newest() {
        let table = TranspositionTable::new(0).unwrap();
        table.store(1, &entry(8, 10));
        table.store(2, &entry(2, 20));
        table.store(3, &entry(3, 30));
        assert_eq!(table.probe(1), Some(entry(8, 10)));
        assert_eq!(table.probe(2), None);
        assert_eq!(table.probe(3), Some(entry(3, 30)));
        table.next_generation();
        table.store(4, &entry(1, 40));
        assert_eq!(table.probe(4), Some(entry(1, 40)));
        assert_eq!(table.probe(1), Some(entry(8, 10)), "a stale deep entry moves to the second place");
    }

    #[test]
    fn wins_are_stored_by_distance_from_the_position() {
        let stored = Entry { score: to_table(score::win_in(9), 4), ..entry(1, 0) };
        assert_eq!(stored.score_at(2), score::win_in(7));
    }

    #[test]
    fn a_bound_settles_only_what_it_proves() {
        let window = Window::new(0, 10);
        let lower = |score| Entry { score, bound: Bound::Lower, ..entry(1, 0) };
        let upper = |score| Entry { score, bound: Bound::Upper, ..entry(1, 0) };
        assert_eq!(lower(10).settles(window, 0), Some(10));
        assert_eq!(lower(9).settles(window, 0), None);
        assert_eq!(upper(0).settles(window, 0), Some(0));
        assert_eq!(upper(1).settles(window, 0), None);
        assert_eq!(Entry { uncertain: true, ..entry(1, 5) }.settles(window, 0), None);
    }

    #[test]
    fn a_table_beyond_memory_is_an_error() {
        assert!(TranspositionTable::new(usize::MAX >> 21).is_err());
    }
}
