//! What each move cost, wherever in the tree it was searched.

use crate::node::NodeId;
use crate::reader::{Tree, TreeError, Visit};
use crate::stats::cuts;
use plywise_search::Signal;
use std::collections::HashMap;

/// What the searches of one move by one player cost together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCost {
    /// Its code.
    pub mv: u32,
    /// Whether it is a move of the player who does not move at the root.
    pub is_second: bool,
    /// How often it was searched.
    pub searches: u64,
    /// The nodes below it and it. A search of the move within another one of it counts once.
    pub nodes: u64,
    /// How often it cut the node that it was played in.
    pub cuts: u64,
    /// Where it cost most at once.
    pub largest: NodeId,
    /// The nodes there.
    most: u64,
}

impl MoveCost {
    /// The costs of all moves of a tree, the greatest first. `watch` gets the number of nodes looked at, now and then. A
    /// signal ends it early, with an error.
    pub fn of(tree: &Tree, stop: &Signal, watch: &mut dyn FnMut(u64)) -> Result<Vec<MoveCost>, TreeError> {
        let mut costs: HashMap<(u32, bool), MoveCost> = HashMap::new();
        let mut seen = Seen::default();
        tree.scan(stop, |visit| {
            seen.add(watch);
            add(&mut costs, visit);
        })?;
        let mut costs: Vec<MoveCost> = costs.into_values().collect();
        costs.sort_unstable_by_key(|cost| (u64::MAX - cost.nodes, cost.mv, cost.is_second));
        Ok(costs)
    }
}

fn add(costs: &mut HashMap<(u32, bool), MoveCost>, visit: &Visit) {
    let node = visit.node;
    if node.stays() || node.ply == 0 {
        return;
    }
    let of = |node: &crate::Node| (node.mv, node.ply.is_multiple_of(2));
    let key = of(node);
    let fresh = MoveCost { mv: node.mv, is_second: key.1, searches: 0, nodes: 0, cuts: 0, largest: visit.id, most: 0 };
    let cost = costs.entry(key).or_insert(fresh);
    cost.searches += 1;
    if !visit.is_below(|above| !above.stays() && above.ply > 0 && of(above) == key) {
        cost.nodes += node.nodes;
    }
    if node.nodes > cost.most {
        (cost.most, cost.largest) = (node.nodes, visit.id);
    }
    if visit.parent_is(|parent| !parent.is_quiescence() && cuts(node, parent)) {
        cost.cuts += 1;
    }
}

/// Counts nodes, and says so now and then.
#[derive(Default)]
pub(crate) struct Seen(u64);

impl Seen {
    /// How many nodes pass between two words.
    const EVERY: u64 = 1 << 16;

    pub(crate) fn add(&mut self, watch: &mut dyn FnMut(u64)) {
        self.0 += 1;
        if self.0.is_multiple_of(Seen::EVERY) {
            watch(self.0);
        }
    }
}
