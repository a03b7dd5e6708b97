//! Learns the patterns of the evaluation from games that it plays against itself, and writes them to a file.
//!
//! `cargo run --release -p plywise-othello --example learn_patterns -- --games 20000 --seed 1 --depth 4 -o patterns.bin`
//!
//! Each generation plays with what the ones before it learned, the first with the features alone; it plays twice as many
//! games as the one before, and the last plays `--games`. A game begins with random moves. When few squares are left it
//! is solved, which gives every position since the last random move its label: the difference in discs at the end.
//!
//! The weights are then fitted again to all games so far, by stochastic gradient descent on the squared error that the
//! features leave. The last stage of the game comes first. The stages before it learn from its estimates rather than
//! from the outcome, which is noisy: what matters there is what a position leads to, not the mistakes much later
//! (Sutton, "Learning to predict by the methods of temporal differences", 1988). One game in twenty is held back to judge
//! what was learned, always by the outcome.
//!
//! The same arguments give the same file on every machine, however many threads there are.
#![allow(clippy::print_stdout)]

use plywise_game::random::Random;
use plywise_game::{Depth, Evaluate, Game, Side, Window};
use plywise_othello::evaluation::Moves;
use plywise_othello::evaluation::patterns::{self, Patterns, STAGES};
use plywise_othello::{Evaluator, Move, Othello, Position, Weights};
use plywise_search::{Limits, Params, Request, Searcher, Signal};
use rayon::prelude::*;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let settings = Settings::from_arguments(std::env::args().skip(1))?;
    let mut evaluator = Evaluator::new(features_alone());
    let mut games = Vec::new();
    for generation in 0..settings.generations {
        let begun = Instant::now();
        settings.play_generation(generation, &evaluator, &mut games);
        println!("generation {generation}: {} games, the last after {:.0?}", games.len(), begun.elapsed());
        let file = Patterns::write(&settings.command(), &fit_all(&mut games, settings.seed));
        println!("fitted after {:.0?}", begun.elapsed());
        std::fs::write(&settings.output, &file)?;
        evaluator = Evaluator::with_patterns(Weights::DEFAULT, Arc::new(Patterns::parse(&file)?));
    }
    Ok(())
}

/// The weights with which the features count and the patterns do not.
fn features_alone() -> Weights {
    let mut weights = Weights::DEFAULT;
    weights.patterns.share = 0;
    weights
}

/// What is asked for.
struct Settings {
    games: u64,
    generations: u64,
    depth: i32,
    seed: u64,
    output: String,
}

impl Settings {
    fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Settings, Box<dyn Error>> {
        let mut settings =
            Settings { games: 20_000, generations: 3, depth: 4, seed: 1, output: "patterns.bin".to_string() };
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
            match name.as_str() {
                "--games" => settings.games = value.parse()?,
                "--generations" => settings.generations = value.parse()?,
                "--depth" => settings.depth = value.parse()?,
                "--seed" => settings.seed = value.parse()?,
                "-o" => settings.output = value,
                _ => return Err(format!("unknown argument {name}").into()),
            }
        }
        Ok(settings)
    }

    /// The command that repeats this run.
    fn command(&self) -> String {
        let Settings { games, generations, depth, seed, .. } = self;
        format!("learn_patterns --games {games} --generations {generations} --depth {depth} --seed {seed}")
    }

    /// Adds the games of a generation.
    fn play_generation(&self, generation: u64, evaluator: &Evaluator, games: &mut Vec<Record>) {
        let number = self.games >> (self.generations - 1 - generation);
        let first = games.len() as u64;
        // The search leaves the end of the game to the player, who solves it anyway.
        let mut params = Params::DEFAULT;
        params.solver.enabled = false;
        let player = || {
            let searcher = Searcher::new(params.clone(), evaluator.clone(), 1).expect("a small table fits");
            Player { searcher, solver: evaluator.clone(), depth: self.depth }
        };
        let played = (first..first + number).into_par_iter().map_init(player, |player, number| {
            let mut random = Random::stream(self.seed, number);
            Record { samples: player.play(&mut random), is_held_back: number % 20 == 0, outlook: None }
        });
        games.par_extend(played);
    }
}

/// A position and what became of it.
#[derive(Clone, Copy)]
struct Sample {
    position: Position,
    /// The difference in discs at the end, for the side to move.
    label: f32,
}

/// What is known about a game.
struct Record {
    samples: Vec<Sample>,
    /// Whether it only serves to judge what was learned.
    is_held_back: bool,
    /// The estimate by the stage that was fitted last.
    outlook: Option<Outlook>,
}

/// What a game looked like at the beginning of a stage.
#[derive(Clone, Copy)]
struct Outlook {
    discs: u32,
    value_for_black: f32,
}

/// A value for the side to move as one for Black, or the other way round.
fn turned(position: &Position, value: f32) -> f32 {
    if position.side_to_move() == Side::First { value } else { -value }
}

/// Plays games against itself.
struct Player {
    searcher: Searcher<Othello, Evaluator>,
    solver: Evaluator,
    depth: i32,
}

/// From this many empty squares on, the label is the value under perfect play.
const SOLVED_FROM: u32 = 12;
/// Positions with fewer empty squares are not evaluated in a search, so nothing is learned about them.
const LEAST_EMPTY: u32 = 7;

impl Player {
    /// Plays one game and gives the positions with a label.
    fn play(&mut self, random: &mut Random) -> Vec<Sample> {
        self.searcher.forget();
        let opening = 8 + random.below(9);
        // Half of the games go astray later: a search meets such positions too.
        let astray = if random.below(2) == 0 { 16 + random.below(29) } else { 0 };
        let mut position = Othello::start();
        let mut line = Vec::new();
        let mut samples = Vec::new();
        for ply in 0.. {
            let empty = position.empty().count_ones();
            let moves = Othello::legal_moves(&position);
            if moves.is_empty() || empty < LEAST_EMPTY {
                break;
            }
            if ply == opening || ply == astray + 1 {
                line.clear();
            }
            line.push(position);
            let is_solved = empty <= SOLVED_FROM;
            if is_solved {
                let value = turned(&position, self.value(&position));
                samples.extend(line.drain(..).map(|position| Sample { position, label: turned(&position, value) }));
            }
            // Beyond the solved position all moves are alike: each position is solved.
            let is_random = ply < opening || ply == astray || is_solved;
            let mv = if is_random { moves[random.below(moves.len())] } else { self.best_move(&position) };
            position = Othello::play(&position, mv);
        }
        samples
    }

    fn best_move(&mut self, position: &Position) -> Move {
        let limits = Limits::depth(self.depth);
        let report = self.searcher.search(&Request::new(*position), &limits, &Signal::new(), &mut ());
        report.best_move().expect("the game is not over")
    }

    fn value(&mut self, position: &Position) -> f32 {
        let value = self.solver.solve(position, Depth::MAX, Window::FULL, &mut |_| u64::MAX);
        value.expect("the solver is not told to stop") as f32
    }
}

/// Fits the weights of all stages.
fn fit_all(games: &mut [Record], seed: u64) -> Vec<Vec<f32>> {
    games.iter_mut().for_each(|game| game.outlook = None);
    let mut fit = Fit::new();
    let mut stages: Vec<Vec<f32>> = (0..STAGES)
        .rev()
        .map(|stage| {
            fit.fit_stage(stage, games, seed);
            fit.look_ahead(stage, games);
            fit.weights.clone()
        })
        .collect();
    stages.reverse();
    stages
}

/// Epochs of gradient descent.
const EPOCHS: usize = 12;
/// The first and the last step size.
const STEPS: [f32; 2] = [0.01, 0.0005];
/// A stage also learns from positions with up to this many discs more or fewer than its own.
const OVERLAP: u32 = 2;

/// The weights of a stage while they are fitted.
struct Fit {
    features: Evaluator,
    /// The place of each configuration's weight.
    places: Vec<u32>,
    weights: Vec<f32>,
}

/// What is learned from a position.
struct Example {
    position: Position,
    /// What the features leave of the label.
    rest: f32,
}

impl Fit {
    fn new() -> Fit {
        let (places, count) = patterns::folding();
        Fit { features: Evaluator::new(features_alone()), places, weights: vec![0.0; count] }
    }

    /// Fits the weights of a stage to what the features leave unsaid, and says how well.
    fn fit_stage(&mut self, stage: usize, games: &[Record], seed: u64) {
        let mut examples = self.examples(games, stage);
        let held_back = self.held_back(games, stage);
        self.weights.fill(0.0);
        let before = self.error(&held_back);
        let mut random = Random::new(seed);
        for epoch in 0..EPOCHS {
            random.shuffle(&mut examples);
            let progress = epoch as f32 / (EPOCHS - 1) as f32;
            let step = STEPS[0] * (STEPS[1] / STEPS[0]).powf(progress);
            examples.iter().for_each(|example| self.learn(example, step));
        }
        let (number, after) = (examples.len(), self.error(&held_back));
        println!("stage {stage}: {number} positions; error of the features {before:.3}, with patterns {after:.3}");
    }

    /// What there is to learn about a stage: the outlook of the game where there is one, or else its outcome.
    fn examples(&mut self, games: &[Record], stage: usize) -> Vec<Example> {
        let mut examples = Vec::new();
        for game in games.iter().filter(|game| !game.is_held_back) {
            for sample in &game.samples {
                let discs = sample.position.occupied().count_ones();
                if patterns::stage(discs - OVERLAP) <= stage && stage <= patterns::stage(discs + OVERLAP) {
                    let outlook = game.outlook.filter(|outlook| discs < outlook.discs);
                    let label =
                        outlook.map_or(sample.label, |outlook| turned(&sample.position, outlook.value_for_black));
                    examples.push(self.example(sample.position, label));
                }
            }
        }
        examples
    }

    /// The positions of a stage in games that were held back, with the outcome.
    fn held_back(&mut self, games: &[Record], stage: usize) -> Vec<Example> {
        let samples = games.iter().filter(|game| game.is_held_back).flat_map(|game| &game.samples);
        let samples = samples.filter(|sample| patterns::stage(sample.position.occupied().count_ones()) == stage);
        samples.map(|sample| self.example(sample.position, sample.label)).collect()
    }

    fn example(&mut self, position: Position, label: f32) -> Example {
        Example { position, rest: label - self.features.evaluate(&position) as f32 }
    }

    fn places_of(&self, position: &Position) -> Vec<usize> {
        let mut places = Vec::with_capacity(64);
        patterns::for_each_configuration(position, Moves::of(position), |configuration| {
            places.push(self.places[configuration] as usize);
        });
        places
    }

    /// What the weights say.
    fn value(&self, places: &[usize]) -> f32 {
        places.iter().map(|&place| self.weights[place]).sum()
    }

    fn learn(&mut self, example: &Example, step: f32) {
        let places = self.places_of(&example.position);
        let change = step * (example.rest - self.value(&places));
        places.into_iter().for_each(|place| self.weights[place] += change);
    }

    /// The root of the mean squared error.
    fn error(&self, examples: &[Example]) -> f64 {
        let error = |example: &Example| f64::from(example.rest - self.value(&self.places_of(&example.position)));
        (examples.iter().map(|example| error(example).powi(2)).sum::<f64>() / examples.len().max(1) as f64).sqrt()
    }

    /// Notes what each game looks like where this stage begins.
    fn look_ahead(&mut self, stage: usize, games: &mut [Record]) {
        for game in games {
            let discs = |sample: &Sample| sample.position.occupied().count_ones();
            let Some(sample) = game.samples.iter().find(|sample| patterns::stage(discs(sample)) == stage) else {
                continue;
            };
            let patterns = self.value(&self.places_of(&sample.position));
            let value = (self.features.evaluate(&sample.position) as f32 + patterns).clamp(-64.0, 64.0);
            game.outlook = Some(Outlook { discs: discs(sample), value_for_black: turned(&sample.position, value) });
        }
    }
}
