//! Networks: what they see of a game, and the integer network of the search with its file.
//!
//! A game names the [features](plywise_game::BoardGame::features) of its positions, most often its pieces on their places,
//! as either player sees them. A [`Network`] adds up a row of numbers for each feature, once for each player, and makes one
//! value of both sums. A game may also name kinds of views, such as the square of the own king, and stages: then a network
//! can have rows of its own for buckets of views, and several outputs (its [`Shape`]). Because a move changes few features, a [`NetworkEvaluation`] gets the sums of a position from those of one that
//! it has just seen (Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018).
//!
//! ```
//! use plywise_game::features::Sight;
//! use plywise_game::{Evaluate, Game};
//! use plywise_loa::{Evaluator, Loa};
//! use plywise_net::{Network, NetworkEvaluation};
//! use std::sync::Arc;
//!
//! let sight = Sight::of::<Loa>();
//! let bytes = Network::nothing("loa", &sight)?.to_bytes();
//! let network = Network::read(&bytes, "loa", &sight)?;
//! let mut evaluation = NetworkEvaluation::<Loa>::new(Evaluator::default(), Some(Arc::new(network.clone())));
//! assert_eq!(evaluation.evaluate(&Loa::start()), network.evaluate::<Loa>(&Loa::start()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A trainer leaves [weights in floating point](FloatWeights), which are rounded to whole numbers. Ours is in
//! `plywise-learn`, with the games that it learns from.

mod bullet;
pub mod bytes;
mod evaluation;
mod file;
mod float;
mod network;
mod shape;

pub use evaluation::NetworkEvaluation;
pub use file::NetworkError;
pub use float::{FloatWeights, WEIGHT_LIMIT};
pub use network::{LARGEST_SCALE, MAX_WIDTH, Network, Role, WIDTH_STEP, is_width};
pub use shape::{Shape, ShapeError};
