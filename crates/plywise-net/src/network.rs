//! The network that the search uses, in whole numbers.
//!
//! Sums for either player are kept in units of 1/255, weights of the output in units of 1/64. Adding to sums wraps round,
//! so the order of additions never matters; the bounds of the output's weights, which reading checks, keep the rest within
//! its types.

use plywise_game::features::FeatureSet;
use plywise_game::score::EVAL_LIMIT;
use plywise_game::{BoardGame, Score, Side};
use serde::{Deserialize, Serialize};

/// The numbers that are handled at a time: widths are multiples of it.
pub const WIDTH_STEP: usize = 16;

/// The widest network.
pub const MAX_WIDTH: usize = 1024;

/// What stands for 1 in the sums.
pub(crate) const SUM_UNIT: i16 = 255;

/// What stands for 1 in the weights of the output.
pub(crate) const OUTPUT_UNIT: i16 = 64;

/// The largest weight of the output: a sum times this still is a number of 16 bits.
pub(crate) const OUTPUT_LIMIT: i16 = i16::MAX / SUM_UNIT;

/// What stands for a point in the scale.
pub(crate) const SCALE_UNIT: u32 = 256;

/// The largest scale, in points.
pub(crate) const LARGEST_SCALE: u32 = 100_000;

/// Whether a network can be this wide: a multiple of [`WIDTH_STEP`] up to [`MAX_WIDTH`].
pub const fn is_width(width: usize) -> bool {
    width > 0 && width <= MAX_WIDTH && width.is_multiple_of(WIDTH_STEP)
}

/// What becomes of the value of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It takes the place of the linear evaluation.
    #[default]
    Replace,
    /// It is added to the linear evaluation.
    Add,
}

/// Numbers that are handled at a time.
pub(crate) type Lane = [i16; WIDTH_STEP];

/// Numbers in lanes.
pub(crate) fn lanes(numbers: &[i16]) -> Vec<Lane> {
    numbers.as_chunks().0.to_vec()
}

/// A trained network. Share it by an `Arc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    pub(crate) game: String,
    /// How it was trained.
    pub(crate) record: String,
    pub(crate) role: Role,
    /// What an output of 1 stands for, in 1/256 of a point.
    pub(crate) scale: u32,
    pub(crate) features: usize,
    /// The row of each feature, and last a row of zeros.
    pub(crate) rows: Vec<Lane>,
    /// What the sums begin with.
    pub(crate) bias: Vec<Lane>,
    /// What the output makes of the sums of the side to move and of the other.
    pub(crate) output: [Vec<Lane>; 2],
    pub(crate) output_bias: i32,
}

impl Network {
    /// A network that finds every position of a game even.
    pub fn nothing(game: &str, features: usize) -> Network {
        Network {
            game: game.to_string(),
            record: "nothing was learned".to_string(),
            role: Role::Replace,
            scale: SCALE_UNIT,
            features,
            rows: vec![[0; WIDTH_STEP]; features + 1],
            bias: vec![[0; WIDTH_STEP]],
            output: [vec![[0; WIDTH_STEP]], vec![[0; WIDTH_STEP]]],
            output_bias: 0,
        }
    }

    /// The game that it was trained for.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// How it was trained, in the words of whoever did.
    pub fn record(&self) -> &str {
        &self.record
    }

    /// What becomes of its value.
    pub fn role(&self) -> Role {
        self.role
    }

    /// How many features it knows.
    pub fn features(&self) -> usize {
        self.features
    }

    /// How many sums it keeps for each player.
    pub fn width(&self) -> usize {
        self.bias.len() * WIDTH_STEP
    }

    /// The points that an output of 1 stands for.
    pub fn scale(&self) -> f64 {
        f64::from(self.scale) / f64::from(SCALE_UNIT)
    }

    /// Its value of a position for the side to move, all sums made afresh.
    pub fn evaluate<G: BoardGame>(&self, position: &G::Position) -> Score {
        let [first, second] = G::feature_sets(position);
        match G::side_to_move(position) {
            Side::First => self.evaluate_sets(&first, &second),
            Side::Second => self.evaluate_sets(&second, &first),
        }
    }

    /// Its value of a position whose features the side to move and the other see like this.
    pub fn evaluate_sets(&self, mover: &FeatureSet, other: &FeatureSet) -> Score {
        self.value(&self.sums(mover), &self.sums(other))
    }

    /// What each feature of a position adds to the value for the side to move, in the order of the features: the value
    /// with it less the value without it.
    pub fn contributions<G: BoardGame>(&self, position: &G::Position) -> Vec<Score> {
        let value = self.evaluate::<G>(position);
        let sets = G::feature_sets(position);
        let mover = G::side_to_move(position) as usize;
        let mut contributions = Vec::new();
        G::features(position, |pair| {
            let mut without = sets;
            without.iter_mut().zip(pair).for_each(|(set, feature)| set.remove(feature));
            contributions.push(value - self.evaluate_sets(&without[mover], &without[1 - mover]));
        });
        contributions
    }

    /// The value for the side to move, from the sums of both players.
    #[inline(always)]
    pub(crate) fn value(&self, mover: &[Lane], other: &[Lane]) -> Score {
        let [own, enemy] = &self.output;
        let squares = output(mover, own) + output(other, enemy);
        let sum = squares / i64::from(SUM_UNIT) + i64::from(self.output_bias);
        // Below 2⁶⁰: squares by the bounds of the weights, the rest by that of the scale.
        let unit = i64::from(SUM_UNIT) * i64::from(OUTPUT_UNIT) * i64::from(SCALE_UNIT);
        let points = sum * i64::from(self.scale) / unit;
        points.clamp(-i64::from(EVAL_LIMIT), i64::from(EVAL_LIMIT)) as Score
    }

    /// Makes the sums of a set of features afresh.
    fn sums(&self, set: &FeatureSet) -> Vec<Lane> {
        let mut sums = self.bias.clone();
        for (index, &word) in set.words().iter().enumerate() {
            self.change(&mut sums, index, word, 0);
        }
        sums
    }

    /// Brings sums up to date with a word of their features: what was added to it, and what was taken away.
    #[inline(always)]
    pub(crate) fn change(&self, sums: &mut [Lane], word: usize, added: u64, removed: u64) {
        for_each_bit(added, |bit| combine(sums, self.row(word * 64 + bit), i16::wrapping_add));
        for_each_bit(removed, |bit| combine(sums, self.row(word * 64 + bit), i16::wrapping_sub));
    }

    /// The row of a feature; zeros for one that the network does not know.
    #[inline(always)]
    fn row(&self, feature: usize) -> &[Lane] {
        let width = self.bias.len();
        &self.rows[feature.min(self.features) * width..][..width]
    }
}

/// Calls `each` for the bits of a word that are set, the lowest first.
#[inline(always)]
fn for_each_bit(mut word: u64, mut each: impl FnMut(usize)) {
    while word != 0 {
        each(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

/// Adds a row to the sums or subtracts it, as `operation` says.
#[inline(always)]
fn combine(sums: &mut [Lane], row: &[Lane], operation: impl Fn(i16, i16) -> i16) {
    for (sum, weight) in sums.as_flattened_mut().iter_mut().zip(row.as_flattened()) {
        *sum = operation(*sum, *weight);
    }
}

/// What the output makes of one player's sums: their squares, cut off at 0 and 1, times the weights.
#[inline(always)]
fn output(sums: &[Lane], weights: &[Lane]) -> i64 {
    // The sum of so many products below 2²³ is a number of 32 bits. One plain loop over them is what compilers know.
    const AT_ONCE: usize = 128;
    let blocks = sums.as_flattened().chunks(AT_ONCE).zip(weights.as_flattened().chunks(AT_ONCE));
    blocks.map(|(sums, weights)| i64::from(block_output(sums, weights))).sum()
}

#[inline(always)]
fn block_output(sums: &[i16], weights: &[i16]) -> i32 {
    let products = sums.iter().zip(weights).map(|(sum, weight)| {
        let sum = (*sum).clamp(0, SUM_UNIT);
        i32::from(sum.wrapping_mul(*weight)) * i32::from(sum)
    });
    products.sum()
}
