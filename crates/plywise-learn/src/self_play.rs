use plywise_game::random::Random;
use plywise_game::{Evaluate, Game, GameSoFar, score};
use plywise_search::{Blueprint, Limits, Observer, Request, Signal};

/// How to play games against oneself. A game follows from its number and these settings alone.
#[derive(Clone, Debug)]
pub struct SelfPlay<G: Game, E> {
    /// What each move may use up.
    pub limits: Limits,
    /// Where games begin, in turn; the start of the game where there are none.
    pub openings: Vec<G::Position>,
    /// Random moves before the players begin to think.
    pub random_plies: usize,
    /// A game goes on after a win was proved, until it is over.
    pub to_the_end: bool,
    /// Games that become longer than this are broken off.
    pub longest: usize,
    /// The seed.
    pub seed: u64,
    /// How both players think.
    pub player: Blueprint<E>,
}

impl<G: Game, E: Evaluate<G>> SelfPlay<G, E> {
    /// Plays the game with this number while `observer` watches; nothing where `stop` interrupts it.
    pub fn play(&self, number: u64, observer: &mut dyn Observer<G>, stop: &Signal) -> Option<GameSoFar<G>> {
        let mut game = GameSoFar::<G>::new(self.opening(number));
        // The table of a game is small; without memory even for that there is no game.
        let Ok(mut searcher) = self.player.searcher::<G>() else { return Some(game) };
        while game.moves().len() < self.longest && game.ended().is_none() {
            let report = searcher.search(&Request::of(&game), &self.limits, stop, observer);
            if stop.is_stopped() {
                return None;
            }
            let Some(mv) = report.best_move() else { break };
            game.play(mv);
            // What follows a proven win is no game between equals, and its searches are deep for no reason.
            if !self.to_the_end && score::is_decided(report.score()) {
                break;
            }
        }
        Some(game)
    }

    /// Where the random moves of a game lead; its opening, where random moves always end it early.
    fn opening(&self, number: u64) -> G::Position {
        let openings = self.openings.len().max(1) as u64;
        let start = self.openings.get((number % openings) as usize).cloned().unwrap_or_else(G::start);
        let moves = Random::stream(self.seed, number).opening::<G>(&start, self.random_plies).unwrap_or_default();
        moves.into_iter().fold(start, |position, mv| G::play(&position, mv))
    }
}
