//! The positions of games, as a trainer needs them.

use crate::data::{self, DataError, GameResult, PackedGame};
use plywise_game::random::Random;
use plywise_game::{BoardGame, Score, Side, score};
use plywise_search::Bound;
use serde::{Deserialize, Serialize};

/// Which positions of a game are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// The first plies of each game.
    pub skip_plies: usize,
    /// Positions in check.
    pub skip_checks: bool,
    /// Positions in which a tactical move was played.
    pub skip_tactical: bool,
    /// Positions that the search saw won or lost.
    pub skip_decided: bool,
    /// Positions from within the searches.
    pub skip_interior: bool,
    /// Scores beyond ± this.
    pub largest_score: Score,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            skip_plies: 0,
            skip_checks: true,
            skip_tactical: true,
            skip_decided: true,
            skip_interior: false,
            largest_score: score::EVAL_LIMIT,
        }
    }
}

/// One position of the [`Samples`].
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Its features as the side to move sees them.
    pub mover: &'a [u16],
    /// Its features as the other side sees them, in the same order.
    pub other: &'a [u16],
    /// What the search thought of it, in points for the side to move; not a number where nothing is known.
    pub score: f32,
    /// The points that the side to move made in the end, from 0 to 1; not a number where nothing is known.
    pub result: f32,
    /// On which side of the score the value lies.
    pub bound: Bound,
    /// The linear evaluation for the side to move, in points; 0 where nobody asked for it.
    pub linear: f32,
}

/// Positions for training.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    feature_count: usize,
    /// For each symmetry of the board, where it takes each feature.
    twins: Vec<Vec<u16>>,
    /// Where the features of each sample begin, and last where those of the last one end.
    starts: Vec<usize>,
    /// The features that the side to move sees, then those that the other does.
    features: Vec<u16>,
    scores: Vec<f32>,
    results: Vec<f32>,
    bounds: Vec<Bound>,
    linear: Vec<f32>,
    hashes: Vec<u64>,
    /// The number of the game of each sample.
    games: Vec<u32>,
    game_count: u32,
}

/// Why there is no scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScaleError {
    /// Nobody won.
    #[error("no scale can be fitted: no game with scores was won or lost")]
    NoDecisiveGames,
    /// Scores and results have nothing to do with each other.
    #[error("no scale can be fitted: the scores say nothing about the results")]
    Unrelated,
}

impl Samples {
    /// No positions of this game yet.
    pub fn new<G: BoardGame>() -> Samples {
        let twins = |symmetry| (0..G::FEATURES).map(|feature| G::twin_feature(feature, symmetry) as u16).collect();
        Samples {
            feature_count: G::FEATURES,
            twins: (0..G::SYMMETRIES.max(1)).map(twins).collect(),
            starts: vec![0],
            ..Samples::default()
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// How many features their game has.
    pub fn feature_count(&self) -> usize {
        self.feature_count
    }

    /// How many games were added.
    pub fn game_count(&self) -> usize {
        self.game_count as usize
    }

    /// How many positions differ.
    pub fn distinct(&self) -> usize {
        let mut hashes = self.hashes.clone();
        hashes.sort_unstable();
        hashes.dedup();
        hashes.len()
    }

    /// The memory that they take up, in bytes.
    pub fn memory(&self) -> u64 {
        let each = 3 * size_of::<f32>() + size_of::<Bound>() + size_of::<u32>() + size_of::<u64>() + size_of::<usize>();
        (self.features.len() * size_of::<u16>() + self.len() * each) as u64
    }

    /// A sample by its number, below [`len`](Samples::len).
    #[inline]
    pub fn get(&self, number: usize) -> Sample<'_> {
        let features = &self.features[self.starts[number]..self.starts[number + 1]];
        let (mover, other) = features.split_at(features.len() / 2);
        Sample {
            mover,
            other,
            score: self.scores[number],
            result: self.results[number],
            bound: self.bounds[number],
            linear: self.linear[number],
        }
    }

    /// Where each feature goes in a symmetry of the board.
    pub(crate) fn twins(&self) -> &[Vec<u16>] {
        &self.twins
    }

    /// Adds the positions of a game that pass the filter, those away from the game included. `linear` gives the linear
    /// evaluation of a position, for a network that is added to it; elsewhere it may answer 0.
    pub fn add_game<G: BoardGame>(
        &mut self,
        game: &PackedGame,
        filter: &Filter,
        mut linear: impl FnMut(&G::Position) -> Score,
    ) -> Result<(), DataError> {
        let replay = game.replay::<G>()?;
        let within = if filter.skip_interior { &[][..] } else { &game.interior };
        let mut interior = Vec::with_capacity(within.len());
        for each in within {
            interior.push((data::parse::<G>(&each.position)?, each));
        }
        for (number, ply) in game.plies.iter().enumerate().skip(filter.skip_plies) {
            let (position, mv) = (&replay.positions[number], replay.moves[number]);
            let is_tactical = filter.skip_tactical && G::tactical_value(position, mv).is_some();
            if !is_tactical {
                let score = ply.score.get();
                self.push::<G>(position, score, game.result, Bound::Exact, filter, &mut linear);
            }
        }
        for (position, each) in &interior {
            self.push::<G>(position, each.score.get(), GameResult::Unknown, each.bound, filter, &mut linear);
        }
        self.game_count += 1;
        Ok(())
    }

    fn push<G: BoardGame>(
        &mut self,
        position: &G::Position,
        score: Option<Score>,
        result: GameResult,
        bound: Bound,
        filter: &Filter,
        linear: &mut impl FnMut(&G::Position) -> Score,
    ) {
        let is_decided = score.is_some_and(score::is_decided);
        let is_large = !is_decided && score.is_some_and(|score| score.saturating_abs() > filter.largest_score);
        let side = G::side_to_move(position);
        let result = result.points(side);
        if filter.skip_decided && is_decided
            || is_large
            || score.is_none() && result.is_none()
            || filter.skip_checks && G::in_check(position)
        {
            return;
        }
        self.push_features::<G>(position, side);
        self.scores.push(score.map_or(f32::NAN, |score| score as f32));
        self.results.push(result.unwrap_or(f32::NAN));
        self.bounds.push(bound);
        self.linear.push(linear(position) as f32);
        self.hashes.push(G::hash(position));
        self.games.push(self.game_count);
    }

    fn push_features<G: BoardGame>(&mut self, position: &G::Position, side: Side) {
        let start = self.features.len();
        G::features(position, |pair| self.features.push(pair[side as usize] as u16));
        G::features(position, |pair| self.features.push(pair[!side as usize] as u16));
        debug_assert!(self.features[start..].iter().all(|&feature| usize::from(feature) < self.feature_count));
        self.starts.push(self.features.len());
    }

    /// Takes out the positions of a share of the games, from 0 to 1, for validation: what is left for training, and those.
    pub fn split(mut self, share: f64, seed: u64) -> (Samples, Samples) {
        let is_taken: Vec<bool> =
            (0..self.game_count).map(|game| Random::stream(seed, game.into()).fraction() < share).collect();
        let mut taken = Samples {
            feature_count: self.feature_count,
            twins: self.twins.clone(),
            starts: vec![0],
            game_count: self.game_count,
            ..Samples::default()
        };
        let mut kept = 0;
        for number in 0..self.len() {
            if is_taken[self.games[number] as usize] {
                taken.copy(&self, number);
            } else {
                self.keep(number, kept);
                kept += 1;
            }
        }
        self.shorten(kept);
        let of_validation = is_taken.iter().filter(|taken| **taken).count() as u32;
        self.game_count -= of_validation;
        taken.game_count = of_validation;
        (self, taken)
    }

    fn copy(&mut self, from: &Samples, number: usize) {
        self.features.extend_from_slice(&from.features[from.starts[number]..from.starts[number + 1]]);
        self.starts.push(self.features.len());
        self.scores.push(from.scores[number]);
        self.results.push(from.results[number]);
        self.bounds.push(from.bounds[number]);
        self.linear.push(from.linear[number]);
        self.hashes.push(from.hashes[number]);
        self.games.push(from.games[number]);
    }

    /// Moves a sample to a place before it, or leaves it where it is.
    fn keep(&mut self, number: usize, place: usize) {
        let range = self.starts[number]..self.starts[number + 1];
        let start = self.starts[place];
        let end = start + range.len();
        self.features.copy_within(range, start);
        self.starts[place + 1] = end;
        self.scores[place] = self.scores[number];
        self.results[place] = self.results[number];
        self.bounds[place] = self.bounds[number];
        self.linear[place] = self.linear[number];
        self.hashes[place] = self.hashes[number];
        self.games[place] = self.games[number];
    }

    fn shorten(&mut self, count: usize) {
        self.starts.truncate(count + 1);
        self.features.truncate(self.starts[count]);
        self.scores.truncate(count);
        self.results.truncate(count);
        self.bounds.truncate(count);
        self.linear.truncate(count);
        self.hashes.truncate(count);
        self.games.truncate(count);
    }

    /// The scale K under which scores predict results best: a player with a score s is expected to make
    /// 1/(1 + exp(−s/K)) points. Found by golden-section search.
    pub fn fit_scale(&self) -> Result<f64, ScaleError> {
        const SMALLEST: f64 = 1.0;
        const LARGEST: f64 = 100_000.0;
        let pairs: Vec<(f64, f64)> = (0..self.len())
            .map(|number| self.get(number))
            .filter(|sample| sample.bound == Bound::Exact && sample.score.abs() < score::EVAL_LIMIT as f32)
            .map(|sample| (f64::from(sample.score), f64::from(sample.result)))
            .filter(|(_, result)| !result.is_nan())
            .collect();
        if pairs.iter().all(|&(_, result)| result == 0.5) {
            return Err(ScaleError::NoDecisiveGames);
        }
        let loss =
            |scale: f64| -> f64 { pairs.iter().map(|&(score, result)| cross_entropy(score / scale, result)).sum() };
        let golden = (5f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (SMALLEST.ln(), LARGEST.ln());
        while high - low > 1e-4 {
            let (left, right) = (high - golden * (high - low), low + golden * (high - low));
            if loss(left.exp()) < loss(right.exp()) { high = right } else { low = left }
        }
        let scale = ((low + high) / 2.0).exp();
        if scale > LARGEST * 0.99 { Err(ScaleError::Unrelated) } else { Ok(scale) }
    }
}

/// What a value costs that promises 1/(1 + exp(−value)) points where `target` were made.
fn cross_entropy(value: f64, target: f64) -> f64 {
    value.max(0.0) - value * target + (-value.abs()).exp().ln_1p()
}
