//! An evaluation with a network: in place of the linear one, or beside it.

use crate::network::{Lane, Network, Role};
use plywise_game::features::{FeatureSet, MAX_FEATURES, View};
use plywise_game::processor::{self, Kernel};
use plywise_game::score::EVAL_LIMIT;
use plywise_game::{BoardGame, Depth, Evaluate, Score, Window};
use std::sync::Arc;

/// The evaluation of a game, with a network or without. It remembers sums of positions that it has seen, but what it says
/// depends on the position alone.
pub struct NetworkEvaluation<G: BoardGame> {
    linear: G::Evaluation,
    network: Option<Arc<Network>>,
    /// What each player saw last: in each bucket, with the board as it is and mirrored.
    last: [Vec<Last>; 2],
}

impl<G: BoardGame> NetworkEvaluation<G> {
    /// The linear evaluation, and a network in its role, if there is one.
    pub fn new(linear: G::Evaluation, network: Option<Arc<Network>>) -> NetworkEvaluation<G> {
        let last = network.as_deref().map_or_else(Vec::new, Last::of_all_views);
        NetworkEvaluation { linear, network, last: [last.clone(), last] }
    }

    /// The network, if there is one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// The linear evaluation.
    pub fn linear(&self) -> &G::Evaluation {
        &self.linear
    }

    /// What each feature of a position adds to the network's value for the side to move: the value with it less the value
    /// without it. Nothing where there is no network.
    pub fn explain(&self, position: &G::Position) -> Vec<(String, Score)> {
        let contributions = self.network.as_ref().map(|network| network.contributions::<G>(position));
        G::feature_names(position).into_iter().zip(contributions.unwrap_or_default()).collect()
    }
}

impl<G: BoardGame> Clone for NetworkEvaluation<G> {
    fn clone(&self) -> NetworkEvaluation<G> {
        NetworkEvaluation { linear: self.linear.clone(), network: self.network.clone(), last: self.last.clone() }
    }
}

impl<G: BoardGame> Evaluate<G> for NetworkEvaluation<G> {
    #[inline]
    fn evaluate(&mut self, position: &G::Position) -> Score {
        processor::dispatch(Evaluation { kept: self, position })
    }

    fn solve(
        &mut self,
        position: &G::Position,
        depth: Depth,
        window: Window,
        spend: &mut dyn FnMut(u64) -> u64,
    ) -> Option<Score> {
        self.linear.solve(position, depth, window, spend)
    }

    fn forget(&mut self) {
        self.linear.forget();
    }
}

/// The evaluation of a position.
struct Evaluation<'a, G: BoardGame> {
    kept: &'a mut NetworkEvaluation<G>,
    position: &'a G::Position,
}

impl<G: BoardGame> Kernel for Evaluation<'_, G> {
    type Output = Score;

    #[inline(always)]
    fn run(self) -> Score {
        let Evaluation { kept: NetworkEvaluation { linear, network, last }, position } = self;
        let mut value = 0;
        if let Some(network) = network {
            value = updated_value::<G>(network, last, position);
            if network.role() == Role::Replace {
                return value;
            }
        }
        (value + linear.evaluate(position)).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}

/// The value of a position, by what changed since the last one.
#[inline(always)]
fn updated_value<G: BoardGame>(
    network: &Network,
    [first, second]: &mut [Vec<Last>; 2],
    position: &G::Position,
) -> Score {
    let (sets, views) = (G::feature_sets(position), G::views(position));
    let sums = [
        Last::sums_in::<G>(first, network, views[0], &sets[0]),
        Last::sums_in::<G>(second, network, views[1], &sets[1]),
    ];
    let [mover, other] = G::side_to_move(position).own_first(sums);
    network.value(mover, other, G::stage(position))
}

/// The sums of the last position as one player saw it in one view. A search goes from a position to its parent, child or
/// sibling, a few features away: finding one that is nearer, among several that are remembered, takes longer than it saves.
/// But another bucket has other rows, and on a mirrored board nearly all features are others: there the last position of
/// that view is nearer than the last position of all.
#[derive(Clone, Debug, Default)]
struct Last {
    set: FeatureSet,
    sums: Vec<Lane>,
}

impl Last {
    /// The sums of the empty set in all views: right, if of little use.
    fn of_all_views(network: &Network) -> Vec<Last> {
        let empty = Last { set: FeatureSet::EMPTY, sums: network.bias.clone() };
        vec![empty; 2 * network.shape.buckets()]
    }

    /// The sums of a set of features in a view.
    #[inline(always)]
    fn sums_in<'a, G: BoardGame>(all: &'a mut [Last], network: &Network, view: View, set: &FeatureSet) -> &'a [Lane] {
        let bucket = network.shape.bucket(view.kind);
        all[2 * bucket + usize::from(view.mirrored)].sums_of::<G>(network, bucket, set)
    }

    /// The sums of a set of features, by what changed.
    #[inline(always)]
    fn sums_of<G: BoardGame>(&mut self, network: &Network, bucket: usize, set: &FeatureSet) -> &[Lane] {
        const { assert!(G::FEATURES <= MAX_FEATURES, "a network cannot see that many features") };
        for index in 0..G::FEATURES.div_ceil(64) {
            let (old, new) = (&mut self.set.words_mut()[index], set.words()[index]);
            network.change(&mut self.sums, bucket, index, new & !*old, *old & !new);
            *old = new;
        }
        &self.sums
    }
}
