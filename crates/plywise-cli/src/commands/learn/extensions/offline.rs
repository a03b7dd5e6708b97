//! Algorithm 13 of the thesis: an engine in another process is examined with each weight altered in turn.

use super::course::{Course, Iteration};
use super::{Arguments, ExaminedEngine, Task, answers, descent, describe_tasks, jobs, patience, prices, work};
use crate::commands::learn::tunables;
use crate::engine::{Setup, hosted};
use crate::games::Playable;
use crate::process::this_program;
use crate::progress::Meter;
use crate::runs::{Work, describe_setup, fail};
use crate::{Failure, Result};
use plywise_arena::Fault;
use plywise_arena::engine::{Engine, Examination, Examinee, Protocol, Question, Setting};
use plywise_arena::run::Units;
use plywise_game::parameters::Parameters;
use plywise_game::random::{self, Random};
use plywise_learn::control::{Descent, Slots, Tunable};
use plywise_search::{Params, Signal};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// What one position came to: with the weights as they were, and then with each of them altered.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Examined {
    nodes: Vec<u64>,
    solved: bool,
    /// In the first of an iteration: the weights as they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    weights: Vec<f64>,
}

/// The engine, how it is asked, and what of it is tuned.
struct Subject {
    engine: Engine,
    examination: Examination,
    tunables: Vec<Tunable>,
    slots: Option<Slots>,
}

pub(super) fn learn<G: Playable>(args: &Arguments, tasks: &[Task<G>], setup: &Setup, stop: &Signal) -> Result<Course> {
    let Subject { engine, examination, tunables, slots } = subject::<G>(args, setup)?;
    let mut descent = descent(args, tunables);
    let mut units = open_run(args, tasks, setup, &descent, &engine)?;
    let start = |_| Examinee::start(&engine, examination);
    let started: Result<Vec<Examinee>, Fault> = (0..jobs(args, tasks.len())).map(start).collect();
    let mut examinees =
        started.map_err(|fault| Failure::input(format!("{} cannot be examined: {fault}", engine.name)))?;
    let (count, broken, fault) = (tasks.len() as u64, stop.child(), Mutex::new(None));
    let mut iterations = Vec::new();
    let mut meter = Meter::new(args.iterations * count - units.finished().len() as u64, "positions");
    let already = units.finished().len() as u64;
    for iteration in 0..args.iterations {
        let order = Random::new(random::number(args.seed, iteration)).shuffled(0..tasks.len());
        let texts = Questions::of(&descent);
        let weights_of = |place: u64| if place == 0 { descent.weights.clone() } else { Vec::new() };
        let examine = |examinee: &mut &mut Examinee, number: u64, _: &Signal| {
            let task = &tasks[order[(number % count) as usize]];
            match texts.put_to(examinee, task, args) {
                Ok(examined) => Some(Examined { weights: weights_of(number % count), ..examined }),
                Err(found) => {
                    fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(found);
                    broken.stop();
                    None
                }
            }
        };
        let workers: Vec<&mut Examinee> = examinees.iter_mut().collect();
        let mut each = |number, _: &Examined| {
            if number >= already.max(iteration * count) {
                meter.advance();
            }
            ControlFlow::Continue(())
        };
        units.work((iteration + 1) * count, workers, &broken, examine, &mut each).map_err(fail)?;
        let finished = units.finished().range(iteration * count..(iteration + 1) * count);
        let finished: Vec<&Examined> = finished.map(|(_, examined)| examined).collect();
        if finished.len() < tasks.len() {
            break;
        }
        let total = |place: usize| finished.iter().map(|examined| examined.nodes[place]).sum::<u64>();
        let altered: Vec<u64> = (1..=descent.weights.len()).map(total).collect();
        let (nodes, weights) = (total(0), descent.weights.clone());
        descent.step_by_counts(nodes, &altered);
        let solved = finished.iter().filter(|examined| examined.solved).count();
        iterations.push(Iteration { nodes, solved, weights, gradient: descent.gradient_norm() });
    }
    meter.finish();
    let fault = fault.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Course {
        tunables: descent.tunables,
        positions: tasks.len(),
        iterations,
        learned: None,
        slots,
        log: String::new(),
        run: units.into_run(),
        fault: fault.map(|fault| format!("{} failed: {fault}", engine.name)),
    })
}

/// Who is examined: the engine of the arguments, or this program itself.
fn subject<G: Playable>(args: &Arguments, setup: &Setup) -> Result<Subject> {
    let named = || args.tune.iter().map(|path| tunables::of_parameter(&setup.params, path)).collect::<Result<Vec<_>>>();
    let is_named = !args.tune.is_empty();
    let slots = (!is_named && args.options.is_none()).then_some(Slots::BY_CLASS);
    let tunables = match (&args.options, is_named) {
        (Some(file), _) => tunables::of_file(file)?,
        (None, true) => named()?,
        (None, false) => prices(args, &Slots::BY_CLASS),
    };
    let (mut engine, examination) = match &args.engine {
        Some(ExaminedEngine { engine, examination, .. }) => (engine.clone(), *examination),
        None => (own_engine::<G>(args)?, Examination::Thesis),
    };
    if is_named && examination == Examination::Thesis {
        engine.commands.push(format!("nameparam {}", args.tune.join(" ")));
    }
    if slots.is_some() && examination == Examination::Uci {
        engine.options.extend(conditions()?);
    }
    Ok(Subject { engine, examination, tunables, slots })
}

/// The conditions of the experiment as options of an engine that has the same parameters as this program.
fn conditions() -> Result<Vec<(String, String)>> {
    let (switch, limit) = (Params::find("extensions")?, Params::find("extensions.limit")?);
    let threats = (0..3).map(|phase| (format!("extensions.threat.{phase}"), "100".to_owned()));
    let others = [(switch.path(), "true".to_owned()), (limit.path(), limit.max.to_string())];
    Ok(threats.chain(others).collect())
}

/// This program as an engine, with the search of the arguments.
fn own_engine<G: Playable>(args: &Arguments) -> Result<Engine> {
    let program = this_program().map_err(|error| Failure::Failed(format!("cannot find this program: {error}")))?;
    let resources = &args.resources;
    let mut arguments = program.arguments;
    arguments.extend(["uci".to_owned(), G::NAME.to_owned()]);
    let mut add = |option: &str, value: String| arguments.extend([option.to_owned(), value]);
    add("--profile", args.profile.clone());
    add("--hash", resources.hash.to_string());
    add("--threads", resources.threads.to_string());
    resources.set.iter().for_each(|setting| add("--set", format!("{}={}", setting.path, setting.value)));
    resources.table.iter().for_each(|table| add("--table", table.clone()));
    let engine = Engine::new(Protocol::Uci, program.command.to_string_lossy());
    Ok(Engine { arguments, ..engine })
}

fn open_run<G: Playable>(
    args: &Arguments,
    tasks: &[Task<G>],
    setup: &Setup,
    descent: &Descent,
    engine: &Engine,
) -> Result<Units<Examined>> {
    let who = match &args.engine {
        Some(examined) => json!(examined.text),
        None => describe_setup(&*hosted::<G>(), setup)?,
    };
    let what = json!({"way": "offline", "suite": describe_tasks(tasks), "engine": who});
    let weights = descent.weights.len();
    let check = move |_, examined: &Examined| match examined.nodes.len() == weights + 1 {
        true => Ok(()),
        false => Err(format!("there are {weights} weights")),
    };
    let total = args.iterations * tasks.len() as u64;
    let engines: Vec<_> = args.engine.iter().map(|_| engine.program.clone().into()).collect();
    args.run.units(Work::new(work(args, descent, what), total).by(&engines), check)
}

/// The settings of an iteration: the weights as they are, and with each of them altered.
struct Questions<'a> {
    tunables: &'a [Tunable],
    variants: Vec<Vec<(f64, String)>>,
}

impl<'a> Questions<'a> {
    fn of(descent: &'a Descent) -> Questions<'a> {
        let all =
            std::iter::once(descent.weights.clone()).chain((0..descent.weights.len()).map(|i| descent.altered(i)));
        let write = |weights: Vec<f64>| {
            weights.iter().zip(&descent.tunables).map(|(&weight, tunable)| (weight, tunable.text(weight))).collect()
        };
        Questions { tunables: &descent.tunables, variants: all.map(write).collect() }
    }

    fn put_to<G: Playable>(
        &self,
        examinee: &mut Examinee,
        task: &Task<G>,
        args: &Arguments,
    ) -> Result<Examined, Fault> {
        let (position, answers) = (G::write_position(&task.position), answers(task));
        let mut examined = Examined { nodes: Vec::new(), solved: false, weights: Vec::new() };
        for variant in &self.variants {
            let setting =
                |(tunable, (number, text)): (&'a Tunable, &'_ (f64, String))| (tunable, *number, text.clone());
            let values: Vec<_> = self.tunables.iter().zip(variant).map(setting).collect();
            let settings: Vec<Setting> = values
                .iter()
                .map(|(tunable, number, text)| Setting { options: &tunable.paths, number: *number, text })
                .collect();
            let (nodes, patience) = (args.nodes, patience(args));
            let question = Question { position: &position, answers: &answers, settings: &settings, nodes, patience };
            let answer = examinee.ask(&question)?;
            examined.solved |= answer.solved && examined.nodes.is_empty();
            examined.nodes.push(answer.nodes);
        }
        Ok(examined)
    }
}
