//! The positions of games, as a trainer needs them.

mod packed;

pub use packed::{Packed, Sample};

use crate::data::{self, DataError, PackedGame};
use plywise_game::pgn::GameResult;
use plywise_game::random::Random;
use plywise_game::{BoardGame, Evaluate, GameInfo, Score, score};
use plywise_search::Bound;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;

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

/// What is known of a position of a game.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) score: Option<Score>,
    /// The points that the side to move made in the end.
    pub(crate) result: Option<f64>,
    pub(crate) bound: Bound,
}

impl Filter {
    /// Hands the positions of a game that pass, those away from the game included, to `each`.
    pub(crate) fn select<G: BoardGame>(
        &self,
        info: &GameInfo<G>,
        game: &PackedGame,
        mut each: impl FnMut(&G::Position, Known),
    ) -> Result<(), DataError> {
        let replay = game.replay(info)?;
        let within = if self.skip_interior { &[][..] } else { &game.interior };
        let mut interior = Vec::with_capacity(within.len());
        for each in within {
            interior.push((data::parse(info, &each.position)?, each));
        }
        let mut take = |position: &G::Position, score: Option<Score>, result: GameResult, bound: Bound| {
            let known = Known { score, result: result.points(G::side_to_move(position)), bound };
            if self.takes::<G>(position, &known) {
                each(position, known);
            }
        };
        for (number, ply) in game.plies.iter().enumerate().skip(self.skip_plies) {
            let (position, mv) = (&replay.positions[number], replay.moves[number]);
            let is_tactical = self.skip_tactical && G::tactical_value(position, mv).is_some();
            if !is_tactical {
                take(position, ply.score.get(), game.result, Bound::Exact);
            }
        }
        for (position, each) in &interior {
            take(position, each.score.get(), GameResult::Unknown, each.bound);
        }
        Ok(())
    }

    fn takes<G: BoardGame>(&self, position: &G::Position, known: &Known) -> bool {
        let is_decided = known.score.is_some_and(score::is_decided);
        let is_large = !is_decided && known.score.is_some_and(|score| score.saturating_abs() > self.largest_score);
        !(self.skip_decided && is_decided
            || is_large
            || known.score.is_none() && known.result.is_none()
            || self.skip_checks && G::in_check(position))
    }
}

/// Adds the hashes of the positions of a game that are learned from.
pub(crate) fn hash_quiet_positions<G: BoardGame>(
    info: &GameInfo<G>,
    game: &PackedGame,
    hashes: &mut Vec<u64>,
) -> Result<(), DataError> {
    Filter::default().select(info, game, |position, _| hashes.push(G::hash(position)))
}

/// Which games are held back for validation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Their share, from 0 to 1.
    pub share: f64,
    /// The seed of the lots that decide, also of those that decide in which part a position lies.
    pub seed: u64,
}

/// Takes positions out of games, whatever the game.
pub trait Sampler {
    /// Adds the positions of a game that pass the filter.
    fn add(&mut self, game: &PackedGame) -> Result<(), DataError>;

    /// All positions that were added.
    fn finish(self: Box<Self>) -> Result<Samples, DataError>;
}

/// A sampler of a game that is known by its type.
pub(crate) struct TypedSampler<G: BoardGame> {
    info: GameInfo<G>,
    samples: Samples,
    filter: Filter,
    /// What a network is added to.
    linear: Option<G::Evaluation>,
}

impl<G: BoardGame> TypedSampler<G> {
    pub(crate) fn new(
        info: &GameInfo<G>,
        filter: &Filter,
        linear: Option<G::Evaluation>,
        samples: Samples,
    ) -> TypedSampler<G> {
        TypedSampler { info: info.clone(), samples, filter: filter.clone(), linear }
    }
}

impl<G: BoardGame> Sampler for TypedSampler<G> {
    fn add(&mut self, game: &PackedGame) -> Result<(), DataError> {
        let TypedSampler { info, samples, filter, linear } = self;
        samples.add_game(info, game, filter, |position| linear.as_mut().map_or(0, |linear| linear.evaluate(position)))
    }

    fn finish(mut self: Box<Self>) -> Result<Samples, DataError> {
        self.samples.flush()?;
        Ok(self.samples)
    }
}

/// The parts of the positions that are learned from. Two of them are in memory at a time.
pub(crate) const PARTS: usize = 64;

/// Positions for training: those learned from, each in a part that a lot decides, and those held back.
///
/// An epoch takes the parts in random order and each part's positions in random order, so all of them need not be in
/// memory. They lie there or in files, and that changes nothing else.
#[derive(Debug)]
pub struct Samples {
    feature_count: usize,
    /// For each symmetry of the board, where it takes each feature.
    twins: Vec<Vec<u16>>,
    split: Split,
    parts: Vec<Shelf>,
    held_back: Shelf,
    counts: ResultCounts,
    game_count: u64,
    /// The positions of the game that is being added.
    of_game: Packed,
}

/// Why there is no scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScaleError {
    /// A draw.
    #[error("no scale can be fitted: no game with scores was won or lost")]
    NoDecisiveGames,
    /// Scores and results have nothing to do with each other.
    #[error("no scale can be fitted: the scores say nothing about the results")]
    Unrelated,
}

impl Samples {
    /// No positions of this game yet. They will be in memory, or in files in a private folder and that are gone
    /// with this value.
    pub fn new<G: BoardGame>(split: Split, folder: Option<&Path>) -> Result<Samples, DataError> {
        let twins = |symmetry| (0..G::FEATURES).map(|feature| G::twin_feature(feature, symmetry) as u16).collect();
        let shelf = || Shelf::new(folder).map_err(DataError::Kept);
        Ok(Samples {
            feature_count: G::FEATURES,
            twins: (0..G::SYMMETRIES.max(1)).map(twins).collect(),
            split,
            parts: (0..PARTS).map(|_| shelf()).collect::<Result<_, _>>()?,
            held_back: shelf()?,
            counts: ResultCounts::default(),
            game_count: 0,
            of_game: Packed::default(),
        })
    }

    /// How many there are to learn from.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.count).sum()
    }

    /// Whether there are none to learn from.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many are held back.
    pub fn held_back_len(&self) -> usize {
        self.held_back.count
    }

    /// How many features their game has.
    pub fn feature_count(&self) -> usize {
        self.feature_count
    }

    /// How many games were added.
    pub fn game_count(&self) -> u64 {
        self.game_count
    }

    /// The positions that are held back.
    pub fn held_back(&self) -> Result<Packed, DataError> {
        self.held_back.load().map_err(DataError::Kept)
    }

    /// A part of those to learn from, by its number below [`PARTS`].
    pub(crate) fn part(&self, part: usize) -> Result<Packed, DataError> {
        self.parts[part].load().map_err(DataError::Kept)
    }

    /// Where each feature goes in a symmetry of the board.
    pub(crate) fn twins(&self) -> &[Vec<u16>] {
        &self.twins
    }

    /// Adds the positions of a game that pass the filter, those away from the game included. `linear` gives the linear
    /// evaluation of a position, for a network that is added to it; elsewhere it may answer 0.
    pub fn add_game<G: BoardGame>(
        &mut self,
        info: &GameInfo<G>,
        game: &PackedGame,
        filter: &Filter,
        linear: impl FnMut(&G::Position) -> Score,
    ) -> Result<(), DataError> {
        let Samples { split: Split { share, seed }, parts, held_back, counts, game_count, of_game, .. } = self;
        of_game.clear();
        of_game.add_game(info, game, filter, linear)?;
        let mut lots = Random::stream(*seed, *game_count);
        let is_held_back = lots.fraction() < *share;
        for place in 0..of_game.len() {
            let shelf = if is_held_back { &mut *held_back } else { &mut parts[lots.below(PARTS)] };
            shelf.add(of_game.words(place)).map_err(DataError::Kept)?;
            counts.add(&of_game.get(place));
        }
        *game_count += 1;
        Ok(())
    }

    /// Makes sure that files have all that was added.
    pub fn flush(&mut self) -> Result<(), DataError> {
        let mut shelves = self.parts.iter_mut().chain([&mut self.held_back]);
        shelves.try_for_each(Shelf::flush).map_err(DataError::Kept)
    }

    /// The scale K under which scores predict results best: a player with a score s is expected to make
    /// 1/(1 + exp(−s/K)) points.
    pub fn fit_scale(&self) -> Result<f64, ScaleError> {
        self.counts.fit_scale()
    }
}

/// A place for positions.
#[derive(Debug)]
struct Shelf {
    store: Store,
    count: usize,
}

#[derive(Debug)]
enum Store {
    Memory(Packed),
    File(BufWriter<File>),
}

impl Shelf {
    fn new(folder: Option<&Path>) -> io::Result<Shelf> {
        let store = match folder {
            None => Store::Memory(Packed::default()),
            Some(folder) => Store::File(BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(folder)?)),
        };
        Ok(Shelf { store, count: 0 })
    }

    fn add(&mut self, sample: &[u16]) -> io::Result<()> {
        self.count += 1;
        match &mut self.store {
            Store::Memory(packed) => packed.add(sample),
            Store::File(file) => sample.iter().try_for_each(|word| file.write_all(&word.to_le_bytes()))?,
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.store {
            Store::Memory(_) => Ok(()),
            Store::File(file) => file.flush(),
        }
    }

    fn load(&self) -> io::Result<Packed> {
        match &self.store {
            Store::Memory(packed) => Ok(packed.clone()),
            Store::File(file) => {
                let (mut file, mut bytes) = (file.get_ref(), Vec::new());
                file.rewind()?;
                file.read_to_end(&mut bytes)?;
                let packed = Packed::from_bytes(&bytes).filter(|packed| packed.len() == self.count);
                packed.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a file was changed"))
            }
        }
    }
}

/// How often games were lost, drawn and won after a score, for each score in two bytes.
#[derive(Debug)]
struct ResultCounts(Vec<[u64; 3]>);

impl Default for ResultCounts {
    fn default() -> ResultCounts {
        ResultCounts(vec![[0; 3]; 1 << 16])
    }
}

impl ResultCounts {
    /// Counts a position whose score is exact and decides nothing.
    fn add(&mut self, sample: &Sample) {
        let is_clear = sample.bound == Bound::Exact && sample.score.abs() < score::EVAL_LIMIT as f32;
        if is_clear && !sample.result.is_nan() {
            self.0[usize::from(sample.score as i16 as u16)][(2.0 * sample.result) as usize] += 1;
        }
    }

    /// Found by golden-section search.
    fn fit_scale(&self) -> Result<f64, ScaleError> {
        const SMALLEST: f64 = 1.0;
        const LARGEST: f64 = 100_000.0;
        let counts = self.0.iter().enumerate().filter(|(_, counts)| **counts != [0; 3]);
        let counts: Vec<(f64, [u64; 3])> =
            counts.map(|(score, &counts)| (f64::from(score as u16 as i16), counts)).collect();
        if counts.iter().all(|(_, [losses, _, wins])| losses + wins == 0) {
            return Err(ScaleError::NoDecisiveGames);
        }
        let loss = |scale: f64| -> f64 {
            let losses = counts.iter().map(|(score, counts)| {
                let each = [0.0, 0.5, 1.0].map(|result| cross_entropy(score / scale, result));
                each.iter().zip(counts).map(|(loss, &count)| loss * count as f64).sum::<f64>()
            });
            losses.sum()
        };
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
