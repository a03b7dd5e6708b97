//! Scores of a mentor: what a player thinks of positions.

use crate::players::Entrant;
use crate::progress::Meter;
use crate::{Failure, Result};
use plywise_arena::run::Units;
use plywise_arena::{Player, Turn};
use plywise_game::Score;
use plywise_host::AnyPosition;
use plywise_search::Signal;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

/// How long a mentor may think about one position.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the mentor thinks of each position, for the side to move; a position about which it says nothing has no score.
pub fn ask(mentor: &Entrant, positions: &[AnyPosition], jobs: usize, stop: &Signal) -> Result<Vec<Option<Score>>> {
    let name = mentor.contender.name();
    let failed = |fault: String| Failure::Failed(format!("{name} failed: {fault}"));
    let enter = |_| mentor.contender.enter().map_err(|fault| Failure::input(format!("{name} cannot play: {fault}")));
    let players = (0..jobs).map(enter).collect::<Result<Vec<_>>>()?;
    let (fault, ended) = (Mutex::new(None), stop.child());
    let mut units = Units::<Option<Score>>::default();
    let mut meter = Meter::new(positions.len() as u64, "positions scored");
    let score = |player: &mut Box<dyn Player>, number: u64, stop: &Signal| {
        one(&mut **player, mentor, &positions[number as usize], stop).unwrap_or_else(|problem| {
            fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(problem);
            ended.stop();
            None
        })
    };
    let mut each = |_, _: &Option<Score>| {
        meter.advance();
        ControlFlow::Continue(())
    };
    units.work(positions.len() as u64, players, &ended, score, &mut each).map_err(crate::runs::fail)?;
    meter.finish();
    if let Some(problem) = fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        return Err(failed(problem));
    }
    let scores: Vec<Option<Score>> = units.into_finished().into_values().collect();
    match scores.len() == positions.len() {
        true => Ok(scores),
        false => Err(Failure::Interrupted),
    }
}

/// What it thinks of one position; nothing where `stop` interrupts it.
fn one(
    player: &mut dyn Player,
    mentor: &Entrant,
    position: &AnyPosition,
    stop: &Signal,
) -> Result<Option<Option<Score>>, String> {
    if stop.is_stopped() {
        return Ok(None);
    }
    let turn = Turn {
        position,
        limits: &mentor.limits,
        clocks: [mentor.limits.clock; 2],
        draw_offered: false,
        deadline: None,
        patience: PATIENCE,
        stop,
    };
    player.begin(position, position.side_to_move(), &mentor.limits, 0).map_err(|fault| fault.to_string())?;
    let reply = player.choose(&turn).map_err(|fault| fault.to_string())?;
    Ok(Some(reply.thought.score))
}
