//! What every game must keep to, checked by the kit.

use plywise_chess::{Chess, Evaluator};
use plywise_game::conformance::{self, Violation};

/// The seed and the length of the golden play-through.
const SEED: u64 = 2026;
const PLIES: usize = 40;

#[test]
fn random_games_keep_the_contract() -> Result<(), Violation> {
    conformance::check::<Chess>(3, 1)?;
    conformance::check_from::<Chess>(&crate::STARTS, 2, 2)
}

#[test]
fn misprinted_positions() -> Result<(), Violation> {
    conformance::check_misprints::<Chess>(3, 4)
}

#[test]
fn the_evaluation_keeps_the_contract() -> Result<(), Violation> {
    conformance::check_evaluation::<Chess, _>(&Evaluator::default(), 10, 3)
}

/// To renew the file after a change that was meant, write there what [`conformance::play_through`] gives.
#[test]
fn the_golden_play_through() -> Result<(), Violation> {
    conformance::check_play_through::<Chess>(include_str!("play_through.txt"), SEED, PLIES)
}

#[test]
fn features_of_networks() -> Result<(), Violation> {
    conformance::check_features::<Chess>(5, 5)
}
