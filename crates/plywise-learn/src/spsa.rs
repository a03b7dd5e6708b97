//! Simultaneous perturbation stochastic approximation (Spall, "An overview of the simultaneous perturbation method for
//! efficient optimization", 1998), as engine authors use it: all parameters are moved at random at the same time, one way
//! for one player and the other way for its opponent, and what their games come to moves all of them.
//!
//! The gains fall as Spall advises. They are given by what they are at the end, because there the player is as good as it
//! gets: a step of each parameter that changes its play, and how much of such a step a won pair of games is worth.

use crate::control::Tunable;
use plywise_game::random::{self, Random};
use serde::{Deserialize, Serialize};

/// How the gains fall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gains {
    /// The number of iterations that they are made for.
    pub iterations: u64,
    /// How much of its step a parameter is moved by a game that is won, at the end.
    pub rate: f64,
    /// A: the iterations by which the beginning is damped.
    pub stability: f64,
    /// How fast the steps towards better values become smaller.
    pub alpha: f64,
    /// How fast the random moves become smaller.
    pub gamma: f64,
}

impl Gains {
    /// A rate at which some 2,000 iterations of 28 games find what they can: ten times as much follows noise.
    pub const RATE: f64 = 0.02;

    /// The usual gains for a number of iterations.
    pub fn new(iterations: u64, rate: f64) -> Gains {
        Gains { iterations, rate, stability: 0.1 * iterations as f64, alpha: 0.602, gamma: 0.101 }
    }

    /// c_k: how far a parameter is moved at random, in its steps, in an iteration from 0.
    pub fn spread(&self, iteration: u64) -> f64 {
        (self.iterations.max(1) as f64 / (iteration + 1) as f64).powf(self.gamma)
    }

    /// a_k: how far a game moves a parameter, in its steps.
    fn pull(&self, iteration: u64) -> f64 {
        let end = self.stability + self.iterations.max(1) as f64;
        self.rate * (end / (self.stability + (iteration + 1) as f64)).powf(self.alpha)
    }
}

/// The parameters and where they stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// What is tuned. A step is how far a parameter is moved at random at the end.
    pub tunables: Vec<Tunable>,
    /// How the gains fall.
    pub gains: Gains,
    /// What the random moves follow from.
    pub seed: u64,
    /// The values.
    pub values: Vec<f64>,
    /// What each of them has been moved by.
    drifts: Vec<Drift>,
}

/// How far a parameter was moved, beside how far chance alone would have moved it.
///
/// Were all players equally strong, each iteration would move a parameter up or down with the same probability, and what
/// comes of it would have the standard deviation `noise`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// The sum of its moves, as if it had no limits.
    pub moved: f64,
    /// The root of the sum of their squares.
    pub noise: f64,
}

impl Drift {
    fn add(&mut self, move_by: f64) {
        self.moved += move_by;
        self.noise = self.noise.hypot(move_by);
    }

    /// The drift in standard deviations of its noise: beyond 2 either way it is hardly chance.
    pub fn deviations(&self) -> f64 {
        if self.noise > 0.0 { self.moved / self.noise } else { 0.0 }
    }
}

/// What a run and its mirrored run say about a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    /// The drift of the run, in standard deviations.
    pub first: f64,
    /// The drift of the mirrored run.
    pub mirrored: f64,
    /// Both together.
    pub together: f64,
    /// Both runs moved the parameter the same way, and together further than chance does.
    pub is_real: bool,
}

impl Spsa {
    /// Begins where the tunables begin.
    pub fn new(tunables: Vec<Tunable>, gains: Gains, seed: u64) -> Spsa {
        let values = tunables.iter().map(|tunable| tunable.start).collect();
        let drifts = vec![Drift::default(); tunables.len()];
        Spsa { tunables, gains, seed, values, drifts }
    }

    /// A run that tells whether the drift of this one is real: each parameter begins as far from its start as it was
    /// moved, but on the other side. What makes the player stronger moves the same way again; chance does not.
    pub fn mirrored(&self, seed: u64) -> Spsa {
        let mirrored = |(tunable, value): (&Tunable, &f64)| Tunable {
            start: (2.0 * tunable.start - value).clamp(tunable.min, tunable.max),
            ..tunable.clone()
        };
        Spsa::new(self.tunables.iter().zip(&self.values).map(mirrored).collect(), self.gains, seed)
    }

    /// What this run and its [mirrored](Spsa::mirrored) one say about each parameter.
    pub fn confirmed_by(&self, mirrored: &Spsa) -> Vec<Confirmation> {
        /// Standard deviations beyond which two drifts of one direction are hardly chance.
        const HARDLY_CHANCE: f64 = 2.0;
        let confirm = |(first, mirrored): (&Drift, &Drift)| {
            let [first, mirrored] = [first, mirrored].map(Drift::deviations);
            let together = (first + mirrored) / std::f64::consts::SQRT_2;
            let is_real = first * mirrored > 0.0 && together.abs() > HARDLY_CHANCE;
            Confirmation { first, mirrored, together, is_real }
        };
        self.drifts.iter().zip(&mirrored.drifts).map(confirm).collect()
    }

    /// The values to play with after a mirrored run: the middle between both ends if the drift is real, else the start.
    pub fn settled_with(&self, mirrored: &Spsa, confirmations: &[Confirmation]) -> Vec<f64> {
        let ends = self.values.iter().zip(&mirrored.values);
        let settled = |((tunable, (a, b)), confirmed): ((&Tunable, (&f64, &f64)), &Confirmation)| {
            if confirmed.is_real { (a + b) / 2.0 } else { tunable.start }
        };
        self.tunables.iter().zip(ends).zip(confirmations).map(settled).collect()
    }

    /// How far each parameter was moved, beside its noise.
    pub fn drifts(&self) -> &[Drift] {
        &self.drifts
    }

    /// Which way each parameter is moved in an iteration.
    fn signs(&self, iteration: u64) -> Vec<f64> {
        let mut random = Random::new(random::number(self.seed, iteration));
        self.tunables.iter().map(|_| if random.fraction() < 0.5 { -1.0 } else { 1.0 }).collect()
    }

    /// The values of the two players who meet in an iteration, as they are sent: parameters are whole numbers within
    /// their limits. A step of less than one would often send the same player twice, so each is at least that.
    pub fn players(&self, iteration: u64) -> [Vec<f64>; 2] {
        let signs = self.signs(iteration);
        [1.0, -1.0].map(|way| {
            let moved = self.values.iter().zip(&self.tunables).zip(&signs).map(|((value, tunable), sign)| {
                let step = (tunable.step * self.gains.spread(iteration)).max(1.0 / tunable.unit);
                tunable.setting(value + way * sign * step) as f64 / tunable.unit
            });
            moved.collect()
        })
    }

    /// Follows what their games came to: wins less losses of the first. A parameter moves by the difference that there was
    /// between the players, which limits and whole numbers change.
    pub fn follow(&mut self, iteration: u64, surplus: f64) {
        let ([plus, minus], pull) = (self.players(iteration), self.gains.pull(iteration));
        let moved = self.values.iter_mut().zip(&self.tunables).zip(&mut self.drifts);
        for (((value, tunable), drift), (plus, minus)) in moved.zip(plus.into_iter().zip(minus)) {
            let sent = (plus - minus) / 2.0 / tunable.step;
            if sent == 0.0 {
                continue;
            }
            let move_by = pull * surplus / sent * tunable.step;
            drift.add(move_by);
            *value = (*value + move_by).clamp(tunable.min, tunable.max);
        }
    }
}
