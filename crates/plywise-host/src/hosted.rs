use crate::engine::TypedEngine;
use crate::game::NetworkShares;
use crate::records::{read_epd, read_pgn};
use crate::{AnyGame, AnyPosition, Engine, HostError, Playable, Records, Setup, SuiteEntries, Weights};
use plywise_game::features::Sight;
use plywise_game::{Chances, Evaluate, Explanation, GameInfo, GameSoFar, Grade, Linear, NotationError, Score, score};
use plywise_search::{Knowledge, ProfiledGame};
use plywise_tree::{Board, KnownBoard};
use std::io::BufRead;

/// A game that is known by its type, as a value.
///
/// Its name and where its games begin are values: a game whose rules come from elsewhere, as those written in Python do, is
/// made [with its own](Hosted::with), and nothing asks the type for them.
pub struct Hosted<G: Playable> {
    info: GameInfo<G>,
}

impl<G: Playable> Hosted<G> {
    /// The game as its type has it.
    pub fn new() -> Hosted<G> {
        Hosted { info: GameInfo::of_type() }
    }

    /// A game with a name, a title and a start of its own, and its own way to read a position.
    pub fn with(
        name: &str,
        title: &str,
        start: impl Fn() -> G::Position + Send + Sync + 'static,
        parse: impl Fn(&str) -> Result<G::Position, NotationError> + Send + Sync + 'static,
    ) -> Hosted<G> {
        Hosted { info: GameInfo::new(name, title, start, parse) }
    }

    /// What the game says apart from any position.
    pub fn info(&self) -> &GameInfo<G> {
        &self.info
    }
}

impl<G: Playable> Default for Hosted<G> {
    fn default() -> Hosted<G> {
        Hosted::new()
    }
}

impl<G: Playable> AnyGame for Hosted<G> {
    fn name(&self) -> &str {
        self.info.name()
    }

    fn title(&self) -> &str {
        self.info.title()
    }

    fn profiled(&self) -> ProfiledGame<'_> {
        ProfiledGame { name: self.name(), changes: G::PROFILES }
    }

    fn players(&self) -> [&str; 2] {
        G::PLAYERS
    }

    fn start(&self) -> AnyPosition {
        AnyPosition::new(GameSoFar::<G>::new(self.info.start()))
    }

    fn parse_position(&self, text: &str) -> Result<AnyPosition, NotationError> {
        Ok(AnyPosition::new(GameSoFar::<G>::new(self.info.parse_position(text)?)))
    }

    fn owns(&self, position: &AnyPosition) -> bool {
        position.typed::<G>().is_some()
    }

    fn show_score(&self, score: Score) -> String {
        score::plies_to_end(score).map_or_else(|| G::show_score(score), G::show_win)
    }

    fn read_pgn<'a>(&self, input: Box<dyn BufRead + 'a>) -> Records<'a> {
        read_pgn(&self.info, input)
    }

    fn read_epd<'a>(&self, input: Box<dyn BufRead + 'a>) -> SuiteEntries<'a> {
        read_epd(&self.info, input)
    }

    fn knowledge(&self, setup: &Setup) -> Result<Knowledge, HostError> {
        setup.knowledge::<G>()
    }

    fn engine(&self, setup: &Setup) -> Result<Box<dyn Engine>, HostError> {
        Ok(Box::new(TypedEngine::new(setup.blueprint::<G>()?.searcher()?)))
    }

    fn evaluate(&self, setup: &Setup, position: &AnyPosition) -> Option<Score> {
        Some(setup.evaluation::<G>().evaluate(position.typed::<G>()?.position()))
    }

    fn explain(&self, setup: &Setup, position: &AnyPosition) -> Option<Explanation> {
        let position = position.typed::<G>()?.position();
        (!setup.weights.is_empty()).then(|| setup.weights.to_typed::<G::Weights>().explain(position))
    }

    fn explain_network(&self, setup: &Setup, position: &AnyPosition) -> Option<NetworkShares> {
        let (named, position) = (setup.network.as_ref()?, position.typed::<G>()?.position());
        let shares = setup.evaluation::<G>().explain(position);
        Some(NetworkShares { value: named.network.evaluate::<G>(position), shares })
    }

    fn board(&self, setup: &Setup, root: &AnyPosition, history: &[u64]) -> Option<Box<dyn Board>> {
        let root = root.typed::<G>()?.position().clone();
        Some(Box::new(KnownBoard::<G, _>::new(root, history, setup.evaluation::<G>())))
    }

    fn weights(&self) -> Weights {
        Weights::of(&G::Weights::default())
    }

    fn sight(&self) -> Sight {
        Sight::of::<G>()
    }

    fn move_classes(&self) -> usize {
        G::MOVE_CLASSES
    }

    fn built_in_network(&self, name: &str) -> Option<&'static [u8]> {
        G::NETWORKS.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
    }

    fn chances(&self) -> Chances {
        G::CHANCES
    }

    fn grades(&self) -> &'static [Grade] {
        G::GRADES
    }

    fn openings(&self) -> &'static str {
        G::OPENINGS
    }

    fn suites(&self) -> &'static [(&'static str, &'static str)] {
        G::SUITES
    }

    fn genes(&self) -> &'static [(&'static str, &'static str)] {
        G::GENES
    }

    fn bench(&self) -> (Vec<AnyPosition>, i32) {
        let read = |text: &&str| self.parse_position(text).ok();
        let positions: Vec<AnyPosition> = G::BENCH_POSITIONS.iter().filter_map(read).collect();
        (if positions.is_empty() { vec![self.start()] } else { positions }, G::BENCH_DEPTH)
    }

    fn decisive_gain(&self) -> &'static str {
        G::DECISIVE_GAIN
    }

    fn has_chess960(&self) -> bool {
        G::HAS_CHESS960
    }
}
