//! The learners of plywise: what games and searches teach about where to look.
//!
//! [`Gather`] collects statistics from self-play, each for the technique that uses it: how often a better move still came,
//! how often moves of a class are played, how well a shallow search predicts a deep one, and which signs tell that a node
//! will be cut. [`ForgeData`] plays games that networks are trained on, packed into [files](data): [`LearnNetwork`] takes
//! the positions out of them ([`Samples`]), fits a [`FloatNetwork`] to them (a [`Trainer`] does), and rounds it to whole
//! numbers. [`LearnLoop`] repeats both: games, training, and a match that the new network must win. [`LearnEvaluation`]
//! learns the weights of an evaluation from the results of games, [`LearnChances`] what scores are worth, and
//! [`LearnPrices`] what moves should cost in the search. All these are jobs: values that say everything that decides the
//! result.
//!
//! [`imitation`] learns weights from the moves that were played, [`control`] what moves cost in the search, [`spsa`] tunes
//! anything by playing games, and [`evolution`] lets anything evolve.
//!
//! [`LearnableGame`] is what all of them ask of a game.

pub mod chances;
pub mod control;
pub mod data;
mod data_play;
pub mod evolution;
pub mod examples;
pub mod extensions;
pub mod fit;
mod float;
mod forge_data;
#[cfg(feature = "games")]
pub mod games;
mod gather;
pub mod imitation;
mod interior;
mod learn_evaluation;
mod learn_loop;
mod learn_network;
mod learnable;
pub mod prices;
pub mod recorded;
mod samples;
mod self_play;
mod source;
pub mod spsa;
mod train;
pub mod tuning;

pub use chances::{LearnChances, LearnedChances, PhaseCurve};
pub use data_play::{DataRules, Dead, InteriorSample, Won};
pub use float::FloatNetwork;
pub use forge_data::{Block, BlockSize, ForgeData, ForgeDataEvent};
pub use gather::{
    CutNode, CutNodeQuestion, Gather, GatherEvent, Gathered, Iterations, ProbCutQuestion, Question, RankQuestion,
    RankRow, RealizationQuestion, SCHEMES, Scheme, SchemeRow, Table, count_recorded,
};
pub use learn_evaluation::{LearnEvaluation, LearnEvaluationEvent, LearnedEvaluation, Losses};
pub use learn_loop::{Generation, LearnLoop, LearnedLoop, Parts};
pub use learn_network::{LearnNetwork, LearnNetworkEvent, LearnedNetwork, NetworkEpoch};
pub use learnable::LearnableGame;
pub use prices::{LearnPrices, LearnedPrices, Reliability, SourceLoss};
pub use samples::{Filter, Packed, Sample, Sampler, Samples, ScaleError, Split};
pub use self_play::{Players, SelfPlay};
pub use source::Source;
pub use train::{Settings, TrainError, Trainer};
