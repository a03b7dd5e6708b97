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

/// The most changes by which sums are brought up to date; beyond them they are made afresh.
pub(crate) const MAX_CHANGES: usize = 32;

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
        let [mover, other] = [mover, other].map(|set| {
            let mut sums = self.bias.clone();
            self.refresh(set, &mut sums);
            sums
        });
        self.value(&mover, &other)
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
    #[inline]
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
    pub(crate) fn refresh(&self, set: &FeatureSet, sums: &mut [Lane]) {
        sums.copy_from_slice(&self.bias);
        let (mut features, mut count) = ([0; MAX_CHANGES], 0);
        for feature in set.iter() {
            features[count] = feature as u16;
            count += 1;
            if count == MAX_CHANGES {
                self.add(sums, &features);
                count = 0;
            }
        }
        self.add(sums, &features[..count]);
    }

    /// Makes the sums of a set from those of another, by what was added to it and what was taken away.
    #[inline]
    pub(crate) fn update(&self, base: &[Lane], sums: &mut [Lane], added: &[u16], removed: &[u16]) {
        let row = |&feature: &u16| self.row(feature);
        match (added, removed) {
            // Most moves: one pass over all sums.
            ([a], []) => combine(sums, base, [row(a)], []),
            ([a], [r]) => combine(sums, base, [row(a)], [row(r)]),
            ([a], [r, s]) => combine(sums, base, [row(a)], [row(r), row(s)]),
            ([a, b], [r]) => combine(sums, base, [row(a), row(b)], [row(r)]),
            ([a, b], [r, s]) => combine(sums, base, [row(a), row(b)], [row(r), row(s)]),
            _ => {
                sums.copy_from_slice(base);
                self.add(sums, added);
                for four in removed.chunks(4) {
                    combine_in_place(sums, [], self.four_rows(four));
                }
            }
        }
    }

    fn add(&self, sums: &mut [Lane], features: &[u16]) {
        for four in features.chunks(4) {
            combine_in_place(sums, self.four_rows(four), []);
        }
    }

    /// The rows of up to four features, and zeros in place of those that are missing.
    fn four_rows(&self, features: &[u16]) -> [&[Lane]; 4] {
        std::array::from_fn(|i| self.row(features.get(i).copied().unwrap_or(u16::MAX)))
    }

    /// The row of a feature; zeros for one that the network does not know.
    #[inline]
    fn row(&self, feature: u16) -> &[Lane] {
        let width = self.bias.len();
        &self.rows[usize::from(feature).min(self.features) * width..][..width]
    }
}

/// The base with rows added and others subtracted.
#[inline]
fn combine<const A: usize, const R: usize>(
    sums: &mut [Lane],
    base: &[Lane],
    added: [&[Lane]; A],
    removed: [&[Lane]; R],
) {
    for (i, (sum, base)) in sums.iter_mut().zip(base).enumerate() {
        *sum = *base;
        combine_lane(sum, i, added, removed);
    }
}

/// The sums with rows added and others subtracted.
#[inline]
fn combine_in_place<const A: usize, const R: usize>(sums: &mut [Lane], added: [&[Lane]; A], removed: [&[Lane]; R]) {
    for (i, sum) in sums.iter_mut().enumerate() {
        combine_lane(sum, i, added, removed);
    }
}

#[inline(always)]
fn combine_lane<const A: usize, const R: usize>(sum: &mut Lane, i: usize, added: [&[Lane]; A], removed: [&[Lane]; R]) {
    for row in added {
        for (sum, weight) in sum.iter_mut().zip(&row[i]) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    for row in removed {
        for (sum, weight) in sum.iter_mut().zip(&row[i]) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}

/// What the output makes of one player's sums: their squares, cut off at 0 and 1, times the weights.
#[inline]
fn output(sums: &[Lane], weights: &[Lane]) -> i64 {
    // The sum of so many products below 2²³ is a number of 32 bits. One plain loop over them is what compilers know.
    const AT_ONCE: usize = 128;
    let blocks = sums.as_flattened().chunks(AT_ONCE).zip(weights.as_flattened().chunks(AT_ONCE));
    blocks.map(|(sums, weights)| i64::from(block_output(sums, weights))).sum()
}

#[inline]
fn block_output(sums: &[i16], weights: &[i16]) -> i32 {
    let products = sums.iter().zip(weights).map(|(sum, weight)| {
        let sum = (*sum).clamp(0, SUM_UNIT);
        i32::from(sum.wrapping_mul(*weight)) * i32::from(sum)
    });
    products.sum()
}
