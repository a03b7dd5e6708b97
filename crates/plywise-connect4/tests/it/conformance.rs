//! The kit that every game passes.

use crate::rules::{FULL, LAST_MOVES};
use plywise_connect4::{Connect4, Evaluator};
use plywise_game::conformance::{
    Violation, check, check_evaluation, check_features, check_from, check_misprints, check_perft, check_play_through,
};

#[test]
fn rules_hooks_and_notation() -> Result<(), Violation> {
    check::<Connect4>(20, 1)
}

#[test]
fn games_that_fill_the_board() -> Result<(), Violation> {
    check_from::<Connect4>(&[FULL, LAST_MOVES], 20, 2)
}

#[test]
fn evaluation() -> Result<(), Violation> {
    check_evaluation::<Connect4, _>(&Evaluator::default(), 30, 3)
}

/// The slow generator in `rules.rs` gives the same counts.
#[test]
fn perft_of_positions() -> Result<(), Violation> {
    check_perft::<Connect4>(&[
        ("7/7/7/7/7/7 x", &[7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234]),
        (FULL, &[0]),
    ])
}

#[test]
fn misprinted_positions() -> Result<(), Violation> {
    check_misprints::<Connect4>(5, 4)
}

#[test]
fn play_through() -> Result<(), Violation> {
    check_play_through::<Connect4>(include_str!("play_through.txt"), 4, 42)
}

#[test]
fn features_of_networks() -> Result<(), Violation> {
    check_features::<Connect4>(5, 5)
}
