use crate::Shape;
use crate::network::{
    LARGEST_SCALE, Lane, Network, OUTPUT_LIMIT, OUTPUT_UNIT, Output, Role, SCALE_UNIT, SUM_UNIT, lanes,
};

/// Trained weights lie within ± this: then they fit into the whole numbers of the search.
pub const WEIGHT_LIMIT: f32 = 1.98;

/// The weights of a network in floating point, as a trainer has them.
#[derive(Clone, Copy, Debug)]
pub struct FloatWeights<'a> {
    /// The shape of the network.
    pub shape: &'a Shape,
    /// What becomes of its value.
    pub role: Role,
    /// The points that an output of 1 stands for.
    pub scale: f64,
    /// The rows of the features, bucket by bucket; what the sums begin with; for each output its weights for the side to
    /// move and for the other; and last what each output begins with. Missing numbers count as 0.
    pub weights: &'a [f32],
}

impl FloatWeights<'_> {
    /// The same network in whole numbers. `record` says how it was made.
    pub fn quantise(&self, game: &str, record: &str) -> Network {
        let &FloatWeights { shape, role, scale, .. } = self;
        let (width, bias) = (shape.width, shape.bias_place());
        let output_unit = f32::from(SUM_UNIT) * f32::from(OUTPUT_UNIT);
        let output = |number: usize| {
            let place = shape.output_place(number);
            Output {
                weights: [place, place + width].map(|place| self.rounded(place, width, OUTPUT_UNIT, OUTPUT_LIMIT)),
                bias: (self.weight(shape.output_bias_place() + number) * output_unit).round() as i32,
            }
        };
        let scale = (scale * f64::from(SCALE_UNIT)).round() as u32;
        Network::new(
            shape.clone(),
            (game, record, role, scale.clamp(1, LARGEST_SCALE * SCALE_UNIT)),
            self.rounded(0, bias, SUM_UNIT, i16::MAX),
            self.rounded(bias, width, SUM_UNIT, i16::MAX),
            (0..shape.outputs).map(output).collect(),
        )
    }

    fn weight(&self, place: usize) -> f32 {
        self.weights.get(place).copied().unwrap_or_default()
    }

    fn rounded(&self, start: usize, count: usize, unit: i16, limit: i16) -> Vec<Lane> {
        let limit = f32::from(limit);
        let round = |place| (self.weight(place) * f32::from(unit)).round().clamp(-limit, limit) as i16;
        lanes(&(start..start + count).map(round).collect::<Vec<i16>>())
    }
}
