//! What the search may have put into its table: every value that a node earned. A value that comes out of the table must
//! be one of them.

use super::{Board, used_window};
use crate::node::{Ended, Node};
use plywise_game::{Depth, Score, Window, score};
use plywise_search::{Bound, End, Params, Purpose, Technique};
use std::collections::HashMap;

/// What a node earned.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Earned {
    /// A win by its distance from here.
    score: Score,
    bound: Bound,
    depth: Depth,
}

impl Earned {
    /// The value that this settles a question with.
    fn settles(&self, window: Window, ply: usize) -> Option<Score> {
        let score = moved(self.score, -(ply as Score));
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        settles.then_some(score)
    }
}

/// A win counted from a place this many plies further from it.
fn moved(score: Score, plies: Score) -> Score {
    match score {
        win if win > score::WIN_THRESHOLD => win + plies,
        loss if loss < -score::WIN_THRESHOLD => loss - plies,
        other => other,
    }
}

#[derive(Default)]
pub(super) struct Shelf {
    earned: HashMap<u64, Vec<Earned>>,
}

impl Shelf {
    /// Notes what a node that is being left earned.
    pub(super) fn keep(&mut self, node: &Node, board: &dyn Board, params: &Params, at_horizon: bool) {
        let Some(value) = node.value.filter(|_| !node.uncertain) else { return };
        let is_kept = match node.is_quiescence() {
            true => {
                let ends = matches!(node.end, Ended::By(End::Moves | End::StandPat | End::Over));
                ends && (at_horizon && params.quiescence.table || params.quiescence.table_beyond)
            }
            // A node without one of its moves is another node.
            false => node.end == Ended::By(End::Moves) && node.purpose != Some(Purpose::Singular),
        };
        if !is_kept {
            return;
        }
        let (window, ply) = (used_window(node, params), usize::from(node.ply));
        let score = moved(value, ply as Score);
        let earned = Earned { score, bound: Bound::of(value, window), depth: node.depth };
        let list = self.earned.entry(board.hash()).or_default();
        if !list.contains(&earned) {
            list.push(earned);
        }
    }

    /// What is wrong with a value that came out of the table, if anything.
    pub(super) fn doubt(&self, node: &Node, board: &dyn Board, params: &Params) -> Option<String> {
        let (technique, value) = (node.cut_by()?, node.value?);
        let ply = usize::from(node.ply);
        let fits = |hash: u64, window: Window, depth: Depth, ply: usize, value: Score| {
            self.earned.get(&hash).is_some_and(|list| {
                list.iter().any(|earned| {
                    let deep =
                        if params.table.equal_depth_only { earned.depth == depth } else { earned.depth >= depth };
                    deep && earned.settles(window, ply) == Some(value)
                })
            })
        };
        let window = used_window(node, params);
        let known = match technique {
            Technique::Table => fits(board.hash(), window, node.depth, ply, value),
            Technique::TranspositionCutoffs => {
                let below = node.depth - Depth::PLY;
                board.successors().into_iter().any(|hash| fits(hash, -window, below, ply + 1, -value))
            }
            _ => return None,
        };
        (!known).then(|| format!("the table said {value}, which no node of this position had earned"))
    }
}
