//! Algorithm 12 of the thesis, from a suite: one search of each position counts along for all prices.

use super::{Event, Iteration, LearnExtensions, LearnedExtensions, SolvedPosition, refused};
use crate::LearnableGame;
use crate::control::{CountingSearch, Counts, Descent, GrowthCounter, Slots};
use plywise_game::random::{self, Random};
use plywise_host::{Move, Style};
use plywise_run::{JobError, Workplace};
use plywise_search::{Params, Signal};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// What one search came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Searched {
    nodes: u64,
    solved: bool,
    /// The nodes of its last finished iteration.
    counts: Option<Counts>,
    /// The line that it found, if it solved the position.
    path: Vec<String>,
    /// In the first of an iteration: the weights with which it was done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    weights: Vec<f64>,
}

pub(super) fn learn(
    job: &LearnExtensions,
    delta: f64,
    game: &dyn LearnableGame,
    workplace: &Workplace,
    watch: &(dyn Fn(Event) + Sync),
) -> Result<LearnedExtensions, JobError> {
    let (suite, setup, mut descent) = (job.suite(game)?, job.setup(game)?, job.descent());
    let (weights, count) = (descent.weights.len(), suite.len() as u64);
    let check = move |_, searched: &Searched| {
        let is_whole = searched.counts.as_ref().is_none_or(|counts| counts.altered.len() == weights);
        if is_whole { Ok(()) } else { Err(format!("there are {weights} weights")) }
    };
    let mut units = workplace.units(job, Some(job.iterations * count), check)?;
    let searches = (0..job.jobs(workplace)).map(|_| game.counting_search(&setup).map_err(refused));
    let mut searches = searches.collect::<Result<Vec<_>, _>>()?;
    let mut paths: Vec<Option<Vec<Move>>> = vec![None; suite.len()];
    let already = units.finished().len() as u64;
    watch(Event::Begun { left: (job.iterations * count).saturating_sub(already) });
    let mut iterations = Vec::new();
    for iteration in 0..job.iterations {
        let mut params = setup.params.clone();
        job.apply(&descent.weights, &mut params).map_err(JobError::input)?;
        let order = Random::new(random::number(job.seed, iteration)).shuffled(0..suite.len());
        let place = |number: u64| order[(number % count) as usize];
        let search = |search: &mut &mut Box<dyn CountingSearch>, number: u64, signal: &Signal| {
            search.set_params(&params);
            let searched = search_one(job, delta, &mut ***search, &suite[place(number)], signal)?;
            let weights = if number.is_multiple_of(count) { descent.weights.clone() } else { Vec::new() };
            Some(Searched { weights, ..searched })
        };
        let mut each = |number, _: &Searched| {
            if number >= already.max(iteration * count) {
                watch(Event::Done);
            }
            ControlFlow::Continue(())
        };
        units.work((iteration + 1) * count, searches.iter_mut().collect(), &workplace.stop, search, &mut each)?;
        let finished = units.finished().range(iteration * count..(iteration + 1) * count);
        let finished: Vec<(usize, &Searched)> = finished.map(|(&number, searched)| (place(number), searched)).collect();
        if finished.len() < suite.len() {
            break;
        }
        for &(place, searched) in &finished {
            keep_path(&mut paths[place], &suite[place], searched)?;
        }
        let (nodes, weights) = (finished.iter().map(|(_, searched)| searched.nodes).sum(), descent.weights.clone());
        follow_gradient(game, delta, &mut descent, (&suite, &paths), &finished, &params);
        let solved = finished.iter().filter(|(_, searched)| searched.solved).count();
        iterations.push(Iteration { nodes, solved, weights, gradient: descent.gradient_norm() });
    }
    LearnedExtensions::of_passes(suite.len(), iterations, None)
}

fn search_one(
    job: &LearnExtensions,
    delta: f64,
    search: &mut dyn CountingSearch,
    solved: &SolvedPosition,
    stop: &Signal,
) -> Option<Searched> {
    let mut counter = GrowthCounter::new(Slots::BY_CLASS, (100.0 * delta).round() as i32);
    let found = search.solve(&solved.position, &solved.answers, job.nodes, stop, Some(&mut counter))?;
    let path = if found.solved { found.pv } else { Vec::new() };
    Some(Searched {
        nodes: found.nodes,
        solved: found.solved,
        counts: counter.finished().cloned(),
        path: solved.position.write_line_as(&path, Style::Engine),
        weights: Vec::new(),
    })
}

/// The line by which a position was solved first is kept for all later iterations.
fn keep_path(path: &mut Option<Vec<Move>>, solved: &SolvedPosition, searched: &Searched) -> Result<(), JobError> {
    if path.is_some() || !searched.solved {
        return Ok(());
    }
    let mut position = solved.position.clone();
    let damaged = |error| JobError::Input(format!("the journal is damaged: {error}"));
    let moves = searched.path.iter().map(|text| position.play_text(text).map_err(damaged));
    *path = Some(moves.collect::<Result<_, _>>()?);
    Ok(())
}

/// How many plies the model may go beyond what was searched. The growth of a shallow search to a power that is far greater
/// than its depth would drown all other positions.
const FURTHEST: f64 = 2.0;

/// Positions whose solution is not known, or lies much deeper than they were searched, teach nothing.
fn follow_gradient(
    game: &dyn LearnableGame,
    delta: f64,
    descent: &mut Descent,
    (suite, paths): (&[SolvedPosition], &[Option<Vec<Move>>]),
    finished: &[(usize, &Searched)],
    params: &Params,
) {
    let (mut nodes, mut gradient) = (0.0, vec![0.0; descent.weights.len()]);
    for &(place, searched) in finished {
        let (Some(path), Some(counts)) = (&paths[place], &searched.counts) else { continue };
        let depth = game.path_depth(&suite[place].position, path, &params.extensions, &Slots::BY_CLASS);
        let Some(depth) = depth.filter(|depth| depth.depth <= f64::from(counts.depth) + FURTHEST) else { continue };
        let cost = counts.cost(&depth, delta);
        nodes += cost.nodes;
        gradient.iter_mut().zip(&cost.gradient).for_each(|(sum, slope)| *sum += slope);
    }
    descent.step_by_gradient(nodes, &gradient);
}
