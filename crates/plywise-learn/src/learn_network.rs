//! `learn net`: a network for a game's evaluation, from games that `forge data` played.

use crate::data::{self, DataError};
use crate::{Filter, FloatNetwork, LearnableGame, Packed, Samples, Settings, Source, Split, Trainer};
use plywise_game::features::Sight;
use plywise_host::WrittenSetup;
use plywise_net::{Network, Role};
use plywise_run::{Job, JobError, Run, WorkError, Workplace};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// A network is trained on packed games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LearnNetwork {
    /// The name of the game.
    pub game: String,
    /// The games.
    pub data: Vec<Source>,
    /// How to train. The scale is replaced by that of the job, the threads by those of the workplace.
    pub settings: Settings,
    /// The scale of the scores; without one, what fits scores and results best.
    pub scale: Option<f64>,
    /// Which positions of a game are left out.
    pub filter: Filter,
    /// The share of the games that is held back for validation.
    pub validation: f64,
    /// Stop when this many epochs in a row did no better on the games that were held back.
    pub patience: u32,
    /// The player whose linear evaluation the network is added to, if it is.
    pub linear: Option<WrittenSetup>,
}

/// What happens during a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LearnNetworkEvent {
    /// The games were read; at most this many epochs are left.
    Begun(u32),
    /// An epoch is over.
    Epoch(NetworkEpoch),
}

/// The mean losses of an epoch: a line of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkEpoch {
    /// How often all positions were seen.
    pub epoch: u32,
    /// On the positions learned from, on the way.
    pub train: f64,
    /// On those held back.
    pub validation: f64,
}

/// What came out of [`LearnNetwork`].
#[derive(Clone, Debug)]
pub struct LearnedNetwork {
    /// Games that were read.
    pub games: usize,
    /// Positions learned from.
    pub positions: usize,
    /// Positions held back.
    pub validation_positions: usize,
    /// The scale: this many points raise the expected score from 50 to 73 %.
    pub scale: f64,
    /// The losses of all epochs.
    pub epochs: Vec<NetworkEpoch>,
    /// The epoch that did best on the positions held back.
    pub best: NetworkEpoch,
    /// The network of that epoch, in whole numbers.
    pub network: Network,
    /// The loss of that network on the positions held back.
    pub quantised_validation: f64,
}

/// The positions.
struct Material {
    training: Samples,
    validation: Packed,
}

impl Job for LearnNetwork {
    const NAME: &'static str = "learn net";
    const MAY_GROW: &'static [&'static str] = &["patience"];
    type Game = Arc<dyn LearnableGame>;
    type Event = LearnNetworkEvent;
    type Outcome = LearnedNetwork;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(LearnNetworkEvent) + Sync),
    ) -> Result<LearnedNetwork, JobError> {
        let game = &**game;
        let sight = game.sight();
        let mut settings = Settings { threads: workplace.jobs, ..self.settings.clone() };
        // Before anything is read: settings may be wrong.
        Trainer::new(settings.clone(), &sight).map_err(JobError::input)?;
        let samples = self.read_samples(game, workplace)?;
        settings.scale = match self.scale {
            Some(scale) => scale,
            None => samples.fit_scale().map_err(JobError::input)?,
        };
        if samples.is_empty() || samples.held_back_len() == 0 {
            return Err(JobError::input("the games have too few positions to learn from"));
        }
        let validation = samples.held_back().map_err(failed)?;
        let material = Material { training: samples, validation };
        let mut training = Training::open(self, settings, sight, workplace)?;
        training.trainer.check(&material.training).map_err(JobError::input)?;
        training.resume(self.patience, &material, &workplace.stop, watch)?;
        let (best, network) = training.best()?.ok_or(JobError::Interrupted)?;
        let record = self.record(training.trainer.settings(), &material, &best);
        let network = network.quantise(game.name(), &record);
        let quantised_validation = training.trainer.quantised_loss(&network, &material.validation);
        Ok(LearnedNetwork {
            games: material.training.game_count() as usize,
            positions: material.training.len(),
            validation_positions: material.validation.len(),
            scale: training.trainer.settings().scale,
            epochs: training.epochs,
            best,
            network,
            quantised_validation,
        })
    }
}

impl LearnNetwork {
    /// The positions of all files that pass the filter.
    fn read_samples(&self, game: &dyn LearnableGame, workplace: &Workplace) -> Result<Samples, JobError> {
        let linear = self.linear.as_ref().filter(|_| self.settings.role == Role::Add);
        let linear = linear.map(|setup| setup.read(game)).transpose().map_err(JobError::input)?;
        let split = Split { share: self.validation, seed: self.settings.seed };
        // Work that is kept may have more positions than fit into memory. The run directory itself begins when all is read.
        let folder = workplace.directory.as_deref().map(nearest_folder);
        let mut sampler = game.sampler(&self.filter, linear.as_ref(), split, folder).map_err(failed)?;
        for source in &self.data {
            data::read_source(game, source, &workplace.stop, &mut |game| sampler.add(&game))?;
        }
        sampler.finish().map_err(failed)
    }

    /// How the network was made, as its file says.
    fn record(&self, settings: &Settings, material: &Material, best: &NetworkEpoch) -> String {
        let record = json!({
            "made_by": concat!("plywise ", env!("CARGO_PKG_VERSION")),
            "game": self.game,
            "settings": Settings { threads: 1, ..settings.clone() },
            "filter": self.filter,
            "data": self.data.iter().map(|source| &source.digest).collect::<Vec<_>>(),
            "games": material.training.game_count(),
            "positions": material.training.len(),
            "epoch": best.epoch,
            "train": best.train,
            "validation": best.validation,
        });
        record.to_string()
    }
}

/// A training that is resumed where it was stopped.
struct Training {
    trainer: Trainer,
    sight: Sight,
    run: Option<Run>,
    epochs: Vec<NetworkEpoch>,
    /// The network of the best epoch of this process.
    best: Option<FloatNetwork>,
}

impl Training {
    fn open(job: &LearnNetwork, settings: Settings, sight: Sight, workplace: &Workplace) -> Result<Training, JobError> {
        let mut epochs: Vec<NetworkEpoch> = Vec::new();
        let run = workplace.open(job, Some(settings.epochs.into()), &mut |epoch| {
            epochs.push(epoch);
            Ok(())
        })?;
        let trainer = match (&run, epochs.len() as u32) {
            (Some(run), done) if done > 0 => read_checkpoint(run, &checkpoint(done), settings, &sight)?,
            _ => Trainer::new(settings, &sight).map_err(JobError::input)?,
        };
        Ok(Training { trainer, sight, run, epochs, best: None })
    }

    /// Goes through the epochs that are left, or until they do no better.
    fn resume(
        &mut self,
        patience: u32,
        material: &Material,
        stop: &Signal,
        watch: &(dyn Fn(LearnNetworkEvent) + Sync),
    ) -> Result<(), JobError> {
        watch(LearnNetworkEvent::Begun(self.trainer.settings().epochs.saturating_sub(self.trainer.epochs())));
        while !self.trainer.is_done() && !self.is_over(patience) {
            let Some(train) = self.trainer.epoch(&material.training, stop).map_err(failed)? else { break };
            let validation = self.trainer.loss(&material.validation);
            let epoch = NetworkEpoch { epoch: self.trainer.epochs(), train, validation };
            let is_best = self.best_epoch().is_none_or(|best| validation < best.validation);
            self.keep(epoch, is_best)?;
            watch(LearnNetworkEvent::Epoch(epoch));
        }
        Ok(())
    }

    /// What comes of an epoch is on the disk before the journal says so; the one before stays until then.
    fn keep(&mut self, epoch: NetworkEpoch, is_best: bool) -> Result<(), JobError> {
        if let Some(run) = &mut self.run {
            let bytes = self.trainer.checkpoint();
            let mut written = run.write_derived(&checkpoint(epoch.epoch), &bytes);
            if is_best {
                written = written.and_then(|()| run.write_derived(BEST, &bytes));
            }
            written.and_then(|()| run.append(&epoch)).map_err(WorkError::Journal)?;
        }
        if is_best {
            self.best = Some(self.trainer.network().clone());
        }
        self.epochs.push(epoch);
        Ok(())
    }

    fn best_epoch(&self) -> Option<&NetworkEpoch> {
        self.epochs.iter().min_by(|a, b| a.validation.total_cmp(&b.validation))
    }

    fn is_over(&self, patience: u32) -> bool {
        let last = self.epochs.last().map_or(0, |epoch| epoch.epoch);
        self.best_epoch().is_some_and(|best| last - best.epoch >= patience)
    }

    /// The best epoch and its network.
    fn best(&self) -> Result<Option<(NetworkEpoch, FloatNetwork)>, JobError> {
        let Some(epoch) = self.best_epoch().copied() else { return Ok(None) };
        if let Some(network) = &self.best {
            return Ok(Some((epoch, network.clone())));
        }
        // It was reached before this process began.
        let Some(run) = &self.run else { return Ok(None) };
        let best = read_checkpoint(run, BEST, self.trainer.settings().clone(), &self.sight)?;
        Ok(Some((epoch, best.network().clone())))
    }
}

/// The disk does not do what it should.
fn failed(error: DataError) -> JobError {
    JobError::Failed(error.to_string())
}

/// The folder itself, or the nearest above it that exists.
fn nearest_folder(path: &Path) -> &Path {
    path.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."))
}

/// The state after an epoch; that of the epoch before stays.
fn checkpoint(epoch: u32) -> String {
    format!("checkpoint-{}", epoch % 2)
}

/// The state after the best epoch.
const BEST: &str = "checkpoint-best";

fn read_checkpoint(run: &Run, name: &str, settings: Settings, sight: &Sight) -> Result<Trainer, JobError> {
    let path = run.path().join(name);
    let unreadable = |error| JobError::input(format!("cannot read '{}': {error}", path.display()));
    let bytes = std::fs::read(&path).map_err(unreadable)?;
    Trainer::resume(&bytes, settings, sight).map_err(JobError::input)
}
