//! The model: what each bin of each input adds to the log-odds that a move raises alpha, in whole numbers.

use super::prospect::{INPUTS, PriceInput, Prospect};
use crate::knowledge::{Cells, LearnedTable, Row, rows};
use crate::logarithm::log2;
use crate::params::LearnedPrice;
use plywise_game::{Depth, Score, score};
use serde::{Deserialize, Serialize};

/// The table of learned prices: a logistic regression. `plywise learn prices` fits it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceTable {
    /// The width of the intervals into which differences of scores are sorted, in the evaluation's unit.
    pub unit: Score,
    /// The log-odds of an average move, in units of 1 / [`PriceTable::ONE`].
    pub start: i32,
    /// The checksum of all numbers.
    pub checksum: u32,
    /// What each input adds, in the order of [`PriceInput::ALL`].
    #[serde(rename = "rows", with = "rows")]
    pub weights: Vec<PriceWeights>,
}

/// What the bins of an input add to the log-odds, in units of 1 / [`PriceTable::ONE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceWeights {
    /// The input.
    pub input: PriceInput,
    /// By bin.
    pub weights: Vec<i32>,
}

/// How likely a move is to raise alpha, and what says most about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Likelihood {
    /// The probability in hundredths of a percent.
    pub per_myriad: u16,
    /// The input that moves the odds furthest from those of an average move.
    pub strongest: PriceInput,
}

impl PriceTable {
    /// Log-odds of 1, as weights have them.
    pub const ONE: i32 = 1024;

    /// The largest weight.
    pub const MOST: i32 = 16 * PriceTable::ONE;

    /// A table with its checksum.
    pub fn new(unit: Score, start: i32, weights: Vec<PriceWeights>) -> PriceTable {
        let table = PriceTable { unit, start, checksum: 0, weights };
        PriceTable { checksum: table.sum(), ..table }
    }

    /// The checksum of the numbers (Fowler, Noll & Vo's 1a, of 32 bits).
    fn sum(&self) -> u32 {
        let numbers = self.weights.iter().flat_map(|input| input.weights.iter().copied());
        let bytes = [self.unit, self.start].into_iter().chain(numbers).flat_map(i32::to_le_bytes);
        bytes.fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }

    /// The log-odds that a move raises alpha, in units of 1 / [`PriceTable::ONE`].
    pub fn log_odds(&self, prospect: &Prospect) -> i32 {
        let added = self.weights.iter().zip(prospect.bins(self.unit));
        self.start + added.map(|(input, bin)| input.weights.get(bin).copied().unwrap_or(0)).sum::<i32>()
    }

    /// What the table says under one set of parameters.
    pub(crate) fn prepare(&self, params: &LearnedPrice) -> Prices {
        let mut prices = Prices {
            unit: self.unit,
            start: self.start,
            first: [0; INPUTS],
            ends: [0; INPUTS],
            weights: Vec::new(),
            costs: LOG_ODDS.map(|k| cost(params, k)).collect(),
            growth: params.growth,
        };
        for (place, input) in self.weights.iter().enumerate().take(INPUTS) {
            prices.first[place] = prices.weights.len();
            prices.weights.extend_from_slice(&input.weights);
            prices.ends[place] = prices.weights.len();
        }
        prices
    }
}

/// The table of learned prices, worked out for one set of parameters.
#[derive(Debug)]
pub(crate) struct Prices {
    unit: Score,
    start: i32,
    /// Where the weights of each input begin, and where they end.
    first: [usize; INPUTS],
    ends: [usize; INPUTS],
    weights: Vec<i32>,
    /// The price in hundredths of a ply, by log-odds in steps of [`STEP`].
    costs: Vec<i32>,
    growth: i32,
}

/// Log-odds from -16 to 16 in sixteenths.
const LOG_ODDS: std::ops::RangeInclusive<i32> = -256..=256;
/// A sixteenth, as weights have it.
const STEP: i32 = PriceTable::ONE / 16;

impl Prices {
    /// The price of a move, before it is capped, and what the price rests on if somebody asks.
    #[inline]
    pub(crate) fn price(&self, prospect: &Prospect) -> Depth {
        let bins = prospect.bins(self.unit);
        let mut log_odds = self.start;
        for (place, bin) in bins.into_iter().enumerate() {
            log_odds += self.weight(place, bin);
        }
        let cost = self.costs[sixteenths(log_odds)];
        let depth = prospect.standing.depth.in_hundredths();
        let more = if cost > 100 { (cost - 100) * self.growth / 100 * depth / 100 } else { 0 };
        Depth::hundredths(cost + more)
    }

    #[inline]
    fn weight(&self, place: usize, bin: usize) -> i32 {
        let at = self.first[place] + bin;
        // A class that the table does not know says nothing.
        if at < self.ends[place] { self.weights[at] } else { 0 }
    }

    /// How likely a move is to raise alpha, for those who watch.
    pub(crate) fn likelihood(&self, prospect: &Prospect) -> Likelihood {
        let bins = prospect.bins(self.unit);
        let weights = || bins.into_iter().enumerate().map(|(place, bin)| self.weight(place, bin));
        let strongest = weights().enumerate().max_by_key(|(place, weight)| (weight.abs(), INPUTS - place));
        let against = odds_against(sixteenths(self.start + weights().sum::<i32>()) as i32 - 256);
        Likelihood {
            per_myriad: (((10_000u128 << 32) + against / 2) / ((1 << 32) + against)) as u16,
            strongest: PriceInput::ALL[strongest.map_or(0, |(place, _)| place)],
        }
    }
}

/// The place of log-odds among the sixteenths.
#[inline]
fn sixteenths(log_odds: i32) -> usize {
    let limit = PriceTable::MOST;
    ((log_odds.clamp(-limit, limit) + limit + STEP / 2) / STEP) as usize
}

/// The odds against a move with log-odds of k sixteenths, e^(-k/16), in units of 2^-32.
fn odds_against(k: i32) -> u128 {
    // e^(1/16) and e^(-1/16) in units of 2^-40.
    const UP: u128 = 1_170_424_035_283;
    const DOWN: u128 = 1_032_895_585_848;
    let factor = if k < 0 { UP } else { DOWN };
    (0..k.abs()).fold(1 << 32, |odds, _| (odds * factor) >> 40)
}

/// The price of a move with log-odds of k sixteenths, in hundredths of a ply: 100 at the probability that costs one ply,
/// and `scale` more each time that the probability halves.
fn cost(params: &LearnedPrice, k: i32) -> i32 {
    // log2(1 / p) = log2(1 + odds against).
    let halvings = log2((1 << 32) + odds_against(k) as u64) - (32 << 32);
    let free = log2(1000) - log2(params.even as u64);
    let price = 100 + ((i128::from(halvings - free) * i128::from(params.scale)) >> 32) as i32;
    price.clamp(params.least, DEAREST)
}

/// No line is as long.
const DEAREST: i32 = 10_000;

impl LearnedTable for PriceTable {
    const KIND: &'static str = "learned_price";
    const COLUMNS: &'static str = "input weights";

    fn check(&self, move_classes: usize) -> Result<(), String> {
        if !(1..=score::EVAL_LIMIT).contains(&self.unit) {
            return Err(format!("its unit is {}, but must lie between 1 and {}", self.unit, score::EVAL_LIMIT));
        }
        if !(-PriceTable::MOST..=PriceTable::MOST).contains(&self.start) {
            return Err(format!("its start is {}, but must lie within ±{}", self.start, PriceTable::MOST));
        }
        let found: Vec<PriceInput> = self.weights.iter().map(|input| input.input).collect();
        if found != PriceInput::ALL {
            return Err("its inputs are not those of this version; learn it again".to_owned());
        }
        for PriceWeights { input, weights } in &self.weights {
            let (name, bins) = (input.name(), input.bins(move_classes));
            if weights.len() != bins {
                return Err(format!("'{name}' has {} weights, but {bins} are expected", weights.len()));
            }
        }
        match self.sum() == self.checksum {
            true => Ok(()),
            false => Err(format!("its checksum is {}, not {}", self.checksum, self.sum())),
        }
    }
}

impl Row for PriceWeights {
    fn write(&self) -> String {
        let weights: String = self.weights.iter().map(|weight| format!(" {weight}")).collect();
        self.input.name().to_owned() + &weights
    }

    fn read(cells: &mut Cells) -> Option<PriceWeights> {
        let name = cells.word()?;
        let input = *PriceInput::ALL.iter().find(|input| input.name() == name)?;
        let limit = PriceTable::MOST;
        let mut weights = Vec::new();
        while !cells.is_empty() {
            weights.push(cells.number(-limit..=limit)?);
        }
        Some(PriceWeights { input, weights })
    }
}

#[cfg(test)]
mod tests {
    use super::super::prospect::tests::prospect;
    use super::*;
    use crate::{Params, params};

    /// A table in which the number of the move alone counts.
    fn by_number(log_odds: &[i32]) -> PriceTable {
        let weights = PriceInput::ALL.iter().map(|&input| {
            let mut weights = vec![0; input.bins(4)];
            if input == PriceInput::Number {
                weights.iter_mut().zip(log_odds).for_each(|(weight, &log_odds)| *weight = log_odds);
            }
            PriceWeights { input, weights }
        });
        PriceTable::new(20, 0, weights.collect())
    }

    #[test]
    fn prices_are_logarithms_of_probabilities() {
        let params = |even, scale| params::LearnedPrice { even, scale, least: 100, ..Params::DEFAULT.learned_price };
        for k in LOG_ODDS {
            let p = 1.0 / (1.0 + f64::exp(-f64::from(k) / 16.0));
            let expected = (100.0 + 80.0 * (0.05f64.log2() - p.log2())).clamp(100.0, f64::from(DEAREST));
            let found = f64::from(cost(&params(50, 80), k));
            assert!((found - expected).abs() < 1.001, "{k}: {found}, {expected}");
        }
        assert_eq!(cost(&params(500, 80), 0), 100, "one half costs a ply where that is even");
        assert_eq!(cost(&params(500, 0), -256), 100);
    }

    #[test]
    fn a_move_costs_what_its_inputs_say() {
        let table = by_number(&[0, -2048]);
        let params = params::LearnedPrice { even: 500, scale: 100, growth: 0, ..Params::DEFAULT.learned_price };
        let prices = table.prepare(&params);
        // p = 1 / (1 + e²) = 0.1192, and log2(0.5 / p) = 2.068.
        assert_eq!(prices.price(&prospect()).in_hundredths(), 306);
        assert_eq!(table.log_odds(&prospect()), -2048);
        let likelihood = Likelihood { per_myriad: 1192, strongest: PriceInput::Number };
        assert_eq!(prices.likelihood(&prospect()), likelihood);
        let unknown = Prospect { class: 9, ..prospect() };
        assert_eq!(prices.price(&unknown).in_hundredths(), 306, "a class that the table does not know");
        let grown = params::LearnedPrice { growth: 10, ..params };
        assert_eq!(table.prepare(&grown).price(&prospect()).in_hundredths(), 306 + 60, "30 % more at three plies");
    }
}
