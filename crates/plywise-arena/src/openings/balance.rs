use crate::player::Opening;
use plywise_game::{Evaluate, Game, Notation, Score};
use plywise_search::{Limits, Request, Searcher, Signal};

/// How far either side is ahead after an opening, by a search.
pub struct Balance<G: Game, E: Evaluate<G>> {
    /// The search that scores openings.
    pub searcher: Searcher<G, E>,
    /// How long it looks.
    pub limits: Limits,
}

impl<G: Notation, E: Evaluate<G>> Balance<G, E> {
    /// The score of the position that an opening leads to, for the side to move; nothing where `stop` interrupts the
    /// search. The search forgets
    /// everything before each opening: the score does not depend on the order.
    pub fn score(&mut self, opening: &Opening<G>, stop: &Signal) -> Option<Score> {
        self.searcher.forget();
        let score = self.searcher.search(&Request::new(opening.position()), &self.limits, stop, &mut ()).score();
        (!stop.is_stopped()).then_some(score)
    }
}
