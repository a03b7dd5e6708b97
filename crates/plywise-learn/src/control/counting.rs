use super::{GrowthCounter, PathDepth, Slots, Solution, solve};
use plywise_game::{Game, Score};
use plywise_host::{AnyPosition, HostError, Move, Playable, Setup};
use plywise_net::NetworkEvaluation;
use plywise_search::params::Extensions;
use plywise_search::{Limits, Params, Request, Searcher, Signal};

/// A search of any game that can count along what altered prices would cost.
pub trait CountingSearch: Send {
    /// Searches with these parameters from now on.
    fn set_params(&mut self, params: &Params);

    /// The parameters that it searches with.
    fn params(&self) -> &Params;

    /// Searches a position until one of the answers is found; see [`solve`].
    fn solve(
        &mut self,
        position: &AnyPosition,
        answers: &[Move],
        nodes: u64,
        stop: &Signal,
        counter: Option<&mut GrowthCounter>,
    ) -> Option<Solution<Move>>;

    /// Searches a position under these limits. `None` if nothing was found.
    fn search(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        stop: &Signal,
        counter: &mut GrowthCounter,
    ) -> Option<Thought>;
}

/// What a search thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The nodes that it took.
    pub nodes: u64,
    /// The value.
    pub score: Score,
    /// The best line.
    pub pv: Vec<Move>,
}

struct Typed<G: Playable>(Searcher<G, NetworkEvaluation<G>>);

/// A search of a game that is known by its type.
pub(crate) fn counting_search<G: Playable>(setup: &Setup) -> Result<Box<dyn CountingSearch>, HostError> {
    Ok(Box::new(Typed::<G>(setup.blueprint()?.searcher()?)))
}

impl<G: Playable> CountingSearch for Typed<G> {
    fn set_params(&mut self, params: &Params) {
        self.0.set_policy(params.clone());
    }

    fn params(&self) -> &Params {
        self.0.params()
    }

    fn solve(
        &mut self,
        position: &AnyPosition,
        answers: &[Move],
        nodes: u64,
        stop: &Signal,
        counter: Option<&mut GrowthCounter>,
    ) -> Option<Solution<Move>> {
        let position = position.typed::<G>()?.position();
        let answers: Vec<G::Move> = answers.iter().filter_map(|mv| G::move_from_code(position, mv.0)).collect();
        let Solution { solved, nodes, pv } = solve(&mut self.0, position, &answers, nodes, stop, counter)?;
        Some(Solution { solved, nodes, pv: codes::<G>(&pv) })
    }

    fn search(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        stop: &Signal,
        counter: &mut GrowthCounter,
    ) -> Option<Thought> {
        let report = self.0.search(&Request::of(position.typed::<G>()?), limits, stop, counter);
        let line = report.lines.first()?;
        Some(Thought { nodes: report.nodes, score: line.score, pv: codes::<G>(&line.pv) })
    }
}

fn codes<G: Game>(moves: &[G::Move]) -> Vec<Move> {
    moves.iter().map(|&mv| Move(G::move_code(mv))).collect()
}

/// How deep a line from a position lies; see [`PathDepth::of`]. The move that led to the position may count as recaptured.
pub(crate) fn path_depth<G: Playable>(
    position: &AnyPosition,
    path: &[Move],
    prices: &Extensions,
    slots: &Slots,
) -> Option<PathDepth> {
    let game = position.typed::<G>()?;
    let (mut here, mut typed) = (game.position().clone(), Vec::new());
    for mv in path {
        let Some(mv) = G::move_from_code(&here, mv.0) else { break };
        typed.push(mv);
        here = G::play(&here, mv);
    }
    Some(PathDepth::of::<G>(game.position(), game.moves().last().copied(), &typed, prices, slots))
}
