//! Two versions of somebody's engine against each other: from commits to a verdict.
//!
//! An [`EngineFile`] (`plywise-engine.toml`) says how an engine is built, run and tested. A [`SourceTree`] is its source as
//! a value, of a commit or of a folder; a [`Workshop`] builds it. [`TestCommits`] is the job: it builds both, checks their
//! bench against their commit messages, measures their speed, and lets them play.

mod bench;
mod engine_file;
mod git;
mod job;
mod patch;
mod shell;
mod source;
mod speed;
mod starter;
mod workshop;

pub use bench::{Bench, read_bench};
pub use engine_file::{EngineFile, EngineOption, FILE_NAME, FileError, OptionValue, Recipe, TestSettings};
pub use git::{Commit, Repository};
pub use job::{Candidate, TestCommits, TestEvent, TestOutcome, Verdict};
pub use patch::{Change, patch, with_starts};
pub use source::SourceTree;
pub use speed::{Round, Speed};
pub use starter::starter_file;
pub use workshop::{Built, KEPT, Workshop};
