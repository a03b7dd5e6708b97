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

/// How far either side is ahead after an opening, by a search.
pub struct Balance<G: Game, E: Evaluate<G>> {
    /// Who judges.
    pub searcher: Searcher<G, E>,
    /// How long it looks.
    pub limits: Limits,
}

impl<G: Notation, E: Evaluate<G>> Balance<G, E> {
    /// The score of the position that an opening leads to, for the side to move; nothing where `stop` interrupts the
    /// search. Each is judged with nothing remembered, so that the verdict does not depend on the order.
    pub fn judge(&mut self, opening: &Opening<G>, stop: &Signal) -> Option<Score> {
        self.searcher.forget();
        let score = self.searcher.search(&Request::new(opening.position()), &self.limits, stop, &mut ()).score();
        (!stop.is_stopped()).then_some(score)
    }
}
