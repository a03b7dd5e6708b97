//! What a number of games says, and how sure one may be of it.
//!
//! Counts come first: [`Wdl`] for single games and [`Pentanomial`] for pairs of games from one opening with colours
//! swapped. Where pairs are known they are the better sample, because the two games of a lopsided opening are not
//! independent. On counts rest the [`Elo`] difference with its error, the likelihood of superiority, and the
//! sequential test [`Sprt`]. [`rates`] and [`mini_match`] hold the tests of the papers that plywise builds on, and
//! [`Ratings`] fits a round robin.

mod counts;
mod elo;
mod intervals;
pub mod mini_match;
pub mod rates;
mod ratings;
mod sprt;
mod summary;

pub use counts::{Pentanomial, Sample, Wdl};
pub use elo::{Elo, elo_of_score, score_of_elo};
pub use intervals::{
    Interval, LEAST_SAMPLE, TOO_FEW, exchange_interval, mcnemar, mean_interval, ratio_interval, score_interval,
    share_interval,
};
pub use ratings::{Crosstable, Rating, Ratings, RatingsError};
pub use sprt::{Decision, EloModel, Sprt, SprtError, SprtState};
pub use summary::Summary;

use statrs::distribution::{ContinuousCDF, Normal};

/// The two-sided 95 % quantile of the standard normal distribution.
pub(crate) fn z_95() -> f64 {
    Normal::standard().inverse_cdf(0.975)
}
