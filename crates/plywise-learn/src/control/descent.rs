use serde::{Deserialize, Serialize};

/// Something that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tunable {
    /// What people call it.
    pub name: String,
    /// The parameters or options that it sets.
    pub paths: Vec<String>,
    /// How many of their units make one of ours: 100 where ours is a ply and theirs a hundredth.
    pub unit: f64,
    /// Its value at the beginning.
    pub start: f64,
    /// Its least value.
    pub min: f64,
    /// Its greatest value.
    pub max: f64,
    /// δ: how much it is altered to see what that does.
    pub step: f64,
    /// Δw_max: how far a doubling of the nodes moves it.
    pub reach: f64,
    /// Whether it is either on or off.
    pub is_switch: bool,
}

impl Tunable {
    /// The value as its parameters have it: a whole number.
    pub fn setting(&self, value: f64) -> i64 {
        (value.clamp(self.min, self.max) * self.unit).round() as i64
    }

    /// The value as its parameters are given it in a text.
    pub fn text(&self, value: f64) -> String {
        match (self.is_switch, self.setting(value)) {
            (true, 0) => "false".to_owned(),
            (true, _) => "true".to_owned(),
            (false, setting) => setting.to_string(),
        }
    }
}

/// Gradient descent on the number of nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Descent {
    /// What is tuned.
    pub tunables: Vec<Tunable>,
    /// μ, the learning rate. It stays as it is, as in the thesis.
    pub rate: f64,
    /// How much of the last change is made once more with each step.
    pub momentum: f64,
    /// The values.
    pub weights: Vec<f64>,
    /// The last changes.
    pub changes: Vec<f64>,
    /// The slopes that the last step followed, relative to the number of nodes.
    pub gradient: Vec<f64>,
}

impl Descent {
    /// Begins where the tunables begin.
    pub fn new(tunables: Vec<Tunable>, rate: f64, momentum: f64) -> Descent {
        let weights: Vec<f64> = tunables.iter().map(|tunable| tunable.start.clamp(tunable.min, tunable.max)).collect();
        let nothing = vec![0.0; weights.len()];
        Descent { tunables, rate, momentum, weights, changes: nothing.clone(), gradient: nothing }
    }

    /// Goes on from these weights as if nothing had happened before.
    pub fn restart(&mut self, weights: Vec<f64>) {
        let nothing = vec![0.0; weights.len()];
        (self.weights, self.changes, self.gradient) = (weights, nothing.clone(), nothing);
    }

    /// δ_i: by how much a weight is altered, in the direction of its last change unless a bound is in the way; downwards
    /// at the beginning, for a price of a ply that rises a little leaves every tree as it is.
    pub fn delta(&self, i: usize) -> f64 {
        let (tunable, weight) = (&self.tunables[i], self.weights[i]);
        if tunable.is_switch {
            return if weight < 0.5 { 1.0 } else { -1.0 };
        }
        let step = if self.changes[i] > 0.0 { tunable.step } else { -tunable.step };
        if (tunable.min..=tunable.max).contains(&(weight + step)) { step } else { -step }
    }

    /// The weights with one of them altered.
    pub fn altered(&self, i: usize) -> Vec<f64> {
        let mut weights = self.weights.clone();
        weights[i] = (weights[i] + self.delta(i)).clamp(self.tunables[i].min, self.tunables[i].max);
        weights
    }

    /// One step of algorithm 13, from the nodes of all positions with the weights as they are and with each altered.
    ///
    /// The thesis prints line 19 without the sign of δ, and would climb where a weight is altered downwards.
    pub fn step_by_counts(&mut self, nodes: u64, altered: &[u64]) {
        let nodes = nodes.max(1) as f64;
        let slopes =
            altered.iter().enumerate().map(|(i, &with)| self.delta(i).signum() * (with as f64 - nodes) / nodes);
        self.step(slopes.collect());
    }

    /// One step of algorithm 12, from the sums of the costs of all positions and of their gradients.
    ///
    /// As in algorithm 13 the change that δ causes counts, not the slope for a whole unit: with that, weights jump from
    /// one of their bounds to the other.
    pub fn step_by_gradient(&mut self, nodes: f64, gradient: &[f64]) {
        let nodes = nodes.max(1.0);
        let slopes = gradient.iter().zip(&self.tunables).map(|(slope, tunable)| slope * tunable.step / nodes);
        self.step(slopes.collect());
    }

    fn step(&mut self, slopes: Vec<f64>) {
        for (i, (tunable, &slope)) in self.tunables.iter().zip(&slopes).enumerate() {
            let before = self.weights[i];
            let change = if tunable.is_switch {
                // A switch has no way between: it is turned where that saves nodes.
                if slope * self.delta(i) < 0.0 { self.delta(i) } else { 0.0 }
            } else {
                self.momentum * self.changes[i] - self.rate * tunable.reach * slope
            };
            self.weights[i] = (before + change).clamp(tunable.min, tunable.max);
            self.changes[i] = self.weights[i] - before;
        }
        self.gradient = slopes;
    }

    /// The length of the gradient that the last step followed.
    pub fn gradient_norm(&self) -> f64 {
        self.gradient.iter().map(|slope| slope * slope).sum::<f64>().sqrt()
    }
}
