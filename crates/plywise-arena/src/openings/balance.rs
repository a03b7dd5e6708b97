use crate::player::{Fault, FaultKind, Player, Turn};
use plywise_game::Score;
use plywise_host::{AnyPosition, Ask, Engine};
use plywise_search::{Limits, Signal};
use std::time::Duration;

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

/// Who scores openings.
pub(super) enum Judge {
    /// A search in this process.
    Search(Balance),
    /// An engine in another, and what it may use up.
    Engine(Box<dyn Player>, Limits),
}

/// An engine that needs longer for one opening is given up.
const PATIENCE: Duration = Duration::from_secs(600);

impl Judge {
    /// The score of the position that an opening leads to, for the side to move; nothing where `stop` interrupts it.
    pub(super) fn score(&mut self, opening: &AnyPosition, stop: &Signal) -> Result<Option<Score>, Fault> {
        let (player, limits) = match self {
            Judge::Search(balance) => return Ok(balance.score(opening, stop)),
            Judge::Engine(player, limits) => (player, limits),
        };
        let (position, side) = (opening.alone(), opening.side_to_move());
        player.begin(&position, side, limits, 0)?;
        let reply = player.choose(&Turn {
            position: &position,
            limits,
            clocks: [None, None],
            draw_offered: false,
            deadline: None,
            patience: PATIENCE,
            stop,
        });
        if stop.is_stopped() {
            return Ok(None);
        }
        match reply?.thought.score {
            Some(score) => Ok(Some(score)),
            None => Err(Fault::new(FaultKind::FalseClaim, format!("it tells no score of {}", position.text()))),
        }
    }
}
