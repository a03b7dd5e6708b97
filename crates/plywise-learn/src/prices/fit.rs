//! Fits the logistic regression of learned prices.

use super::Sighting;
use plywise_game::Score;
use plywise_search::{INPUTS, PriceInput, PriceTable, PriceWeights};

/// A sighting as the model sees it.
pub(super) struct Row {
    bins: [u16; INPUTS],
    raised: bool,
}

/// Sightings as the model sees them.
pub(super) fn rows(sightings: &[Sighting], unit: Score, classes: usize) -> Vec<Row> {
    let row = |sighting: &Sighting| {
        let limits = PriceInput::ALL.iter().map(|input| input.bins(classes).saturating_sub(1));
        let mut bins = [0; INPUTS];
        for ((bin, found), most) in bins.iter_mut().zip(sighting.prospect.bins(unit)).zip(limits) {
            *bin = found.min(most) as u16;
        }
        Row { bins, raised: sighting.raised }
    };
    sightings.iter().map(row).collect()
}

/// What pulls each weight towards 0: the weight of this many sightings that say nothing.
const DOUBT: f64 = 1.0;
/// Most sweeps over all inputs.
const SWEEPS: usize = 60;
/// When the log loss of a sweep is better by less than this, in nats for each sighting, the fit is done.
const ENOUGH: f64 = 2e-6;
/// No step of a weight is longer.
const LONGEST_STEP: f64 = 1.0;

/// The table that makes the sightings most likely, by steps of Newton's method, one input after the other: the bins of an
/// input share no sighting, so that a step for all of them needs one pass. `without` says which inputs are left out.
pub(super) fn fit(rows: &[Row], unit: Score, classes: usize, without: &dyn Fn(PriceInput) -> bool) -> PriceTable {
    let mut weights: Vec<Vec<f64>> = PriceInput::ALL.iter().map(|input| vec![0.0; input.bins(classes)]).collect();
    let raised = rows.iter().filter(|row| row.raised).count() as f64;
    let mut start = ((raised + 1.0) / (rows.len() as f64 - raised + 1.0)).ln();
    let mut log_odds = vec![start; rows.len()];
    let mut before = f64::INFINITY;
    for _ in 0..SWEEPS {
        let mut loss = 0.0;
        for (place, &input) in PriceInput::ALL.iter().enumerate().filter(|(_, input)| !without(**input)) {
            let mut slopes = vec![(0.0, DOUBT); weights[place].len()];
            loss = 0.0;
            for (row, &log_odds) in rows.iter().zip(&log_odds) {
                let p = 1.0 / (1.0 + f64::exp(-log_odds));
                let (slope, curve) = &mut slopes[usize::from(row.bins[place])];
                *slope += f64::from(u8::from(row.raised)) - p;
                *curve += p * (1.0 - p);
                loss -= if row.raised { p.max(1e-12).ln() } else { (1.0 - p).max(1e-12).ln() };
            }
            let limit = f64::from(PriceTable::MOST / PriceTable::ONE) / 2.0;
            let steps: Vec<f64> = (slopes.iter().zip(&mut weights[place]))
                .map(|((slope, curve), weight)| {
                    let step = ((slope - DOUBT * *weight) / curve).clamp(-LONGEST_STEP, LONGEST_STEP);
                    let moved = (*weight + step).clamp(-limit, limit);
                    moved - std::mem::replace(weight, moved)
                })
                .collect();
            for (row, log_odds) in rows.iter().zip(&mut log_odds) {
                *log_odds += steps[usize::from(row.bins[place])];
            }
            debug_assert_eq!(input.bins(classes), weights[place].len());
        }
        loss /= rows.len().max(1) as f64;
        if before - loss < ENOUGH {
            break;
        }
        before = loss;
    }
    // Weights are relative to an average move, so they show what is special about one.
    for (place, weights) in weights.iter_mut().enumerate() {
        let sum: f64 = rows.iter().map(|row| weights[usize::from(row.bins[place])]).sum();
        let mean = sum / rows.len().max(1) as f64;
        if mean != 0.0 {
            weights.iter_mut().for_each(|weight| *weight -= mean);
            start += mean;
        }
    }
    rounded(rows, unit, start, &weights)
}

/// The table in whole numbers. A bin that was never seen says nothing.
fn rounded(rows: &[Row], unit: Score, start: f64, weights: &[Vec<f64>]) -> PriceTable {
    let whole = |number: f64| (number * f64::from(PriceTable::ONE)).round() as i32;
    let whole = |number: f64| whole(number).clamp(-PriceTable::MOST, PriceTable::MOST);
    let inputs = PriceInput::ALL.iter().enumerate().map(|(place, &input)| {
        let mut seen = vec![false; weights[place].len()];
        rows.iter().for_each(|row| seen[usize::from(row.bins[place])] = true);
        let weights = weights[place].iter().zip(seen);
        PriceWeights { input, weights: weights.map(|(&weight, seen)| if seen { whole(weight) } else { 0 }).collect() }
    });
    PriceTable::new(unit, whole(start), inputs.collect())
}

#[cfg(test)]
mod tests {
    use super::super::chance;
    use super::super::sighting::tests::sighting;
    use super::*;
    use plywise_game::random::Random;

    #[test]
    fn the_probabilities_that_made_the_sightings_are_found() {
        let mut random = Random::new(1);
        let truth = |number: usize, class: usize| 1.0 / (1.0 + f64::exp(number as f64 / 3.0 - class as f64));
        let sightings: Vec<Sighting> = (0..40_000)
            .map(|_| {
                let (number, class) = (2 + random.below(5), random.below(3));
                let mut one = sighting(number, random.fraction() < truth(number, class));
                one.prospect.class = class;
                one
            })
            .collect();
        let table = fit(&rows(&sightings, 20, 3), 20, 3, &|_| false);
        for (number, class) in [(2, 0), (2, 2), (4, 1), (6, 0), (6, 2)] {
            let mut one = sighting(number, false);
            one.prospect.class = class;
            let (found, truth) = (chance(&table, &one), truth(number, class));
            assert!((found - truth).abs() < 0.03, "{number} {class}: {found:.3}, {truth:.3}");
        }
        let blind = fit(&rows(&sightings, 20, 3), 20, 3, &|input| input == PriceInput::Class);
        let by_class = |table: &PriceTable| {
            let of = |class| {
                let mut one = sighting(4, false);
                one.prospect.class = class;
                chance(table, &one)
            };
            of(2) - of(0)
        };
        assert!(by_class(&table) > 0.3 && by_class(&blind) == 0.0);
    }
}
