//! `learn spsa`: parameters of a player, or options of an engine, by games of a player against itself; see
//! [`spsa`](crate::spsa) for the method.

use crate::LearnableGame;
use crate::control::Tunable;
use crate::evolution::Games;
use crate::spsa::{Confirmation, Drift, Gains, Spsa};
use plywise_arena::matches::Entry;
use plywise_arena::{Contender, Duel, Entrant, Local, Who};
use plywise_game::parameters::{ParameterError, Parameters};
use plywise_game::random;
use plywise_host::{AnyGame, AnyPosition, Setup};
use plywise_run::{Job, JobError, WorkError, Workplace};
use plywise_search::Params;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// `learn spsa`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LearnSpsa {
    /// The name of the game.
    pub game: String,
    /// Who is tuned: parameters of a search, or options of an engine.
    pub player: Entrant,
    /// What is tuned.
    pub tunables: Vec<Tunable>,
    /// How the gains fall, and over how many iterations.
    pub gains: Gains,
    /// Whether as many iterations again begin on the other side of the start, to tell drift from chance.
    pub mirrored: bool,
    /// The games of an iteration, of which each opening is played with both colours.
    pub games: Games,
    /// Games against the beginning at each tenth of the way; 0 for none.
    pub check_games: u64,
    /// What everything random follows from.
    pub seed: u64,
}

/// What tuning reports while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It begins.
    Begun {
        /// How many iterations are left to do.
        left: u64,
    },
    /// An iteration is finished.
    Iterated,
}

/// What was tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedSpsa {
    /// The finished iterations, at least one.
    pub iterations: Vec<Iterated>,
    /// What was learned: the values after the last iteration; after a mirrored run, the middle between the ends of both
    /// for parameters that both moved the same way, and the start for the others.
    pub learned: Vec<f64>,
    /// How far the first run moved each parameter, beside what chance does.
    pub drifts: Vec<Drift>,
    /// What both runs say about each parameter, once the mirrored one is finished.
    pub confirmations: Option<Vec<Confirmation>>,
    /// What ended it early, if anything did.
    pub fault: Option<String>,
}

/// One finished iteration: a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iterated {
    /// Wins, draws and losses of the first player.
    pub games: [u64; 3],
    /// The values afterwards.
    pub values: Vec<f64>,
    /// Wins, draws and losses of the values afterwards against those of the beginning, if they were tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<[u64; 3]>,
}

impl Job for LearnSpsa {
    const NAME: &'static str = "learn spsa";
    type Game = Arc<dyn LearnableGame>;
    type Event = Event;
    type Outcome = LearnedSpsa;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<LearnedSpsa, JobError> {
        let setup = match &self.player.who {
            Who::Setup(setup) => Some(setup.read(&**game).map_err(JobError::input)?),
            Who::Engine(_) => None,
        };
        let mut tuning = Tuning {
            job: self,
            game: game.clone(),
            setup,
            openings: self.games.read_openings(&**game)?,
            passes: vec![Spsa::new(self.tunables.clone(), self.gains, self.seed)],
            workplace,
        };
        let beginning = tuning.players(&tuning.passes[0].players(0))?;
        let (mut iterations, wanted) = (Vec::new(), self.wanted());
        let mut run = workplace.open(self, Some(wanted), &mut |iterated: Iterated| {
            tuning.follow(iterations.len() as u64, &iterated.games);
            if tuning.values() != iterated.values {
                return Err("its values do not follow from its games".into());
            }
            iterations.push(iterated);
            Ok(())
        })?;
        if (iterations.len() as u64) < wanted {
            let entries = self.entries(&beginning);
            tuning.duel().contest(entries, 1, 0).try_players(&workplace.stop).map_err(JobError::input)?;
        }
        watch(Event::Begun { left: wanted.saturating_sub(iterations.len() as u64) });
        let mut fault = None;
        while (iterations.len() as u64) < wanted {
            match tuning.iterate(iterations.len() as u64) {
                Ok(Some(iterated)) => {
                    run.as_mut().map_or(Ok(()), |run| run.append(&iterated)).map_err(WorkError::Journal)?;
                    iterations.push(iterated);
                    watch(Event::Iterated);
                }
                Ok(None) => break,
                Err(error) => {
                    fault = Some(error);
                    break;
                }
            }
        }
        if iterations.is_empty() {
            return Err(fault.unwrap_or(JobError::Interrupted));
        }
        let is_whole = iterations.len() as u64 == wanted;
        Ok(tuning.outcome(iterations, is_whole, fault.map(|error| error.to_string())))
    }
}

impl LearnSpsa {
    /// The iterations of the whole work.
    pub fn wanted(&self) -> u64 {
        self.gains.iterations * if self.mirrored { 2 } else { 1 }
    }

    /// Sets the parameters of a search to these values.
    pub fn apply(&self, values: &[f64], params: &mut Params) -> Result<(), ParameterError> {
        self.tunables.iter().zip(values).try_for_each(|(tunable, &value)| {
            tunable.paths.iter().try_for_each(|path| params.set(path, &tunable.text(value)))
        })
    }

    fn entries<'a>(&self, players: &'a [Box<dyn Contender>; 2]) -> Vec<Entry<'a>> {
        players.iter().map(|player| Entry { contender: &**player, limits: self.player.limits }).collect()
    }
}

/// The work under way.
struct Tuning<'a> {
    job: &'a LearnSpsa,
    game: Arc<dyn LearnableGame>,
    /// The search that is tuned, unless it is an engine in another process.
    setup: Option<Setup>,
    openings: Vec<AnyPosition>,
    /// The run, and its mirrored run once that has begun.
    passes: Vec<Spsa>,
    workplace: &'a Workplace,
}

impl Tuning<'_> {
    /// Two players with these values.
    fn players(&self, values: &[Vec<f64>; 2]) -> Result<[Box<dyn Contender>; 2], JobError> {
        let [first, second] = values;
        Ok([self.player(first)?, self.player(second)?])
    }

    fn player(&self, values: &[f64]) -> Result<Box<dyn Contender>, JobError> {
        match (&self.job.player.who, &self.setup) {
            (Who::Engine(engine), _) => {
                let mut engine = engine.clone();
                for (tunable, &value) in self.job.tunables.iter().zip(values) {
                    let text = tunable.text(value);
                    engine.options.extend(tunable.paths.iter().map(|path| (path.clone(), text.clone())));
                }
                Ok(Box::new(engine))
            }
            (Who::Setup(_), None) => Err(JobError::input("the player has no setup")),
            (Who::Setup(_), Some(setup)) => {
                let mut setup = setup.clone();
                self.job.apply(values, &mut setup.params).map_err(JobError::input)?;
                let player = Local::new(self.game.clone() as Arc<dyn AnyGame>, setup);
                player.check().map_err(JobError::input)?;
                Ok(Box::new(player))
            }
        }
    }

    fn duel(&self) -> Duel<'_> {
        Duel {
            game: &*self.game,
            openings: &self.openings,
            max_moves: self.job.games.max_moves,
            jobs: self.workplace.jobs,
            executor: self.workplace.executor.clone(),
        }
    }

    /// The pass that an iteration belongs to, and its number there. The mirrored pass begins where the first one ended.
    fn pass(&mut self, iteration: u64) -> (&mut Spsa, u64) {
        let one = self.job.gains.iterations.max(1);
        let number = (iteration / one) as usize;
        if number == self.passes.len() {
            self.passes.push(self.passes[0].mirrored(random::number(self.job.seed, u64::MAX)));
        }
        (&mut self.passes[number], iteration % one)
    }

    /// Follows the games of an iteration.
    fn follow(&mut self, iteration: u64, &[wins, _, losses]: &[u64; 3]) {
        let (spsa, iteration) = self.pass(iteration);
        spsa.follow(iteration, wins as f64 - losses as f64);
    }

    /// The values that the last iteration led to.
    fn values(&self) -> &[f64] {
        self.passes.last().map_or(&[], |spsa| &spsa.values)
    }

    /// Plays one iteration and follows it; `None` if it is interrupted.
    fn iterate(&mut self, iteration: u64) -> Result<Option<Iterated>, JobError> {
        let (spsa, within) = self.pass(iteration);
        let values = spsa.players(within);
        let Some(games) = self.play(&values, self.job.games.count, iteration)? else { return Ok(None) };
        let mut check = None;
        if self.is_checked(within) {
            let mut spsa = self.passes[self.passes.len() - 1].clone();
            spsa.follow(within, games[0] as f64 - games[2] as f64);
            let start = self.job.tunables.iter().map(|tunable| tunable.start).collect();
            check = self.play(&[spsa.values, start], self.job.check_games, u64::MAX - iteration)?;
            if check.is_none() {
                return Ok(None);
            }
        }
        self.follow(iteration, &games);
        Ok(Some(Iterated { games, values: self.values().to_vec(), check }))
    }

    fn is_checked(&self, iteration: u64) -> bool {
        let tenth = |iteration: u64| 10 * iteration / self.job.gains.iterations.max(1);
        self.job.check_games > 0 && tenth(iteration + 1) > tenth(iteration)
    }

    /// What the finished iterations come to.
    fn outcome(&self, iterations: Vec<Iterated>, is_whole: bool, fault: Option<String>) -> LearnedSpsa {
        let first = &self.passes[0];
        let second = self.passes.get(1);
        let confirmations = second.filter(|_| is_whole).map(|second| first.confirmed_by(second));
        let learned = match (second, &confirmations) {
            (Some(second), Some(confirmations)) => first.settled_with(second, confirmations),
            _ => first.values.clone(),
        };
        LearnedSpsa { iterations, learned, drifts: first.drifts().to_vec(), confirmations, fault }
    }

    /// Wins, draws and losses of the first.
    fn play(&self, values: &[Vec<f64>; 2], games: u64, seed: u64) -> Result<Option<[u64; 3]>, JobError> {
        let players = self.players(values)?;
        let seed = random::number(self.job.seed, seed);
        self.duel().play(self.job.entries(&players), games, seed, &self.workplace.stop)
    }
}
