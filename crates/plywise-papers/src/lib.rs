//! The papers that plywise builds on: each table of theirs as an experiment of ours.
//!
//! A [`Table`] runs typed jobs and makes rows of their outcomes: a figure of the paper, ours, and what may be concluded
//! from the two. What the papers printed, and under which conditions, is in the TOML files of `data/`. Who runs the jobs,
//! and where they are kept, is the business of a [`Laboratory`]; each job is also told as a command that can be typed.

mod conditions;
mod figure;
mod lab;
mod player;
mod steps;
mod suite;
mod tables;

pub use conditions::Conditions;
pub use figure::{Comparison, Figure, Point, Row};
pub use lab::{Lab, Laboratory};
pub use suite::Suite;
pub use tables::{Table, Work, tables};
