//! Algorithm 12 of the thesis, from a suite: one search of each position counts along for all weights.

use super::course::{Course, Iteration};
use super::{Arguments, Task, delta, descent, describe_tasks, jobs, prices, work};
use crate::engine::{Setup, TypedSetup, hosted};
use crate::games::Playable;
use crate::memory::check_tables;
use crate::progress::Meter;
use crate::runs::{Work, describe_setup, fail};
use crate::{Failure, Result};
use plywise_arena::run::Units;
use plywise_game::random::{self, Random};
use plywise_learn::control::{Counts, Descent, GrowthCounter, PathDepth, Slots, solve};
use plywise_net::NetworkEvaluation;
use plywise_search::{Params, Searcher, Signal};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::ops::ControlFlow;

/// What one search came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Searched {
    nodes: u64,
    solved: bool,
    /// The nodes of its last finished iteration.
    counts: Option<Counts>,
    /// The line that it found, where it solved the position.
    path: Vec<String>,
    /// In the first of an iteration: the weights with which it was done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    weights: Vec<f64>,
}

pub(super) fn learn<G: Playable>(args: &Arguments, tasks: &[Task<G>], setup: &Setup, stop: &Signal) -> Result<Course> {
    let slots = Slots::BY_CLASS;
    let mut descent = descent(args, prices(args, &slots));
    let jobs = jobs(args, tasks.len());
    check_tables(args.resources.hash, jobs)?;
    let mut units = open_run(args, tasks, setup, &descent)?;
    let searcher = |_| setup.searcher::<G>();
    let mut searchers = (0..jobs).map(searcher).collect::<Result<Vec<_>>>()?;
    let mut paths: Vec<Option<Vec<G::Move>>> = vec![None; tasks.len()];
    let (count, already) = (tasks.len() as u64, units.finished().len() as u64);
    let mut iterations = Vec::new();
    let mut meter = Meter::new(args.iterations * count - already, "positions");
    for iteration in 0..args.iterations {
        let mut params = setup.params.clone();
        slots.write(&descent.weights, &mut params)?;
        let order = Random::new(random::number(args.seed, iteration)).shuffled(0..tasks.len());
        let place = |number: u64| order[(number % count) as usize];
        let search = |searcher: &mut &mut Searcher<G, NetworkEvaluation<G>>, number: u64, signal: &Signal| {
            let searched = search(args, searcher, &tasks[place(number)], &params, signal)?;
            let weights = if number.is_multiple_of(count) { descent.weights.clone() } else { Vec::new() };
            Some(Searched { weights, ..searched })
        };
        let workers: Vec<&mut Searcher<G, NetworkEvaluation<G>>> = searchers.iter_mut().collect();
        let mut each = |number, _: &Searched| {
            if number >= already.max(iteration * count) {
                meter.advance();
            }
            ControlFlow::Continue(())
        };
        units.work((iteration + 1) * count, workers, stop, search, &mut each).map_err(fail)?;
        let finished = units.finished().range(iteration * count..(iteration + 1) * count);
        let finished: Vec<(usize, &Searched)> = finished.map(|(&number, searched)| (place(number), searched)).collect();
        if finished.len() < tasks.len() {
            break;
        }
        for &(place, searched) in &finished {
            keep_path(&mut paths[place], &tasks[place], searched)?;
        }
        let (nodes, weights) = (finished.iter().map(|(_, searched)| searched.nodes).sum(), descent.weights.clone());
        follow_gradient(args, &mut descent, tasks, &paths, &finished, &params);
        let solved = finished.iter().filter(|(_, searched)| searched.solved).count();
        iterations.push(Iteration { nodes, solved, weights, gradient: descent.gradient_norm() });
    }
    meter.finish();
    Ok(Course {
        tunables: descent.tunables,
        positions: tasks.len(),
        iterations,
        learned: None,
        slots: Some(slots),
        log: String::new(),
        run: units.into_run(),
        fault: None,
    })
}

fn open_run<G: Playable>(
    args: &Arguments,
    tasks: &[Task<G>],
    setup: &Setup,
    descent: &Descent,
) -> Result<Units<Searched>> {
    let what =
        json!({"way": "online", "suite": describe_tasks(tasks), "player": describe_setup(&*hosted::<G>(), setup)?});
    let weights = descent.weights.len();
    let check = move |_, searched: &Searched| match searched
        .counts
        .as_ref()
        .is_none_or(|counts| counts.altered.len() == weights)
    {
        true => Ok(()),
        false => Err(format!("there are {weights} weights")),
    };
    args.run.units(Work::new(work(args, descent, what), args.iterations * tasks.len() as u64), check)
}

fn search<G: Playable>(
    args: &Arguments,
    searcher: &mut Searcher<G, NetworkEvaluation<G>>,
    task: &Task<G>,
    params: &Params,
    stop: &Signal,
) -> Option<Searched> {
    searcher.set_policy(params.clone());
    let mut counter = GrowthCounter::new(Slots::BY_CLASS, (100.0 * delta(args)).round() as i32);
    let found = solve(searcher, &task.position, &task.answers, args.nodes, stop, Some(&mut counter))?;
    let path = if found.solved { found.pv } else { Vec::new() };
    Some(Searched {
        nodes: found.nodes,
        solved: found.solved,
        counts: counter.finished().cloned(),
        path: crate::text::write_moves::<G>(&task.position, &path, |position, mv| G::write_engine_move(position, mv)),
        weights: Vec::new(),
    })
}

/// The line by which a position was solved first is kept for all later iterations.
fn keep_path<G: Playable>(path: &mut Option<Vec<G::Move>>, task: &Task<G>, searched: &Searched) -> Result {
    if path.is_some() || !searched.solved {
        return Ok(());
    }
    let mut position = task.position.clone();
    let mut moves = Vec::new();
    for text in &searched.path {
        let mv = G::parse_move(&position, text)
            .map_err(|error| Failure::input(format!("the journal is damaged: {error}")))?;
        moves.push(mv);
        position = G::play(&position, mv);
    }
    *path = Some(moves);
    Ok(())
}

/// How many plies the model may go beyond what was searched. The growth of a shallow search to a power that is far greater
/// than its depth would drown all other positions.
const FURTHEST: f64 = 2.0;

/// Positions whose solution is not known, or lies much deeper than they were searched, teach nothing.
fn follow_gradient<G: Playable>(
    args: &Arguments,
    descent: &mut Descent,
    tasks: &[Task<G>],
    paths: &[Option<Vec<G::Move>>],
    finished: &[(usize, &Searched)],
    params: &Params,
) {
    let (mut nodes, mut gradient) = (0.0, vec![0.0; descent.weights.len()]);
    for &(place, searched) in finished {
        let (Some(path), Some(counts)) = (&paths[place], &searched.counts) else { continue };
        let depth = PathDepth::of::<G>(&tasks[place].position, None, path, &params.extensions, &Slots::BY_CLASS);
        if depth.depth > f64::from(counts.depth) + FURTHEST {
            continue;
        }
        let cost = counts.cost(&depth, delta(args));
        nodes += cost.nodes;
        gradient.iter_mut().zip(&cost.gradient).for_each(|(sum, slope)| *sum += slope);
    }
    descent.step_by_gradient(nodes, &gradient);
}
