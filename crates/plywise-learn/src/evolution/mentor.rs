use super::Event;
use plywise_arena::{Contender, Entrant, Limits, Player, Turn};
use plywise_game::Score;
use plywise_host::AnyPosition;
use plywise_run::{JobError, Units, Workplace};
use plywise_search::Signal;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a mentor may think about one position.
const PATIENCE: Duration = Duration::from_secs(60);

/// A player whose scores are imitated.
pub(super) struct Mentor {
    contender: Box<dyn Contender>,
    limits: Limits,
}

impl Mentor {
    /// The player of an entrant. Its scores must not depend on the clock.
    pub(super) fn new(contender: Box<dyn Contender>, entrant: &Entrant) -> Result<Mentor, JobError> {
        let limits = entrant.limits;
        if limits.movetime.is_some() || limits.clock.is_some() {
            return Err(JobError::input("a mentor thinks by depth or nodes, so that it always says the same"));
        }
        Ok(Mentor { contender, limits })
    }

    /// The positions that the mentor has a score for, with that score for the side to move.
    pub(super) fn score(
        &self,
        positions: &[AnyPosition],
        workplace: &Workplace,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<Vec<(AnyPosition, Score)>, JobError> {
        let name = self.contender.name();
        let enter = |_| self.contender.enter().map_err(|fault| JobError::Input(format!("{name} cannot play: {fault}")));
        let players = (0..workplace.jobs).map(enter).collect::<Result<Vec<_>, _>>()?;
        let (fault, ended) = (Mutex::new(None), workplace.stop.child());
        let mut units = Units::<Option<Score>>::default();
        watch(Event::Scoring { positions: positions.len() as u64 });
        let score = |player: &mut Box<dyn Player>, number: u64, stop: &Signal| {
            self.score_one(&mut **player, &positions[number as usize], stop).unwrap_or_else(|problem| {
                fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(problem);
                ended.stop();
                None
            })
        };
        let mut each = |_, _: &Option<Score>| {
            watch(Event::Scored);
            ControlFlow::Continue(())
        };
        units.work(positions.len() as u64, players, &ended, score, &mut each)?;
        if let Some(problem) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(JobError::Failed(format!("{name} failed: {problem}")));
        }
        let scores = units.into_finished();
        if scores.len() < positions.len() {
            return Err(JobError::Interrupted);
        }
        let scored = positions.iter().zip(scores.into_values());
        let scored: Vec<_> = scored.filter_map(|(position, score)| Some((position.clone(), score?))).collect();
        match scored.is_empty() {
            true => Err(JobError::Input(format!("{name} gives no scores"))),
            false => Ok(scored),
        }
    }

    /// What it thinks of one position, if anything; the outer `None` if `stop` interrupts it.
    fn score_one(
        &self,
        player: &mut dyn Player,
        position: &AnyPosition,
        stop: &Signal,
    ) -> Result<Option<Option<Score>>, String> {
        if stop.is_stopped() {
            return Ok(None);
        }
        let turn = Turn {
            position,
            limits: &self.limits,
            clocks: [self.limits.clock; 2],
            draw_offered: false,
            deadline: None,
            patience: PATIENCE,
            stop,
        };
        player.begin(position, position.side_to_move(), &self.limits, 0).map_err(|fault| fault.to_string())?;
        let reply = player.choose(&turn).map_err(|fault| fault.to_string())?;
        Ok(Some(reply.thought.score))
    }
}
