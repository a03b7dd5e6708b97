//! History: what quiet moves have achieved so far.

use crate::params;

/// What quiet moves have achieved so far in this search and the ones before it.
pub(crate) struct History {
    merit: Vec<i32>,
    /// By the move and the one before it; pairs share a slot where there are too many of them. Empty until it is used.
    replies: Vec<i16>,
    hits: Vec<u32>,
    tries: Vec<u32>,
}

/// Merits stay within ± this: the closer to it, the less another success adds.
pub(crate) const LARGEST_MERIT: i32 = 1 << 14;
/// Where history only rewards, merits grow up to this.
pub(super) const MOST_REWARDED: i32 = 1 << 20;
/// One cut changes a merit by at most this.
pub(super) const LARGEST_LESSON: i32 = LARGEST_MERIT / 8;
/// Slots for replies.
const REPLIES: usize = 1 << 18;
/// Relative history is a fraction of this.
const WHOLE: u64 = 1 << 14;

impl History {
    pub(crate) fn new(indices: usize) -> History {
        History { merit: vec![0; indices], replies: Vec::new(), hits: vec![0; indices], tries: vec![0; indices] }
    }

    /// The merit of a move, by its index and that of the move before it: within ±2^14, or up to 2^20 where history only
    /// rewards.
    #[inline]
    pub(crate) fn value(&self, ordering: &params::Ordering, before: Option<usize>, index: usize) -> i32 {
        let alone = match ordering.history {
            0 => 0,
            1 => self.merit[index],
            3 => self.hits[index].min(MOST_REWARDED as u32) as i32,
            _ => (u64::from(self.hits[index]) * WHOLE / u64::from(self.tries[index].max(1))) as i32,
        };
        match before {
            Some(before) if ordering.replies > 0 => {
                let reply = self.replies.get(reply_slot(before, index)).map_or(0, |&merit| merit.into());
                (alone * 100 + reply * ordering.replies) / (100 + ordering.replies)
            }
            _ => alone,
        }
    }

    pub(super) fn reward(&mut self, before: Option<usize>, index: usize, bonus: i32) {
        self.shift(before, index, bonus);
        self.hits[index] = self.hits[index].saturating_add(bonus as u32);
        self.tries[index] = self.tries[index].saturating_add(bonus as u32);
    }

    pub(super) fn blame(&mut self, before: Option<usize>, index: usize, malus: i32) {
        self.shift(before, index, -malus);
        self.tries[index] = self.tries[index].saturating_add(malus as u32);
    }

    fn shift(&mut self, before: Option<usize>, index: usize, by: i32) {
        let shifted = |merit: i32| merit + by - merit * by.abs() / LARGEST_MERIT;
        self.merit[index] = shifted(self.merit[index]);
        if let Some(before) = before {
            self.replies.resize(REPLIES, 0);
            let reply = &mut self.replies[reply_slot(before, index)];
            *reply = shifted((*reply).into()) as i16;
        }
    }

    /// Lets old experience fade before the next search.
    pub(crate) fn fade(&mut self) {
        self.merit.iter_mut().for_each(|merit| *merit /= 2);
        self.replies.iter_mut().for_each(|merit| *merit /= 2);
        self.hits.iter_mut().for_each(|hits| *hits /= 2);
        self.tries.iter_mut().for_each(|tries| *tries /= 2);
    }
}

/// The slot of a pair of moves: numbers that are prime and large spread neighbours over the table.
fn reply_slot(before: usize, index: usize) -> usize {
    (before.wrapping_mul(0x9e37_79b1) ^ index.wrapping_mul(0x85eb_ca77)) >> 7 & (REPLIES - 1)
}
