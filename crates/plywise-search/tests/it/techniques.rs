//! Every technique that is declared is a step of the search: it has an effect where it is on, and none where it is off.

use crate::random_tree::{Hashed, Node, RandomTree};
use plywise_game::parameters::Parameters;
use plywise_game::{Depth, Evaluate, Game, Phase, Score, Window};
use plywise_search::{
    ClassCounts, ClassTable, Counters, Knowledge, Limits, Params, Prediction, PriceInput, PriceTable, PriceWeights,
    ProbCutTable, RankBound, RankCounts, RankState, RankTable, Searcher, Technique,
};
use std::sync::Arc;

/// An evaluation with a solver that knows one position in sixteen by heart.
#[derive(Clone)]
struct Knowing(Hashed);

impl Evaluate<RandomTree> for Knowing {
    fn evaluate(&mut self, position: &Node) -> Score {
        Evaluate::<RandomTree>::evaluate(&mut self.0, position)
    }

    fn solve(&mut self, position: &Node, _: Depth, _: Window, _: &mut dyn FnMut(u64) -> u64) -> Option<Score> {
        RandomTree::hash(position).is_multiple_of(16).then(|| self.evaluate(position))
    }
}

/// All techniques at once, with numbers that small trees reach; but for learned prices, which take the place of others.
fn all_on() -> Params {
    let mut params = Params::DEFAULT;
    params.visit_mut(&mut |parameter, value| {
        if parameter.is_switch {
            *value = 1;
        } else if parameter.name == "least_depth" {
            *value = parameter.min;
        }
    });
    params.n_best.moves = 4;
    params.late_move_pruning.moves = 2;
    params.late_move_pruning.growth = 0;
    params.late_move_reductions.moves = 1;
    params.realization_steps.delta = 50;
    params.capture_probcut.margin = 0;
    (params.history_pruning.threshold, params.ordering.lesson) = (1, 100);
    params.multi_cut.cutoffs_required = 2;
    (params.losing_exchanges.tactical, params.losing_exchanges.quiet) = (0, 0);
    params.exploration.enabled = false;
    params.learned_price.enabled = false;
    params
}

/// The same with one technique on that others may have to make room for.
fn all_on_with(technique: Technique) -> Params {
    let mut params = all_on();
    params.set(technique.name(), "on").unwrap();
    params
}

/// Tables that say of everything that it is likely enough to act on.
fn knowledge() -> Knowledge {
    let phases = [Phase::Opening, Phase::Middlegame, Phase::Endgame];
    let predictions = (2..=6).flat_map(|deep| {
        phases.map(|phase| Prediction { deep, shallow: 1, phase, slope: 1.0, intercept: 0.0, sigma: 1.0, samples: 1 })
    });
    let mut counts = std::collections::BTreeMap::new();
    for state in 0..5 * 5 * 7 * 7 * 3 {
        let [move_number, best_changes, gap, drop, phase] =
            [2 + state % 5, state / 5 % 5, state / 25 % 7, state / 175 % 7, state / 1225].map(|part| part as u8);
        let state = RankState { depth: 1, in_check: false, move_number, best_changes, gap, drop, phase };
        counts.insert(state, RankCounts { better: 0, seen: 1000 });
    }
    let weights = PriceInput::ALL.iter().map(|&input| PriceWeights { input, weights: vec![0; input.bins(1)] });
    Knowledge {
        rank_cut: Some(Arc::new(RankTable { unit: 20, bound: RankBound::Best, counts })),
        realization: Some(Arc::new(ClassTable { classes: vec![ClassCounts { played: 1, available: 9 }] })),
        probcut: Some(Arc::new(ProbCutTable { rows: predictions.collect() })),
        prices: Some(Arc::new(PriceTable::new(20, -5 * PriceTable::ONE, weights.collect()))),
    }
}

/// What the techniques do in some small trees.
fn counters(params: &Params) -> Vec<Counters> {
    let mut searcher =
        Searcher::<RandomTree, _>::new(params.clone(), Knowing(Hashed { salt: 3, range: 1000 }), 1).unwrap();
    searcher.set_knowledge(knowledge());
    (0..100).map(|seed| searcher.think(&Node::seeded(seed), &Limits::depth(6)).counters).collect()
}

#[test]
fn every_technique_is_a_step_of_the_search() {
    let (all, learned) = (counters(&all_on()), counters(&all_on_with(Technique::LearnedPrice)));
    for &technique in Technique::ALL {
        let counted = if technique == Technique::LearnedPrice { &learned } else { &all };
        let tries: u64 = counted.iter().map(|each| each.tries(technique)).sum();
        let cuts: u64 = counted.iter().map(|each| each.cuts(technique)).sum();
        assert!(tries > 0 && cuts > 0, "{} was tried {tries} times and had {cuts} effects", technique.name());
    }
}

#[test]
fn a_technique_that_is_off_is_not_even_tried() {
    for &technique in Technique::ALL {
        let mut params = all_on();
        params.set(technique.name(), "off").unwrap();
        for counted in counters(&params) {
            let counts = (counted.tries(technique), counted.cuts(technique));
            assert_eq!(counts, (0, 0), "{}", technique.name());
        }
    }
}
