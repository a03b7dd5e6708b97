//! Players in this process.

use plywise_arena::{Action, Contender, Fault, Limits, Player, Reply, Thought, Turn};
use plywise_game::{Outcome, Score, Side};
use plywise_host::{AnyPosition, Move};
use std::time::Duration;

/// What a player in this process does on its turn.
#[derive(Clone, Copy)]
pub enum Style {
    /// Plays the first legal move.
    First,
    /// Plays a move at random.
    Random,
    /// Plays the winning move if it sees one, else the first.
    Greedy,
    /// Plays the first legal move and says that it stands so.
    Scoring(Score),
    /// Gives up.
    Resigning,
    /// Offers a draw with every move.
    Offering,
    /// Says that it took so long.
    Slow(Duration),
}

pub struct Local {
    pub name: &'static str,
    pub style: Style,
}

impl Contender for Local {
    fn name(&self) -> &str {
        self.name
    }

    fn enter(&self) -> Result<Box<dyn Player>, Fault> {
        Ok(Box::new(Seat { style: self.style, state: 0 }))
    }
}

struct Seat {
    style: Style,
    state: u64,
}

impl Player for Seat {
    fn begin(&mut self, _: &AnyPosition, _: Side, _: &Limits, seed: u64) -> Result<(), Fault> {
        self.state = seed;
        Ok(())
    }

    fn choose(&mut self, turn: &Turn) -> Result<Reply, Fault> {
        let position = turn.position;
        let moves = position.legal_moves();
        let wins = |mv: &Move| {
            let mut after = position.clone();
            after.play(*mv).unwrap();
            after.outcome().is_some_and(|outcome| outcome != Outcome::Draw)
        };
        let mv = match self.style {
            Style::Random => {
                self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                moves[(self.state >> 33) as usize % moves.len()]
            }
            Style::Greedy => moves.iter().copied().find(wins).unwrap_or(moves[0]),
            _ => moves[0],
        };
        let action = match self.style {
            Style::Resigning => Action::Resign,
            _ => Action::Play(position.write_move(mv)),
        };
        let score = match self.style {
            Style::Scoring(score) => Some(score),
            _ => None,
        };
        let elapsed = match self.style {
            Style::Slow(elapsed) => elapsed,
            _ => Duration::from_millis(1),
        };
        let thought = Thought { score, depth: score.map(|_| 3), ..Thought::default() };
        Ok(Reply { action, elapsed, thought, offers_draw: matches!(self.style, Style::Offering) })
    }
}
