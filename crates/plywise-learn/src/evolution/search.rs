use super::coeval::local;
use super::lineage::{Habitat, Newborn};
use super::tournament::{Games, Tournament};
use super::{Event, Gene, GeneError, Genome, Lineage, Others, Plan, Trial};
use crate::LearnableGame;
use crate::control::Tunable;
use plywise_arena::engine::{Engine, Examination, Examinee, Question, Setting};
use plywise_arena::suites::{Enough, Problem};
use plywise_arena::{Contender, Entrant, Limits, Who};
use plywise_game::parameters::{ParameterError, Parameters, nearest_name};
use plywise_host::{AnyGame, Setup, Style, SuiteEntry};
use plywise_run::{Job, JobError, Workplace};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// `evolve search`: the parameters of a search evolve, or the options of an engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EvolveSearch {
    /// The name of the game.
    pub game: String,
    /// How the parameters evolve.
    pub plan: Plan,
    /// How many generations follow the first.
    pub generations: u64,
    /// What the profile of the player was called.
    pub profile: String,
    /// The player that evolves. By a suite its limit is one of nodes: an unsolved position counts all of them.
    pub player: Entrant,
    /// The options of an engine in another process that evolve; none for a search of plywise.
    pub options: Vec<Tunable>,
    /// What fitness is.
    pub fitness: Fitness,
    /// Seconds that an engine may take for one position.
    pub patience: u64,
}

/// What the fitness of a search is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fitness {
    /// The inverse of the nodes to known answers.
    Suite {
        /// The positions and their answers, each a line of EPD.
        positions: Vec<String>,
        /// A position is solved once the best move has been right for this many iterations.
        iterations: u16,
    },
    /// Points against the other organisms.
    Games(Games),
}

/// What came out of [`EvolveSearch`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EvolvedSearch {
    /// The generations.
    pub lineage: Lineage,
    /// The parameters or options of the best organism, in their order.
    pub settings: Vec<i32>,
}

impl EvolvedSearch {
    /// The nodes that the best organism takes for a suite, and how many positions it solves.
    pub fn solved(&self) -> Option<(u64, usize)> {
        let last = self.lineage.generations.last()?;
        match last.trials.get(last.best())? {
            Trial::Solved { nodes, solved } => Some((*nodes, *solved)),
            _ => None,
        }
    }
}

impl Job for EvolveSearch {
    const NAME: &'static str = "evolve search";
    // How long an engine may take for an answer does not decide what it answers.
    const MAY_GROW: &'static [&'static str] = &["generations", "patience"];
    type Game = Arc<dyn LearnableGame>;
    type Event = Event;
    type Outcome = EvolvedSearch;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<EvolvedSearch, JobError> {
        let subject = match &self.player.who {
            Who::Setup(setup) => Subject::Setup(Box::new(setup.read(&**game).map_err(JobError::input)?)),
            Who::Engine(engine) => Subject::Engine(engine),
        };
        let genome = match &subject {
            Subject::Setup(setup) => self.plan.genome(&setup.params),
            Subject::Engine(_) => option_genome(&self.options),
        };
        let genome = genome.map_err(JobError::input)?;
        let mut units = workplace.units(self, Some(self.plan.total(self.generations)), self.plan.checker())?;
        let (plan, generations, jobs) = (self.plan.clone(), self.generations, workplace.jobs);
        let lineage = match (&self.fitness, &subject) {
            (Fitness::Games(games), _) => {
                let openings = games.read_openings(&**game)?;
                let player = |values: &[i32]| self.contender(game, &subject, &genome.settings(values));
                let tournament = Tournament {
                    game: &**game,
                    plan: &self.plan,
                    games,
                    openings: &openings,
                    limits: self.player.limits,
                    jobs,
                    player: &player,
                };
                Lineage::evolve(plan, generations, &mut units, &tournament, workplace, watch)?
            }
            (Fitness::Suite { positions, iterations }, Subject::Setup(setup)) => {
                let suite = Suite::read(&**game, positions, &self.player.limits)?;
                let (known, iterations) = (Mutex::default(), *iterations);
                let solving = Solving { game: &**game, genome: &genome, setup, suite: &suite, iterations, jobs, known };
                Lineage::evolve(plan, generations, &mut units, &solving, workplace, watch)?
            }
            (Fitness::Suite { positions, .. }, Subject::Engine(engine)) => {
                let suite = Suite::read(&**game, positions, &self.player.limits)?;
                let (idle, patience) = (Mutex::default(), Duration::from_secs(self.patience));
                let options = &self.options;
                let examining = Examining { genome: &genome, engine, options, suite: &suite, patience, jobs, idle };
                Lineage::evolve(plan, generations, &mut units, &examining, workplace, watch)?
            }
        };
        let settings = genome.settings(&lineage.best_values());
        Ok(EvolvedSearch { lineage, settings })
    }
}

/// What evolves.
enum Subject<'a> {
    /// A search in this process.
    Setup(Box<Setup>),
    /// An engine in another process.
    Engine(&'a Engine),
}

impl EvolveSearch {
    /// The player with these parameters or options.
    fn contender(
        &self,
        game: &Arc<dyn LearnableGame>,
        subject: &Subject,
        settings: &[i32],
    ) -> Result<Box<dyn Contender>, JobError> {
        match subject {
            Subject::Setup(setup) => {
                let mut setup = (**setup).clone();
                setup.params.set_values(settings);
                local(game, setup)
            }
            Subject::Engine(engine) => {
                let mut engine = (*engine).clone();
                let named = self.options.iter().zip(settings);
                engine.options.extend(named.map(|(option, value)| (option.name.clone(), value.to_string())));
                Ok(Box::new(engine))
            }
        }
    }
}

/// A gene for each option of an engine.
pub fn option_genome(options: &[Tunable]) -> Result<Genome, GeneError> {
    let numbers = |option: &Tunable| [option.min, option.max, option.start].map(|number| number.round() as i32);
    let gene = |option: &Tunable| {
        let [min, max, _] = numbers(option);
        Gene::covering(&option.name, min, max, (option.step.round() as i32).max(1))
    };
    let place = |path: &str| {
        options.iter().position(|option| option.name == path).ok_or_else(|| ParameterError::Unknown {
            path: path.to_owned(),
            nearest: nearest_name(path, options.iter().map(|option| option.name.clone())),
        })
    };
    let knobs: Vec<[i32; 3]> = options.iter().map(numbers).collect();
    Genome::over(options.iter().map(gene).collect(), Others::Keep, &knobs, &place)
}

/// Positions with known answers.
struct Suite {
    problems: Vec<Problem>,
    limits: Limits,
    /// The nodes for each position.
    budget: u64,
}

impl Suite {
    fn read(game: &dyn AnyGame, positions: &[String], limits: &Limits) -> Result<Suite, JobError> {
        let budget = match limits.nodes {
            Some(_) if limits.movetime.is_some() || limits.clock.is_some() => {
                return Err(JobError::input(
                    "a suite is searched with --nodes alone, so that fitness does not hang on the clock",
                ));
            }
            None => return Err(JobError::input("a suite is searched with --nodes, which an unsolved position counts")),
            Some(budget) => budget,
        };
        let text = positions.join("\n");
        let entries = game.read_epd(Box::new(text.as_bytes())).enumerate();
        let problem = |(i, entry): (usize, Result<SuiteEntry, _>)| entry.map(|entry| Problem::new(i, entry));
        let problems = entries.map(problem).collect::<Result<_, _>>().map_err(JobError::input)?;
        Ok(Suite { problems, limits: *limits, budget })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tries organisms by the nodes that they take to the answers of a suite.
struct Solving<'a> {
    game: &'a dyn AnyGame,
    genome: &'a Genome,
    setup: &'a Setup,
    suite: &'a Suite,
    iterations: u16,
    jobs: usize,
    /// What parameters came to that were tried before: the best live on, and their children are often like them.
    known: Mutex<HashMap<Vec<i32>, Trial>>,
}

impl Habitat for Solving<'_> {
    type Worker = Box<dyn plywise_host::Engine>;

    fn workers(&self) -> Result<Vec<Self::Worker>, JobError> {
        (0..self.jobs).map(|_| self.game.engine(self.setup).map_err(JobError::input)).collect()
    }

    fn attempt(
        &self,
        engine: &mut Self::Worker,
        newborn: &Newborn,
        part: u64,
        stop: &Signal,
    ) -> Result<Option<Trial>, String> {
        let settings = self.genome.settings(&newborn.values[part as usize]);
        if let Some(trial) = locked(&self.known).get(&settings) {
            return Ok(Some(trial.clone()));
        }
        let mut setup = self.setup.clone();
        setup.params.set_values(&settings);
        engine.reconfigure(&setup).map_err(|error| error.to_string())?;
        let (mut nodes, mut solved) = (0, 0);
        for problem in &self.suite.problems {
            engine.forget();
            let enough = Enough::Right(self.iterations);
            let Some(attempt) = problem.attempt(&mut **engine, &self.suite.limits, enough, stop) else {
                return Ok(None);
            };
            nodes += if attempt.solved { attempt.nodes } else { self.suite.budget };
            solved += usize::from(attempt.solved);
        }
        let trial = Trial::Solved { nodes, solved };
        locked(&self.known).insert(settings, trial.clone());
        Ok(Some(trial))
    }
}

/// The same for an engine in another process.
struct Examining<'a> {
    genome: &'a Genome,
    engine: &'a Engine,
    options: &'a [Tunable],
    suite: &'a Suite,
    patience: Duration,
    jobs: usize,
    /// Engines that run and have nothing to do.
    idle: Mutex<Vec<Examinee>>,
}

impl Habitat for Examining<'_> {
    type Worker = ();

    fn workers(&self) -> Result<Vec<()>, JobError> {
        let mut idle = locked(&self.idle);
        while idle.len() < self.jobs {
            let refused = |fault| JobError::Input(format!("{} cannot be examined: {fault}", self.engine.name));
            idle.push(Examinee::start(self.engine, Examination::Uci).map_err(refused)?);
        }
        Ok(vec![(); idle.len()])
    }

    fn attempt(&self, _: &mut (), newborn: &Newborn, part: u64, stop: &Signal) -> Result<Option<Trial>, String> {
        let Some(mut examinee) = locked(&self.idle).pop() else { return Err("no engine is left".to_owned()) };
        let trial = self.examine(&mut examinee, &newborn.values[part as usize], stop);
        locked(&self.idle).push(examinee);
        trial
    }
}

impl Examining<'_> {
    fn examine(&self, examinee: &mut Examinee, values: &[i32], stop: &Signal) -> Result<Option<Trial>, String> {
        let settings = self.genome.settings(values);
        let texts: Vec<String> = settings.iter().map(i32::to_string).collect();
        let settings: Vec<Setting> = (self.options.iter().zip(&settings).zip(&texts))
            .map(|((option, &value), text)| Setting { options: &option.paths, number: value.into(), text })
            .collect();
        let (mut nodes, mut solved) = (0, 0);
        for Problem { entry: SuiteEntry { position, best, .. }, .. } in &self.suite.problems {
            if stop.is_stopped() {
                return Ok(None);
            }
            let answers: Vec<String> = best.iter().map(|&mv| position.write_move_as(mv, Style::Engine)).collect();
            let question = Question {
                position: &position.text(),
                answers: &answers,
                settings: &settings,
                nodes: self.suite.budget,
                patience: self.patience,
            };
            let failed = |fault| format!("{} failed: {fault}", self.engine.name);
            let answer = examinee.ask(&question).map_err(failed)?;
            nodes += answer.nodes;
            solved += usize::from(answer.solved);
        }
        Ok(Some(Trial::Solved { nodes, solved }))
    }
}
