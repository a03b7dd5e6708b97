use plywise_game::random::{self, Random};
use plywise_game::{Evaluate, Game, GameSoFar, Score, score};
use plywise_search::{Blueprint, Limits, Observer, Report, Request, Signal};
use std::ops::ControlFlow;

/// How to play games against oneself. A game follows from its number and these settings alone.
#[derive(Clone, Debug)]
pub struct SelfPlay<G: Game, E: Evaluate<G>> {
    /// What each move may use up.
    pub limits: Limits,
    /// Where games begin, in turn; the start of the game where there are none.
    pub openings: Vec<G::Position>,
    /// Random moves before the players begin to think.
    pub random_plies: usize,
    /// Random moves after which the first search is further from even than this are replaced by others.
    pub balance: Option<Score>,
    /// A game goes on after a win was proved, until it is over.
    pub to_the_end: bool,
    /// Games that become longer than this are broken off.
    pub longest: usize,
    /// The seed.
    pub seed: u64,
    /// How both players think.
    pub player: Blueprint<G, E>,
}

/// Hears of a search whose move is about to be played, and may end the game.
pub type Arbiter<'a, G> = dyn FnMut(&GameSoFar<G>, &Report<<G as Game>::Move>) -> ControlFlow<()> + 'a;

/// How many openings are tried before one is taken although it is not balanced.
const TRIES: u64 = 50;

impl<G: Game, E: Evaluate<G>> SelfPlay<G, E> {
    /// Plays the game with this number while `observer` watches; nothing where `stop` interrupts it.
    pub fn play(&self, number: u64, observer: &mut dyn Observer<G>, stop: &Signal) -> Option<GameSoFar<G>> {
        self.play_with(number, observer, stop, &mut |_, _| ControlFlow::Continue(()))
    }

    /// Plays a game, and tells `arbiter` of every search whose move counts, before it is played: it may end the game.
    pub fn play_with(
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
        let start = self.openings.get((number % openings) as usize).cloned().unwrap_or_else(G::start);
        let seed = if attempt == 0 { self.seed } else { random::number(self.seed, attempt) };
        let moves = Random::stream(seed, number).opening::<G>(&start, self.random_plies).unwrap_or_default();
        moves.into_iter().fold(start, |position, mv| G::play(&position, mv))
    }
}
