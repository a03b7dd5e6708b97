//! Fitting a network to what searches thought and how games ended, by gradient descent.
//!
//! The optimiser is AdamW (Loshchilov & Hutter, "Decoupled weight decay regularization", 2019). The gradient of a batch is
//! the sum of that of sixteen parts in their order, so the number of threads changes nothing.

mod gradient;

use crate::data::DataError;
use crate::float::FloatNetwork;
use crate::samples::{self, Packed, Sample, Samples};
use gradient::{Learning, Part};
use plywise_game::features::{FeatureSet, Sight};
use plywise_game::processor::{self, Kernel};
use plywise_game::random::{Random, number};
use plywise_net::bytes::{Reader, seal, unseal};
use plywise_net::{LARGEST_SCALE, Network, Role, Shape, ShapeError, WEIGHT_LIMIT};
use plywise_search::{Bound, Signal};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

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

/// The most weights that are moved at a time.
const LENGTH: usize = 4096;

/// What a checkpoint begins with; the digits are the version.
const MARK: &[u8; 16] = b"plywise train 03";

/// How to train.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// How many sums the network keeps for each player.
    pub width: usize,
    /// How many buckets of views it tells apart.
    pub buckets: usize,
    /// How many outputs it has.
    pub outputs: usize,
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
    /// The scale of the scores: how many points raise the expected score from 50 to 73 %. The network's own unit.
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
            buckets: 1,
            outputs: 1,
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
    /// The memory that a trainer takes up for a network of this shape, in bytes. The samples come on top.
    pub fn memory(shape: &Shape) -> u64 {
        // Weights and their two means, a copy of them during an epoch, a gradient for each part.
        let copies = 3 + 3 + PARTS;
        (copies * size_of::<f32>()) as u64 * shape.weights() as u64
    }

    /// The shape of the network for a game with this sight.
    pub fn shape(&self, sight: &Sight) -> Result<Shape, ShapeError> {
        Shape::new(sight, self.width, self.buckets, self.outputs)
    }

    fn check(&self) -> Result<(), TrainError> {
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
        let Settings {
            width,
            buckets,
            outputs,
            role,
            epochs,
            batch,
            rate,
            decay,
            result_share,
            scale,
            seed,
            threads: _,
        } = self;
        let shape = [*width, *buckets, *outputs].map(|number| number as u64);
        let [width, buckets, outputs] = shape;
        let role = u64::from(*role == Role::Add);
        let numbers = [width, buckets, outputs, role, (*epochs).into(), *batch as u64, *seed];
        let fractions = [rate, decay, result_share, scale].map(|fraction| fraction.to_bits());
        numbers.into_iter().chain(fractions).flat_map(u64::to_le_bytes).collect()
    }
}

/// Why a network cannot be trained: one sentence for the user.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrainError {
    /// No network of the game has this shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
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

/// An epoch on its way.
struct Pass {
    seed: u64,
    batches: usize,
    /// How many of them are done.
    done: usize,
    /// The sum of the losses so far.
    loss: f64,
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

impl Trainer {
    /// A trainer for a game with this sight, before its first epoch.
    pub fn new(settings: Settings, sight: &Sight) -> Result<Trainer, TrainError> {
        settings.check()?;
        let Settings { role, scale, seed, threads, .. } = settings;
        let network = FloatNetwork::new(settings.shape(sight)?, role, scale, seed);
        let zeros = vec![0.0; network.weights.len()];
        let part = Part::new(&network);
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
        let (samples_have, network) = (samples.feature_count(), self.state.network.shape.features());
        if samples_have != network {
            return Err(TrainError::Samples { samples: samples_have, network });
        }
        if samples.is_empty() { Err(TrainError::NoSamples) } else { Ok(()) }
    }

    /// Goes through all samples once, in random order and each in a random symmetry of the board, and gives their mean loss
    /// on the way. Nothing where `stop` interrupts it: then the trainer is as it was before, as after an error.
    pub fn epoch(&mut self, samples: &Samples, stop: &Signal) -> Result<Option<f64>, DataError> {
        let before = self.state.clone();
        let loss = self.pass(samples, stop);
        match &loss {
            Ok(Some(_)) => self.state.epochs += 1,
            _ => self.state = before,
        }
        loss
    }

    /// Takes part after part. While one is learned from, the next is read. What does not fill a batch goes into the next part.
    fn pass(&mut self, samples: &Samples, stop: &Signal) -> Result<Option<f64>, DataError> {
        let seed = number(self.settings.seed, self.state.epochs.into());
        let mut random = Random::new(seed);
        let mut parts = random.shuffled(0..samples::PARTS).into_iter();
        let mut left = Packed::default();
        let mut pass = Pass { seed, batches: samples.len().div_ceil(self.settings.batch).max(1), done: 0, loss: 0.0 };
        thread::scope(|scope| {
            let read = |part| scope.spawn(move || samples.part(part));
            let mut coming = parts.next().map(read);
            while let Some(reading) = coming {
                let mut part = reading.join().unwrap_or_else(|panic| resume_unwind(panic))?;
                coming = parts.next().map(read);
                (0..left.len()).for_each(|place| part.add(left.words(place)));
                left.clear();
                let order = random.shuffled(0..part.len() as u32);
                for batch in order.chunks(self.settings.batch) {
                    if batch.len() < self.settings.batch && coming.is_some() {
                        batch.iter().for_each(|&place| left.add(part.words(place as usize)));
                    } else if stop.is_stopped() {
                        return Ok(None);
                    } else {
                        self.learn(&part, samples.twins(), batch, &mut pass);
                    }
                }
            }
            Ok(Some(pass.loss / samples.len().max(1) as f64))
        })
    }

    /// Learns from a batch.
    fn learn(&mut self, samples: &Packed, twins: &[Vec<u16>], batch: &[u32], pass: &mut Pass) {
        self.gradient(samples, twins, batch, number(pass.seed, pass.done as u64));
        pass.loss += self.parts.iter().map(|part| part.loss).sum::<f64>();
        let done = f64::from(self.state.epochs) + pass.done as f64 / pass.batches as f64;
        self.step(self.rate(done), batch.len());
        pass.done += 1;
    }

    /// The rate of learning after a number of epochs.
    fn rate(&self, epochs: f64) -> f64 {
        let done = (epochs / f64::from(self.settings.epochs)).min(1.0);
        let share = LAST_RATE + (1.0 - LAST_RATE) * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
        self.settings.rate * share
    }

    /// Makes the gradients of the parts of a batch.
    fn gradient(&mut self, samples: &Packed, twins: &[Vec<u16>], batch: &[u32], seed: u64) {
        let Trainer { settings, state: State { network, .. }, parts, pool } = self;
        let length = batch.len().div_ceil(PARTS).max(1);
        pool.install(|| {
            parts.par_iter_mut().enumerate().for_each(|(index, part)| {
                let range = (index * length).min(batch.len())..((index + 1) * length).min(batch.len());
                let (numbers, seed) = (&batch[range], number(seed, index as u64));
                processor::dispatch(Learning { part, network, settings, samples, twins, numbers, seed });
            });
        });
    }

    /// Moves all weights by the mean gradient of a batch.
    fn step(&mut self, rate: f64, batch: usize) {
        let Trainer { settings, state, parts, pool } = self;
        let State { network, mean, square, steps, .. } = state;
        *steps += 1;
        let free = network.shape.output_bias_place();
        let length = LENGTH / network.shape.width() * network.shape.width();
        let bias = |decay: f32| (1.0 - f64::from(decay).powf(*steps as f64)) as f32;
        let step = Step {
            rate: rate as f32,
            keep: (1.0 - rate * settings.decay) as f32,
            share: 1.0 / batch as f32,
            mean_bias: bias(MEAN_DECAY),
            square_bias: bias(SQUARE_DECAY),
        };
        let weights = network.weights.par_chunks_mut(length).zip(mean.par_chunks_mut(length));
        let numbers = weights.zip(square.par_chunks_mut(length)).enumerate();
        pool.install(|| {
            numbers.for_each(|(index, ((weights, mean), square))| {
                // The last weights, with which the outputs begin, become larger numbers: they need no limit.
                let (start, step) = (index * length, &step);
                let limited = free.saturating_sub(start).min(weights.len());
                processor::dispatch(Moving { step, parts, start, weights, mean, square, limited });
            });
        });
    }

    /// The mean loss of samples, as the board stands.
    pub fn loss(&self, samples: &Packed) -> f64 {
        let State { network, .. } = &self.state;
        let chunk_loss = |chunk: usize| {
            let numbers = chunk * CHUNK..((chunk + 1) * CHUNK).min(samples.len());
            processor::dispatch(Judging { network, settings: &self.settings, samples, numbers })
        };
        let chunks = samples.len().div_ceil(CHUNK);
        let losses: Vec<f64> = self.pool.install(|| (0..chunks).into_par_iter().map(chunk_loss).collect());
        losses.into_iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// The mean loss of samples under a network in whole numbers, trained with the same settings.
    pub fn quantised_loss(&self, network: &Network, samples: &Packed) -> f64 {
        let set = |features: &[u16]| {
            let mut set = FeatureSet::EMPTY;
            features.iter().for_each(|&feature| set.insert(feature.into()));
            set
        };
        let loss = |number: usize| {
            let sample = samples.get(number);
            let sets = [set(sample.mover), set(sample.other)];
            let points = network.evaluate_seen(&sets, sample.kinds.map(usize::from), sample.stage.into());
            f64::from(loss_of(points as f32 / self.settings.scale as f32, &sample, &self.settings)[0])
        };
        (0..samples.len()).map(loss).sum::<f64>() / samples.len().max(1) as f64
    }

    /// Everything that training depends on, in bytes, to go on later as if nothing had happened.
    pub fn checkpoint(&self) -> Vec<u8> {
        let State { network, mean, square, steps, epochs } = &self.state;
        let mut bytes = MARK.to_vec();
        bytes.extend(self.settings.key());
        bytes.extend((network.shape.features() as u32).to_le_bytes());
        bytes.extend(epochs.to_le_bytes());
        bytes.extend(steps.to_le_bytes());
        for numbers in [&network.weights, mean, square] {
            numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        seal(bytes)
    }

    /// The trainer that a checkpoint was made of. The settings must be those that it was made with, except for the threads.
    pub fn resume(bytes: &[u8], settings: Settings, sight: &Sight) -> Result<Trainer, TrainError> {
        let content = unseal(bytes).ok_or(TrainError::Checkpoint)?;
        let content = content.strip_prefix(MARK).ok_or(TrainError::Checkpoint)?;
        let content = content.strip_prefix(&settings.key()[..]).ok_or(TrainError::OtherSettings)?;
        let mut reader = Reader(content);
        if reader.u32().ok_or(TrainError::Checkpoint)? as usize != sight.features {
            return Err(TrainError::OtherSettings);
        }
        let mut trainer = Trainer::new(settings, sight)?;
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
    #[inline(always)]
    fn take(&self, weights: &mut [f32], mean: &mut [f32], square: &mut [f32], gradient: &[f32]) {
        let count = weights.len();
        let (mean, square, gradient) = (&mut mean[..count], &mut square[..count], &gradient[..count]);
        for i in 0..count {
            let slope = gradient[i] * self.share;
            mean[i] = MEAN_DECAY * mean[i] + (1.0 - MEAN_DECAY) * slope;
            square[i] = SQUARE_DECAY * square[i] + (1.0 - SQUARE_DECAY) * slope * slope;
            let direction = (mean[i] / self.mean_bias) / ((square[i] / self.square_bias).sqrt() + TINY);
            weights[i] = weights[i] * self.keep - self.rate * direction;
        }
    }
}

/// One step for some weights, from `start` on.
struct Moving<'a> {
    step: &'a Step,
    parts: &'a [Part],
    start: usize,
    weights: &'a mut [f32],
    mean: &'a mut [f32],
    square: &'a mut [f32],
    /// How many of the weights have a limit.
    limited: usize,
}

impl Kernel for Moving<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut gradient = [0.0; LENGTH];
        let gradient = &mut gradient[..self.weights.len()];
        for part in self.parts {
            part.add_to(gradient, self.start);
        }
        self.step.take(self.weights, self.mean, self.square, gradient);
        for weight in &mut self.weights[..self.limited] {
            *weight = weight.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
        }
    }
}

/// Samples that are judged, and nothing is learnt.
struct Judging<'a> {
    network: &'a FloatNetwork,
    settings: &'a Settings,
    samples: &'a Packed,
    numbers: Range<usize>,
}

impl Kernel for Judging<'_> {
    /// The sum of the losses.
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let width = self.network.shape.width();
        let (mut sums, mut loss) = ([vec![0.0; width], vec![0.0; width]], 0.0);
        for number in self.numbers {
            let sample = self.samples.get(number);
            let output = self.network.output(sample.seen(), sample.stage.into(), &mut sums);
            loss += f64::from(loss_of(output, &sample, self.settings)[0]);
        }
        loss
    }
}
