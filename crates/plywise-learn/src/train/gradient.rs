//! The gradient of a part of a batch.

use super::{Settings, loss_of};
use crate::float::{FloatNetwork, Seen, add_rows};
use crate::samples::Packed;
use plywise_game::processor::Kernel;
use plywise_game::random::number;

/// How many samples keep their slopes before these are added to the rows of their features. With more, most rows get several
/// slopes at once; with fewer, the slopes stay in a near cache.
const AT_ONCE: usize = 128;

/// The gradient of one part of a batch, and room for what it is made from.
#[derive(Clone, Debug)]
pub(super) struct Part {
    width: usize,
    /// In the order of the weights, in rows as long as the network is wide.
    gradient: Vec<f32>,
    /// Whether a row of the gradient is of this batch. What comes after the rows of features always is.
    is_filled: Vec<bool>,
    features: [Vec<u16>; 2],
    sums: [Vec<f32>; 2],
    /// The slopes of the loss by the sums of a player: a row for each player of each sample.
    slopes: Vec<f32>,
    uses: Uses,
    /// The sum of the losses.
    pub(super) loss: f64,
}

/// The samples of a part, and what is learnt from them.
pub(super) struct Learning<'a> {
    pub(super) part: &'a mut Part,
    pub(super) network: &'a FloatNetwork,
    pub(super) settings: &'a Settings,
    pub(super) samples: &'a Packed,
    /// Where each feature goes in a symmetry of the board.
    pub(super) twins: &'a [Vec<u16>],
    /// The numbers of the samples.
    pub(super) numbers: &'a [u32],
    /// The seed of the symmetries.
    pub(super) seed: u64,
}

impl Kernel for Learning<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.part.begin(self.network);
        for (index, numbers) in self.numbers.chunks(AT_ONCE).enumerate() {
            let Learning { network, settings, samples, twins, .. } = self;
            let mut sides = 0;
            for (place, &each) in numbers.iter().enumerate() {
                let sample = samples.get(each as usize);
                let lot = number(self.seed, (index * AT_ONCE + place) as u64);
                let twin = &twins[lot as usize % twins.len()];
                let Part { features, sums, loss, .. } = &mut *self.part;
                for (features, seen) in features.iter_mut().zip([sample.mover, sample.other]) {
                    features.clear();
                    features.extend(seen.iter().map(|&feature| twin[usize::from(feature)]));
                }
                let seen = [0, 1].map(|side| Seen { kind: sample.kinds[side].into(), features: &features[side] });
                let output = network.output(seen, sample.stage.into(), sums);
                let [cost, slope] = loss_of(output, &sample, settings);
                *loss += f64::from(cost);
                if slope != 0.0 {
                    self.part.hand_back(network, sample.kinds, sample.stage, slope, sides);
                    sides += 2;
                }
            }
            self.part.add_slopes(network, sides);
        }
    }
}

impl Part {
    /// A part for networks of the shape of this one.
    pub(super) fn new(network: &FloatNetwork) -> Part {
        let shape = &network.shape;
        let (width, weights) = (shape.width(), shape.weights());
        Part {
            width,
            gradient: vec![0.0; weights],
            is_filled: vec![true; weights.div_ceil(width)],
            features: [Vec::new(), Vec::new()],
            sums: [vec![0.0; width], vec![0.0; width]],
            slopes: vec![0.0; 2 * AT_ONCE * width],
            uses: Uses::new(shape.rows()),
            loss: 0.0,
        }
    }

    fn begin(&mut self, network: &FloatNetwork) {
        self.loss = 0.0;
        self.is_filled[..network.shape.rows()].fill(false);
        self.gradient[network.shape.bias_place()..].fill(0.0);
    }

    /// Adds the gradient from a place on to some sums, from the beginning of a row.
    #[inline(always)]
    pub(super) fn add_to(&self, sums: &mut [f32], start: usize) {
        for (index, sums) in sums.chunks_mut(self.width).enumerate() {
            let row = start / self.width + index;
            if self.is_filled[row] {
                let gradient = &self.gradient[row * self.width..][..sums.len()];
                sums.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += slope);
            }
        }
    }

    /// Hands the slope of the loss by the output of a sample back to the output's weights and to the sums. The slopes by the
    /// sums are kept from row `first_side` on.
    #[inline(always)]
    fn hand_back(&mut self, network: &FloatNetwork, kinds: [u8; 2], stage: u8, slope: f32, first_side: usize) {
        let (shape, width) = (&network.shape, self.width);
        let output = shape.output(stage.into());
        for (side, kind) in kinds.into_iter().enumerate() {
            let (place, row) = (shape.output_place(output) + side * width, first_side + side);
            let weights = &network.weights[place..][..width];
            let gradient = &mut self.gradient[place..][..width];
            let slopes = &mut self.slopes[row * width..][..width];
            output_slopes(slope, &self.sums[side], weights, gradient, slopes);
            let first = shape.bucket(kind.into()) * shape.features();
            for &feature in &self.features[side] {
                self.uses.add(first + usize::from(feature), row as u16);
            }
        }
        self.gradient[shape.output_bias_place() + output] += slope;
    }

    /// Adds the slopes that are kept to the rows of the features, and to what sums begin with.
    #[inline(always)]
    fn add_slopes(&mut self, network: &FloatNetwork, sides: usize) {
        let Part { width, gradient, is_filled, slopes, uses, .. } = self;
        let width = *width;
        while let Some(row) = uses.take() {
            let gradient = &mut gradient[row * width..][..width];
            if !is_filled[row] {
                is_filled[row] = true;
                gradient.fill(0.0);
            }
            add_rows(slopes, &uses.sides, gradient);
        }
        uses.sides.clear();
        uses.sides.extend(0..sides as u16);
        add_rows(slopes, &uses.sides, &mut gradient[network.shape.bias_place()..][..width]);
    }
}

/// Which sides have each feature.
#[derive(Clone, Debug)]
struct Uses {
    /// The last use of each row, if it has any.
    last: Vec<u32>,
    /// Each side, and the use of the same row before it.
    uses: Vec<(u16, u32)>,
    /// The rows that are used.
    rows: Vec<u32>,
    /// The sides of the row that was taken last.
    sides: Vec<u16>,
}

impl Uses {
    const NONE: u32 = u32::MAX;

    fn new(rows: usize) -> Uses {
        Uses { last: vec![Uses::NONE; rows], uses: Vec::new(), rows: Vec::new(), sides: Vec::new() }
    }

    #[inline(always)]
    fn add(&mut self, row: usize, side: u16) {
        let last = &mut self.last[row];
        if *last == Uses::NONE {
            self.rows.push(row as u32);
        }
        self.uses.push((side, *last));
        *last = self.uses.len() as u32 - 1;
    }

    /// Takes a row out, and puts what uses it into `sides`.
    #[inline(always)]
    fn take(&mut self) -> Option<usize> {
        self.sides.clear();
        let Some(row) = self.rows.pop() else {
            self.uses.clear();
            return None;
        };
        let mut next = std::mem::replace(&mut self.last[row as usize], Uses::NONE);
        while let Some(&(side, before)) = self.uses.get(next as usize) {
            self.sides.push(side);
            next = before;
        }
        Some(row as usize)
    }
}

/// The slope of the loss by each of a player's sums, from that by the output; and what it is by the output's weights, which
/// is added to their gradient.
#[inline(always)]
fn output_slopes(slope: f32, sums: &[f32], weights: &[f32], gradient: &mut [f32], slopes: &mut [f32]) {
    let count = slopes.len();
    let (sums, weights, gradient) = (&sums[..count], &weights[..count], &mut gradient[..count]);
    for i in 0..count {
        let cut = sums[i].clamp(0.0, 1.0);
        gradient[i] += slope * cut * cut;
        let is_inside = sums[i] > 0.0 && sums[i] < 1.0;
        slopes[i] = if is_inside { 2.0 * slope * weights[i] * cut } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_taken_row_by_row() {
        let mut uses = Uses::new(5);
        for (row, side) in [(3, 0), (1, 1), (3, 2), (4, 3)] {
            uses.add(row, side);
        }
        let mut taken = Vec::new();
        while let Some(row) = uses.take() {
            taken.push((row, uses.sides.clone()));
        }
        assert_eq!(taken, [(4, vec![3]), (1, vec![1]), (3, vec![2, 0])]);
        uses.add(3, 7);
        assert_eq!((uses.take(), uses.sides.clone(), uses.take()), (Some(3), vec![7], None));
    }
}
