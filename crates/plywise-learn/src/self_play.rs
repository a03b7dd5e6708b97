use crate::data::PackedGame;
use crate::data_play::{DataRules, packed};
use crate::gather::{
    CutNode, CutNodeQuestion, Iterations, RankQuestion, RankRow, classes, cut_nodes, iterations, ranks,
};
use crate::prices::{PackedSightings, sightings};
use plywise_game::random::{self, Random};
use plywise_game::{Evaluate, Game, GameSoFar, Notation, Score, score};
use plywise_host::{HostError, Hosted, Playable, WrittenSetup};
use plywise_search::{Blueprint, ClassCounts, Limits, Observer, Report, Request, Signal};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Games that an engine plays against itself, as plain data. Each follows from its number and these settings alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfPlay {
    /// How both sides think.
    pub player: WrittenSetup,
    /// What each move may use up.
    pub limits: Limits,
    /// Where games begin, in turn; the start of the game if there are none.
    pub openings: Vec<String>,
    /// Random moves before the players begin to think.
    pub random_plies: usize,
    /// Random moves after which the first search is further from even than this are replaced by others.
    pub balance: Option<Score>,
    /// Whether a game goes on after a win was proved, until it is over.
    pub to_the_end: bool,
    /// Games that become longer than this are broken off.
    pub longest: usize,
    /// The seed.
    pub seed: u64,
}

/// Self-play of one game, and what its games say. Nothing comes of a game that `stop` interrupts.
pub trait Players: Send + Sync {
    /// How often a better move still came in the searches of the game with this number.
    fn ranks(&self, question: &RankQuestion, number: u64, stop: &Signal) -> Option<Vec<RankRow>>;

    /// How often moves of each class were played in the game, and how often available.
    fn classes(&self, number: u64, stop: &Signal) -> Option<Vec<ClassCounts>>;

    /// The scores of all iterations of the searches of the game.
    fn iterations(&self, number: u64, stop: &Signal) -> Option<Vec<Iterations>>;

    /// A sample of the expected cut-nodes of the searches of the game.
    fn cut_nodes(&self, question: &CutNodeQuestion, number: u64, stop: &Signal) -> Option<Vec<CutNode>>;

    /// A sample of the moves at explored nodes of the searches of the game, packed.
    fn sightings(&self, per_depth: usize, number: u64, stop: &Signal) -> Option<PackedSightings>;

    /// The game with the scores of its searches.
    fn packed(&self, rules: &DataRules, number: u64, stop: &Signal) -> Option<PackedGame>;
}

/// The players of a game that is known by its type.
pub(crate) fn players<G: Playable>(game: &Hosted<G>, play: &SelfPlay) -> Result<Box<dyn Players>, HostError> {
    let openings = play.openings.iter().map(|text| game.info().parse_position(text)).collect::<Result<_, _>>()?;
    Ok(Box::new(TypedSelfPlay {
        limits: play.limits,
        openings,
        start: game.info().start(),
        random_plies: play.random_plies,
        balance: play.balance,
        to_the_end: play.to_the_end,
        longest: play.longest,
        seed: play.seed,
        player: play.player.read(game)?.blueprint::<G>()?,
    }))
}

/// [`SelfPlay`] of a game that is known by its type.
#[derive(Clone, Debug)]
pub(crate) struct TypedSelfPlay<G: Game, E: Evaluate<G>> {
    limits: Limits,
    openings: Vec<G::Position>,
    start: G::Position,
    random_plies: usize,
    balance: Option<Score>,
    to_the_end: bool,
    longest: usize,
    pub(crate) seed: u64,
    pub(crate) player: Blueprint<G, E>,
}

impl<G: Notation, E: Evaluate<G> + Sync> Players for TypedSelfPlay<G, E> {
    fn ranks(&self, question: &RankQuestion, number: u64, stop: &Signal) -> Option<Vec<RankRow>> {
        ranks(self, question, number, stop)
    }

    fn classes(&self, number: u64, stop: &Signal) -> Option<Vec<ClassCounts>> {
        classes(self, number, stop)
    }

    fn iterations(&self, number: u64, stop: &Signal) -> Option<Vec<Iterations>> {
        iterations(self, number, stop)
    }

    fn cut_nodes(&self, question: &CutNodeQuestion, number: u64, stop: &Signal) -> Option<Vec<CutNode>> {
        cut_nodes(self, question, number, stop)
    }

    fn sightings(&self, per_depth: usize, number: u64, stop: &Signal) -> Option<PackedSightings> {
        sightings(self, per_depth, number, stop)
    }

    fn packed(&self, rules: &DataRules, number: u64, stop: &Signal) -> Option<PackedGame> {
        packed(self, rules, number, stop)
    }
}

/// Hears of a search whose move is about to be played, and may end the game.
pub(crate) type Arbiter<'a, G> = dyn FnMut(&GameSoFar<G>, &Report<<G as Game>::Move>) -> ControlFlow<()> + 'a;

/// How many openings are tried before one is taken although it is not balanced.
const TRIES: u64 = 50;

impl<G: Game, E: Evaluate<G>> TypedSelfPlay<G, E> {
    /// Plays the game with this number while `observer` watches; nothing where `stop` interrupts it.
    pub(crate) fn play(&self, number: u64, observer: &mut dyn Observer<G>, stop: &Signal) -> Option<GameSoFar<G>> {
        self.play_with(number, observer, stop, &mut |_, _| ControlFlow::Continue(()))
    }

    /// Plays a game, and tells `arbiter` of every search whose move counts, before it is played: it may end the game.
    pub(crate) fn play_with(
        &self,
        number: u64,
        observer: &mut dyn Observer<G>,
        stop: &Signal,
        arbiter: &mut Arbiter<'_, G>,
    ) -> Option<GameSoFar<G>> {
        let mut game = GameSoFar::<G>::new(self.opening(number, 0));
        // The table of a game is small; without memory even for that there is no game.
        let Ok(mut searcher) = self.player.searcher() else { return Some(game) };
        let mut tries = 1;
        while game.moves().len() < self.longest && game.ended().is_none() {
            let report = searcher.search(&Request::of(&game), &self.limits, stop, observer);
            if stop.is_stopped() {
                return None;
            }
            let Some(mv) = report.best_move() else { break };
            let is_unbalanced = self.balance.is_some_and(|most| report.score().abs() > most);
            if game.moves().is_empty() && is_unbalanced && tries < TRIES && self.random_plies > 0 {
                game = GameSoFar::new(self.opening(number, tries));
                searcher.forget();
                tries += 1;
                continue;
            }
            let verdict = arbiter(&game, &report);
            game.play(mv);
            // What follows a proven win is no game between equals, and its searches are deep for no reason.
            if verdict.is_break() || !self.to_the_end && score::is_decided(report.score()) {
                break;
            }
        }
        Some(game)
    }

    /// Where the random moves of a game lead; its opening, where random moves always end it early. Each try leads
    /// elsewhere.
    fn opening(&self, number: u64, attempt: u64) -> G::Position {
        let openings = self.openings.len().max(1) as u64;
        let start = self.openings.get((number % openings) as usize).unwrap_or(&self.start).clone();
        let seed = if attempt == 0 { self.seed } else { random::number(self.seed, attempt) };
        let moves = Random::stream(seed, number).opening::<G>(&start, self.random_plies).unwrap_or_default();
        moves.into_iter().fold(start, |position, mv| G::play(&position, mv))
    }
}
