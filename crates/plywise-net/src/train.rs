//! Fitting a network to what searches thought and how games ended, by gradient descent.
//!
//! The optimiser is AdamW (Loshchilov & Hutter, "Decoupled weight decay regularization", 2019). The gradient of a batch is
//! the sum of that of sixteen parts in their order, so the number of threads changes nothing.

use crate::bytes::{Reader, seal, unseal};
use crate::float::{FloatNetwork, WEIGHT_LIMIT, count};
use crate::network::{LARGEST_SCALE, MAX_WIDTH, Network, Role, WIDTH_STEP, is_width};
use crate::samples::{Sample, Samples};
use plywise_game::features::{FeatureSet, MAX_FEATURES};
use plywise_game::random::{Random, number};
use plywise_search::{Bound, Signal};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

/// The parts of a batch, each with a gradient of its own.
const PARTS: usize = 16;

/// The samples that are judged at a time where nothing is learnt.
const CHUNK: usize = 4096;

/// How slowly Adam's means forget, and what keeps it from dividing by zero.
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const TINY: f32 = 1e-8;

/// What the rate of learning falls to, as a share of what it began with.
const LAST_RATE: f64 = 0.01;

/// What a checkpoint begins with; the digits are the version.
const MARK: &[u8; 16] = b"plywise train 01";

/// How to train.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// How many sums the network keeps for each player.
    pub width: usize,
    /// What becomes of its value.
    pub role: Role,
    /// How often all samples are seen.
    pub epochs: u32,
    /// Samples in a step.
    pub batch: usize,
    /// How far a weight may move in one step at first. It falls to a hundredth along a cosine.
    pub rate: f64,
    /// How strongly weights are drawn to 0, times the rate.
    pub decay: f64,
    /// How much the result of the game counts, from 0 to 1; the rest is the score of the search.
    pub result_share: f64,
    /// The scale of the scores: so many points lift even chances to 73 %. The network's own unit.
    pub scale: f64,
    /// The seed of the first weights, the order of the samples and their symmetries.
    pub seed: u64,
    /// How many threads share the work; the result does not depend on it.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            width: 64,
            role: Role::Replace,
            epochs: 20,
            batch: 16_384,
            rate: 0.001,
            decay: 0.01,
            result_share: 0.3,
            scale: 400.0,
            seed: 1,
            threads: 1,
        }
    }
}

impl Settings {
    /// The memory that a trainer takes up for a game with so many features, in bytes. The samples come on top.
    pub fn memory(&self, features: usize) -> u64 {
        // Weights and their two means, a copy of them during an epoch, a gradient for each part.
        let copies = 3 + 3 + PARTS;
        (copies * size_of::<f32>()) as u64 * count(features, self.width) as u64
    }

    fn check(&self) -> Result<(), TrainError> {
        if !is_width(self.width) {
            return Err(TrainError::Width(self.width));
        }
        let bounds = [
            ("epochs", f64::from(self.epochs), 1.0, 1e6),
            ("batch", self.batch as f64, 1.0, 1e8),
            ("rate", self.rate, 1e-9, 1.0),
            ("decay", self.decay, 0.0, 1.0),
            ("result_share", self.result_share, 0.0, 1.0),
            ("scale", self.scale, 1.0, f64::from(LARGEST_SCALE)),
            ("threads", self.threads as f64, 1.0, 1024.0),
        ];
        match bounds.into_iter().find(|(_, value, low, high)| !(low..=high).contains(&value)) {
            None => Ok(()),
            Some((name, value, low, high)) => Err(TrainError::Setting { name, value, low, high }),
        }
    }

    /// What a checkpoint says of the settings it was made with: all but the threads.
    fn key(&self) -> Vec<u8> {
        let Settings { width, role, epochs, batch, rate, decay, result_share, scale, seed, threads: _ } = self;
        let numbers = [*width as u64, u64::from(*role == Role::Add), (*epochs).into(), *batch as u64, *seed];
        let fractions = [rate, decay, result_share, scale].map(|fraction| fraction.to_bits());
        numbers.into_iter().chain(fractions).flat_map(u64::to_le_bytes).collect()
    }
}

/// Why a network cannot be trained: one sentence for the user.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrainError {
    /// No network has this width.
    #[error("the width is {0}, but must be a multiple of {WIDTH_STEP} up to {MAX_WIDTH}")]
    Width(usize),
    /// A setting is out of its range.
    #[error("{name} is {value}, but must lie between {low} and {high}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
    },
    /// The game shows nothing, or too much, to networks.
    #[error("a network can look at 1 to {MAX_FEATURES} features, but the game names {0}")]
    Features(usize),
    /// The samples are of another game.
    #[error("the samples have {samples} features, but the network knows {network}")]
    Samples {
        /// The number of the samples' game.
        samples: usize,
        /// The number that the network knows.
        network: usize,
    },
    /// There is nothing to learn from.
    #[error("there are no positions to learn from")]
    NoSamples,
    /// The system has no threads left.
    #[error("the threads cannot be started: {0}")]
    Threads(String),
    /// A checkpoint is something else, or damaged.
    #[error("the checkpoint cannot be read: it is damaged, or something else")]
    Checkpoint,
    /// A checkpoint belongs to another run.
    #[error("the checkpoint was made with other settings")]
    OtherSettings,
}

/// A network that is being trained.
#[derive(Debug)]
pub struct Trainer {
    settings: Settings,
    state: State,
    parts: Vec<Part>,
    pool: ThreadPool,
}

/// All that training depends on from one epoch to the next.
#[derive(Clone, Debug, PartialEq)]
struct State {
    network: FloatNetwork,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: u64,
    epochs: u32,
}

/// The gradient of one part of a batch, and room for what it is made from.
#[derive(Clone, Debug)]
struct Part {
    gradient: Vec<f32>,
    sums: [Vec<f32>; 2],
    slopes: Vec<f32>,
    features: [Vec<u16>; 2],
    loss: f64,
}

impl Trainer {
    /// A trainer for a game with so many features, before its first epoch.
    pub fn new(settings: Settings, features: usize) -> Result<Trainer, TrainError> {
        settings.check()?;
        if !(1..=MAX_FEATURES).contains(&features) {
            return Err(TrainError::Features(features));
        }
        let Settings { width, role, scale, seed, threads, .. } = settings;
        let network = FloatNetwork::new(features, width, role, scale, seed);
        let zeros = vec![0.0; network.weights.len()];
        let part = Part {
            gradient: zeros.clone(),
            sums: [vec![0.0; width], vec![0.0; width]],
            slopes: vec![0.0; width],
            features: [Vec::new(), Vec::new()],
            loss: 0.0,
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Trainer {
            settings,
            state: State { network, mean: zeros.clone(), square: zeros, steps: 0, epochs: 0 },
            parts: vec![part; PARTS],
            pool: pool.map_err(|error| TrainError::Threads(error.to_string()))?,
        })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The network so far.
    pub fn network(&self) -> &FloatNetwork {
        &self.state.network
    }

    /// How often all samples have been seen.
    pub fn epochs(&self) -> u32 {
        self.state.epochs
    }

    /// Whether all epochs are over.
    pub fn is_done(&self) -> bool {
        self.state.epochs >= self.settings.epochs
    }

    /// Says what is wrong with samples. Those that pass can be given to [`epoch`](Trainer::epoch) and
    /// [`loss`](Trainer::loss).
    pub fn check(&self, samples: &Samples) -> Result<(), TrainError> {
        let (samples_have, network) = (samples.feature_count(), self.state.network.features);
        if samples_have != network {
            return Err(TrainError::Samples { samples: samples_have, network });
        }
        if samples.is_empty() { Err(TrainError::NoSamples) } else { Ok(()) }
    }

    /// Goes through all samples once, in random order and each in a random symmetry of the board, and gives their mean loss
    /// on the way. Nothing where `stop` interrupts it: then the trainer is as it was before.
    pub fn epoch(&mut self, samples: &Samples, stop: &Signal) -> Option<f64> {
        let before = self.state.clone();
        let seed = number(self.settings.seed, self.state.epochs.into());
        let order = Random::new(seed).shuffled(0..samples.len() as u32);
        let batches = order.len().div_ceil(self.settings.batch).max(1);
        let mut loss = 0.0;
        for (index, batch) in order.chunks(self.settings.batch).enumerate() {
            if stop.is_stopped() {
                self.state = before;
                return None;
            }
            self.gradient(samples, batch, seed);
            loss += self.parts.iter().map(|part| part.loss).sum::<f64>();
            let done = f64::from(self.state.epochs) + index as f64 / batches as f64;
            self.step(self.rate(done), batch.len());
        }
        self.state.epochs += 1;
        Some(loss / samples.len().max(1) as f64)
    }

    /// The rate of learning after so many epochs.
    fn rate(&self, epochs: f64) -> f64 {
        let done = (epochs / f64::from(self.settings.epochs)).min(1.0);
        let share = LAST_RATE + (1.0 - LAST_RATE) * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
        self.settings.rate * share
    }

    /// Makes the gradients of the parts of a batch.
    fn gradient(&mut self, samples: &Samples, batch: &[u32], seed: u64) {
        let Trainer { settings, state: State { network, .. }, parts, pool } = self;
        let length = batch.len().div_ceil(PARTS).max(1);
        pool.install(|| {
            parts.par_iter_mut().enumerate().for_each(|(index, part)| {
                let range = (index * length).min(batch.len())..((index + 1) * length).min(batch.len());
                part.learn(network, settings, samples, &batch[range], seed);
            });
        });
    }

    /// Moves all weights by the mean gradient of a batch.
    fn step(&mut self, rate: f64, batch: usize) {
        const LENGTH: usize = 4096;
        let Trainer { settings, state, parts, pool } = self;
        let State { network, mean, square, steps, .. } = state;
        *steps += 1;
        let free = network.weights.len() - 1;
        let bias = |decay: f32| (1.0 - f64::from(decay).powf(*steps as f64)) as f32;
        let step = Step {
            rate: rate as f32,
            keep: (1.0 - rate * settings.decay) as f32,
            share: 1.0 / batch as f32,
            mean_bias: bias(MEAN_DECAY),
            square_bias: bias(SQUARE_DECAY),
        };
        let weights = network.weights.par_chunks_mut(LENGTH).zip(mean.par_chunks_mut(LENGTH));
        let numbers = weights.zip(square.par_chunks_mut(LENGTH)).enumerate();
        pool.install(|| {
            numbers.for_each(|(index, ((weights, mean), square))| {
                let start = index * LENGTH;
                let mut gradient = [0.0; LENGTH];
                for part in &*parts {
                    let part = &part.gradient[start..start + weights.len()];
                    gradient.iter_mut().zip(part).for_each(|(sum, slope)| *sum += slope);
                }
                step.take(weights, mean, square, &gradient);
                // The last weight, with which the output begins, becomes a larger number: it needs no limit.
                let limited = free.saturating_sub(start).min(weights.len());
                weights[..limited].iter_mut().for_each(|weight| *weight = weight.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT));
            });
        });
    }

    /// The mean loss of samples, as the board stands.
    pub fn loss(&self, samples: &Samples) -> f64 {
        let State { network, .. } = &self.state;
        let chunk_loss = |chunk: usize| {
            let mut sums = [vec![0.0; network.width], vec![0.0; network.width]];
            let end = ((chunk + 1) * CHUNK).min(samples.len());
            let judged = (chunk * CHUNK..end).map(|number| {
                let sample = samples.get(number);
                let output = forward(network, sample.mover, sample.other, &mut sums);
                f64::from(loss_of(output, &sample, &self.settings)[0])
            });
            judged.sum::<f64>()
        };
        let chunks = samples.len().div_ceil(CHUNK);
        let losses: Vec<f64> = self.pool.install(|| (0..chunks).into_par_iter().map(chunk_loss).collect());
        losses.into_iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// The mean loss of samples under a network in whole numbers, trained with the same settings.
    pub fn quantised_loss(&self, network: &Network, samples: &Samples) -> f64 {
        let set = |features: &[u16]| {
            let mut set = FeatureSet::EMPTY;
            features.iter().for_each(|&feature| set.insert(feature.into()));
            set
        };
        let loss = |number: usize| {
            let sample = samples.get(number);
            let points = network.evaluate_sets(&set(sample.mover), &set(sample.other));
            f64::from(loss_of(points as f32 / self.settings.scale as f32, &sample, &self.settings)[0])
        };
        (0..samples.len()).map(loss).sum::<f64>() / samples.len().max(1) as f64
    }

    /// Everything that training depends on, in bytes, to go on later as if nothing had happened.
    pub fn checkpoint(&self) -> Vec<u8> {
        let State { network, mean, square, steps, epochs } = &self.state;
        let mut bytes = MARK.to_vec();
        bytes.extend(self.settings.key());
        bytes.extend((network.features as u32).to_le_bytes());
        bytes.extend(epochs.to_le_bytes());
        bytes.extend(steps.to_le_bytes());
        for numbers in [&network.weights, mean, square] {
            numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        seal(bytes)
    }

    /// The trainer that a checkpoint was made of. The settings must be those that it was made with, except for the threads.
    pub fn resume(bytes: &[u8], settings: Settings, features: usize) -> Result<Trainer, TrainError> {
        let content = unseal(bytes).ok_or(TrainError::Checkpoint)?;
        let content = content.strip_prefix(MARK).ok_or(TrainError::Checkpoint)?;
        let content = content.strip_prefix(&settings.key()[..]).ok_or(TrainError::OtherSettings)?;
        let mut reader = Reader(content);
        if reader.u32().ok_or(TrainError::Checkpoint)? as usize != features {
            return Err(TrainError::OtherSettings);
        }
        let mut trainer = Trainer::new(settings, features)?;
        trainer.state.read(&mut reader).filter(|()| reader.is_empty()).ok_or(TrainError::Checkpoint)?;
        Ok(trainer)
    }
}

impl State {
    fn read(&mut self, reader: &mut Reader) -> Option<()> {
        self.epochs = reader.u32()?;
        self.steps = reader.u64()?;
        let count = self.mean.len();
        for numbers in [&mut self.network.weights, &mut self.mean, &mut self.square] {
            *numbers = reader.floats(count)?;
        }
        Some(())
    }
}

impl Part {
    /// Makes the gradient of some samples.
    fn learn(&mut self, network: &FloatNetwork, settings: &Settings, samples: &Samples, batch: &[u32], seed: u64) {
        self.gradient.fill(0.0);
        self.loss = 0.0;
        let twins = samples.twins();
        for &index in batch {
            let sample = samples.get(index as usize);
            let twin = &twins[number(seed, index.into()) as usize % twins.len()];
            for (features, seen) in self.features.iter_mut().zip([sample.mover, sample.other]) {
                features.clear();
                features.extend(seen.iter().map(|&feature| twin[usize::from(feature)]));
            }
            let output = forward(network, &self.features[0], &self.features[1], &mut self.sums);
            let [loss, slope] = loss_of(output, &sample, settings);
            self.loss += f64::from(loss);
            if slope != 0.0 {
                self.push_back(network, slope);
            }
        }
    }

    /// Adds to the gradient what one sample does: the slope of the loss by the output, handed back to every weight.
    fn push_back(&mut self, network: &FloatNetwork, slope: f32) {
        let width = network.width;
        let (bias, output) = (network.bias_place(), network.output_place());
        for (side, (sums, features)) in self.sums.iter().zip(&self.features).enumerate() {
            let place = output + side * width;
            let weights = &network.weights[place..][..width];
            let gradient = &mut self.gradient[place..][..width];
            hand_back(slope, sums, weights, gradient, &mut self.slopes);
            add(&mut self.gradient[bias..][..width], &self.slopes);
            for &feature in features {
                add(&mut self.gradient[usize::from(feature) * width..][..width], &self.slopes);
            }
        }
        if let Some(last) = self.gradient.last_mut() {
            *last += slope;
        }
    }
}

/// The output of the network; the sums stay in `sums`.
#[inline]
fn forward(network: &FloatNetwork, mover: &[u16], other: &[u16], sums: &mut [Vec<f32>; 2]) -> f32 {
    let [own, enemy] = sums;
    network.add_rows(mover, own);
    network.add_rows(other, enemy);
    network.output_of(own, enemy)
}

/// The slope of the loss by each of a player's sums, from that by the output; and what it is by the output's weights, which
/// is added to their gradient.
#[inline]
fn hand_back(slope: f32, sums: &[f32], weights: &[f32], gradient: &mut [f32], slopes: &mut [f32]) {
    let count = slopes.len();
    let (sums, weights, gradient) = (&sums[..count], &weights[..count], &mut gradient[..count]);
    for i in 0..count {
        let cut = sums[i].clamp(0.0, 1.0);
        gradient[i] += slope * cut * cut;
        let is_inside = sums[i] > 0.0 && sums[i] < 1.0;
        slopes[i] = if is_inside { 2.0 * slope * weights[i] * cut } else { 0.0 };
    }
}

#[inline]
fn add(sums: &mut [f32], numbers: &[f32]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
}

/// The loss of an output, and its slope there: the square of the distance between the points that it promises and those
/// that are expected. A bound that is kept costs nothing.
#[inline]
fn loss_of(output: f32, sample: &Sample, settings: &Settings) -> [f32; 2] {
    let (scale, share) = (settings.scale as f32, settings.result_share as f32);
    let linear = if settings.role == Role::Add { sample.linear / scale } else { 0.0 };
    let promised = sigmoid(output + linear);
    let searched = sigmoid(sample.score / scale);
    let target = if sample.result.is_nan() {
        searched
    } else if sample.score.is_nan() {
        sample.result
    } else {
        (1.0 - share) * searched + share * sample.result
    };
    let error = promised - target;
    let is_kept = match sample.bound {
        Bound::Lower => error > 0.0,
        Bound::Upper => error < 0.0,
        Bound::Exact => false,
    };
    if is_kept { [0.0; 2] } else { [error * error, 2.0 * error * promised * (1.0 - promised)] }
}

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// One step of the optimiser.
struct Step {
    rate: f32,
    /// What decay leaves of a weight.
    keep: f32,
    /// What a sample counts.
    share: f32,
    mean_bias: f32,
    square_bias: f32,
}

impl Step {
    #[inline]
    fn take(&self, weights: &mut [f32], mean: &mut [f32], square: &mut [f32], gradient: &[f32]) {
        for (((weight, mean), square), slope) in weights.iter_mut().zip(mean).zip(square).zip(gradient) {
            let slope = slope * self.share;
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
            let direction = (*mean / self.mean_bias) / ((*square / self.square_bias).sqrt() + TINY);
            *weight = *weight * self.keep - self.rate * direction;
        }
    }
}
