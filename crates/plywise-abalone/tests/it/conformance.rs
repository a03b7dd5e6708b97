//! The kit that every game passes.

use plywise_abalone::{Abalone, Evaluator};
use plywise_game::conformance::{
    Violation, check, check_evaluation, check_features, check_from, check_misprints, check_perft, check_play_through,
};

/// A few moves from the end, with pushes everywhere.
const LATE: &str = "w4/1b2b1/w1bwb2/1bw2b2/2wbb1w2/1w1b2b1/2bww2/1b2w1/b3w b 1 2";

#[test]
fn rules_hooks_and_notation() -> Result<(), Violation> {
    check::<Abalone>(3, 1)
}

#[test]
fn daisies_and_crowds() -> Result<(), Violation> {
    check_from::<Abalone>(&["belgian-daisy", "german-daisy", LATE], 2, 2)
}

#[test]
fn evaluation() -> Result<(), Violation> {
    check_evaluation::<Abalone, _>(&Evaluator::default(), 5, 3)
}

/// Counts that several programs agree on.
#[test]
fn perft_of_the_starts() -> Result<(), Violation> {
    check_perft::<Abalone>(&[
        ("standard", &[44, 1936, 98_912, 5_045_110]),
        ("belgian-daisy", &[52, 2692, 149_322]),
        ("german-daisy", &[80, 6244, 493_480]),
    ])
}

#[test]
fn misprinted_positions() -> Result<(), Violation> {
    check_misprints::<Abalone>(3, 4)
}

#[test]
fn play_through() -> Result<(), Violation> {
    check_play_through::<Abalone>(include_str!("play_through.txt"), 2604, 60)
}

#[test]
fn features_of_networks() -> Result<(), Violation> {
    check_features::<Abalone>(5, 5)
}
