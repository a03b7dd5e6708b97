use plywise_game::Score;
use plywise_host::{AnyPosition, Ask, Engine};
use plywise_search::{Limits, Signal};

/// How far either side is ahead after an opening, by a search.
pub struct Balance {
    /// The search that scores openings.
    pub engine: Box<dyn Engine>,
    /// How long it looks.
    pub limits: Limits,
}

impl Balance {
    /// The score of the position that an opening leads to, for the side to move; nothing where `stop` interrupts the
    /// search. The search forgets everything before each opening: the score does not depend on the order.
    pub fn score(&mut self, opening: &AnyPosition, stop: &Signal) -> Option<Score> {
        self.engine.forget();
        let score = self.engine.search(&Ask::new(&opening.alone()), &self.limits, stop, &mut |_| {}).score();
        (!stop.is_stopped()).then_some(score)
    }
}
