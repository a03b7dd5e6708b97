//! Fitting the weights of a linear evaluation to the results of games, and to the scores of the searches that played
//! them, by gradient descent.
//!
//! A position whose value is v is expected to score 1/(1 + exp(−v/s)) points, where s is the evaluation's scale; the
//! loss is the cross entropy of that and the result (Buro, "From simple features to sophisticated evaluation functions",
//! 1999). The optimiser is Adam (Kingma & Ba, "Adam: a method for stochastic optimization", 2015).

use plywise_game::random::Random;
use serde::{Deserialize, Serialize};

/// Positions as a fitter sees them: amounts of features, and what became of the game.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// Where each example's amounts begin, and last where those of the last one end.
    starts: Vec<usize>,
    features: Vec<u32>,
    amounts: Vec<f32>,
    /// The points that the side to move made, or was expected to make.
    targets: Vec<f32>,
    /// What a search thought of the position, in the evaluation's unit, where that is known; else not a number.
    scores: Vec<f32>,
}

impl Examples {
    /// No examples yet.
    pub fn new() -> Examples {
        Examples { starts: vec![0], ..Examples::default() }
    }

    /// Adds a position: its amounts by the place of their weight, the points that its side to move made, from 0 to 1, and
    /// what a search thought of it, if one did.
    pub fn push(&mut self, amounts: impl IntoIterator<Item = (usize, f64)>, points: f64, score: Option<f64>) {
        for (feature, amount) in amounts {
            self.features.push(feature as u32);
            self.amounts.push(amount as f32);
        }
        self.starts.push(self.features.len());
        self.targets.push(points as f32);
        self.scores.push(score.map_or(f32::NAN, |score| score as f32));
    }

    /// Replaces a share of each result by the points that the recorded score promises: a result says little about a
    /// single position, and the search that played the game saw more.
    pub fn trust_scores(&mut self, share: f64, scale: f64) {
        for (target, &score) in self.targets.iter_mut().zip(&self.scores) {
            if !score.is_nan() {
                *target = (f64::from(*target) * (1.0 - share) + expected(f64::from(score) / scale) * share) as f32;
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// How often each of `weights` weights has an amount.
    pub fn occurrences(&self, weights: usize) -> Vec<u64> {
        let mut counts = vec![0; weights];
        self.features.iter().for_each(|&feature| counts[feature as usize] += 1);
        counts
    }

    fn amounts_of(&self, example: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[example]..self.starts[example + 1];
        let features = self.features[range.clone()].iter().map(|&feature| feature as usize);
        features.zip(self.amounts[range].iter().map(|&amount| f64::from(amount)))
    }

    fn value(&self, example: usize, weights: &[f64]) -> f64 {
        self.amounts_of(example).map(|(feature, amount)| weights[feature] * amount).sum()
    }

    /// The mean loss under these weights, in bits.
    pub fn loss(&self, weights: &[f64], scale: f64) -> f64 {
        let total: f64 = (0..self.len())
            .map(|example| cross_entropy(self.value(example, weights) / scale, self.targets[example].into()))
            .sum();
        total / self.len().max(1) as f64
    }

    /// The scale under which these weights explain the results best, found by golden-section search.
    pub fn best_scale(&self, weights: &[f64]) -> f64 {
        let values: Vec<f64> = (0..self.len()).map(|example| self.value(example, weights)).collect();
        let loss = |log_scale: f64| -> f64 {
            let scale = log_scale.exp();
            values.iter().zip(&self.targets).map(|(value, &target)| cross_entropy(value / scale, target.into())).sum()
        };
        let golden = (5f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (0f64, 100_000f64.ln());
        while high - low > 1e-4 {
            let (left, right) = (high - golden * (high - low), low + golden * (high - low));
            if loss(left) < loss(right) { high = right } else { low = left }
        }
        ((low + high) / 2.0).exp()
    }
}

/// The expected points of a position whose value is `value` scales.
fn expected(value: f64) -> f64 {
    1.0 / (1.0 + (-value).exp())
}

/// In bits, so that knowing nothing about decided games costs one.
fn cross_entropy(value: f64, target: f64) -> f64 {
    // ln(1 + e^|v|) without overflow, for either sign.
    let log_sum = value.abs() + (-value.abs()).exp().ln_1p();
    let (against, of) = if value >= 0.0 { (1.0 - target, target) } else { (target, 1.0 - target) };
    (against * log_sum + of * (log_sum - value.abs())) / std::f64::consts::LN_2
}

/// How to fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitSettings {
    /// The evaluation's scale: so much lifts even chances to 73 %.
    pub scale: f64,
    /// How far a weight may move in one step.
    pub rate: f64,
    /// Examples in a step.
    pub batch: usize,
    /// How strongly weights are drawn back to where they began.
    pub anchor: f64,
    /// The seed of the order of the examples.
    pub seed: u64,
}

/// A fit under way. It can be saved after an epoch and resumed later: nothing else matters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fitter {
    /// The weights so far.
    pub weights: Vec<f64>,
    anchor: Vec<f64>,
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
    epochs: u64,
}

/// How slowly Adam's means forget, and what keeps it from dividing by zero.
const MEAN_DECAY: f64 = 0.9;
const SQUARE_DECAY: f64 = 0.999;
const TINY: f64 = 1e-10;

impl Fitter {
    /// A fit that begins with these weights.
    pub fn new(weights: Vec<f64>) -> Fitter {
        let zeros = vec![0.0; weights.len()];
        Fitter { anchor: weights.clone(), weights, mean: zeros.clone(), square: zeros, steps: 0, epochs: 0 }
    }

    /// Whether this is a fit of `weights` weights, which one that was read from a file need not be.
    pub fn is_of(&self, weights: usize) -> bool {
        [&self.weights, &self.anchor, &self.mean, &self.square].iter().all(|numbers| numbers.len() == weights)
    }

    /// How often all examples have been seen.
    pub fn epochs(&self) -> u64 {
        self.epochs
    }

    /// Goes through all examples once, in random order.
    pub fn epoch(&mut self, examples: &Examples, settings: &FitSettings) {
        let order = Random::stream(settings.seed, self.epochs).shuffled(0..examples.len() as u32);
        for batch in order.chunks(settings.batch.max(1)) {
            let gradient = self.gradient(examples, batch, settings);
            self.step(&gradient, settings.rate);
        }
        self.epochs += 1;
    }

    /// The gradient of the mean loss of some examples.
    fn gradient(&self, examples: &Examples, batch: &[u32], settings: &FitSettings) -> Vec<f64> {
        let mut gradient: Vec<f64> =
            self.weights.iter().zip(&self.anchor).map(|(weight, anchor)| settings.anchor * (weight - anchor)).collect();
        let share = 1.0 / (batch.len() as f64 * settings.scale);
        for &example in batch {
            let example = example as usize;
            let value = examples.value(example, &self.weights) / settings.scale;
            let error = (expected(value) - f64::from(examples.targets[example])) * share;
            for (feature, amount) in examples.amounts_of(example) {
                gradient[feature] += error * amount;
            }
        }
        gradient
    }

    fn step(&mut self, gradient: &[f64], rate: f64) {
        self.steps += 1;
        let mean_bias = 1.0 - MEAN_DECAY.powi(self.steps);
        let square_bias = 1.0 - SQUARE_DECAY.powi(self.steps);
        for (i, &slope) in gradient.iter().enumerate() {
            self.mean[i] = MEAN_DECAY * self.mean[i] + (1.0 - MEAN_DECAY) * slope;
            self.square[i] = SQUARE_DECAY * self.square[i] + (1.0 - SQUARE_DECAY) * slope * slope;
            self.weights[i] -= rate * (self.mean[i] / mean_bias) / ((self.square[i] / square_bias).sqrt() + TINY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    /// Games whose results follow from hidden weights.
    fn examples(hidden: &[f64], count: usize, seed: u64) -> Examples {
        let mut random = Random::new(seed);
        let mut examples = Examples::new();
        for _ in 0..count {
            let amounts: Vec<(usize, f64)> = (0..hidden.len()).map(|i| (i, random.below(7) as f64 - 3.0)).collect();
            let value: f64 = amounts.iter().map(|&(i, amount)| hidden[i] * amount).sum();
            let won = random.fraction() < expected(value / SCALE);
            examples.push(amounts, if won { 1.0 } else { 0.0 }, Some(value));
        }
        examples
    }

    const SCALE: f64 = 100.0;

    fn settings() -> FitSettings {
        FitSettings { scale: SCALE, rate: 1.0, batch: 256, anchor: 0.0, seed: 7 }
    }

    #[test]
    fn hidden_weights_are_found() {
        let hidden = [50.0, -20.0, 0.0, 90.0];
        let (training, validation) = (examples(&hidden, 40_000, 1), examples(&hidden, 10_000, 2));
        let mut fitter = Fitter::new(vec![0.0; 4]);
        assert!((validation.loss(&fitter.weights, SCALE) - 1.0).abs() < 1e-9, "knowing nothing costs a bit");
        for _ in 0..15 {
            fitter.epoch(&training, &settings());
        }
        for (found, hidden) in fitter.weights.iter().zip(hidden) {
            assert!((found - hidden).abs() < 4.0, "{:?}", fitter.weights);
        }
        let difference = validation.loss(&fitter.weights, SCALE) - validation.loss(&hidden, SCALE);
        assert!(difference.abs() < 0.002, "{difference}");
        assert!((training.best_scale(&hidden) - SCALE).abs() < 5.0);
    }

    #[test]
    fn scores_tell_more_than_results() {
        let hidden = [50.0, -20.0, 0.0, 90.0];
        let mut training = examples(&hidden, 400, 1);
        let fitted = |training: &Examples| {
            let mut fitter = Fitter::new(vec![0.0; 4]);
            (0..150).for_each(|_| fitter.epoch(training, &settings()));
            fitter.weights.iter().zip(hidden).map(|(found, hidden)| (found - hidden).abs()).fold(0.0, f64::max)
        };
        let from_results = fitted(&training);
        training.trust_scores(1.0, SCALE);
        let from_scores = fitted(&training);
        assert!(from_scores < 1.0 && from_scores < from_results, "{from_scores} {from_results}");
    }

    #[test]
    fn a_fit_goes_on_where_it_was_written_down() {
        let training = examples(&[30.0, 10.0], 2_000, 3);
        let mut whole = Fitter::new(vec![0.0; 2]);
        whole.epoch(&training, &settings());
        let text = serde_json::to_string(&whole).unwrap();
        let mut resumed: Fitter = serde_json::from_str(&text).unwrap();
        whole.epoch(&training, &settings());
        resumed.epoch(&training, &settings());
        assert_eq!(whole, resumed);
    }

    #[test]
    fn an_anchor_holds_back() {
        let training = examples(&[80.0], 5_000, 4);
        let fitted = |anchor| {
            let mut fitter = Fitter::new(vec![0.0]);
            (0..10).for_each(|_| fitter.epoch(&training, &FitSettings { anchor, ..settings() }));
            fitter.weights[0]
        };
        assert!(fitted(1e-4) < fitted(0.0) - 5.0);
    }

    #[test]
    fn the_loss_is_that_of_the_textbook() {
        for (value, target) in [(0.3, 1.0), (-2.0, 1.0), (5.0, 0.5), (-1.0, 0.0)] {
            let p = expected(value);
            let plain = -(f64::ln(p) * target + f64::ln(1.0 - p) * (1.0 - target)) / std::f64::consts::LN_2;
            assert!((cross_entropy(value, target) - plain).abs() < 1e-9, "{value} {target}");
        }
        assert!(cross_entropy(1e6, 0.0).is_finite());
    }
}
