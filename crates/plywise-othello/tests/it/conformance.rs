//! The kit that every game passes.

use crate::rules::{BLOCKED, SHORT_GAME};
use plywise_game::conformance::{
    Violation, check, check_features, check_from, check_misprints, check_perft, check_play_through,
};
use plywise_othello::Othello;

#[test]
fn rules_hooks_and_notation() -> Result<(), Violation> {
    check::<Othello>(20, 1)
}

#[test]
fn games_with_passes_and_early_ends() -> Result<(), Violation> {
    let nearly_over = SHORT_GAME.trim_end_matches("c6");
    check_from::<Othello>(
        &[BLOCKED, nearly_over, "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"],
        20,
        2,
    )
}

#[test]
fn perft_of_positions() -> Result<(), Violation> {
    check_perft::<Othello>(&[
        (
            "---------------------------OX------XO--------------------------- X",
            &[4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_056],
        ),
        (BLOCKED, &[1, 1, 0]),
    ])
}

#[test]
fn misprinted_positions() -> Result<(), Violation> {
    check_misprints::<Othello>(3, 4)
}

#[test]
fn play_through() -> Result<(), Violation> {
    check_play_through::<Othello>(include_str!("play_through.txt"), 12, 70)
}

#[test]
fn features_of_networks() -> Result<(), Violation> {
    check_features::<Othello>(5, 5)
}
