//! The transposition table: what the search already knows about positions it meets again.
//!
//! Each bucket is two deep (Breuker, Uiterwijk & van den Herik, "Replacement schemes and two-level tables", 1996): one
//! place keeps the deepest value, the other the newest. Threads share the table without locks: an entry is two words,
//! and the key is stored xored with the data, so a torn entry does not match (Hyatt & Mann, "A lock-less
//! transposition-table implementation for parallel search", 2002). The place of a bucket tells the high bits of a key,
//! so that there is room for the evaluation beside the low ones.

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
    /// The position stands, or stood, on the principal variation.
    pub on_pv: bool,
    /// The evaluation of the position, where it was asked for: what it costs is saved the next time.
    pub evaluation: Option<Score>,
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

    /// Whether this entry says more about the position than `newer`, which is much shallower. Quiescence, which has no
    /// depth, never replaces a search; and an exact value is worth some depth.
    fn outweighs(&self, newer: &Entry) -> bool {
        let kept = if newer.bound == Bound::Exact { EXACT_IS_WORTH } else { NEWER_IS_WORTH };
        self.depth > newer.depth + kept || newer.depth <= Depth::ZERO && self.depth > Depth::ZERO
    }

    /// The evaluation of this position, or what this entry says where it says more.
    pub(crate) fn refine(&self, evaluation: Score, ply: usize) -> Score {
        let score = self.score_at(ply);
        let tells_more = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score > evaluation,
            Bound::Upper => score < evaluation,
        };
        if tells_more && !self.uncertain && !score::is_decided(score) { score } else { evaluation }
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

/// A newer value of a position replaces one that is at most so much deeper: it answers the question that is asked now.
const NEWER_IS_WORTH: Depth = Depth::plies(3);
/// The same where the newer value is exact.
const EXACT_IS_WORTH: Depth = Depth::plies(6);

// The data word, from the low end: move 16, depth 15, bound 2, uncertain 1, on the principal variation 1, generation 8,
// score 21.
const DEPTH: u32 = 16;
const BOUND: u32 = 31;
const UNCERTAIN: u32 = 33;
const PV: u32 = 34;
const GENERATION: u32 = 35;
const SCORE: u32 = 43;

fn pack(entry: &Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1u64,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.move_code)
        | (entry.depth.in_hundredths() as u64 & 0x7fff) << DEPTH
        | bound << BOUND
        | u64::from(entry.uncertain) << UNCERTAIN
        | u64::from(entry.on_pv) << PV
        | u64::from(generation) << GENERATION
        | (entry.score as u64) << SCORE
}

fn unpack(data: u64, evaluation: Option<Score>) -> Option<Entry> {
    let bound = match data >> BOUND & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        score: (data as i64 >> SCORE) as Score,
        bound,
        depth: depth_in(data),
        move_code: data as u16,
        uncertain: data >> UNCERTAIN & 1 == 1,
        on_pv: data >> PV & 1 == 1,
        evaluation,
    })
}

fn depth_in(data: u64) -> Depth {
    // The sign is that of the highest of the depth's bits.
    Depth::hundredths(i32::from(((data >> DEPTH) as i16) << 1 >> 1))
}

fn generation_of(data: u64) -> u8 {
    (data >> GENERATION) as u8
}

// The check word: 48 bits that tell keys of one bucket apart, and above them the evaluation.
const CHECKED: u64 = (1 << 48) - 1;
/// Stands for an evaluation that is not known.
const NO_EVALUATION: i16 = i16::MIN;

/// What a key and a data word give together. Every bit of the data word counts.
fn check_of(key: u64, data: u64) -> u64 {
    (key ^ data ^ data.rotate_left(24)) & CHECKED
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The two words of a slot.
#[derive(Clone, Copy)]
struct Words {
    check: u64,
    data: u64,
}

impl Words {
    fn new(key: u64, entry: &Entry, generation: u8) -> Words {
        let data = pack(entry, generation);
        // What does not fit is not remembered.
        let evaluation = entry.evaluation.and_then(|score| i16::try_from(score).ok()).unwrap_or(NO_EVALUATION);
        Words { check: check_of(key, data) | u64::from(evaluation as u16) << 48, data }
    }

    fn is_of(self, key: u64) -> bool {
        self.check & CHECKED == check_of(key, self.data)
    }

    fn entry(self) -> Option<Entry> {
        let evaluation = (self.check >> 48) as i16;
        unpack(self.data, (evaluation != NO_EVALUATION).then_some(evaluation.into()))
    }
}

impl Slot {
    fn load(&self) -> Words {
        Words { data: self.data.load(Relaxed), check: self.check.load(Relaxed) }
    }

    fn store(&self, words: Words) {
        self.check.store(words.check, Relaxed);
        self.data.store(words.data, Relaxed);
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
///
/// Every search is a generation, and each entry carries the number of its own: the low ones, before `first`, are forgotten.
/// So forgetting takes no time, until the numbers are used up.
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    /// The first generation that counts.
    first: AtomicU8,
    /// The running one.
    now: AtomicU8,
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
        Ok(TranspositionTable { buckets: buckets.into_boxed_slice(), first: AtomicU8::new(0), now: AtomicU8::new(0) })
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.bucket(key);
        self.known(&bucket.deepest, key).or_else(|| self.known(&bucket.newest, key)).and_then(Words::entry)
    }

    /// What a slot holds about the position with this key, unless it is forgotten.
    #[inline]
    fn known(&self, slot: &Slot, key: u64) -> Option<Words> {
        let words = slot.load();
        (words.is_of(key) && generation_of(words.data) >= self.first.load(Relaxed)).then_some(words)
    }

    /// Asks for the memory that [`probe`](TranspositionTable::probe) will read for this key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        hints::prefetch(self.bucket(key));
    }

    /// Remembers `entry`. What is known about the same position gives way, unless it is much deeper; and where `entry`
    /// suggests no move, the old suggestion stays. Of other positions, `entry` takes the place of the deepest entry if it
    /// is at least as deep, or if that one belongs to an earlier search; else that of the newest.
    pub fn store(&self, key: u64, entry: &Entry) {
        let now = self.now.load(Relaxed);
        let bucket = self.bucket(key);
        let is_of_now = |words: Words| generation_of(words.data) == now;
        let mut entry = *entry;
        let deepest = self.known(&bucket.deepest, key);
        let known = deepest.or_else(|| self.known(&bucket.newest, key));
        if let Some((words, known)) = known.and_then(|words| Some((words, words.entry()?))) {
            if is_of_now(words) && known.outweighs(&entry) {
                return;
            }
            if entry.move_code == 0 {
                entry.move_code = known.move_code;
            }
        }
        let (old, new) = (bucket.deepest.load(), Words::new(key, &entry, now));
        if deepest.is_some() || !is_of_now(old) || depth_in(old.data) <= entry.depth {
            if deepest.is_none() && old.data != 0 {
                bucket.newest.store(old);
            }
            bucket.deepest.store(new);
        } else {
            bucket.newest.store(new);
        }
    }

    /// Begins a new search: what older ones left may now be replaced.
    pub fn next_generation(&self) {
        if self.now.load(Relaxed) == u8::MAX {
            self.number_afresh(|generation, first| generation >= first);
        }
        self.now.fetch_add(1, Relaxed);
    }

    /// Forgets everything.
    pub fn forget(&self) {
        if self.now.load(Relaxed) == u8::MAX {
            self.number_afresh(|_, _| false);
        }
        self.first.store(self.now.fetch_add(1, Relaxed) + 1, Relaxed);
    }

    /// Numbers are used up: what is kept, by its generation and the first that counts, becomes generation 0.
    fn number_afresh(&self, is_kept: impl Fn(u8, u8) -> bool) {
        let first = self.first.swap(0, Relaxed);
        self.now.store(0, Relaxed);
        for slot in self.buckets.iter().flat_map(|bucket| [&bucket.deepest, &bucket.newest]) {
            let Words { check, data } = slot.load();
            let without = data & !(u64::from(u8::MAX) << GENERATION);
            // The key is the same, and so the two checks differ as the two data words do.
            let kept = data != 0 && is_kept(generation_of(data), first);
            let words = Words { check: check ^ check_of(0, data) ^ check_of(0, without), data: without };
            slot.store(if kept { words } else { Words { check: 0, data: 0 } });
        }
    }

    /// How many in a thousand entries hold something from the running search, estimated from a sample.
    pub fn permille_full(&self) -> usize {
        let now = self.now.load(Relaxed);
        let sample = self.buckets.len().min(500);
        let used = self.buckets[..sample]
            .iter()
            .flat_map(|bucket| [&bucket.deepest, &bucket.newest])
            .filter(|slot| slot.load().entry().is_some() && generation_of(slot.load().data) == now)
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
        Entry {
            score,
            bound: Bound::Exact,
            depth: Depth::plies(depth),
            move_code: 0x1234,
            uncertain: false,
            on_pv: false,
            evaluation: None,
        }
    }

    #[test]
    fn an_evaluation_gives_way_to_what_says_more() {
        let refined = |bound, score| Entry { bound, ..entry(3, score) }.refine(10, 0);
        assert_eq!([5, 20].map(|score| refined(Bound::Exact, score)), [5, 20]);
        assert_eq!([5, 20].map(|score| refined(Bound::Lower, score)), [10, 20]);
        assert_eq!([5, 20].map(|score| refined(Bound::Upper, score)), [5, 10]);
        assert_eq!(refined(Bound::Exact, score::win_in(9)), 10, "a win is no evaluation");
        assert_eq!(Entry { uncertain: true, ..entry(3, 20) }.refine(10, 0), 10);
    }

    #[test]
    fn every_entry_survives_packing() {
        let scores = [0, 1, -1, 500, -500, score::INFINITY, -score::INFINITY, score::win_in(3), score::loss_in(4)];
        for (score, bound) in
            scores.into_iter().flat_map(|s| [Bound::Upper, Bound::Lower, Bound::Exact].map(|b| (s, b)))
        {
            for hundredths in [-300, 0, 50, 12_800] {
                for flags in 0..4 {
                    for evaluation in [None, Some(0), Some(32_767), Some(-32_767)] {
                        let (depth, move_code) = (Depth::hundredths(hundredths), 0xffff);
                        let (uncertain, on_pv) = (flags & 1 != 0, flags & 2 != 0);
                        let entry = Entry { score, bound, depth, move_code, uncertain, on_pv, evaluation };
                        let words = Words::new(0x1234_5678_9abc_def0, &entry, 255);
                        assert_eq!(words.entry(), Some(entry));
                        assert!(words.is_of(0x1234_5678_9abc_def0) && !words.is_of(0x1234_5678_9abc_def1));
                        assert_eq!(generation_of(words.data), 255);
                    }
                }
            }
        }
        assert_eq!(unpack(0, None), None);
        let large = Entry { evaluation: Some(40_000), ..entry(1, 0) };
        assert_eq!(Words::new(1, &large, 0).entry(), Some(entry(1, 0)), "what does not fit is not remembered");
    }

    #[test]
    fn an_entry_of_two_writers_does_not_match() {
        let (one, other) = (Words::new(1, &entry(1, 10), 3), Words::new(1, &entry(1, -10), 3));
        assert!(!Words { check: one.check, data: other.data }.is_of(1));
        for bit in 0..64 {
            assert!(!Words { check: one.check, data: one.data ^ 1 << bit }.is_of(1), "bit {bit}");
        }
    }

    /// A table remembers the same, whatever it has forgotten before.
    #[test]
    fn what_is_forgotten_leaves_no_trace() {
        let used = TranspositionTable::new(0).unwrap();
        let mut random = 1u64;
        let mut next = || {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (random >> 60, entry((random >> 50) as i32 % 16, (random >> 40) as i32 % 100))
        };
        for round in 0..700 {
            let table = TranspositionTable::new(0).unwrap();
            used.forget();
            for _ in 0..=round % 3 {
                table.next_generation();
                used.next_generation();
                for _ in 0..20 {
                    let (key, entry) = next();
                    table.store(key, &entry);
                    used.store(key, &entry);
                }
                for key in 0..16 {
                    assert_eq!(used.probe(key), table.probe(key), "round {round}");
                }
                assert_eq!(used.permille_full(), table.permille_full());
            }
        }
    }

    #[test]
    fn a_long_game_keeps_what_it_knows_when_the_numbers_are_used_up() {
        let table = TranspositionTable::new(0).unwrap();
        (0..255).for_each(|_| table.next_generation());
        table.store(1, &entry(8, 10));
        table.next_generation();
        assert_eq!(table.probe(1), Some(entry(8, 10)));
        table.store(2, &entry(1, 20));
        assert_eq!(
            (table.probe(1), table.probe(2)),
            (Some(entry(8, 10)), Some(entry(1, 20))),
            "it is an older one now"
        );
        (0..255).for_each(|_| table.next_generation());
        table.forget();
        assert_eq!((table.probe(1), table.probe(2), table.permille_full()), (None, None, 0));
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
    fn a_deep_entry_outlives_a_shallow_one_of_the_same_position() {
        let bound = |depth, score| Entry { bound: Bound::Lower, ..entry(depth, score) };
        for (why, newer, stays) in [
            ("quiescence", entry(0, 20), true),
            ("much shallower", bound(4, 20), true),
            ("a little shallower", bound(5, 20), false),
            ("exact", entry(4, 20), false),
            ("exact, but far shallower", entry(1, 20), true),
        ] {
            let table = TranspositionTable::new(0).unwrap();
            for other in [None, Some(entry(9, 0))] {
                // The position's entry lies in the first place, then in the second, beside a deeper one.
                other.inspect(|other| table.store(2, other));
                table.store(1, &bound(8, 10));
                table.store(1, &newer);
                assert_eq!(table.probe(1), Some(if stays { bound(8, 10) } else { newer }), "{why}");
                table.next_generation();
                table.store(1, &newer);
                assert_eq!(table.probe(1), Some(newer), "{why}: the next search replaces it");
            }
        }
    }

    #[test]
    fn a_suggestion_stays_until_there_is_a_better_one() {
        let table = TranspositionTable::new(0).unwrap();
        table.store(1, &entry(3, 10));
        table.store(1, &Entry { move_code: 0, ..entry(4, 20) });
        assert_eq!(table.probe(1), Some(entry(4, 20)));
        table.store(1, &Entry { move_code: 7, ..entry(4, 20) });
        assert_eq!(table.probe(1), Some(Entry { move_code: 7, ..entry(4, 20) }));
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
