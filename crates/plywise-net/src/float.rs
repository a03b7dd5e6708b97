//! The network in floating point, as it is trained.

use crate::network::{
    LARGEST_SCALE, Lane, MAX_WIDTH, Network, OUTPUT_LIMIT, OUTPUT_UNIT, Role, SCALE_UNIT, SUM_UNIT, WIDTH_STEP, lanes,
};
use plywise_game::random::Random;
use plywise_game::{BoardGame, Side};

/// Weights lie within ± this, so that they fit into the whole numbers of the search.
pub(crate) const WEIGHT_LIMIT: f32 = 1.98;

/// A network in floating point: one row of weights for each feature, shared by both players, then the output.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNetwork {
    pub(crate) features: usize,
    pub(crate) width: usize,
    pub(crate) role: Role,
    pub(crate) scale: f64,
    /// The rows of the features, what the sums begin with, the output's weights for the side to move and for the other, and
    /// last what the output begins with.
    pub(crate) weights: Vec<f32>,
}

impl FloatNetwork {
    /// An untrained network for so many features. The width is rounded up to one that [a network can
    /// have](crate::is_width). An output of 1 stands for `scale` points.
    pub fn new(features: usize, width: usize, role: Role, scale: f64, seed: u64) -> FloatNetwork {
        let width = width.next_multiple_of(WIDTH_STEP).clamp(WIDTH_STEP, MAX_WIDTH);
        let mut random = Random::new(seed);
        let mut between = |low: f64, high: f64| (low + (high - low) * random.fraction()) as f32;
        let mut weights = Vec::with_capacity(count(features, width));
        // About thirty features add up to sums that mostly lie between 0 and 1.
        weights.extend((0..features * width).map(|_| between(-0.1, 0.1)));
        weights.extend((0..width).map(|_| between(0.0, 0.5)));
        let spread = (2.0 * width as f64).sqrt().recip();
        weights.extend((0..2 * width).map(|_| between(-spread, spread)));
        weights.push(0.0);
        FloatNetwork { features, width, role, scale, weights }
    }

    /// How many features it knows.
    pub fn features(&self) -> usize {
        self.features
    }

    /// How many sums it keeps for each player.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Its value of a position for the side to move, in points. The game must have as many features as the network.
    pub fn evaluate<G: BoardGame>(&self, position: &G::Position) -> f64 {
        let sets = G::feature_sets(position).map(|set| set.iter().map(|feature| feature as u16).collect::<Vec<_>>());
        let [first, second] = &sets;
        let output = match G::side_to_move(position) {
            Side::First => self.output(first, second),
            Side::Second => self.output(second, first),
        };
        f64::from(output) * self.scale
    }

    /// The output for a position whose features the side to move and the other see like this.
    fn output(&self, mover: &[u16], other: &[u16]) -> f32 {
        let mut sums = [vec![0.0; self.width], vec![0.0; self.width]];
        let [own, enemy] = &mut sums;
        self.add_rows(mover, own);
        self.add_rows(other, enemy);
        self.output_of(own, enemy)
    }

    /// The sums of a set of features.
    #[inline]
    pub(crate) fn add_rows(&self, features: &[u16], sums: &mut [f32]) {
        sums.copy_from_slice(&self.weights[self.bias_place()..][..self.width]);
        let (fours, rest) = features.as_chunks::<4>();
        for four in fours {
            let [a, b, c, d] = four.map(|feature| &self.row(feature)[..sums.len()]);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += (a[i] + b[i]) + (c[i] + d[i]);
            }
        }
        for &feature in rest {
            sums.iter_mut().zip(self.row(feature)).for_each(|(sum, weight)| *sum += weight);
        }
    }

    /// The output that the sums of both players give.
    #[inline]
    pub(crate) fn output_of(&self, mover: &[f32], other: &[f32]) -> f32 {
        let place = self.output_place();
        let [own, enemy] = [place, place + self.width].map(|place| &self.weights[place..][..self.width]);
        activated(mover, own) + activated(other, enemy) + self.weights[place + 2 * self.width]
    }

    fn row(&self, feature: u16) -> &[f32] {
        &self.weights[usize::from(feature) * self.width..][..self.width]
    }

    pub(crate) fn bias_place(&self) -> usize {
        self.features * self.width
    }

    pub(crate) fn output_place(&self) -> usize {
        self.bias_place() + self.width
    }

    /// The same network in whole numbers.
    pub fn quantise(&self, game: &str, record: &str) -> Network {
        let width = self.width;
        let rounded = |weights: &[f32], unit: i16, limit: i16| -> Vec<Lane> {
            let limit = f32::from(limit);
            let round = |weight: &f32| (weight * f32::from(unit)).round().clamp(-limit, limit) as i16;
            lanes(&weights.iter().map(round).collect::<Vec<i16>>())
        };
        let (rows, rest) = self.weights.split_at(self.bias_place());
        let (bias, rest) = rest.split_at(width);
        let (own, rest) = rest.split_at(width);
        let (enemy, rest) = rest.split_at(width);
        let mut rows = rounded(rows, SUM_UNIT, i16::MAX);
        rows.extend(vec![[0; WIDTH_STEP]; width / WIDTH_STEP]);
        let output_unit = f32::from(SUM_UNIT) * f32::from(OUTPUT_UNIT);
        let scale = (self.scale * f64::from(SCALE_UNIT)).round() as u32;
        Network {
            game: game.to_string(),
            record: record.to_string(),
            role: self.role,
            scale: scale.clamp(1, LARGEST_SCALE * SCALE_UNIT),
            features: self.features,
            rows,
            bias: rounded(bias, SUM_UNIT, i16::MAX),
            output: [own, enemy].map(|weights| rounded(weights, OUTPUT_UNIT, OUTPUT_LIMIT)),
            output_bias: rest.first().map_or(0, |bias| (bias * output_unit).round() as i32),
        }
    }
}

/// How many weights a network has.
pub(crate) fn count(features: usize, width: usize) -> usize {
    features * width + 3 * width + 1
}

/// The squares of sums, cut off at 0 and 1, times weights. Sixteen totals, because the order of additions is fixed.
#[inline]
fn activated(sums: &[f32], weights: &[f32]) -> f32 {
    let mut totals = [0.0; WIDTH_STEP];
    for (sums, weights) in sums.as_chunks::<WIDTH_STEP>().0.iter().zip(weights.as_chunks::<WIDTH_STEP>().0) {
        for k in 0..WIDTH_STEP {
            let sum = sums[k].clamp(0.0, 1.0);
            totals[k] += sum * sum * weights[k];
        }
    }
    totals.into_iter().sum()
}
