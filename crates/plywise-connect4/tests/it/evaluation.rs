//! Properties of the evaluation.

use crate::{position, random_game};
use plywise_connect4::evaluation::filling;
use plywise_connect4::{Connect4, Evaluator, Position, Weights, mirrored};
use plywise_game::linear::{Linear, Owner};
use plywise_game::parameters::Parameters;
use plywise_game::{Evaluate, Game, Score};
use proptest::prelude::*;

fn positions() -> impl Strategy<Value = Position> {
    (any::<u64>(), any::<prop::sample::Index>()).prop_map(|(seed, ply)| *ply.get(&random_game(seed)))
}

fn evaluate(position: &Position) -> Score {
    Evaluator::default().evaluate(position)
}

/// The amount of a weight in a position, for the side to move.
fn amount(position: &Position, path: &str) -> f64 {
    let place = Weights::declared().iter().position(|parameter| parameter.path() == path).unwrap();
    Weights::amounts(position).into_iter().find(|(known, _)| *known == place).map_or(0.0, |(_, amount)| amount)
}

proptest! {
    #[test]
    fn mirrored_positions_have_one_value(position in positions()) {
        prop_assert_eq!(evaluate(&mirrored(&position)), evaluate(&position));
    }

    #[test]
    fn the_value_is_linear_in_the_weights(
        position in positions(),
        values in prop::collection::vec(-1000..=1000, Weights::declared().len()),
    ) {
        let mut weights = Weights::DEFAULT;
        let mut values = values.into_iter();
        weights.visit_mut(&mut |_, weight| *weight = values.next().unwrap_or(0));
        let sum = weights.explain(&position).value;
        prop_assert_eq!(Evaluator::new(weights).evaluate(&position), sum.round() as Score);
    }
}

#[test]
fn the_start_is_worth_the_turn() {
    assert_eq!(evaluate(&Connect4::start()), Weights::DEFAULT.turn.bonus);
}

/// Red completes c3 with d3, e3 and f3; Yellow has as many discs and no threat.
const ODD_THREAT: &str = "7/7/7/3xxxo/3xoox/3ooxo x";

#[test]
fn threats_count_by_whose_they_are_and_by_their_row() {
    let odd = position(ODD_THREAT);
    assert_eq!(amount(&odd, "threats.first.0"), 1.0);
    assert_eq!(amount(&odd, "threats.first.1"), 0.0);
    assert_eq!(amount(&odd, "threats.second.0"), 0.0);
}

#[test]
fn an_odd_threat_of_the_first_player_wins_when_the_board_is_filled() {
    let odd = position(ODD_THREAT);
    assert_eq!(filling(&odd), Some(Owner::Mover));
    assert_eq!(filling(&Connect4::start()), None);
    for mv in Connect4::legal_moves(&odd) {
        let next = Connect4::play(&odd, mv);
        if Connect4::outcome(&next).is_none() && amount(&next, "threats.first.0") < 0.0 {
            assert_eq!(filling(&next), Some(Owner::Opponent), "{mv}");
        }
    }
}

#[test]
fn the_middle_is_worth_more_than_the_rim() {
    assert!(-evaluate(&position("4")) > -evaluate(&position("1")));
}
