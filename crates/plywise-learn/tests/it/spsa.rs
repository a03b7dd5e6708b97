//! Tuning by games.

use plywise_game::random::Random;
use plywise_learn::control::Tunable;
use plywise_learn::spsa::{Gains, Spsa};

fn tunable(start: f64) -> Tunable {
    let (name, paths) = ("x".to_owned(), vec!["x".to_owned()]);
    Tunable { name, paths, unit: 1.0, start, min: 0.0, max: 100.0, step: 5.0, reach: 50.0, is_switch: false }
}

#[test]
fn gains_are_those_of_spall() {
    let gains = Gains::new(1000, 0.002);
    assert!((gains.spread(999) - 1.0).abs() < 1e-12, "at the end a parameter moves by its step");
    assert!((gains.spread(0) - 1000f64.powf(0.101)).abs() < 1e-12);
    let mut spsa = Spsa::new(vec![tunable(50.0)], gains, 1);
    let [plus, minus] = spsa.players(0);
    assert!((plus[0] + minus[0] - 100.0).abs() < 1e-9 && plus != minus, "{plus:?} {minus:?}");
    spsa.follow(999, 2.0);
    let moved = (spsa.values[0] - 50.0).abs();
    assert!((moved - 0.002 * 2.0 * 5.0).abs() < 1e-12, "at the end a won game is worth its rate: {moved}");
}

/// Players whose strength falls with the distance of their parameters from the best ones.
#[test]
fn games_lead_to_the_better_values() {
    let best = [30.0, 80.0];
    let strength = |values: &[f64]| -values.iter().zip(best).map(|(x, best)| (x - best).powi(2)).sum::<f64>() / 200.0;
    let mut spsa = Spsa::new(vec![tunable(50.0), tunable(50.0)], Gains::new(3000, 0.02), 7);
    let mut random = Random::new(3);
    for iteration in 0..3000 {
        let [plus, minus] = spsa.players(iteration);
        let win = 1.0 / (1.0 + (-(strength(&plus) - strength(&minus))).exp());
        let surplus = (0..2).map(|_| if random.fraction() < win { 1.0 } else { -1.0 }).sum();
        spsa.follow(iteration, surplus);
    }
    assert!(spsa.values.iter().zip(best).all(|(x, best)| (x - best).abs() < 8.0), "{:?}", spsa.values);
}
