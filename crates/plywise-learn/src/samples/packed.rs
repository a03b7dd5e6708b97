//! Positions as they lie in memory and in files.

use super::{Filter, Known};
use crate::data::{DataError, PackedGame, PackedScore};
use crate::float::Seen;
use plywise_game::{BoardGame, GameInfo, Score};
use plywise_search::Bound;

/// One position to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Its features as the side to move sees them.
    pub mover: &'a [u16],
    /// Its features as the other side sees them, in the same order.
    pub other: &'a [u16],
    /// What the search thought of it, in points for the side to move; not a number where nothing is known.
    pub score: f32,
    /// The points that the side to move made in the end, from 0 to 1; not a number where nothing is known.
    pub result: f32,
    /// On which side of the score the value lies.
    pub bound: Bound,
    /// The linear evaluation for the side to move, in points; 0 where it was not asked for.
    pub linear: f32,
    /// The kinds of the views of the side to move and of the other.
    pub kinds: [u8; 2],
    /// The stage of the game.
    pub stage: u8,
}

impl<'a> Sample<'a> {
    /// What the side to move sees, and what the other does.
    pub(crate) fn seen(&self) -> [Seen<'a>; 2] {
        let [mover, other] = self.kinds.map(usize::from);
        [Seen { kind: mover, features: self.mover }, Seen { kind: other, features: self.other }]
    }
}

/// Positions one after the other, in numbers of 16 bits: the number of features; the score; the result, bound and stage; the
/// kinds of views; the linear evaluation in two; the features of the side to move and those of the other.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    words: Vec<u16>,
    /// Where each position begins.
    starts: Vec<usize>,
}

/// The numbers before the features.
const FIXED: usize = 6;

/// What stands for a result that is not known; others are points in halves.
const NO_RESULT: u16 = 3;

const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

impl Packed {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// A position by its number, below [`len`](Packed::len).
    #[inline]
    pub fn get(&self, number: usize) -> Sample<'_> {
        let start = self.starts[number];
        let (fixed, rest) = self.words[start..].split_at(FIXED);
        let (score, known) = (PackedScore::from_bits(fixed[1] as i16).get(), fixed[2]);
        let count = usize::from(fixed[0]);
        let (mover, other) = rest[..2 * count].split_at(count);
        let result = known & 3;
        Sample {
            mover,
            other,
            score: score.map_or(f32::NAN, |score| score as f32),
            result: if result == NO_RESULT { f32::NAN } else { f32::from(result) / 2.0 },
            bound: BOUNDS[usize::from(known >> 2 & 3) % BOUNDS.len()],
            linear: (u32::from(fixed[4]) | u32::from(fixed[5]) << 16) as i32 as f32,
            kinds: fixed[3].to_le_bytes(),
            stage: (known >> 8) as u8,
        }
    }

    /// Adds the positions of a game that pass the filter, those away from the game included.
    pub fn add_game<G: BoardGame>(
        &mut self,
        info: &GameInfo<G>,
        game: &PackedGame,
        filter: &Filter,
        mut linear: impl FnMut(&G::Position) -> Score,
    ) -> Result<(), DataError> {
        filter.select(info, game, |position, known| self.push::<G>(position, known, linear(position)))
    }

    fn push<G: BoardGame>(&mut self, position: &G::Position, known: Known, linear: Score) {
        let start = self.words.len();
        let side = G::side_to_move(position);
        let result = known.result.map_or(NO_RESULT, |points| (2.0 * points) as u16);
        let bound = BOUNDS.iter().position(|bound| *bound == known.bound).unwrap_or(0) as u16;
        let kinds = u16::from_le_bytes(side.own_first(G::views(position)).map(|view| view.kind as u8));
        let score = PackedScore::new(known.score).bits() as u16;
        let known = result | bound << 2 | (G::stage(position) as u16) << 8;
        let linear = linear as u32;
        self.starts.push(start);
        self.words.extend([0, score, known, kinds, linear as u16, (linear >> 16) as u16]);
        let features = self.words.len();
        G::features(position, |pair| self.words.push(pair[side as usize] as u16));
        self.words[start] = (self.words.len() - features) as u16;
        G::features(position, |pair| self.words.push(pair[!side as usize] as u16));
        debug_assert!(self.words[features..].iter().all(|&feature| usize::from(feature) < G::FEATURES));
    }

    /// The numbers of a position.
    pub(crate) fn words(&self, number: usize) -> &[u16] {
        let end = self.starts.get(number + 1).copied().unwrap_or(self.words.len());
        &self.words[self.starts[number]..end]
    }

    /// Adds the numbers of a position.
    pub(crate) fn add(&mut self, sample: &[u16]) {
        self.starts.push(self.words.len());
        self.words.extend_from_slice(sample);
    }

    /// Takes all positions out.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.starts.clear();
    }

    /// The positions that these bytes hold, if they are whole. Numbers are little-endian.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Packed> {
        let (words, rest) = bytes.as_chunks();
        let words: Vec<u16> = words.iter().map(|&word| u16::from_le_bytes(word)).collect();
        let (mut starts, mut start) = (Vec::new(), 0);
        while let Some(&count) = words.get(start) {
            starts.push(start);
            start += FIXED + 2 * usize::from(count);
        }
        (rest.is_empty() && start == words.len()).then_some(Packed { words, starts })
    }
}
