//! `learn eval`: the weights of an evaluation, from the results of games.

use crate::examples::Selection;
use crate::fit::{Examples, FitSettings, Fitter};
use crate::{LearnableGame, Source, recorded};
use plywise_game::parameters::Parameters;
use plywise_host::{Weights, WrittenSetup};
use plywise_run::{Job, JobError, Run, WorkError, Workplace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The weights of an evaluation are fitted to the results of recorded games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LearnEvaluation {
    /// The name of the game.
    pub game: String,
    /// How often all positions are seen.
    pub epochs: u64,
    /// The evaluation whose weights are the beginning.
    pub player: WrittenSetup,
    /// The games, as PGN.
    pub pgn: Vec<Source>,
    /// The most games to read from all files together.
    pub games: u64,
    /// Which positions of a game are taken.
    #[serde(flatten)]
    pub selection: Selection,
    /// One game in this many is held back for validation.
    pub validation: u64,
    /// How far a weight may move in one step.
    pub rate: f64,
    /// Positions in one step.
    pub batch: usize,
    /// How strongly weights are pulled back to where they began.
    pub anchor: f64,
    /// How much of each result is replaced by the score recorded with the move, from 0 to 1.
    pub scores: f64,
    /// The seed of everything random.
    pub seed: u64,
}

/// What happens during a fit.
#[derive(Clone, Debug, PartialEq)]
pub enum LearnEvaluationEvent {
    /// The games were read; this many epochs are left.
    Begun(u64),
    /// An epoch is over.
    Epoch(Losses),
}

/// The mean losses after an epoch, in bits a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// How often all positions were seen.
    pub epoch: u64,
    /// On the positions learned from.
    pub training_loss: f64,
    /// On those held back.
    pub validation_loss: f64,
}

/// An epoch, as the journal holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Epoch {
    #[serde(flatten)]
    losses: Losses,
    fitter: Fitter,
}

/// What came out of [`LearnEvaluation`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedEvaluation {
    /// Games that were read.
    pub games: u64,
    /// Broken games that were skipped.
    pub broken: u64,
    /// Positions learned from.
    pub training: usize,
    /// Positions held back.
    pub validation: usize,
    /// The scale of the evaluation: this many points raise the expected score from 50 to 73 %.
    pub scale: f64,
    /// The losses, the first before anything was learned.
    pub epochs: Vec<Losses>,
    /// The epoch with the least loss on the positions held back.
    pub best: Losses,
    /// The weights after that epoch, in whole numbers within their ranges.
    pub weights: Vec<i32>,
}

/// The positions.
struct Material {
    training: Examples,
    validation: Examples,
    games: u64,
    broken: u64,
}

impl Job for LearnEvaluation {
    const NAME: &'static str = "learn eval";
    const MAY_GROW: &'static [&'static str] = &["epochs"];
    type Game = Arc<dyn LearnableGame>;
    type Event = LearnEvaluationEvent;
    type Outcome = LearnedEvaluation;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(LearnEvaluationEvent) + Sync),
    ) -> Result<LearnedEvaluation, JobError> {
        let game = &**game;
        let setup = self.player.read(game).map_err(JobError::input)?;
        if setup.weights.is_empty() {
            return Err(JobError::input(format!("the evaluation of {} has no weights", game.title())));
        }
        let mut material = self.read_games(game, workplace)?;
        let weights: Vec<f64> = setup.weights.values().into_iter().map(f64::from).collect();
        let scale = material.training.best_scale(&weights);
        material.training.trust_scores(self.scores, scale);
        material.validation.trust_scores(self.scores, scale);
        let settings = FitSettings { scale, rate: self.rate, batch: self.batch, anchor: self.anchor, seed: self.seed };
        let epochs = self.fit(&material, weights, &settings, workplace, watch)?;
        let best = epochs.iter().min_by(|a, b| a.losses.validation_loss.total_cmp(&b.losses.validation_loss));
        let best = best.ok_or(JobError::Interrupted)?;
        Ok(LearnedEvaluation {
            games: material.games,
            broken: material.broken,
            training: material.training.len(),
            validation: material.validation.len(),
            scale,
            epochs: epochs.iter().map(|epoch| epoch.losses).collect(),
            best: best.losses,
            weights: rounded(setup.weights, &best.fitter.weights),
        })
    }
}

/// Learned weights in whole numbers within their ranges.
fn rounded(mut weights: Weights, learned: &[f64]) -> Vec<i32> {
    let mut learned = learned.iter();
    weights.visit_mut(&mut |parameter, place| {
        if let Some(weight) = learned.next() {
            *place = (weight.round() as i32).clamp(parameter.min, parameter.max);
        }
    });
    weights.values()
}

impl LearnEvaluation {
    fn read_games(&self, game: &dyn LearnableGame, workplace: &Workplace) -> Result<Material, JobError> {
        let (mut training, mut validation) = (Examples::new(), Examples::new());
        let held_back = self.validation.max(1);
        let read = recorded::read_games(game, &self.pgn, self.games, &workplace.stop, &mut |number, record| {
            let is_held_back = number % held_back == held_back - 1;
            let examples = if is_held_back { &mut validation } else { &mut training };
            game.add_quiet_positions(record, &self.selection, examples);
        })?;
        if training.is_empty() || validation.is_empty() {
            return Err(JobError::input("the games have too few quiet positions to learn from"));
        }
        Ok(Material { training, validation, games: read.games, broken: read.broken })
    }

    /// Goes through the epochs that are left; the first one of the journal is the state before any.
    fn fit(
        &self,
        material: &Material,
        weights: Vec<f64>,
        settings: &FitSettings,
        workplace: &Workplace,
        watch: &(dyn Fn(LearnEvaluationEvent) + Sync),
    ) -> Result<Vec<Epoch>, JobError> {
        let mut epochs: Vec<Epoch> = Vec::new();
        let mut run = workplace.open(self, Some(self.epochs + 1), &mut |epoch: Epoch| {
            if !epoch.fitter.is_of(weights.len()) {
                return Err(format!("the evaluation has {} weights", weights.len()));
            }
            epochs.push(epoch);
            Ok(())
        })?;
        let mut fitter = epochs.last().map_or_else(|| Fitter::new(weights), |epoch| epoch.fitter.clone());
        watch(LearnEvaluationEvent::Begun(self.epochs.saturating_sub(fitter.epochs())));
        if epochs.is_empty() {
            keep(&mut run, &mut epochs, measure(&fitter, material, settings))?;
        }
        while fitter.epochs() < self.epochs && !workplace.stop.is_stopped() {
            fitter.epoch(&material.training, settings);
            let epoch = measure(&fitter, material, settings);
            let losses = epoch.losses;
            keep(&mut run, &mut epochs, epoch)?;
            watch(LearnEvaluationEvent::Epoch(losses));
        }
        Ok(epochs)
    }
}

fn keep(run: &mut Option<Run>, epochs: &mut Vec<Epoch>, epoch: Epoch) -> Result<(), JobError> {
    run.as_mut().map_or(Ok(()), |run| run.append(&epoch)).map_err(WorkError::Journal)?;
    epochs.push(epoch);
    Ok(())
}

fn measure(fitter: &Fitter, material: &Material, settings: &FitSettings) -> Epoch {
    let losses = Losses {
        epoch: fitter.epochs(),
        training_loss: material.training.loss(&fitter.weights, settings.scale),
        validation_loss: material.validation.loss(&fitter.weights, settings.scale),
    };
    Epoch { losses, fitter: fitter.clone() }
}
