//! Units of work on many machines.
//!
//! A job that works in units ([`plywise_run`]) hands their numbers to a queue, and workers on other machines empty
//! it. The queue is NATS JetStream. A worker runs the same job as the coordinator, in the same build: the job travels once,
//! then numbers go out and results come back.
//!
//! - The coordinator's journal is the only truth. A result is in it before the queue forgets the unit ([`QueueCoordinator`]).
//! - A worker joins a run only as an equal: the same version, build and bench ([`Passport`]).
//! - Coordinators and workers sign what they send, so none can speak in another's name.
//! - Everything else may break: workers, the server, the connection, the coordinator. Units that were lost on the way are
//!   done again, and the first valid result counts.
//!
//! [`Server`] is the connection, [`QueueCoordinator`] hands units out, [`serve`] is a worker's life, [`roster`] lists who is there,
//! and [`simulate`] says how well it scales.

mod compare;
mod connection;
mod coordinator;
mod identity;
mod queue_worker;
mod roster;
mod simulation;
mod store;
mod wire;
mod worker;

pub use compare::same_apart_from_times;
pub use connection::{ClusterError, Server};
pub use coordinator::{Job, QueueCoordinator, WorkerStats};
pub use roster::{Presence, Seen, roster};
pub use simulation::{Course, Load, simulate};
pub use wire::Passport;
pub use worker::{AssignedJob, JobRunner, WorkerOptions, serve};
