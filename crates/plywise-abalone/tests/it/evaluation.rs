//! Properties of the evaluation.

use crate::{position, random_game};
use plywise_abalone::evaluation::{Evaluator, POINT, UNIT, Weights};
use plywise_abalone::{Abalone, Position, SYMMETRIES, twin};
use plywise_game::linear::Linear;
use plywise_game::parameters::Parameters;
use plywise_game::{Evaluate, Game};
use proptest::prelude::*;

fn positions() -> impl Strategy<Value = Position> {
    (any::<u64>(), any::<prop::sample::Index>()).prop_map(|(seed, ply)| *ply.get(&random_game(seed)))
}

/// What the side to move has more than the other, in the order of declaration and in parts of [`UNIT`].
fn amounts(position: &Position) -> Vec<i32> {
    Weights::record(position).amounts()
}

fn evaluate(position: &Position) -> i32 {
    Evaluator::default().evaluate(position)
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

    /// For either side to move, the features are the same but for their sign, except those that ask whose turn it is.
    #[test]
    fn the_turn_changes_signs_only(position in positions()) {
        let Some(turned) = Abalone::null_move(&position) else { return Ok(()) };
        for ((parameter, here), there) in Weights::declared().iter().zip(amounts(&position)).zip(amounts(&turned)) {
            match parameter.group {
                "turn" => prop_assert_eq!(here + there, 2 * UNIT),
                "threats" => (),
                _ => prop_assert_eq!(here + there, 0, "{}", parameter.path()),
            }
        }
    }

    #[test]
    fn the_value_is_linear_in_the_weights(position in positions(), values in prop::collection::vec(-2000..=2000, Weights::declared().len())) {
        let mut weights = Weights::DEFAULT;
        let mut values = values.into_iter();
        weights.visit_mut(&mut |_, weight| *weight = values.next().unwrap_or(0));
        let sum: i32 = weights.values().iter().zip(amounts(&position)).map(|(weight, amount)| weight * amount).sum();
        let mut evaluator = Evaluator::new(weights.clone());
        prop_assert_eq!(evaluator.evaluate(&position), sum / (UNIT * POINT));
        let explained = weights.explain(&position);
        prop_assert!((explained.value - f64::from(sum) / f64::from(UNIT * POINT)).abs() < 1e-6);
    }
}

/// The amount of one feature for the side to move, in whole numbers.
fn amount(text: &str, path: &str) -> i32 {
    let place = Weights::declared().iter().position(|parameter| parameter.path() == path);
    amounts(&position(text))[place.unwrap_or_else(|| panic!("no weight is called {path}"))] / UNIT
}

#[test]
fn threats_belong_to_the_side_that_has_them() {
    let text = "5/6/7/8/w5bbw/8/7/6/5";
    assert_eq!(amount(&format!("{text} b 0 0"), "threats.to_move"), 1);
    assert_eq!(amount(&format!("{text} b 0 0"), "threats.waiting"), 0);
    assert_eq!(amount(&format!("{text} w 0 0"), "threats.to_move"), 0);
    assert_eq!(amount(&format!("{text} w 0 0"), "threats.waiting"), -1);
}

#[test]
fn features_of_contact_are_counted_line_by_line() {
    // Two black marbles press the white one on the rim; three face two.
    let text = "5/6/7/8/4bbw2/8/7/6/5 b 0 0";
    assert_eq!(amount(text, "contact.pushes"), 1);
    assert_eq!(amount(text, "contact.pressed"), 0);
    assert_eq!(amount("5/6/7/8/6bbw/8/7/6/5 b 0 0", "contact.pressed"), 1);
    assert_eq!(amount("5/6/7/8/3bbbww1/8/7/6/5 b 0 0", "contact.pushes"), 1);
    assert_eq!(amount("5/6/7/8/3wbw3/8/7/6/5 b 0 0", "contact.breaks"), 1);
    assert_eq!(amount("5/6/7/8/3wbw3/8/7/6/5 w 0 0", "contact.breaks"), -1);
}

#[test]
fn a_marble_more_is_worth_about_a_hundred_points() {
    let start = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb";
    let down = start.replace("2www2", "2ww3");
    let value = |text: String| evaluate(&position(&text));
    let gain = value(format!("{down} b 0 1")) - value(format!("{start} b 0 0"));
    assert!((30..=300).contains(&gain), "{gain}");
}

#[test]
fn the_middle_is_better_than_the_rim() {
    assert!(evaluate(&position("5/6/2ww3/2www3/9/8/7/bb4/bbb2 w 0 0")) > 100);
}
