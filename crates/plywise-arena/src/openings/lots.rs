use crate::player::Opening;
use plywise_game::random::Random;
use plywise_game::{Evaluate, Game, Notation, Score};
use plywise_search::{Limits, Request, Searcher, Signal};

/// A random opening of `plies` plies: the one with this `number` among those that `seed` gives. A game that ends on the
/// way begins again.
///
/// In a game in which random moves always end it early, there is none.
pub fn random<G: Notation>(start: &G::Position, plies: usize, seed: u64, number: u64) -> Option<Opening<G>> {
    let moves = Random::stream(seed, number).opening::<G>(start, plies)?;
    Some(Opening { start: start.clone(), moves })
}

/// What makes an opening balanced: a search that sees neither side ahead by more than a window.
pub struct Balance<G: Game, E: Evaluate<G>> {
    /// Who judges.
    pub searcher: Searcher<G, E>,
    /// How long it looks.
    pub limits: Limits,
    /// The scores that pass, from minus this to this.
    pub window: Score,
}

impl<G: Notation, E: Evaluate<G>> Balance<G, E> {
    /// The score of the position that an opening leads to, for the side to move, where it is balanced. Each is judged
    /// with nothing remembered, so that the verdict does not depend on the order.
    pub fn judge(&mut self, opening: &Opening<G>) -> Option<Score> {
        self.searcher.forget();
        let request = Request::new(opening.position());
        let score = self.searcher.search(&request, &self.limits, &Signal::new(), &mut ()).score();
        (score.abs() <= self.window).then_some(score)
    }
}
