//! The one search of plywise: selective alpha-beta for every two-player board game.
//!
//! [`Searcher`] is the door: give it parameters ([`Params`], usually from a [`Profile`]) and an evaluation, and ask it
//! about positions. It knows no game, prints nothing, holds no process-wide state, and reads the clock only through its
//! limits. One thread with a fixed depth or node count gives one result and one node count on every machine.
//!
//! The search itself reads as a list in `search.rs`; each technique lives in a file of its own under `techniques/`.

mod blueprint;
mod clock;
mod deepening;
mod effort;
mod election;
mod end_mark;
mod hints;
mod knowledge;
mod limits;
mod lines;
mod logarithm;
mod minimax;
mod observer;
mod ordering;
pub mod params;
mod policy;
mod profile;
mod quiescence;
mod search;
mod searcher;
mod table;
mod techniques;
mod time;
mod variety;
mod worker;

pub use blueprint::Blueprint;
pub use clock::{Clock, TimeControl, TimeControlError};
pub use knowledge::{Knowledge, LearnedTable, Origin, TableError};
pub use limits::{Limits, Signal};
pub use observer::{Arrival, End, Entered, Leaving, NodeKind, Observer, Progress, Purpose, RootMove, Tried};
pub use ordering::MovePhase;
pub use params::{Algorithm, Params};
pub use policy::Policy;
pub use profile::{Profile, ProfileError, ProfiledGame, write_groups, write_profile};
pub use quiescence::Beyond;
pub use search::Standing;
pub use searcher::{Line, Report, Request, SearchFn, Searcher};
pub use table::{Bound, Entry, TableTooLarge, TranspositionTable};
pub use techniques::extensions::{Extension, ExtensionClass};
pub use techniques::learned_price::{INPUTS, Likelihood, PriceInput, PriceTable, PriceWeights, Prospect};
pub use techniques::probcut::{Prediction, ProbCutTable};
pub use techniques::rank_cut::{RankBound, RankCounts, RankState, RankTable};
pub use techniques::realization::{ClassCounts, ClassTable};
pub use techniques::{Counters, Technique};
