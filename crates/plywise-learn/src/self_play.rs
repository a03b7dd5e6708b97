use plywise_game::random::Random;
use plywise_game::{Evaluate, Game, GameSoFar, score};
use plywise_search::{Blueprint, Limits, Observer, Request, Signal};

/// How to play games against oneself. A game follows from its number and these settings alone.
#[derive(Clone, Debug)]
pub struct SelfPlay<E> {
    /// What each move may use up.
    pub limits: Limits,
    /// Random moves before the players begin to think.
    pub random_plies: usize,
    /// Games that become longer than this are broken off.
    pub longest: usize,
    /// The seed.
    pub seed: u64,
    /// How both players think.
    pub player: Blueprint<E>,
}

impl<E> SelfPlay<E> {
    /// Plays the game with this number while `observer` watches; nothing where `stop` interrupts it.
    pub fn play<G: Game>(&self, number: u64, observer: &mut dyn Observer<G>, stop: &Signal) -> Option<GameSoFar<G>>
    where
        E: Evaluate<G>,
    {
        let mut game = GameSoFar::<G>::new(self.opening::<G>(number));
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
            if score::is_decided(report.score()) {
                break;
            }
        }
        Some(game)
    }

    /// Where the random moves of a game lead; the start, in a game that random moves always end early.
    fn opening<G: Game>(&self, number: u64) -> G::Position {
        let start = G::start();
        let moves = Random::stream(self.seed, number).opening::<G>(&start, self.random_plies).unwrap_or_default();
        moves.into_iter().fold(start, |position, mv| G::play(&position, mv))
    }
}
