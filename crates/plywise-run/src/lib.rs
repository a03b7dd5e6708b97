//! Long work that survives being killed, and can be spread over machines.
//!
//! A [`Job`] is a long piece of work as a value: everything that decides its result, and nothing else. A [`Workplace`]
//! says where and how it runs: which run directory keeps it, how many units at the same time, and by whom. [`Units`] are
//! numbered pieces of a job; an [`Executor`] does them on threads of this process, hands them to workers, or does them
//! for a coordinator. A [`Run`] is the directory that keeps what is finished. [`files`] writes whole files.

mod cores;
mod digest;
mod directory;
mod executor;
pub mod files;
mod job;
mod journal;
mod units;

pub use cores::{Cores, CoresError, stay_on};
pub use digest::{digest, digest_file, digest_reader};
pub use directory::{Glance, Manifest, Run, RunError, TOTAL, read_unit};
pub use executor::{Coordinator, Executor, Keeper, Offer, Results, Verdict, Worker, do_units};
pub use job::{Job, JobError, Workplace, shorten};
pub use journal::Mark;
pub use units::{Numbered, Units, WorkError};
