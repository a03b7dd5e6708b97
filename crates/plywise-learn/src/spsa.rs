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
    /// The usual gains for so many iterations.
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
}

impl Spsa {
    /// Begins where the tunables begin.
    pub fn new(tunables: Vec<Tunable>, gains: Gains, seed: u64) -> Spsa {
        let values = tunables.iter().map(|tunable| tunable.start).collect();
        Spsa { tunables, gains, seed, values }
    }

    /// Which way each parameter is moved in an iteration.
    fn signs(&self, iteration: u64) -> Vec<f64> {
        let mut random = Random::new(random::number(self.seed, iteration));
        self.tunables.iter().map(|_| if random.fraction() < 0.5 { -1.0 } else { 1.0 }).collect()
    }

    /// The values of the two players who meet in an iteration.
    pub fn players(&self, iteration: u64) -> [Vec<f64>; 2] {
        let signs = self.signs(iteration);
        [1.0, -1.0].map(|way| {
            let moved = self.values.iter().zip(&self.tunables).zip(&signs).map(|((value, tunable), sign)| {
                let moved = value + way * sign * tunable.step * self.gains.spread(iteration);
                moved.clamp(tunable.min, tunable.max)
            });
            moved.collect()
        })
    }

    /// Follows what their games came to: wins less losses of the first.
    pub fn follow(&mut self, iteration: u64, surplus: f64) {
        let (signs, pull) = (self.signs(iteration), self.gains.pull(iteration) / self.gains.spread(iteration));
        for ((value, tunable), sign) in self.values.iter_mut().zip(&self.tunables).zip(signs) {
            *value = (*value + pull * surplus * sign * tunable.step).clamp(tunable.min, tunable.max);
        }
    }
}
