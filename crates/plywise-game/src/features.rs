//! What a network looks at: sets of features, kinds of views, stages.

use crate::BoardGame;

/// The most features that a game can have.
pub const MAX_FEATURES: usize = 1024;

/// The most kinds of views, and the most stages, that a game can have.
pub const MAX_KINDS: usize = 256;

/// The words of a set.
const WORDS: usize = MAX_FEATURES / 64;

/// How a player sees a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The kind of the view, below [`VIEWS`](BoardGame::VIEWS).
    pub kind: usize,
    /// Whether the player sees the board mirrored. It changes no value: evaluations remember mirrored sums apart, because
    /// a move that mirrors the board changes nearly all features.
    pub mirrored: bool,
}

/// What networks can tell apart in the positions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// How many [features](BoardGame::FEATURES) there are.
    pub features: usize,
    /// How many [kinds of views](BoardGame::VIEWS) there are.
    pub views: usize,
    /// The ways to sort these kinds into [buckets](BoardGame::BUCKETS).
    pub buckets: &'static [&'static [u8]],
    /// How many [stages](BoardGame::STAGES) there are.
    pub stages: usize,
}

impl Sight {
    /// What networks can tell apart in this game.
    pub const fn of<G: BoardGame>() -> Sight {
        Sight { features: G::FEATURES, views: G::VIEWS, buckets: G::BUCKETS, stages: G::STAGES }
    }
}

/// A set of features, each a number below [`MAX_FEATURES`].
///
/// ```
/// use plywise_game::features::FeatureSet;
///
/// let mut set = FeatureSet::EMPTY;
/// set.insert(3);
/// set.insert(700);
/// assert_eq!(set.iter().collect::<Vec<_>>(), [3, 700]);
/// set.remove(3);
/// assert!(set.contains(700) && !set.contains(3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureSet([u64; WORDS]);

impl FeatureSet {
    /// No features.
    pub const EMPTY: FeatureSet = FeatureSet([0; WORDS]);

    /// The set that these words hold, 64 features each, the lowest bit first.
    #[inline]
    pub fn from_words<const N: usize>(words: [u64; N]) -> FeatureSet {
        const { assert!(N <= WORDS) };
        let mut set = FeatureSet::EMPTY;
        set.0[..N].copy_from_slice(&words);
        set
    }

    /// The words of the set, 64 features each, the lowest bit first.
    #[inline]
    pub fn words(&self) -> &[u64; WORDS] {
        &self.0
    }

    /// The words of the set, to change them.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [u64; WORDS] {
        &mut self.0
    }

    /// Adds a feature; one that no set can hold is left out.
    #[inline]
    pub fn insert(&mut self, feature: usize) {
        if let Some(word) = self.0.get_mut(feature / 64) {
            *word |= 1 << (feature % 64);
        }
    }

    /// Takes a feature out.
    #[inline]
    pub fn remove(&mut self, feature: usize) {
        if let Some(word) = self.0.get_mut(feature / 64) {
            *word &= !(1 << (feature % 64));
        }
    }

    /// Whether a feature is in the set.
    #[inline]
    pub fn contains(&self, feature: usize) -> bool {
        self.0.get(feature / 64).is_some_and(|word| word >> (feature % 64) & 1 != 0)
    }

    /// The features in the set, the lowest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
                .take_while(|word| *word != 0)
                .map(move |word| index * 64 + word.trailing_zeros() as usize)
        })
    }
}
