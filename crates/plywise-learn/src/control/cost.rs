use super::Slots;
use plywise_game::Game;
use plywise_search::params::Extensions;
use plywise_search::{Extension, ExtensionClass};
use serde::{Deserialize, Serialize};

/// The nodes of one iteration: with the weights that it used, and with each of them altered by the same amount.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// The nominal depth, in plies.
    pub depth: i32,
    /// The nodes with the weights that were used.
    pub nodes: u64,
    /// The nodes with each weight altered.
    pub altered: Vec<u64>,
}

/// How deep a solution lies.
#[derive(Clone, Debug, PartialEq)]
pub struct PathDepth {
    /// D(S, w): the sum of the prices of its moves, in plies.
    pub depth: f64,
    /// ∂D(S, w)/∂w_i: how many of its moves have the price i.
    pub moves: Vec<u32>,
}

/// What it costs to find a solution, as the model has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// C(p, w, D(S, w)), in nodes.
    pub nodes: f64,
    /// ∂C/∂w_i, in nodes a ply.
    pub gradient: Vec<f64>,
}

impl Counts {
    /// B(p, w): by which factor the nodes grow with each ply (equation 6.3).
    pub fn growth(&self) -> f64 {
        growth(self.nodes, self.depth)
    }

    /// B(p, w + Δ_i), the same for each altered weight.
    pub fn altered_growth(&self) -> impl Iterator<Item = f64> {
        self.altered.iter().map(|&nodes| growth(nodes, self.depth))
    }

    /// The cost of searching as deep as the solution lies, and its gradient (equations 6.1, 6.2 and 6.4). `delta` is what
    /// each weight was altered by, in plies.
    pub fn cost(&self, path: &PathDepth, delta: f64) -> Cost {
        let growth = self.growth();
        let nodes = growth.powf(path.depth);
        let slopes = self.altered_growth().map(|altered| (altered - growth) / delta);
        let gradient = slopes.zip(&path.moves);
        let gradient =
            gradient.map(|(slope, &moves)| nodes * (path.depth / growth * slope + growth.ln() * f64::from(moves)));
        Cost { nodes, gradient: gradient.collect() }
    }
}

/// An iteration has at least its root.
fn growth(nodes: u64, depth: i32) -> f64 {
    (nodes.max(1) as f64).powf(1.0 / f64::from(depth.max(1)))
}

impl PathDepth {
    /// The depth of the line `path` from `position`, to which the move `previous` led. A move that cannot be played
    /// ends it.
    pub fn of<G: Game>(
        position: &G::Position,
        previous: Option<G::Move>,
        path: &[G::Move],
        prices: &Extensions,
        slots: &Slots,
    ) -> PathDepth {
        let (mut position, mut previous) = (position.clone(), previous);
        let mut found = PathDepth { depth: 0.0, moves: vec![0; slots.len()] };
        for &mv in path {
            let moves = G::legal_moves(&position);
            if !moves.contains(&mv) {
                break;
            }
            let after = G::play(&position, mv);
            let is_only_reply = moves.len() == 1 && G::in_check(&position);
            let extension = Extension::of::<G>(&position, mv, &after, previous, is_only_reply, false);
            found.add(extension, prices, slots);
            (position, previous) = (after, Some(mv));
        }
        found
    }

    fn add(&mut self, extension: Option<Extension>, prices: &Extensions, slots: &Slots) {
        // Whether passing would lose only a search can say: that class is no part of these experiments.
        let extension = extension.filter(|extension| extension.class != ExtensionClass::Threat);
        self.depth += extension.map_or(1.0, |extension| f64::from(prices.weight(extension)) / 100.0);
        if let Some(slot) = extension.and_then(|extension| slots.slot(extension)) {
            self.moves[slot] += 1;
        }
    }
}
