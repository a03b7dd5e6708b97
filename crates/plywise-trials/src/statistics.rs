//! What games say, for every result that a short match can have: each case is one more of them.

use crate::trial::{Failure, Trial};
use plywise_arena::statistics::{Decision, Elo, EloModel, Pentanomial, Sprt, Wdl, score_of_elo};

/// The trials of this group. The short one has every result of up to six pairs, the long one of up to thirty.
pub fn trials() -> Vec<Trial> {
    vec![Trial {
        group: "statistics",
        name: "all results".into(),
        short: 461,
        long: 278_255,
        case: Box::new(|case, _| check(result(case)).map_err(|problem| Failure::new(problem, format!("{case}")))),
    }]
}

/// The result with this number: those of fewer pairs come first.
fn result(case: u64) -> Pentanomial {
    // The number of ways to distribute `pairs` over this many outcomes.
    let results = |pairs: u64, outcomes: u64| (1..outcomes).fold(1, |product, i| product * (pairs + i) / i);
    let (mut rest, mut pairs) = (case, 1);
    while rest >= results(pairs, 5) {
        rest -= results(pairs, 5);
        pairs += 1;
    }
    let mut counts = [0; 5];
    for (better, count) in (1..5).rev().zip(&mut counts) {
        while rest >= results(pairs, better) {
            rest -= results(pairs, better);
            *count += 1;
            pairs -= 1;
        }
    }
    counts[4] = pairs;
    Pentanomial(counts)
}

/// The pairs seen by the other player.
fn mirrored(pairs: Pentanomial) -> Pentanomial {
    let Pentanomial([a, b, c, d, e]) = pairs;
    Pentanomial([e, d, c, b, a])
}

/// Games that make these pairs. A pair of one point is two draws.
fn games(Pentanomial([a, b, c, d, e]): Pentanomial) -> Wdl {
    Wdl { wins: d + 2 * e, draws: b + 2 * c + d, losses: 2 * a + b }
}

/// The games with one more, which was lost, drawn or won.
fn with_odd(pairs: Pentanomial, half_points: usize) -> Wdl {
    let mut games = games(pairs);
    *[&mut games.losses, &mut games.draws, &mut games.wins][half_points] += 1;
    games
}

fn check(pairs: Pentanomial) -> Result<(), String> {
    let elo = |games: Wdl, pairs: Pentanomial| {
        let elo = Elo::of(&games, &pairs).ok_or_else(|| format!("{games:?} {pairs:?} have no Elo"))?;
        let score = games.points() / games.games() as f64;
        let [low, high] = [elo.difference - elo.error, elo.difference + elo.error].map(score_of_elo);
        // On Elo's curve a score of 0 or 1 is infinitely far away.
        let is_inside = score == 0.0 || score == 1.0 || low < score && score < high;
        match is_inside && elo.error.is_finite() && elo.error > 0.0 && (0.0..=1.0).contains(&elo.los) {
            true => Ok(elo),
            false => Err(format!("{games:?} {pairs:?} score {score}, which {low} to {high} does not say: {elo:?}")),
        }
    };
    let even = elo(games(pairs), pairs)?;
    let other = elo(games(mirrored(pairs)), mirrored(pairs))?;
    if (even.difference + other.difference).abs() > 1e-6 || (even.error - other.error).abs() > 1e-6 {
        return Err(format!("{pairs:?} is {even:?} for one player and {other:?} for the other"));
    }
    let mut last = f64::NEG_INFINITY;
    for first in 0..3 {
        let odd = elo(with_odd(pairs, first), pairs)?;
        if odd.difference <= last {
            return Err(format!("{pairs:?} and an odd game of {first} half points is {odd:?}, a worse one {last}"));
        }
        last = odd.difference;
        let (mut least, mut most) = (even.error, even.error);
        for second in 0..3 {
            let mut next = pairs;
            next.add(first + second);
            let error = elo(games(next), next)?.error;
            (least, most) = (least.min(error), most.max(error));
        }
        if odd.error < NEAR * least || most < NEAR * odd.error {
            return Err(format!(
                "{pairs:?} and an odd game of {first} half points has an error of {}, not {least} to {most}",
                odd.error
            ));
        }
    }
    check_tests(pairs)
}

/// How near an odd game leaves the error to those of the pairs before and after it.
const NEAR: f64 = 0.9;

/// A player who scored half of the points or less is never taken for a stronger one, nor one who scored more for a weaker,
/// whatever the bounds mean.
fn check_tests(pairs: Pentanomial) -> Result<(), String> {
    let score = games(pairs).points() / games(pairs).games() as f64;
    for elo in [1.0, 10.0, 60.0, 120.0, 240.0, 500.0, 2000.0] {
        for model in [EloModel::Logistic, EloModel::Normalised] {
            for (elo0, elo1) in [(0.0, elo), (-elo, 0.0)] {
                let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, model).map_err(|error| error.to_string())?;
                let llr = sprt.llr(&pairs);
                // An outcome that was not seen counts a thousandth, and shifts the ratio by about as much.
                let is_wrong = match elo0 < 0.0 {
                    false => score <= 0.5 && (llr > 0.02 || sprt.decide(llr) == Decision::H1),
                    true => score >= 0.5 && (llr < -0.02 || sprt.decide(llr) == Decision::H0),
                };
                if is_wrong || !llr.is_finite() {
                    return Err(format!(
                        "{pairs:?} score {score}, and {model:?} {elo0} to {elo1} has a ratio of {llr}"
                    ));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_has_one_number() {
        let results: std::collections::BTreeSet<[u64; 5]> = (0..461).map(|case| result(case).0).collect();
        assert_eq!(results.len(), 461);
        assert_eq!(results.iter().map(|counts| counts.iter().sum::<u64>()).max(), Some(6));
        assert_eq!((result(0).0, result(5).0.iter().sum::<u64>()), ([0, 0, 0, 0, 1], 2));
    }
}
