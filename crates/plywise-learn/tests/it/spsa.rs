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

#[test]
fn a_step_of_a_whole_number_is_at_least_one() {
    let small = Tunable { step: 0.1, ..tunable(50.3) };
    let hundredths = Tunable { unit: 100.0, step: 0.001, ..tunable(50.003) };
    let spsa = Spsa::new(vec![small, hundredths], Gains::new(1000, 0.02), 1);
    for iteration in 0..1000 {
        let [plus, minus] = spsa.players(iteration);
        assert_eq!((plus[0] - minus[0]).abs(), 2.0, "iteration {iteration}");
        assert!(plus[0].fract() == 0.0 && ((plus[1] - minus[1]).abs() - 0.02).abs() < 1e-9, "iteration {iteration}");
    }
}

#[test]
fn a_parameter_moves_by_what_was_sent() {
    let gains = Gains::new(1000, 0.01);
    // At its limit only one of the players can be moved: half of the difference, and twice the slope.
    let mut at_limit = Spsa::new(vec![tunable(100.0)], gains, 1);
    let sign = (at_limit.players(999)[0][0] - at_limit.players(999)[1][0]).signum();
    at_limit.follow(999, -4.0 * sign);
    assert!((at_limit.values[0] - (100.0 - 2.0 * 0.01 * 4.0 * 5.0)).abs() < 1e-9, "{:?}", at_limit.values);
    // Two players with the same values say nothing.
    let fixed = Tunable { min: 7.0, max: 7.0, ..tunable(7.0) };
    let mut fixed = Spsa::new(vec![fixed], gains, 1);
    fixed.follow(0, 2.0);
    assert_eq!((fixed.values[0], fixed.drifts()[0].deviations()), (7.0, 0.0));
}

/// Tunes two parameters by 28 games in each iteration: the first is best at 90, the second means nothing.
fn tune(spsa: &mut Spsa, seed: u64) {
    let mut random = Random::new(seed);
    for iteration in 0..spsa.gains.iterations {
        let [plus, minus] = spsa.players(iteration);
        let strength = |values: &[f64]| -(values[0] - 90.0).powi(2) / 4_000.0;
        let win = 1.0 / (1.0 + (strength(&minus) - strength(&plus)).exp());
        let surplus = (0..28).map(|_| if random.fraction() < win { 1.0 } else { -1.0 }).sum();
        spsa.follow(iteration, surplus);
    }
}

#[test]
fn a_mirrored_run_tells_what_was_real() {
    let mut real = [0, 0];
    for seed in 0..20 {
        let mut first = Spsa::new(vec![tunable(60.0), tunable(50.0)], Gains::new(300, Gains::RATE), seed);
        tune(&mut first, seed);
        let mut mirrored = first.mirrored(1000 + seed);
        assert!((mirrored.tunables[0].start - (120.0 - first.values[0]).clamp(0.0, 100.0)).abs() < 1e-9);
        tune(&mut mirrored, 1000 + seed);
        for (count, confirmation) in real.iter_mut().zip(first.confirmed_by(&mirrored)) {
            *count += i32::from(confirmation.is_real);
        }
    }
    assert!(real[0] >= 18, "the first parameter matters: confirmed {} times of 20", real[0]);
    assert!(real[1] <= 3, "the second does not: confirmed {} times of 20", real[1]);
}

#[test]
fn without_a_difference_in_strength_the_drift_is_noise() {
    let deviations: Vec<f64> = (0..100)
        .map(|seed| {
            let mut spsa = Spsa::new(vec![tunable(60.0), tunable(50.0)], Gains::new(200, Gains::RATE), seed);
            tune(&mut spsa, seed);
            spsa.drifts()[1].deviations()
        })
        .collect();
    let mean_square = deviations.iter().map(|z| z * z).sum::<f64>() / 100.0;
    assert!((0.6..1.5).contains(&mean_square), "a variance of {mean_square}");
}
