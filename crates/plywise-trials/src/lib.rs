//! A harness that keeps trying to break plywise.
//!
//! A [`Trial`] is one thing that is tried again and again: a parser with mutated inputs, the rules of a game against
//! naive ones, a random UCI session, a hostile tree file, a command that is killed and resumed, a faulty engine in a match,
//! a game of self-play, the statistics of a result, a studio among hostile clients, a hostile peer of a cluster.
//! [`trials`] is the table of all of them. Each case follows from the trial's name, a seed and the case's
//! number alone, so whatever was found once is found again.
//!
//! The tests of this crate run every trial for seconds; the program runs them for hours, with overflow checks:
//!
//! ```text
//! cargo run --profile trials -p plywise-trials -- all --long
//! cargo run --profile trials -p plywise-trials -- parsers --count 1000000 --seed 7
//! ```

mod cluster;
pub mod engines;
mod games;
mod kills;
mod mutation;
mod parsers;
mod process;
mod random;
mod rules;
mod statistics;
mod studio;
mod trees;
mod trial;
mod uci;

pub use process::{AS_PLYWISE, Programs};
pub use trial::{Case, Failure, Find, Settings, Trial, TrialCounts, run};

/// The groups of trials, as the command line names them.
pub const GROUPS: [&str; 10] =
    ["parsers", "rules", "uci", "trees", "kills", "engines", "games", "statistics", "studio", "cluster"];

/// Every trial there is.
pub fn trials(programs: &Programs) -> Vec<Trial> {
    let mut all = parsers::trials(programs);
    all.extend(rules::trials());
    all.extend(uci::trials(programs));
    all.extend(trees::trials(programs));
    all.extend(kills::trials(programs));
    all.extend(engines::trials(programs));
    all.extend(games::trials(programs));
    all.extend(statistics::trials());
    all.extend(studio::trials(programs));
    all.extend(cluster::trials());
    all
}
