//! Algorithm 13 of the thesis: a search is examined with each value altered in turn.

use super::{Event, Examined, Iteration, LearnExtensions, LearnedExtensions, SolvedPosition, refused};
use crate::LearnableGame;
use crate::control::{CountingSearch, Descent};
use plywise_arena::engine::{Engine, Examination, Examinee, Question, Setting};
use plywise_game::parameters::Parameters;
use plywise_game::random::{self, Random};
use plywise_host::{Setup, Style};
use plywise_run::{JobError, Workplace};
use plywise_search::{Params, Signal};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What one position came to: with the values as they were, and then with each of them altered.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Counted {
    nodes: Vec<u64>,
    solved: bool,
    /// In the first of an iteration: the values as they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    weights: Vec<f64>,
}

pub(super) fn learn(
    job: &LearnExtensions,
    examined: Option<&Examined>,
    game: &dyn LearnableGame,
    workplace: &Workplace,
    watch: &(dyn Fn(Event) + Sync),
) -> Result<LearnedExtensions, JobError> {
    let (suite, setup, mut descent) = (job.suite(game)?, job.setup(game)?, job.descent());
    let (weights, count) = (descent.weights.len(), suite.len() as u64);
    let check = move |_, counted: &Counted| match counted.nodes.len() == weights + 1 {
        true => Ok(()),
        false => Err(format!("there are {weights} weights")),
    };
    let mut units = workplace.units(job, Some(job.iterations * count), check)?;
    let subjects = (0..job.jobs(workplace)).map(|_| Subject::new(job, examined, game, &setup));
    let mut subjects = subjects.collect::<Result<Vec<Subject>, JobError>>()?;
    let (broken, fault) = (workplace.stop.child(), Mutex::new(None));
    let already = units.finished().len() as u64;
    watch(Event::Begun { left: (job.iterations * count).saturating_sub(already) });
    let mut iterations = Vec::new();
    for iteration in 0..job.iterations {
        let order = Random::new(random::number(job.seed, iteration)).shuffled(0..suite.len());
        let variants = variants(&descent);
        let examine = |subject: &mut &mut Subject, number: u64, stop: &Signal| {
            let solved = &suite[order[(number % count) as usize]];
            let weights = if number.is_multiple_of(count) { descent.weights.clone() } else { Vec::new() };
            let counted = subject.examine(job, solved, &variants, stop).unwrap_or_else(|found| {
                fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(found);
                broken.stop();
                None
            });
            counted.map(|counted| Counted { weights, ..counted })
        };
        let mut each = |number, _: &Counted| {
            if number >= already.max(iteration * count) {
                watch(Event::Done);
            }
            ControlFlow::Continue(())
        };
        units.work((iteration + 1) * count, subjects.iter_mut().collect(), &broken, examine, &mut each)?;
        let finished = units.finished().range(iteration * count..(iteration + 1) * count);
        let finished: Vec<&Counted> = finished.map(|(_, counted)| counted).collect();
        if finished.len() < suite.len() {
            break;
        }
        let total = |place: usize| finished.iter().map(|counted| counted.nodes[place]).sum::<u64>();
        let altered: Vec<u64> = (1..=descent.weights.len()).map(total).collect();
        let (nodes, weights) = (total(0), descent.weights.clone());
        descent.step_by_counts(nodes, &altered);
        let solved = finished.iter().filter(|counted| counted.solved).count();
        iterations.push(Iteration { nodes, solved, weights, gradient: descent.gradient_norm() });
    }
    let fault = fault.into_inner().unwrap_or_else(PoisonError::into_inner);
    LearnedExtensions::of_passes(suite.len(), iterations, fault)
}

/// The values of an iteration: as they are, and with each of them altered.
fn variants(descent: &Descent) -> Vec<Vec<f64>> {
    let altered = (0..descent.weights.len()).map(|place| descent.altered(place));
    std::iter::once(descent.weights.clone()).chain(altered).collect()
}

/// Who is examined.
enum Subject {
    /// A search in this process, with its parameters.
    Search(Box<dyn CountingSearch>, Box<Params>),
    /// An engine in another process, by its name.
    Engine(Box<Examinee>, String),
}

impl Subject {
    fn new(
        job: &LearnExtensions,
        examined: Option<&Examined>,
        game: &dyn LearnableGame,
        setup: &Setup,
    ) -> Result<Subject, JobError> {
        let Some(Examined { engine, examination }) = examined else {
            let params = Box::new(setup.params.clone());
            return Ok(Subject::Search(game.counting_search(setup).map_err(refused)?, params));
        };
        let Engine { name, .. } = engine;
        let cannot = |fault| JobError::Input(format!("{name} cannot be examined: {fault}"));
        let examinee = Examinee::start(&prepared(job, engine, *examination)?, *examination).map_err(cannot)?;
        Ok(Subject::Engine(Box::new(examinee), name.clone()))
    }

    /// The nodes that a position takes with each variant of the values. `None` if `stop` interrupts it.
    fn examine(
        &mut self,
        job: &LearnExtensions,
        solved: &SolvedPosition,
        variants: &[Vec<f64>],
        stop: &Signal,
    ) -> Result<Option<Counted>, String> {
        let mut counted = Counted { nodes: Vec::new(), solved: false, weights: Vec::new() };
        for values in variants {
            let (nodes, solved) = match self {
                Subject::Search(search, params) => {
                    let mut params = params.clone();
                    job.apply(values, &mut params).map_err(|error| error.to_string())?;
                    search.set_params(&params);
                    match search.solve(&solved.position, &solved.answers, job.nodes, stop, None) {
                        Some(found) => (found.nodes, found.solved),
                        None => return Ok(None),
                    }
                }
                Subject::Engine(examinee, name) => {
                    ask(examinee, job, solved, values).map_err(|fault| format!("{name} failed: {fault}"))?
                }
            };
            counted.solved |= solved && counted.nodes.is_empty();
            counted.nodes.push(nodes);
        }
        Ok(Some(counted))
    }
}

/// Asks an engine with these values: the nodes, and whether it finds an answer.
fn ask(
    examinee: &mut Examinee,
    job: &LearnExtensions,
    solved: &SolvedPosition,
    values: &[f64],
) -> Result<(u64, bool), plywise_arena::Fault> {
    let named = job.tunables.iter().zip(values);
    let texts: Vec<String> = named.clone().map(|(tunable, &value)| tunable.text(value)).collect();
    let settings = named.zip(&texts);
    let settings: Vec<Setting> =
        settings.map(|((tunable, &number), text)| Setting { options: &tunable.paths, number, text }).collect();
    let answers = solved.answers.iter().map(|&mv| solved.position.write_move_as(mv, Style::Engine));
    let question = Question {
        position: &solved.position.text(),
        answers: &answers.collect::<Vec<_>>(),
        settings: &settings,
        nodes: job.nodes,
        patience: Duration::from_secs(job.patience),
    };
    let answer = examinee.ask(&question)?;
    Ok((answer.nodes, answer.solved))
}

/// The engine with what the experiment asks of it.
fn prepared(job: &LearnExtensions, engine: &Engine, examination: Examination) -> Result<Engine, JobError> {
    let mut engine = engine.clone();
    match (examination, job.slots()) {
        (Examination::Uci, Some(_)) => engine.options.extend(conditions().map_err(JobError::input)?),
        (Examination::Thesis, None) => {
            let names: Vec<&str> = job.tunables.iter().map(|tunable| tunable.name.as_str()).collect();
            engine.commands.push(format!("nameparam {}", names.join(" ")));
        }
        _ => {}
    }
    Ok(engine)
}

/// The conditions of the experiment as options of an engine that has the same parameters as plywise.
fn conditions() -> Result<Vec<(String, String)>, plywise_game::parameters::ParameterError> {
    let (switch, limit) = (Params::find("extensions")?, Params::find("extensions.limit")?);
    let threats = (0..3).map(|phase| (format!("extensions.threat.{phase}"), "100".to_owned()));
    let others = [(switch.path(), "true".to_owned()), (limit.path(), limit.max.to_string())];
    Ok(threats.chain(others).collect())
}
