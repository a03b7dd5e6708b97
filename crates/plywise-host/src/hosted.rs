use crate::engine::TypedEngine;
use crate::game::NetworkShares;
use crate::records::{read_epd, read_pgn};
use crate::{AnyGame, AnyPosition, Engine, HostError, Playable, Records, Setup, SuiteEntries, Weights};
use plywise_game::{Chances, Evaluate, Explanation, Game, GameSoFar, Grade, Linear, NotationError, Score, score};
use plywise_search::Knowledge;
use std::io::BufRead;

/// Gives the position in which games begin.
type Start<G> = Box<dyn Fn() -> <G as Game>::Position + Send + Sync>;

/// Reads the one-line form of a position.
type Parse<G> = Box<dyn Fn(&str) -> Result<<G as Game>::Position, NotationError> + Send + Sync>;

/// A game that is known by its type, as a value.
///
/// What a type says once and for all, its name and where its games begin, is kept in fields: a game whose rules come from
/// elsewhere, as those written in Python do, is made [with its own](Hosted::with).
pub struct Hosted<G: Playable> {
    name: String,
    title: String,
    start: Start<G>,
    parse: Parse<G>,
}

impl<G: Playable> Hosted<G> {
    /// The game as its type has it.
    pub fn new() -> Hosted<G> {
        Hosted::with(G::NAME, G::TITLE, G::start, G::parse_position)
    }

    /// A game with a name, a title and a start of its own, and its own way to read a position.
    pub fn with(
        name: impl Into<String>,
        title: impl Into<String>,
        start: impl Fn() -> G::Position + Send + Sync + 'static,
        parse: impl Fn(&str) -> Result<G::Position, NotationError> + Send + Sync + 'static,
    ) -> Hosted<G> {
        Hosted { name: name.into(), title: title.into(), start: Box::new(start), parse: Box::new(parse) }
    }
}

impl<G: Playable> Default for Hosted<G> {
    fn default() -> Hosted<G> {
        Hosted::new()
    }
}

impl<G: Playable> AnyGame for Hosted<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn players(&self) -> [&str; 2] {
        G::PLAYERS
    }

    fn start(&self) -> AnyPosition {
        AnyPosition::new(GameSoFar::<G>::new((self.start)()))
    }

    fn parse_position(&self, text: &str) -> Result<AnyPosition, NotationError> {
        Ok(AnyPosition::new(GameSoFar::<G>::new((self.parse)(text)?)))
    }

    fn show_score(&self, score: Score) -> String {
        score::plies_to_end(score).map_or_else(|| G::show_score(score), G::show_win)
    }

    fn read_pgn<'a>(&self, input: Box<dyn BufRead + 'a>) -> Records<'a> {
        read_pgn::<G>(input)
    }

    fn read_epd<'a>(&self, input: Box<dyn BufRead + 'a>) -> SuiteEntries<'a> {
        read_epd::<G>(input)
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

    fn weights(&self) -> Weights {
        Weights::of(&G::Weights::default())
    }

    fn features(&self) -> usize {
        G::FEATURES
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
