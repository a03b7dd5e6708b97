//! Test suites: positions with best moves, searched by several players under several limits.

mod attempt;
mod part;

pub use attempt::{Acts, Attempt, Enough, Found, Problem};
pub use part::{Half, Part, own_suites, read_part};

use plywise_host::{AnyGame, Engine, HostError, Setup, WrittenSetup};
use plywise_run::{Job, JobError, Workplace};
use plywise_search::{Limits, Signal};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::Arc;

/// `suite`: several players search the positions of a suite under several limits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunSuite {
    /// The name of the game.
    pub game: String,
    /// The positions as lines of EPD.
    pub positions: Vec<String>,
    /// What a search may use up. All players search under the first, then under the second, and so on.
    pub limits: Vec<Limits>,
    /// Who searches.
    pub players: Vec<WrittenSetup>,
    /// When a search has done enough before its limit.
    pub enough: Enough,
}

/// What came out of a suite: for each position the attempts in the order of [`RunSuite::heats`], or `None` if the suite was
/// interrupted before all of them were finished.
pub type SuiteOutcome = Vec<Option<Vec<Attempt>>>;

impl RunSuite {
    /// Each limit with each player.
    pub fn heats(&self) -> impl Iterator<Item = (&Limits, &WrittenSetup)> {
        self.limits.iter().flat_map(|limits| self.players.iter().map(move |player| (limits, player)))
    }

    /// The positions.
    pub fn problems(&self, game: &dyn AnyGame) -> Result<Vec<Problem>, JobError> {
        let read = |(i, line): (usize, &String)| {
            let entry = game.read_epd(Box::new(line.as_bytes())).next();
            let entry = entry.ok_or_else(|| JobError::input(format!("'{line}' is no position")))?;
            Ok(Problem::new(i, entry.map_err(JobError::input)?))
        };
        self.positions.iter().enumerate().map(read).collect()
    }
}

/// One player under one limit.
struct Heat<'a> {
    limits: &'a Limits,
    setup: &'a Setup,
}

/// A thread's engine, and the heat that it searched in last.
struct Searcher {
    engine: Box<dyn Engine>,
    heat: usize,
}

impl Searcher {
    /// Begins from nothing as the player of a heat.
    fn prepare(&mut self, heats: &[Heat], heat: usize) -> Result<(), HostError> {
        match heat == self.heat {
            true => self.engine.forget(),
            false => self.engine.reconfigure(heats[heat].setup)?,
        }
        self.heat = heat;
        Ok(())
    }
}

impl Job for RunSuite {
    const NAME: &'static str = "suite";
    type Game = Arc<dyn AnyGame>;
    /// A position was searched in a heat.
    type Event = ();
    type Outcome = SuiteOutcome;

    /// A unit of the work is one position in one heat. All heats search a position before the next one begins: what an
    /// interrupted suite has found can be compared.
    fn run(
        &self,
        game: &Arc<dyn AnyGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(()) + Sync),
    ) -> Result<SuiteOutcome, JobError> {
        let read = |player: &WrittenSetup| player.read(&**game).map_err(JobError::input);
        let setups = self.players.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let problems = self.problems(&**game)?;
        let heats: Vec<Heat> =
            self.limits.iter().flat_map(|limits| setups.iter().map(move |setup| Heat { limits, setup })).collect();
        if heats.is_empty() {
            return Err(JobError::input("a suite needs at least one player and one limit"));
        }
        // A missing table is found before the first search.
        heats.iter().try_for_each(|heat| game.knowledge(heat.setup).map(drop)).map_err(JobError::input)?;
        let total = (heats.len() * problems.len()) as u64;
        let mut units = workplace.units(self, Some(total), |_, _: &Attempt| Ok(()))?;
        let searcher = |_| Ok(Searcher { engine: game.engine(heats[0].setup)?, heat: 0 });
        let threads = workplace.jobs.clamp(1, problems.len().max(1));
        let searchers = (0..threads).map(searcher).collect::<Result<Vec<_>, HostError>>().map_err(JobError::input)?;
        let search = |searcher: &mut Searcher, number: u64, stop: &Signal| {
            let (problem, heat) = (number as usize / heats.len(), number as usize % heats.len());
            // What a heat needs was looked at before.
            searcher.prepare(&heats, heat).ok()?;
            problems[problem].attempt(&mut *searcher.engine, heats[heat].limits, self.enough, stop)
        };
        let mut each = |_, _: &Attempt| {
            watch(());
            ControlFlow::Continue(())
        };
        units.work(total, searchers, &workplace.stop, search, &mut each)?;
        let mut found = units.into_finished();
        let in_all_heats = |problem: usize| {
            let first = problem * heats.len();
            (first..first + heats.len()).map(|number| found.remove(&(number as u64))).collect()
        };
        Ok((0..problems.len()).map(in_all_heats).collect())
    }
}
