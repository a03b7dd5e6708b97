//! The kit that every game passes.

use crate::rules::BLOCKED;
use plywise_game::conformance::{
    Violation, check, check_evaluation, check_features, check_from, check_misprints, check_perft, check_play_through,
};
use plywise_loa::{Evaluator, Loa};

#[test]
fn rules_hooks_and_notation() -> Result<(), Violation> {
    check::<Loa>(10, 1)
}

#[test]
fn games_with_passes_and_few_pieces() -> Result<(), Violation> {
    check_from::<Loa>(&[BLOCKED, "b6w/8/3w4/8/2wbb3/8/8/w6b b", "8/8/8/3b4/3b4/8/ww1w4/4b3 b"], 10, 2)
}

#[test]
fn evaluation() -> Result<(), Violation> {
    check_evaluation::<Loa, _>(&Evaluator::default(), 5, 3)
}

#[test]
fn perft_of_positions() -> Result<(), Violation> {
    check_perft::<Loa>(&[("1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b", &[36, 1244, 44_952]), (BLOCKED, &[1])])
}

#[test]
fn misprinted_positions() -> Result<(), Violation> {
    check_misprints::<Loa>(3, 4)
}

#[test]
fn play_through() -> Result<(), Violation> {
    check_play_through::<Loa>(include_str!("play_through.txt"), 109, 60)
}

#[test]
fn features_of_networks() -> Result<(), Violation> {
    check_features::<Loa>(5, 5)
}
