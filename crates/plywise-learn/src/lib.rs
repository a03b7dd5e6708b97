//! The learners of plywise: what games and searches teach about where to look.
//!
//! Three statistics are gathered from self-play, each for the technique that uses it: [`RankQuestion`] asks how often a
//! better move still came, [`RealizationQuestion`] how often moves of a class are played, [`ProbCutQuestion`] how well a
//! shallow search predicts a deep one. [`CutNodeQuestion`] asks which signs tell that a node will be cut. [`DataPlay`] plays games that
//! networks are trained on. [`fit`] learns the
//! weights of an evaluation from the results of games, [`imitation`] from the moves that were played. [`control`] learns
//! what moves cost in the search, [`spsa`] tunes anything by playing games, and [`evolution`] lets anything evolve.

pub mod chances;
pub mod control;
mod cut_nodes;
mod data_play;
pub mod evolution;
pub mod examples;
pub mod fit;
mod gather;
pub mod imitation;
mod interior;
mod self_play;
pub mod spsa;

pub use chances::fit_chances;
pub use cut_nodes::{CutNode, CutNodeQuestion};
pub use data_play::{DataPlay, Dead, InteriorSample, Won};
pub use gather::{Gathered, ProbCutQuestion, RankQuestion, RealizationCounter, RealizationQuestion, Statistic};
pub use interior::{InteriorNode, InteriorNodes};
pub use self_play::{Arbiter, SelfPlay};
