//! The shape of a network: what it tells apart, and how many numbers it has.

use crate::network::{MAX_WIDTH, WIDTH_STEP, is_width};
use plywise_game::features::{MAX_FEATURES, Sight};

/// The shape of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many features it knows.
    pub(crate) features: usize,
    /// How many sums it keeps for each player.
    pub(crate) width: usize,
    /// The bucket of each kind of view.
    pub(crate) buckets: Vec<u8>,
    /// How many stages its game goes through.
    pub(crate) stages: usize,
    /// How many outputs it has, each for as many stages.
    pub(crate) outputs: usize,
}

/// Why no network has a shape: one sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// No network has this width.
    #[error("the width is {0}, but must be a multiple of {WIDTH_STEP} up to {MAX_WIDTH}")]
    Width(usize),
    /// The game shows nothing, or too much, to networks.
    #[error("a network can look at 1 to {MAX_FEATURES} features, but the game names {0}")]
    Features(usize),
    /// The game does not sort its views into that many buckets.
    #[error("the game sorts views into {}, not into {found}", buckets(.possible))]
    Buckets {
        /// How many were asked for.
        found: usize,
        /// How many there can be.
        possible: Vec<usize>,
    },
    /// The game does not go through that many stages.
    #[error("the outputs are {found}, but must lie between 1 and {stages}, as many as the game has stages")]
    Outputs {
        /// How many were asked for.
        found: usize,
        /// How many stages the game has.
        stages: usize,
    },
}

/// How many buckets there can be, as a sentence says it: "1, 4 or 8 buckets".
fn buckets(numbers: &[usize]) -> String {
    let words: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match &words[..] {
        [] | [_] => "one bucket".to_string(),
        [first @ .., last] => format!("{} or {last} buckets", first.join(", ")),
    }
}

impl Shape {
    /// The shape of a network of this width for a game, with one of the game's ways to sort views into buckets, and with so
    /// many outputs.
    pub fn new(sight: &Sight, width: usize, buckets: usize, outputs: usize) -> Result<Shape, ShapeError> {
        if !is_width(width) {
            return Err(ShapeError::Width(width));
        }
        if !(1..=MAX_FEATURES).contains(&sight.features) {
            return Err(ShapeError::Features(sight.features));
        }
        if !(1..=sight.stages).contains(&outputs) {
            return Err(ShapeError::Outputs { found: outputs, stages: sight.stages });
        }
        let one = vec![0; sight.views];
        let mut ways = std::iter::once(&one[..]).chain(sight.buckets.iter().copied());
        let way = ways.find(|way| count(way) == buckets).ok_or_else(|| {
            let possible = std::iter::once(1).chain(sight.buckets.iter().map(|way| count(way))).collect();
            ShapeError::Buckets { found: buckets, possible }
        })?;
        Ok(Shape { features: sight.features, width, buckets: way.to_vec(), stages: sight.stages, outputs })
    }

    /// Whether it has one bucket and one output.
    pub fn is_plain(&self) -> bool {
        self.buckets() == 1 && self.outputs == 1
    }

    /// How many features it knows.
    pub fn features(&self) -> usize {
        self.features
    }

    /// How many sums it keeps for each player.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many buckets of views it tells apart.
    pub fn buckets(&self) -> usize {
        count(&self.buckets)
    }

    /// How many outputs it has.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The bucket of a kind of view; the first for one that it does not know.
    #[inline(always)]
    pub fn bucket(&self, kind: usize) -> usize {
        self.buckets.get(kind).map_or(0, |&bucket| bucket.into())
    }

    /// The output for a stage of the game; the last for one that it does not know.
    #[inline(always)]
    pub fn output(&self, stage: usize) -> usize {
        if self.outputs == 1 { 0 } else { (stage * self.outputs / self.stages).min(self.outputs - 1) }
    }

    /// How many rows it has: one for each feature in each bucket.
    pub fn rows(&self) -> usize {
        self.features * self.buckets()
    }

    /// Where its weights lie in one list: first the rows, bucket by bucket.
    pub fn bias_place(&self) -> usize {
        self.rows() * self.width
    }

    /// Where the weights of an output begin: those of the side to move, then those of the other.
    pub fn output_place(&self, output: usize) -> usize {
        self.bias_place() + self.width + 2 * self.width * output
    }

    /// Where what the outputs begin with lies: the last of the weights.
    pub fn output_bias_place(&self) -> usize {
        self.output_place(self.outputs)
    }

    /// How many weights a network has.
    pub fn weights(&self) -> usize {
        self.output_bias_place() + self.outputs
    }
}

fn count(buckets: &[u8]) -> usize {
    buckets.iter().max().map_or(1, |&last| usize::from(last) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGHT: Sight = Sight { features: 100, views: 3, buckets: &[&[0, 1, 1], &[2, 0, 1]], stages: 10 };

    #[test]
    fn a_shape_knows_its_buckets_outputs_and_places() {
        let shape = Shape::new(&SIGHT, 32, 2, 4).unwrap();
        assert_eq!([0, 1, 2, 3].map(|kind| shape.bucket(kind)), [0, 1, 1, 0]);
        let outputs: Vec<usize> = (0..12).map(|stage| shape.output(stage)).collect();
        assert_eq!(outputs, [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3]);
        assert_eq!((shape.buckets(), shape.rows(), shape.is_plain()), (2, 200, false));
        assert_eq!((shape.bias_place(), shape.output_place(1)), (6400, 6400 + 32 + 64));
        assert_eq!((shape.output_bias_place(), shape.weights()), (6400 + 9 * 32, 6400 + 9 * 32 + 4));
        let plain = Shape::new(&SIGHT, 16, 1, 1).unwrap();
        assert!(plain.is_plain());
        assert_eq!((plain.bucket(2), plain.output(9), plain.weights()), (0, 0, 100 * 16 + 3 * 16 + 1));
    }

    #[test]
    fn what_a_game_does_not_offer_is_refused() {
        let refusal = |width, buckets, outputs| Shape::new(&SIGHT, width, buckets, outputs).unwrap_err().to_string();
        assert_eq!(refusal(33, 1, 1), "the width is 33, but must be a multiple of 16 up to 1024");
        assert_eq!(refusal(16, 4, 1), "the game sorts views into 1, 2 or 3 buckets, not into 4");
        assert_eq!(
            refusal(16, 1, 11),
            "the outputs are 11, but must lie between 1 and 10, as many as the game has stages"
        );
        let blind = Sight { features: 0, ..SIGHT };
        let refused = Shape::new(&blind, 16, 1, 1).unwrap_err().to_string();
        assert_eq!(refused, "a network can look at 1 to 1024 features, but the game names 0");
        let one = Sight { buckets: &[], ..SIGHT };
        let refused = Shape::new(&one, 16, 2, 1).unwrap_err().to_string();
        assert_eq!(refused, "the game sorts views into one bucket, not into 2");
    }
}
