//! Before the first game: whether every player can play at all.

use super::runner::{Entry, Match, MatchError};
use crate::player::{Action, Fault, FaultKind, Turn};
use plywise_search::{Limits, Signal};
use std::time::Duration;

/// What a player may use up for a move that only shows whether it knows the game.
const DEPTH: i32 = 1;

/// A player that needs longer than this for such a move is let through.
const PATIENCE: Duration = Duration::from_secs(10);

impl Match<'_> {
    /// Brings every player to the board once and asks for a move, so that a command that cannot work, and an engine of
    /// another game, are found before the first game rather than scored as a loss in each. `stop` ends the waiting.
    pub fn try_players(&self, stop: &Signal) -> Result<(), MatchError> {
        for (entry, name) in self.entries.iter().zip(self.names()) {
            self.rehearse(entry, stop).map_err(|fault| match fault.kind {
                FaultKind::NoResources => MatchError::NoResources(fault.detail),
                _ => MatchError::Start(name, fault),
            })?;
        }
        Ok(())
    }

    fn rehearse(&self, entry: &Entry, stop: &Signal) -> Result<(), Fault> {
        let mut player = entry.contender.enter()?;
        let Some(opening) = self.openings.first() else { return Ok(()) };
        let side = opening.side_to_move();
        // First under its own limits, which its protocol may not know.
        player.begin(opening, side, &entry.limits, self.seed)?;
        let limits = Limits::depth(DEPTH);
        player.begin(opening, side, &limits, self.seed)?;
        let reply = player.choose(&Turn {
            position: opening,
            limits: &limits,
            clocks: [None, None],
            draw_offered: false,
            deadline: None,
            patience: PATIENCE,
            stop,
        });
        // An engine that crashes or hangs may still know the game, and loses as the match goes.
        let Ok(Action::Play(text)) = reply.map(|reply| reply.action) else { return Ok(()) };
        match opening.parse_move(&text) {
            Ok(_) => Ok(()),
            Err(problem) => {
                let (text, position) = (text.chars().take(20).collect::<String>(), opening.text());
                let detail = format!("its first move is '{text}' in {position}: {problem}");
                Err(Fault::new(FaultKind::IllegalMove, detail))
            }
        }
    }
}
