//! History: what moves have achieved so far.

use crate::params;

/// What moves have achieved so far in this search and the ones before it.
pub(crate) struct History {
    merit: Vec<i32>,
    /// By the move and one before it. Empty until it is used.
    continuations: Vec<i16>,
    /// Of tactical moves. Empty where the game does not tell them apart.
    captures: Vec<i16>,
    hits: Vec<u32>,
    tries: Vec<u32>,
    /// How many moves before are distinguished; others share their rows.
    rows: usize,
}

/// The indices of the moves one, two and four plies before, where they count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Before(pub(crate) [Option<usize>; 3]);

/// Merits stay within ± this: the closer to it, the less another success adds.
pub(crate) const LARGEST_MERIT: i32 = 1 << 14;
/// Where history only rewards, merits grow up to this.
pub(super) const MOST_REWARDED: i32 = 1 << 20;
/// One cut changes a merit by at most this.
pub(super) const LARGEST_LESSON: i32 = LARGEST_MERIT / 8;
/// Slots for continuations.
const CONTINUATIONS: usize = 1 << 20;
/// Relative history is a fraction of this.
const WHOLE: u64 = 1 << 14;

/// A number within ±[`LARGEST_MERIT`] after a lesson: the farther it has come, the harder it is to move further, and the
/// easier to move back.
#[inline]
pub(crate) fn taught(merit: i32, lesson: i32) -> i32 {
    merit + lesson - merit * lesson.abs() / LARGEST_MERIT
}

impl History {
    pub(crate) fn new(indices: usize, capture_indices: usize) -> History {
        History {
            merit: vec![0; indices],
            continuations: Vec::new(),
            captures: vec![0; capture_indices],
            hits: vec![0; indices],
            tries: vec![0; indices],
            rows: (CONTINUATIONS / indices).clamp(1, indices),
        }
    }

    /// The merit of a move, by its index and those of the moves before it: within ±2^14, or up to 2^20 where history only
    /// rewards.
    #[inline]
    pub(crate) fn value(&self, ordering: &params::Ordering, before: &Before, index: usize) -> i32 {
        let alone = match ordering.history {
            0 => 0,
            1 => self.merit[index],
            3 => self.hits[index].min(MOST_REWARDED as u32) as i32,
            _ => (u64::from(self.hits[index]) * WHOLE / u64::from(self.tries[index].max(1))) as i32,
        };
        let (mut sum, mut weights) = (alone * 100, 100);
        let shares = [ordering.replies, ordering.follow_ups, ordering.plans];
        for (before, share) in before.0.iter().zip(shares) {
            if let Some(before) = *before {
                let slot = self.continuation(before, index);
                sum += self.continuations.get(slot).map_or(0, |&merit| i32::from(merit)) * share;
                weights += share;
            }
        }
        sum / weights
    }

    /// The record of a tactical move, within ±[`LARGEST_MERIT`].
    #[inline]
    pub(super) fn capture(&self, index: usize) -> i32 {
        self.captures.get(index).map_or(0, |&merit| merit.into())
    }

    pub(super) fn teach_capture(&mut self, index: usize, lesson: i32) {
        if let Some(merit) = self.captures.get_mut(index) {
            *merit = taught((*merit).into(), lesson) as i16;
        }
    }

    pub(super) fn reward(&mut self, before: &Before, index: usize, bonus: i32) {
        self.teach(before, index, bonus);
        self.hits[index] = self.hits[index].saturating_add(bonus as u32);
        self.tries[index] = self.tries[index].saturating_add(bonus as u32);
    }

    pub(super) fn blame(&mut self, before: &Before, index: usize, malus: i32) {
        self.teach(before, index, -malus);
        self.tries[index] = self.tries[index].saturating_add(malus as u32);
    }

    pub(crate) fn teach(&mut self, before: &Before, index: usize, lesson: i32) {
        self.merit[index] = taught(self.merit[index], lesson);
        for before in before.0.into_iter().flatten() {
            let slot = self.continuation(before, index);
            self.continuations.resize(self.rows * self.merit.len(), 0);
            self.continuations[slot] = taught(self.continuations[slot].into(), lesson) as i16;
        }
    }

    /// The slot of a pair of moves. What may follow one move lies together.
    #[inline]
    fn continuation(&self, before: usize, index: usize) -> usize {
        before % self.rows * self.merit.len() + index
    }

    /// Lets old experience fade before the next search.
    pub(crate) fn fade(&mut self) {
        self.merit.iter_mut().for_each(|merit| *merit /= 2);
        self.continuations.iter_mut().for_each(|merit| *merit /= 2);
        self.captures.iter_mut().for_each(|merit| *merit /= 2);
        self.hits.iter_mut().for_each(|hits| *hits /= 2);
        self.tries.iter_mut().for_each(|tries| *tries /= 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;

    #[test]
    fn a_merit_never_leaves_its_range() {
        let mut merit = 0;
        for lesson in [LARGEST_MERIT, LARGEST_MERIT, -5, -LARGEST_MERIT, -LARGEST_MERIT, 7, 2048] {
            merit = taught(merit, lesson);
            assert!(merit.abs() <= LARGEST_MERIT, "{merit}");
        }
        assert_eq!((taught(0, 100), taught(LARGEST_MERIT, 100), taught(LARGEST_MERIT / 2, -100)), (100, 16384, 8042));
    }

    #[test]
    fn a_move_is_judged_by_what_it_achieved_after_each_of_the_moves_before() {
        let mut history = History::new(10, 0);
        let ordering = params::Ordering { history: 1, replies: 100, follow_ups: 50, plans: 50, ..Params::OFF.ordering };
        let after = |replies, follow_ups, plans| Before([replies, follow_ups, plans]);
        history.reward(&after(Some(1), Some(2), None), 7, 1000);
        let value = |before: Before| history.value(&ordering, &before, 7);
        assert_eq!(value(after(None, None, None)), 1000);
        assert_eq!(value(after(Some(1), None, None)), 1000, "(1000 · 100 + 1000 · 100) / 200");
        assert_eq!(value(after(Some(3), None, None)), 500, "after another move it is not known");
        assert_eq!(value(after(Some(3), Some(2), Some(2))), 2000 / 3, "(1000 · 100 + 1000 · 50 + 1000 · 50) / 300");
        assert_eq!(history.value(&ordering, &after(Some(1), None, None), 6), 0, "another move");
    }

    #[test]
    fn games_with_many_moves_share_rows() {
        let mut history = History::new(1 << 13, 0);
        let ordering = params::Ordering { history: 1, replies: 400, ..Params::OFF.ordering };
        history.blame(&Before([Some(8191), None, None]), 8191, 1000);
        assert_eq!(history.value(&ordering, &Before([Some(127), None, None]), 8191), -1000);
        assert_eq!(history.value(&ordering, &Before([Some(126), None, None]), 8191), -200);
        assert!(history.continuations.len() <= CONTINUATIONS);
    }
}
