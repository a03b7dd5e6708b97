//! Properties of the evaluation.

use crate::random_game;
use plywise_game::bitboard::SYMMETRIES;
use plywise_game::linear::Linear;
use plywise_game::parameters::Parameters;
use plywise_game::{Evaluate, Game, Score};
use plywise_loa::evaluation::{Evaluator, UNIT, Weights};
use plywise_loa::{Loa, Position, twin};
use proptest::prelude::*;

fn positions() -> impl Strategy<Value = Position> {
    (any::<u64>(), any::<prop::sample::Index>()).prop_map(|(seed, ply)| *ply.get(&random_game(seed)))
}

fn evaluate(position: &Position) -> i32 {
    Evaluator::without_cache(Weights::DEFAULT).evaluate(position)
}

proptest! {
    #[test]
    fn symmetric_positions_have_one_value(position in positions()) {
        for symmetry in SYMMETRIES {
            prop_assert_eq!(evaluate(&twin(symmetry, &position)), evaluate(&position), "{:?}", symmetry);
        }
    }

    #[test]
    fn the_colours_do_not_matter(position in positions()) {
        prop_assert_eq!(evaluate(&position.colours_swapped()), evaluate(&position));
    }

    /// For either side to move, the features are the same but for their sign, and the bonus for the turn.
    #[test]
    fn the_turn_changes_signs_only(position in positions()) {
        let Some(turned) = Loa::null_move(&position) else { return Ok(()) };
        let mut both = vec![0.0; Weights::declared().len()];
        for (place, amount) in Weights::amounts(&position).into_iter().chain(Weights::amounts(&turned)) {
            both[place] += amount;
        }
        let turn = Weights::declared().iter().position(|parameter| parameter.group == "turn").unwrap();
        for (i, sum) in both.into_iter().enumerate() {
            prop_assert_eq!(sum, if i == turn { 2.0 } else { 0.0 });
        }
    }

    #[test]
    fn the_value_is_linear_in_the_weights(position in positions(), values in prop::collection::vec(-2000..=2000, Weights::declared().len())) {
        let mut weights = Weights::DEFAULT;
        let mut values = values.into_iter();
        weights.visit_mut(&mut |_, weight| *weight = values.next().unwrap_or(0));
        let sum = weights.explain(&position).value;
        let mut evaluator = Evaluator::new(weights);
        prop_assert_eq!(evaluator.evaluate(&position), (sum * f64::from(UNIT)).round() as Score / UNIT);
    }
}

#[test]
fn the_cache_changes_nothing() {
    let mut cached = Evaluator::default();
    for seed in 0..50 {
        for position in random_game(seed) {
            assert_eq!(cached.evaluate(&position), evaluate(&position), "{position:?}");
        }
    }
}

#[test]
fn a_compact_side_stands_better() {
    let position = crate::position("8/8/2bbb3/2bb4/3b4/8/8/w2w2ww b");
    assert!(evaluate(&position) > 100);
}
