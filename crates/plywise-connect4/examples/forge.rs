//! Makes the openings and the suite of Connect Four, and fits the weights of its evaluation, with the solver as the judge.
//!
//! `cargo run --release -p plywise-connect4 --example forge -- openings|suite|weights`
//!
//! It prints what it makes. Openings and suite are the same each time and on every machine.
//!
//! Openings are drawn games of eight plies that are even with perfect play. The suite has positions in which one move alone
//! wins, or alone saves the game, and which a shallow search gets wrong. The weights are fitted to solved positions by
//! logistic regression: the value is to say how likely a win is.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use plywise_connect4::{Connect4, Evaluator, Place, Position, Solver, Weights, canonical, lines};
use plywise_game::epd::{Entry, Operation};
use plywise_game::parameters::Parameters;
use plywise_game::random::Random;
use plywise_game::score::{self, Score};
use plywise_game::{Game, Linear, Notation, Window};
use plywise_search::{Limits, Profile, ProfiledGame, Searcher};
use std::collections::HashSet;
use std::error::Error;

const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["openings"] => openings(),
        ["suite"] => suite()?,
        ["weights"] => weights(),
        _ => return Err("name what to make: openings, suite or weights".into()),
    }
    Ok(())
}

/// Random moves from the start, none of which misses a win, a block, or what loses to the next move.
fn sensible_game(random: &mut Random, plies: usize) -> Vec<Place> {
    let mut position = Connect4::start();
    let mut game = Vec::new();
    while game.len() < plies && Connect4::outcome(&position).is_none() {
        let [own, enemy] = [position.own(), position.enemy()].map(lines::completing);
        let moves = Connect4::legal_moves(&position);
        let those = |wanted: &dyn Fn(u64) -> bool| -> Vec<Place> {
            moves.iter().copied().filter(|mv| wanted(mv.bit())).collect()
        };
        let choices = [
            those(&|bit| own & bit != 0),
            those(&|bit| enemy & bit != 0),
            those(&|bit| enemy & bit << 1 == 0),
            moves.clone(),
        ];
        let mv = choices.iter().find_map(|choice| random.pick(choice)).expect("the game is not over");
        position = Connect4::play(&position, *mv);
        game.push(*mv);
    }
    game
}

/// The position after some moves from the start.
fn after(moves: &[Place]) -> Position {
    moves.iter().fold(Connect4::start(), |position, mv| Connect4::play(&position, *mv))
}

/// Whether the game goes on and neither player can complete a line with the next move.
fn is_quiet(position: &Position) -> bool {
    let threats = lines::completing(position.own()) | lines::completing(position.enemy());
    Connect4::outcome(position).is_none() && threats & position.reachable() == 0
}

/// Solves positions.
struct Judge(Solver);

impl Judge {
    fn new() -> Judge {
        Judge(Solver::new(256))
    }

    /// 1 for a win of the side to move, 0 for a draw, -1 for a loss; `None` where that takes too many nodes.
    fn outcome(&mut self, position: &Position, nodes: u64) -> Option<i32> {
        self.within(position, Window::new(-1, 1), nodes).map(Score::signum)
    }

    fn within(&mut self, position: &Position, window: Window, nodes: u64) -> Option<Score> {
        let mut left = Some(nodes);
        self.0.solve(position, window, &mut |_| left.take().unwrap_or(0))
    }
}

fn openings() {
    const NUMBER: usize = 100;
    const PLIES: usize = 8;
    const NODES: u64 = 20_000_000;
    let (mut random, mut judge, mut seen) = (Random::new(SEED), Judge::new(), HashSet::new());
    let mut made = 0;
    while made < NUMBER {
        let moves = sensible_game(&mut random, PLIES);
        let position = after(&moves);
        if !is_quiet(&position) || !seen.insert(canonical(&position)) {
            continue;
        }
        if judge.outcome(&position, NODES) == Some(0) {
            made += 1;
            let words: Vec<String> = moves.iter().map(|mv| Connect4::write_move(&position, *mv)).collect();
            let mut entry = Entry::<Connect4>::new(position);
            entry.id = Some(words.join(" "));
            entry.operations.push(operation("ce", "0"));
            println!("{entry}");
        }
        eprintln!("{made} of {} positions", seen.len());
    }
}

fn operation(opcode: &str, operands: &str) -> Operation {
    Operation { opcode: opcode.to_string(), operands: operands.to_string() }
}

fn suite() -> Result<(), Box<dyn Error>> {
    const NUMBER: usize = 100;
    const LEAST_DISCS: usize = 12;
    const MOST_DISCS: usize = 20;
    /// What the search must not see, and within which it must find the move.
    const SHALLOW: i32 = 6;
    const NODES: u64 = 1_000_000;
    let (mut random, mut judge, mut seen) = (Random::new(SEED), Judge::new(), HashSet::new());
    let params = Profile::named("brute")?.params(ProfiledGame::of::<Connect4>())?;
    let mut searcher = Searcher::<Connect4, _>::new(params, Evaluator::default(), 64)?;
    let mut solves = |position: &Position, limits: Limits, best: Place| {
        searcher.forget();
        searcher.think(position, &limits).best_move() == Some(best)
    };
    let mut made = 0;
    while made < NUMBER {
        let plies = LEAST_DISCS + random.below(MOST_DISCS - LEAST_DISCS + 1);
        let position = after(&sensible_game(&mut random, plies));
        if !is_quiet(&position) || !seen.insert(canonical(&position)) {
            continue;
        }
        let Some((best, outcome)) = only_move(&mut judge, &position) else { continue };
        if solves(&position, Limits::depth(SHALLOW), best) || !solves(&position, Limits::nodes(NODES), best) {
            continue;
        }
        made += 1;
        let value = judge.within(&position, Window::FULL, u64::MAX).expect("there is no limit");
        let words = match (outcome, score::plies_to_end(value)) {
            (1, Some(plies)) => format!("wins in {plies} plies; no other move wins"),
            _ => "draws; every other move loses".to_string(),
        };
        let mut entry = Entry::<Connect4>::new(position);
        entry.best.push(best);
        entry.id = Some(format!("connect4.{made:03}"));
        entry.operations.push(operation("c0", &format!("\"{words}\"")));
        println!("{entry}");
    }
    Ok(())
}

/// The move that alone wins, or that alone does not lose, and which of both: 1 or 0.
fn only_move(judge: &mut Judge, position: &Position) -> Option<(Place, i32)> {
    let outcomes: Vec<(Place, i32)> = Connect4::legal_moves(position)
        .into_iter()
        .filter_map(|mv| Some((mv, -judge.outcome(&Connect4::play(position, mv), u64::MAX)?)))
        .collect();
    let best = outcomes.iter().map(|(_, outcome)| *outcome).max().filter(|best| *best >= 0)?;
    let mut moves = outcomes.into_iter().filter(|(_, outcome)| *outcome == best);
    let only = moves.next()?;
    moves.next().is_none().then_some(only)
}

/// A solved position: the amounts of its weights, and 1, 0.5 or 0 for a win, a draw or a loss of the side to move.
struct Sample {
    amounts: Vec<(usize, f64)>,
    result: f64,
}

fn weights() {
    const POSITIONS: usize = 20_000;
    const LEAST_DISCS: usize = 12;
    const MOST_DISCS: usize = 34;
    let (mut random, mut judge, mut seen) = (Random::new(SEED), Judge::new(), HashSet::new());
    let mut samples = Vec::new();
    while samples.len() < POSITIONS {
        let plies = LEAST_DISCS + random.below(MOST_DISCS - LEAST_DISCS + 1);
        let position = after(&sensible_game(&mut random, plies));
        if !is_quiet(&position) || !seen.insert(canonical(&position)) {
            continue;
        }
        let outcome = judge.outcome(&position, u64::MAX).expect("there is no limit");
        samples.push(Sample { amounts: Weights::amounts(&position), result: f64::from(outcome + 1) / 2.0 });
    }
    // One in ten serves to judge the fit.
    let (held_back, samples) = samples.split_at(POSITIONS / 10);
    let mut fitted = vec![0.0; Weights::declared().len()];
    let before = [loss(held_back, &fitted), loss(held_back, &in_use())];
    fit(samples, &mut fitted);
    let [none, used] = before;
    println!("# loss: no opinion {none:.4}, the weights in use {used:.4}, these {:.4}", loss(held_back, &fitted));
    for (parameter, weight) in Weights::declared().iter().zip(fitted) {
        println!("{} = {:.0}", parameter.path(), weight * SCALE);
    }
}

/// The points that make the odds of a win grow e-fold, as `Chances::UNFITTED` has it.
const SCALE: f64 = 90.0;

fn in_use() -> Vec<f64> {
    Weights::DEFAULT.values().into_iter().map(|weight| f64::from(weight) / SCALE).collect()
}

fn expectation(sample: &Sample, weights: &[f64]) -> f64 {
    let value: f64 = sample.amounts.iter().map(|(place, amount)| weights[*place] * amount).sum();
    1.0 / (1.0 + (-value).exp())
}

/// The mean cross entropy between expectations and results.
fn loss(samples: &[Sample], weights: &[f64]) -> f64 {
    let one = |sample: &Sample| {
        let expected = expectation(sample, weights).clamp(1e-9, 1.0 - 1e-9);
        -(sample.result * expected.ln() + (1.0 - sample.result) * (1.0 - expected).ln())
    };
    samples.iter().map(one).sum::<f64>() / samples.len() as f64
}

/// Gradient descent with a step for each weight that adapts to its gradients (Duchi, Hazan & Singer, 2011).
fn fit(samples: &[Sample], weights: &mut [f64]) {
    const EPOCHS: usize = 400;
    const STEP: f64 = 0.1;
    let mut squares = vec![1e-12; weights.len()];
    for _ in 0..EPOCHS {
        let mut gradient = vec![0.0; weights.len()];
        for sample in samples {
            let error = expectation(sample, weights) - sample.result;
            sample.amounts.iter().for_each(|(place, amount)| gradient[*place] += error * amount);
        }
        for ((weight, square), slope) in weights.iter_mut().zip(&mut squares).zip(gradient) {
            let slope = slope / samples.len() as f64;
            *square += slope * slope;
            *weight -= STEP * slope / square.sqrt();
        }
    }
}
