//! An evaluation with a network: in place of the linear one, or beside it.

use crate::network::{Lane, MAX_CHANGES, Network, Role};
use plywise_game::features::FeatureSet;
use plywise_game::score::EVAL_LIMIT;
use plywise_game::{BoardGame, Depth, Evaluate, Score, Window};
use std::sync::Arc;

/// How many positions are remembered for each player: the line that led here, and a few siblings.
const RECENT: usize = 8;

/// So few changes to the last position are made without looking for a nearer one: siblings differ by as many.
const NEAR: usize = 4;

/// The evaluation of a game, with a network or without. It remembers the sums of a few positions, but what it says depends
/// on the position alone.
pub struct Judge<G: BoardGame> {
    linear: G::Evaluation,
    network: Option<Arc<Network>>,
    recent: [Recent; 2],
}

impl<G: BoardGame> Judge<G> {
    /// The linear evaluation, and a network in its role, if there is one.
    pub fn new(linear: G::Evaluation, network: Option<Arc<Network>>) -> Judge<G> {
        let recent = network.as_deref().map_or_else(Recent::default, Recent::new);
        Judge { linear, network, recent: [recent.clone(), recent] }
    }

    /// The network, if there is one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// The linear evaluation.
    pub fn linear(&self) -> &G::Evaluation {
        &self.linear
    }

    /// What each feature of a position adds to the network's value for the side to move: the value with it less the value
    /// without it. Nothing where there is no network.
    pub fn explain(&self, position: &G::Position) -> Vec<(String, Score)> {
        let contributions = self.network.as_ref().map(|network| network.contributions::<G>(position));
        G::feature_names(position).into_iter().zip(contributions.unwrap_or_default()).collect()
    }
}

impl<G: BoardGame> Clone for Judge<G> {
    fn clone(&self) -> Judge<G> {
        Judge { linear: self.linear.clone(), network: self.network.clone(), recent: self.recent.clone() }
    }
}

impl<G: BoardGame> Evaluate<G> for Judge<G> {
    fn evaluate(&mut self, position: &G::Position) -> Score {
        let Some(network) = &self.network else { return self.linear.evaluate(position) };
        let sets = G::feature_sets(position);
        let [first, second] = &mut self.recent;
        let sums = [first.sums_of::<G>(network, &sets[0]), second.sums_of::<G>(network, &sets[1])];
        let mover = G::side_to_move(position) as usize;
        let value = network.value(sums[mover], sums[1 - mover]);
        match network.role() {
            Role::Replace => value,
            Role::Add => (value + self.linear.evaluate(position)).clamp(-EVAL_LIMIT, EVAL_LIMIT),
        }
    }

    fn solve(
        &mut self,
        position: &G::Position,
        depth: Depth,
        window: Window,
        spend: &mut dyn FnMut(u64) -> u64,
    ) -> Option<Score> {
        self.linear.solve(position, depth, window, spend)
    }

    fn forget(&mut self) {
        self.linear.forget();
    }
}

/// The sums of a few positions as one player sees them.
#[derive(Clone, Debug, Default)]
struct Recent {
    entries: Vec<Entry>,
    /// How often it was asked.
    clock: u64,
    /// The entry that was last asked for.
    last: usize,
}

/// The sums of a set of features.
#[derive(Clone, Debug)]
struct Entry {
    set: FeatureSet,
    sums: Vec<Lane>,
    /// When it was last of use.
    used: u64,
}

impl Recent {
    /// The sums of the empty set: right, if of little use.
    fn new(network: &Network) -> Recent {
        let empty = Entry { set: FeatureSet::EMPTY, sums: network.bias.clone(), used: 0 };
        Recent { entries: vec![empty; RECENT], clock: 0, last: 0 }
    }

    /// The sums of a set of features, from those of the nearest set where that is less work.
    #[inline]
    fn sums_of<G: BoardGame>(&mut self, network: &Network, set: &FeatureSet) -> &[Lane] {
        self.clock += 1;
        let (nearest, distance) = self.nearest::<G>(set);
        self.entries[nearest].used = self.clock;
        if distance == 0 {
            self.last = nearest;
            return &self.entries[nearest].sums;
        }
        let oldest = self.oldest();
        if let Ok([entry, base]) = self.entries.get_disjoint_mut([oldest, nearest])
            && distance <= MAX_CHANGES
            && distance < size::<G>(set)
        {
            Changes::between::<G>(&base.set, set).make(network, &base.sums, &mut entry.sums);
        } else {
            network.refresh(set, &mut self.entries[oldest].sums);
        }
        self.last = oldest;
        let entry = &mut self.entries[oldest];
        entry.set = *set;
        entry.used = self.clock;
        &entry.sums
    }

    /// An entry with few changes to a set, the last one or else the nearest, and how many these are.
    #[inline]
    fn nearest<G: BoardGame>(&self, set: &FeatureSet) -> (usize, usize) {
        let mut best = (self.last, distance::<G>(&self.entries[self.last].set, set));
        if best.1 <= NEAR {
            return best;
        }
        for (index, entry) in self.entries.iter().enumerate() {
            let distance = distance::<G>(&entry.set, set);
            if distance < best.1 {
                best = (index, distance);
            }
        }
        best
    }

    /// The entry that has been of no use for the longest time.
    #[inline]
    fn oldest(&self) -> usize {
        let mut oldest = 0;
        for index in 1..self.entries.len() {
            if self.entries[index].used < self.entries[oldest].used {
                oldest = index;
            }
        }
        oldest
    }
}

/// The words of a set that a game uses.
#[inline]
fn words<G: BoardGame>(set: &FeatureSet) -> &[u64] {
    let words = set.words();
    &words[..G::FEATURES.div_ceil(64).min(words.len())]
}

/// In how many features two sets differ.
#[inline]
fn distance<G: BoardGame>(one: &FeatureSet, other: &FeatureSet) -> usize {
    words::<G>(one).iter().zip(words::<G>(other)).map(|(one, other)| (one ^ other).count_ones() as usize).sum()
}

/// How many features are in a set.
#[inline]
fn size<G: BoardGame>(set: &FeatureSet) -> usize {
    words::<G>(set).iter().map(|word| word.count_ones() as usize).sum()
}

/// What was added to a set and what was taken away, [`MAX_CHANGES`] at most.
struct Changes {
    added: Few,
    removed: Few,
}

impl Changes {
    // Always: moving the lists just after they were written would wait for the writes.
    #[inline(always)]
    fn between<G: BoardGame>(from: &FeatureSet, to: &FeatureSet) -> Changes {
        let mut changes = Changes { added: Few::NONE, removed: Few::NONE };
        for (index, (&from, &to)) in words::<G>(from).iter().zip(words::<G>(to)).enumerate() {
            changes.added.push(index, to & !from);
            changes.removed.push(index, from & !to);
        }
        changes
    }

    #[inline(always)]
    fn make(&self, network: &Network, base: &[Lane], sums: &mut [Lane]) {
        network.update(base, sums, self.added.as_slice(), self.removed.as_slice());
    }
}

/// A few features.
struct Few {
    features: [u16; MAX_CHANGES],
    count: usize,
}

impl Few {
    const NONE: Few = Few { features: [0; MAX_CHANGES], count: 0 };

    /// Adds the features of a word.
    #[inline]
    fn push(&mut self, index: usize, mut word: u64) {
        while word != 0 {
            if let Some(feature) = self.features.get_mut(self.count) {
                *feature = (index * 64) as u16 + word.trailing_zeros() as u16;
                self.count += 1;
            }
            word &= word - 1;
        }
    }

    #[inline]
    fn as_slice(&self) -> &[u16] {
        &self.features[..self.count]
    }
}
