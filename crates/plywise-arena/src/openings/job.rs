use super::balance::Judge;
use super::{Balance, Window, random, read, systematic};
use crate::Who;
use crate::player::Contender;
use plywise_game::Score;
use plywise_game::epd::Operation;
use plywise_game::random::Random;
use plywise_host::{AnyGame, AnyPosition, SuiteEntry};
use plywise_run::{Job, JobError, Workplace};
use plywise_search::{Limits, Signal};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// `openings`: where games begin: all openings of a length or random ones, perhaps only balanced ones.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MakeOpenings {
    /// The name of the game.
    pub game: String,
    /// The position to begin from.
    pub from: String,
    /// The plies of each opening.
    pub plies: u16,
    /// Keep one opening per position; mirror images and transpositions count as the same. Random openings always are.
    pub distinct: bool,
    /// Random openings instead of all.
    pub random: bool,
    /// Openings to choose from instead, as [`write`](super::write()) writes them: those of games, say.
    #[serde(default)]
    pub given: Vec<String>,
    /// All openings in random order.
    pub shuffled: bool,
    /// How many are wanted; without a number, all.
    pub wanted: Option<u64>,
    /// Only balanced openings.
    pub balance: Option<BalanceRule>,
    /// The seed of everything random.
    pub seed: u64,
}

/// Which openings are balanced.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BalanceRule {
    /// Who scores them.
    pub judge: Who,
    /// How long it looks at each.
    pub nodes: u64,
    /// How far ahead the first player may be.
    pub window: Window,
}

/// Random openings are given up if this many times as many as are wanted were not enough.
const PATIENCE: u64 = 1000;

/// Openings to choose from, one after another.
type Candidates<'a> = Box<dyn Iterator<Item = AnyPosition> + Send + 'a>;

impl MakeOpenings {
    /// Random openings of a game from its start, each a position of its own.
    pub fn random(game: &dyn AnyGame, plies: u16, wanted: u64, seed: u64) -> MakeOpenings {
        MakeOpenings {
            game: game.name().to_owned(),
            from: game.start().text(),
            plies,
            distinct: false,
            random: true,
            given: Vec::new(),
            shuffled: false,
            wanted: Some(wanted),
            balance: None,
            seed,
        }
    }

    fn candidates(&self, game: &dyn AnyGame) -> Result<Candidates<'_>, JobError> {
        let start = game.position(&self.from).map_err(JobError::input)?;
        if self.random {
            let (mut seen, plies, seed) = (HashSet::new(), usize::from(self.plies), self.seed);
            let most = PATIENCE.saturating_mul(self.wanted.unwrap_or(u64::MAX));
            let candidates = (0..most).map_while(move |number| random(&start, plies, seed, number));
            return Ok(Box::new(candidates.filter(move |opening| seen.insert(opening.canonical().text()))));
        }
        let mut all = match self.given.is_empty() {
            true => systematic(&start, self.plies.into(), self.distinct).map_err(JobError::input)?,
            false => {
                let given = self.given.iter().map(|text| read(game, text));
                given.collect::<Result<Vec<_>, _>>().map_err(JobError::input)?
            }
        };
        if self.shuffled {
            Random::new(self.seed).shuffle(&mut all);
        }
        Ok(Box::new(all.into_iter()))
    }

    /// The first candidates whose score lies within the window; the search of each is a unit of work.
    fn balanced(
        &self,
        rule: &BalanceRule,
        candidates: Candidates,
        most: usize,
        game: &dyn AnyGame,
        workplace: &Workplace,
        watch: &(dyn Fn(()) + Sync),
    ) -> Result<Vec<SuiteEntry>, JobError> {
        let limits = Limits::nodes(rule.nodes);
        let judge = match &rule.judge {
            Who::Setup(written) => {
                let setup = written.read(game).map_err(JobError::input)?;
                Judge::Search(Balance { engine: game.engine(&setup).map_err(JobError::input)?, limits })
            }
            Who::Engine(engine) => {
                let player = engine.enter();
                let player =
                    player.map_err(|fault| JobError::Input(format!("{} cannot judge: {fault}", engine.name)))?;
                Judge::Engine(player, limits)
            }
        };
        let mut units = workplace.units::<_, Score>(self, None, |_, _| Ok(()))?;
        let asked = Mutex::new(Asked { openings: Vec::new(), more: candidates });
        let candidate = |number: u64| asked.lock().unwrap_or_else(PoisonError::into_inner).get(number as usize);
        let mut entries = Vec::new();
        let mut each = |number, score: &Score| {
            let holds = |opening: &AnyPosition| rule.window.holds(opening.side_to_move(), *score);
            if let Some(opening) = candidate(number).filter(holds) {
                entries.push(entry(&opening, Some(*score)));
                watch(());
            }
            if entries.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let failed = Mutex::new(None);
        let work = |judge: &mut Judge, number, stop: &Signal| match judge.score(&candidate(number)?, stop) {
            Ok(score) => score,
            Err(fault) => {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault.to_string());
                None
            }
        };
        units.work(u64::MAX, vec![judge], &workplace.stop, work, &mut each)?;
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(entries), |fault| Err(JobError::Failed(format!("the judge failed: {fault}"))))
    }
}

impl Job for MakeOpenings {
    const NAME: &'static str = "openings";
    const MAY_GROW: &'static [&'static str] = &["wanted"];
    type Game = Arc<dyn AnyGame>;
    /// A balanced opening was found.
    type Event = ();
    /// Lines of EPD: the position, the moves as its id, and its score as `ce` if it was scored.
    type Outcome = Vec<SuiteEntry>;

    fn run(
        &self,
        game: &Arc<dyn AnyGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(()) + Sync),
    ) -> Result<Vec<SuiteEntry>, JobError> {
        let most = self.wanted.map_or(usize::MAX, |wanted| wanted as usize);
        let candidates = self.candidates(&**game)?;
        let entries = match &self.balance {
            Some(rule) => self.balanced(rule, candidates, most, &**game, workplace, watch)?,
            None if workplace.directory.is_some() => {
                return Err(JobError::input("only openings that a search judges can be kept in a run directory"));
            }
            None => candidates.take(most).map(|opening| entry(&opening, None)).collect(),
        };
        match self.wanted {
            Some(wanted) if entries.len() < most && !workplace.stop.is_stopped() => {
                let kind = if self.random { "random openings" } else { "openings" };
                Err(JobError::input(format!("only {} {kind} fit, but {wanted} are wanted", entries.len())))
            }
            _ if entries.is_empty() && workplace.stop.is_stopped() => Err(JobError::Interrupted),
            _ => Ok(entries),
        }
    }
}

/// The line of an opening.
fn entry(opening: &AnyPosition, score: Option<Score>) -> SuiteEntry {
    let id = opening.at(0).write_line(&opening.moves()).join(" ");
    let score = score.map(|score| Operation { opcode: "ce".to_string(), operands: score.to_string() });
    SuiteEntry {
        position: opening.alone(),
        best: Vec::new(),
        avoid: Vec::new(),
        id: Some(id),
        operations: score.into_iter().collect(),
    }
}

/// Candidates that have been asked for so far, and those to come.
struct Asked<'a> {
    openings: Vec<AnyPosition>,
    more: Candidates<'a>,
}

impl Asked<'_> {
    fn get(&mut self, place: usize) -> Option<AnyPosition> {
        let missing = (place + 1).saturating_sub(self.openings.len());
        self.openings.extend(self.more.by_ref().take(missing));
        self.openings.get(place).cloned()
    }
}
