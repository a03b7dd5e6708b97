//! Learning search control: what a move costs, learned from positions with known answers or from play by following the
//! gradient of the number of nodes (Björnsson, "Selective depth-first game-tree search", 2002, chapters 6 and 7).
//!
//! The thesis has two methods, which share the descent ([`Descent`]) and differ in where the gradient comes from:
//!
//! - Off-line ([`Descent::step_by_counts`], algorithm 13) every position is searched once with the weights as they are
//!   and once more for each weight with that one altered. The engine may be anybody's.
//! - On-line ([`Descent::step_by_gradient`], algorithm 12) one search does. It carries along how many nodes it would have
//!   had with each weight altered ([`GrowthCounter`]), and a model of the cost ([`Counts::cost`]) says what that means for
//!   the depth of the solution ([`PathDepth`]).
//!
//! Weights are in plies, 0.1 to 2 unless said otherwise.

mod cost;
mod counting;
mod descent;
mod growth;
mod lesson;
mod slots;
mod solve;

pub use cost::{Cost, Counts, PathDepth};
pub use counting::{CountingSearch, Thought};
pub(crate) use counting::{counting_search, path_depth};
pub use descent::{Descent, Tunable};
pub use growth::GrowthCounter;
pub use lesson::{Lesson, Pupil};
pub use slots::Slots;
pub use solve::{Solution, solve};
