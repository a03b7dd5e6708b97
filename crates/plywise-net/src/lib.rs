//! Networks: what they see of a game, the integer network of the search, and the trainer.
//!
//! A game names the [features](plywise_game::BoardGame::features) of its positions, most often its pieces on their places,
//! as either player sees them. A [`Network`] adds up a row of numbers for each feature, once for each player, and makes one
//! value of both sums. Because a move changes few features, a [`NetworkEvaluation`] gets the sums of a position from those of one that
//! it has just seen (Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018).
//!
//! ```
//! use plywise_game::{Evaluate, Game};
//! use plywise_loa::{Evaluator, Loa};
//! use plywise_net::{FloatNetwork, NetworkEvaluation, Network, Role};
//! use std::sync::Arc;
//!
//! let untrained = FloatNetwork::new(128, 32, Role::Replace, 400.0, 1);
//! let bytes = untrained.quantise("loa", "made up").to_bytes();
//! let network = Network::read(&bytes, "loa", 128)?;
//! let mut evaluation = NetworkEvaluation::<Loa>::new(Evaluator::default(), Some(Arc::new(network.clone())));
//! assert_eq!(evaluation.evaluate(&Loa::start()), network.evaluate::<Loa>(&Loa::start()));
//! # Ok::<(), plywise_net::NetworkError>(())
//! ```
//!
//! A network is trained on [games](data) whose searches left their scores, packed into a file: [`Samples`] takes the
//! positions out of them, a [`Trainer`] fits a [`FloatNetwork`] to them, and that is rounded to whole numbers.

mod bytes;
pub mod data;
mod evaluation;
mod file;
mod float;
mod network;
mod samples;
mod train;

pub use evaluation::NetworkEvaluation;
pub use file::NetworkError;
pub use float::FloatNetwork;
pub use network::{MAX_WIDTH, Network, Role, WIDTH_STEP, is_width};
pub use samples::{Filter, Sample, Samples, ScaleError};
pub use train::{Settings, TrainError, Trainer};
