//! The network in floating point, as it is trained.

use plywise_game::BoardGame;
use plywise_game::random::Random;
use plywise_net::{FloatWeights, Network, Role, Shape, WIDTH_STEP};

/// A network in floating point: rows of weights for the features, shared by both players, then the outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNetwork {
    pub(crate) shape: Shape,
    pub(crate) role: Role,
    pub(crate) scale: f64,
    /// As in [`FloatWeights`].
    pub(crate) weights: Vec<f32>,
}

/// What a player sees of a position: the kind of the view, and the features.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) kind: usize,
    pub(crate) features: &'a [u16],
}

impl FloatNetwork {
    /// An untrained network of this shape. All buckets begin alike, and so do all outputs. An output of 1 stands for `scale`
    /// points.
    pub fn new(shape: Shape, role: Role, scale: f64, seed: u64) -> FloatNetwork {
        let (width, one_bucket) = (shape.width(), shape.features() * shape.width());
        let mut random = Random::new(seed);
        let mut between = |low: f64, high: f64| (low + (high - low) * random.fraction()) as f32;
        let mut weights = Vec::with_capacity(shape.weights());
        // About thirty features add up to sums that mostly lie between 0 and 1.
        weights.extend((0..one_bucket).map(|_| between(-0.1, 0.1)));
        (1..shape.buckets()).for_each(|_| weights.extend_from_within(..one_bucket));
        weights.extend((0..width).map(|_| between(0.0, 0.5)));
        let spread = (2.0 * width as f64).sqrt().recip();
        let output = weights.len();
        weights.extend((0..2 * width).map(|_| between(-spread, spread)));
        (1..shape.outputs()).for_each(|_| weights.extend_from_within(output..output + 2 * width));
        weights.resize(shape.weights(), 0.0);
        FloatNetwork { shape, role, scale, weights }
    }

    /// Its shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its value of a position for the side to move, in points. It must have been made for this game.
    pub fn evaluate<G: BoardGame>(&self, position: &G::Position) -> f64 {
        let sets = G::feature_sets(position).map(|set| set.iter().map(|feature| feature as u16).collect::<Vec<_>>());
        let views = G::views(position);
        let seen = [0, 1].map(|side| Seen { kind: views[side].kind, features: &sets[side] });
        let mut sums = [vec![0.0; self.shape.width()], vec![0.0; self.shape.width()]];
        let output = self.output(G::side_to_move(position).own_first(seen), G::stage(position), &mut sums);
        f64::from(output) * self.scale
    }

    /// The output for a position at this stage that the side to move and the other see like this. The sums stay in `sums`.
    #[inline(always)]
    pub(crate) fn output(&self, [mover, other]: [Seen; 2], stage: usize, sums: &mut [Vec<f32>; 2]) -> f32 {
        let [own, enemy] = sums;
        self.add_rows(mover, own);
        self.add_rows(other, enemy);
        self.output_of(own, enemy, self.shape.output(stage))
    }

    /// The sums of a player: what they begin with, and the rows of the features.
    #[inline(always)]
    fn add_rows(&self, Seen { kind, features }: Seen, sums: &mut [f32]) {
        let width = self.shape.width();
        let first = self.shape.bucket(kind) * self.shape.features();
        sums.copy_from_slice(&self.weights[self.shape.bias_place()..][..width]);
        add_rows(&self.weights[first * width..], features, sums);
    }

    /// What an output makes of the sums of both players.
    #[inline(always)]
    fn output_of(&self, mover: &[f32], other: &[f32], output: usize) -> f32 {
        let (place, width) = (self.shape.output_place(output), self.shape.width());
        let [own, enemy] = [place, place + width].map(|place| &self.weights[place..][..width]);
        activated(mover, own) + activated(other, enemy) + self.weights[self.shape.output_bias_place() + output]
    }

    /// The same network in whole numbers.
    pub fn quantise(&self, game: &str, record: &str) -> Network {
        let FloatNetwork { shape, role, scale, weights } = self;
        FloatWeights { shape, role: *role, scale: *scale, weights }.quantise(game, record)
    }
}

/// Adds rows of a table to sums, as many as a row is long.
#[inline(always)]
pub(crate) fn add_rows(table: &[f32], rows: &[u16], sums: &mut [f32]) {
    let (width, mut start) = (sums.len(), 0);
    while start + 4 * WIDTH_STEP <= width {
        add_columns::<{ 4 * WIDTH_STEP }>(table, rows, sums, start);
        start += 4 * WIDTH_STEP;
    }
    while start < width {
        add_columns::<WIDTH_STEP>(table, rows, sums, start);
        start += WIDTH_STEP;
    }
}

/// Does so for `N` columns from `start` on: few enough that processors keep their sums in registers.
#[inline(always)]
fn add_columns<const N: usize>(table: &[f32], rows: &[u16], sums: &mut [f32], start: usize) {
    let width = sums.len();
    let Some(sums) = sums[start..].first_chunk_mut::<N>() else { return };
    let mut totals = *sums;
    for &row in rows {
        let Some(row) = table[usize::from(row) * width + start..].first_chunk::<N>() else { return };
        for i in 0..N {
            totals[i] += row[i];
        }
    }
    *sums = totals;
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
