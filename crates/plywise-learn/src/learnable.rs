use crate::chances::ScoreCounts;
use crate::control::{CountingSearch, PathDepth, Slots, counting_search, path_depth};
use crate::data::{DataError, Judged, PackedGame, judged_positions, lone_position};
use crate::examples::{Selection, add_game};
use crate::fit::Examples;
use crate::gather::count_classes;
use crate::imitation::{Columns, Imitation, Mentored, Sample};
use crate::samples::{Filter, Sampler, Samples, Split, TypedSampler, hash_quiet_positions};
use crate::self_play::{Players, SelfPlay, players};
use plywise_game::Score;
use plywise_game::pgn::GameResult;
use plywise_host::{AnyGame, AnyPosition, HostError, Hosted, Move, Playable, Record, Setup};
use plywise_search::ClassCounts;
use plywise_search::Params;
use plywise_search::params::Extensions;
use std::path::Path;

/// A game as a value that can be learned about: what the learners' inner loops ask of it, in large pieces.
///
/// Everything here is compiled for each game in this crate, with all optimisation; what calls it need not know the game.
pub trait LearnableGame: AnyGame {
    /// Positions in which winners moved, as evaluations with weights in these columns see them; see [`Imitation::new`].
    fn imitation(&self, samples: &[Sample], columns: &Columns, params: &Params, seed: u64, threads: usize)
    -> Imitation;

    /// Positions with the scores of a mentor, as evaluations with weights in these columns see them; see
    /// [`Mentored::new`].
    fn mentored(
        &self,
        positions: &[(AnyPosition, Score)],
        columns: &Columns,
        params: &Params,
        threads: usize,
    ) -> Mentored;

    /// A search that can count along what altered prices would cost, if no table is missing and memory suffices.
    fn counting_search(&self, setup: &Setup) -> Result<Box<dyn CountingSearch>, HostError>;

    /// How deep a line from a position lies at these prices; `None` for a position of another game.
    fn path_depth(
        &self,
        position: &AnyPosition,
        path: &[Move],
        prices: &Extensions,
        slots: &Slots,
    ) -> Option<PathDepth>;

    // Games, and what they teach.

    /// Players that play against themselves.
    fn self_play(&self, play: &SelfPlay) -> Result<Box<dyn Players>, HostError>;

    /// How often moves of each class were played in the game that led to a position, and how often available.
    fn count_classes(&self, game: &AnyPosition) -> Vec<ClassCounts>;

    /// Adds the quiet positions of a game that are selected. A game without a result has none.
    fn add_quiet_positions(&self, record: &Record, selection: &Selection, examples: &mut Examples);

    /// What takes positions out of games for a network. `linear` has the evaluation that it is added to, if it is. The
    /// positions will be in memory, or in files in a folder.
    fn sampler(
        &self,
        filter: &Filter,
        linear: Option<&Setup>,
        split: Split,
        folder: Option<&Path>,
    ) -> Result<Box<dyn Sampler>, DataError>;

    /// Adds the hashes of the positions of a game that networks learn from.
    fn hash_quiet_positions(&self, game: &PackedGame, hashes: &mut Vec<u64>) -> Result<(), DataError>;

    /// Hands over the positions of a game that networks learn from, if both a score and a result are known.
    fn judged_positions(&self, game: &PackedGame, each: &mut dyn FnMut(Judged)) -> Result<(), DataError>;

    /// A game of one quiet move that holds a position, if there is such a move. The score and the result are those of the
    /// first player, who is to move.
    fn lone_position(&self, text: &str, score: Score, result: GameResult) -> Result<Option<PackedGame>, DataError>;

    /// Counts how a game went on from its positions, by the scores of their searches.
    fn count_scores(&self, game: &PackedGame, counts: &mut ScoreCounts) -> Result<(), DataError>;
}

impl<G: Playable> LearnableGame for Hosted<G> {
    fn imitation(
        &self,
        samples: &[Sample],
        columns: &Columns,
        params: &Params,
        seed: u64,
        threads: usize,
    ) -> Imitation {
        Imitation::new::<G>(samples, columns.clone(), params, seed, threads)
    }

    fn mentored(
        &self,
        positions: &[(AnyPosition, Score)],
        columns: &Columns,
        params: &Params,
        threads: usize,
    ) -> Mentored {
        Mentored::new::<G>(positions, columns.clone(), params, threads)
    }

    fn counting_search(&self, setup: &Setup) -> Result<Box<dyn CountingSearch>, HostError> {
        counting_search::<G>(setup)
    }

    fn path_depth(
        &self,
        position: &AnyPosition,
        path: &[Move],
        prices: &Extensions,
        slots: &Slots,
    ) -> Option<PathDepth> {
        path_depth::<G>(position, path, prices, slots)
    }

    fn self_play(&self, play: &SelfPlay) -> Result<Box<dyn Players>, HostError> {
        players(self, play)
    }

    fn count_classes(&self, game: &AnyPosition) -> Vec<ClassCounts> {
        game.typed::<G>().map(count_classes).unwrap_or_default()
    }

    fn add_quiet_positions(&self, record: &Record, selection: &Selection, examples: &mut Examples) {
        add_game::<G>(examples, record, selection);
    }

    fn sampler(
        &self,
        filter: &Filter,
        linear: Option<&Setup>,
        split: Split,
        folder: Option<&Path>,
    ) -> Result<Box<dyn Sampler>, DataError> {
        let linear = linear.map(|setup| G::evaluation(setup.weights.to_typed()));
        let samples = Samples::new::<G>(split, folder)?;
        Ok(Box::new(TypedSampler::new(self.info(), filter, linear, samples)))
    }

    fn hash_quiet_positions(&self, game: &PackedGame, hashes: &mut Vec<u64>) -> Result<(), DataError> {
        hash_quiet_positions(self.info(), game, hashes)
    }

    fn judged_positions(&self, game: &PackedGame, each: &mut dyn FnMut(Judged)) -> Result<(), DataError> {
        judged_positions(self.info(), game, each)
    }

    fn lone_position(&self, text: &str, score: Score, result: GameResult) -> Result<Option<PackedGame>, DataError> {
        lone_position(self.info(), text, score, result)
    }

    fn count_scores(&self, game: &PackedGame, counts: &mut ScoreCounts) -> Result<(), DataError> {
        counts.add_game(self.info(), game)
    }
}
