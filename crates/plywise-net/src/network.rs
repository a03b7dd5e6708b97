//! The network that the search uses, in whole numbers.
//!
//! Sums for either player are kept in units of 1/255, weights of the output in units of 1/64. Adding to sums wraps round,
//! so the order of additions never matters; the bounds of the output's weights, which reading checks, keep the rest within
//! its types.

use crate::{FloatWeights, Shape, ShapeError};
use plywise_game::features::{FeatureSet, Sight};
use plywise_game::score::EVAL_LIMIT;
use plywise_game::{BoardGame, Score};
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
pub const LARGEST_SCALE: u32 = 100_000;

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
    pub(crate) shape: Shape,
    /// The row of each feature in each bucket, and last a row of zeros.
    pub(crate) rows: Vec<Lane>,
    /// What the sums begin with.
    pub(crate) bias: Vec<Lane>,
    /// The outputs, at least one.
    pub(crate) outputs: Vec<Output>,
}

/// What one output makes of the sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    /// Its weights for the sums of the side to move and of the other.
    pub(crate) weights: [Vec<Lane>; 2],
    /// What it begins with.
    pub(crate) bias: i32,
}

impl Network {
    /// A network of this shape, for a game, with the record of its training, its role and its scale.
    pub(crate) fn new(
        shape: Shape,
        (game, record, role, scale): (&str, &str, Role, u32),
        mut rows: Vec<Lane>,
        bias: Vec<Lane>,
        outputs: Vec<Output>,
    ) -> Network {
        rows.extend(vec![[0; WIDTH_STEP]; bias.len()]);
        Network { game: game.to_string(), record: record.to_string(), role, scale, shape, rows, bias, outputs }
    }

    /// A network that finds every position of a game even.
    pub fn nothing(game: &str, sight: &Sight) -> Result<Network, ShapeError> {
        let shape = Shape::new(sight, WIDTH_STEP, 1, 1)?;
        Ok(FloatWeights { shape: &shape, role: Role::Replace, scale: 1.0, weights: &[] }
            .quantise(game, "nothing was learned"))
    }

    /// The game that it was trained for.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// How it was trained, as its trainer wrote it.
    pub fn record(&self) -> &str {
        &self.record
    }

    /// What becomes of its value.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Its shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The points that an output of 1 stands for.
    pub fn scale(&self) -> f64 {
        f64::from(self.scale) / f64::from(SCALE_UNIT)
    }

    /// Its value of a position for the side to move, all sums made afresh.
    pub fn evaluate<G: BoardGame>(&self, position: &G::Position) -> Score {
        self.evaluate_sets::<G>(position, G::feature_sets(position))
    }

    /// Its value of a position for the side to move, if it had these features.
    fn evaluate_sets<G: BoardGame>(&self, position: &G::Position, sets: [FeatureSet; 2]) -> Score {
        let own_first = G::side_to_move(position);
        let sets = own_first.own_first(sets);
        let kinds = own_first.own_first(G::views(position)).map(|view| view.kind);
        self.evaluate_seen(&sets, kinds, G::stage(position))
    }

    /// Its value of a position in this stage, whose features the side to move and the other see like this, with views of
    /// these kinds.
    pub fn evaluate_seen(&self, [mover, other]: &[FeatureSet; 2], kinds: [usize; 2], stage: usize) -> Score {
        self.value(&self.sums(mover, kinds[0]), &self.sums(other, kinds[1]), stage)
    }

    /// What each feature of a position adds to the value for the side to move, in the order of the features: the value
    /// with it less the value without it, with the same views in the same stage.
    pub fn contributions<G: BoardGame>(&self, position: &G::Position) -> Vec<Score> {
        let value = self.evaluate::<G>(position);
        let sets = G::feature_sets(position);
        let mut contributions = Vec::new();
        G::features(position, |pair| {
            let mut without = sets;
            without.iter_mut().zip(pair).for_each(|(set, feature)| set.remove(feature));
            contributions.push(value - self.evaluate_sets::<G>(position, without));
        });
        contributions
    }

    /// The value for the side to move, from the sums of both players.
    #[inline(always)]
    pub(crate) fn value(&self, mover: &[Lane], other: &[Lane], stage: usize) -> Score {
        let Output { weights: [own, enemy], bias } = &self.outputs[self.shape.output(stage)];
        let squares = output(mover, own) + output(other, enemy);
        let sum = squares / i64::from(SUM_UNIT) + i64::from(*bias);
        // Below 2⁶⁰: squares by the bounds of the weights, the rest by that of the scale.
        let unit = i64::from(SUM_UNIT) * i64::from(OUTPUT_UNIT) * i64::from(SCALE_UNIT);
        let points = sum * i64::from(self.scale) / unit;
        points.clamp(-i64::from(EVAL_LIMIT), i64::from(EVAL_LIMIT)) as Score
    }

    /// Makes the sums of a set of features afresh, in a view of this kind.
    fn sums(&self, set: &FeatureSet, kind: usize) -> Vec<Lane> {
        let (mut sums, bucket) = (self.bias.clone(), self.shape.bucket(kind));
        for (index, &word) in set.words().iter().enumerate() {
            self.change(&mut sums, bucket, index, word, 0);
        }
        sums
    }

    /// Brings sums of a bucket up to date with a word of their features: what was added to it, and what was taken away. A move takes a
    /// feature away for one that it adds, so rows go in pairs as long as there are pairs: sums are read and written half as
    /// often.
    #[inline(always)]
    pub(crate) fn change(&self, sums: &mut [Lane], bucket: usize, word: usize, mut added: u64, mut removed: u64) {
        let width = self.bias.len();
        let sums = &mut sums[..width];
        while added != 0 && removed != 0 {
            let (more, less) = (self.row(bucket, word, added), self.row(bucket, word, removed));
            for lane in 0..width {
                sums[lane] = minus(plus(sums[lane], more[lane]), less[lane]);
            }
            added &= added - 1;
            removed &= removed - 1;
        }
        while added != 0 {
            let row = self.row(bucket, word, added);
            for lane in 0..width {
                sums[lane] = plus(sums[lane], row[lane]);
            }
            added &= added - 1;
        }
        while removed != 0 {
            let row = self.row(bucket, word, removed);
            for lane in 0..width {
                sums[lane] = minus(sums[lane], row[lane]);
            }
            removed &= removed - 1;
        }
    }

    /// The row of the lowest feature in a word; zeros for one that the network does not know.
    #[inline(always)]
    fn row(&self, bucket: usize, word: usize, bits: u64) -> &[Lane] {
        let (width, features) = (self.bias.len(), self.shape.features);
        let feature = word * 64 + bits.trailing_zeros() as usize;
        let row = if feature < features { bucket * features + feature } else { self.rows.len() / width - 1 };
        &self.rows[row * width..][..width]
    }
}

// Lanes are values: all of one is read before any of it is written. Loops over their numbers, and no closures, are what
// compilers turn into vector instructions.

#[inline(always)]
fn plus(mut sums: Lane, row: Lane) -> Lane {
    for i in 0..WIDTH_STEP {
        sums[i] = sums[i].wrapping_add(row[i]);
    }
    sums
}

#[inline(always)]
fn minus(mut sums: Lane, row: Lane) -> Lane {
    for i in 0..WIDTH_STEP {
        sums[i] = sums[i].wrapping_sub(row[i]);
    }
    sums
}

/// What the output makes of one player's sums: their squares, cut off at 0 and 1, times the weights.
#[inline(always)]
fn output(sums: &[Lane], weights: &[Lane]) -> i64 {
    // Eight products, each below 2²³, add up to a number of 32 bits.
    const AT_ONCE: usize = 8;
    let width = sums.len();
    let weights = &weights[..width];
    // With `step_by` in place of this counter, searches are up to a seventh slower.
    let (mut total, mut lane) = (0, 0);
    while lane < width {
        let end = width.min(lane + AT_ONCE);
        let mut partial = [0; WIDTH_STEP];
        while lane < end {
            partial = plus_products(partial, sums[lane], weights[lane]);
            lane += 1;
        }
        let mut sum = 0;
        for part in partial {
            sum += part;
        }
        total += i64::from(sum);
    }
    total
}

#[inline(always)]
fn plus_products(mut partial: [i32; WIDTH_STEP], sums: Lane, weights: Lane) -> [i32; WIDTH_STEP] {
    for i in 0..WIDTH_STEP {
        let sum = sums[i].clamp(0, SUM_UNIT);
        partial[i] += i32::from(sum.wrapping_mul(weights[i])) * i32::from(sum);
    }
    partial
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_game::random::Random;

    /// The same in plain words.
    fn plain_output(sums: &[Lane], weights: &[Lane]) -> i64 {
        let pairs = sums.as_flattened().iter().zip(weights.as_flattened());
        pairs.map(|(sum, weight)| i64::from((*sum).clamp(0, SUM_UNIT)).pow(2) * i64::from(*weight)).sum()
    }

    #[test]
    fn the_output_is_the_sum_of_weighted_squares() {
        let mut random = Random::new(1);
        for width in [1, 2, 8, 9, 17, MAX_WIDTH / WIDTH_STEP] {
            let mut lanes = |limit: i32| -> Vec<Lane> {
                let mut number = || (random.below(2 * limit as usize + 1) as i32 - limit) as i16;
                (0..width).map(|_| std::array::from_fn(|_| number())).collect()
            };
            let (sums, weights) = (lanes(1000), lanes(OUTPUT_LIMIT.into()));
            assert_eq!(output(&sums, &weights), plain_output(&sums, &weights), "{width} lanes");
            for weight in [OUTPUT_LIMIT, -OUTPUT_LIMIT] {
                let (sums, weights) = (vec![[i16::MAX; WIDTH_STEP]; width], vec![[weight; WIDTH_STEP]; width]);
                assert_eq!(output(&sums, &weights), plain_output(&sums, &weights), "{width} lanes of {weight}");
            }
        }
    }
}
