//! Tuners see exactly what an evaluation computes.

use plywise_chess::Chess;
use plywise_game::{Evaluate, Linear, Notation};
use plywise_loa::{Evaluator, Loa};

#[track_caller]
fn check<G: Notation, W: Linear<G>>(mut evaluate: impl Evaluate<G>, text: &str) {
    let position = G::parse_position(text).unwrap();
    let weights = W::default().values();
    let sum: f64 = W::amounts(&position).into_iter().map(|(place, amount)| f64::from(weights[place]) * amount).sum();
    let value = evaluate.evaluate(&position);
    assert!((sum - f64::from(value)).abs() < 1.0, "{text}: {sum} and {value}");
    assert_ne!(value, 0, "a position that tells something");
}

#[test]
fn amounts_add_up_to_the_value() {
    for side in ["w", "b"] {
        let chess = format!("2r3k1/5ppp/p2q4/1p1Pn3/8/1P3Q2/P4PPP/3R2K1 {side} - - 0 25");
        check::<Chess, plywise_chess::Weights>(plywise_chess::Evaluator::default(), &chess);
        let loa = format!("3b4/2b1bw2/1w3b2/2wbb3/3w1w2/4b1w1/2w5/4w3 {side}");
        check::<Loa, plywise_loa::Weights>(Evaluator::default(), &loa);
    }
}
