//! Units of work on many machines.
//!
//! A command that works in units ([`plywise_arena::run`]) hands their numbers to a queue, and workers on other machines
//! empty it. The queue is NATS JetStream. What a worker runs is the same command as the coordinator, in the same build:
//! a number is all that has to travel to it, and a result all that comes back.
//!
//! - The coordinator's journal is the only truth. A result is in it before the queue forgets the unit ([`Leader`]).
//! - A worker joins a run only as an equal: the same version, build and bench ([`Passport`]).
//! - Coordinators and workers sign what they send, so none can speak in another's name.
//! - Everything else may break: workers, the server, the connection, the coordinator. Units that were lost on the way are
//!   done again, and the first valid result counts.
//!
//! [`Server`] is the connection, [`Leader`] hands units out, [`serve`] is a worker's life, [`roster`] lists who is there,
//! and [`simulate`] says how well it scales.

mod compare;
mod connection;
mod helper;
mod identity;
mod leader;
mod parcel;
mod roster;
mod simulation;
mod wire;
mod worker;

pub use compare::same_apart_from_times;
pub use connection::{ClusterError, Server};
pub use leader::{Job, Leader, WorkerStats};
pub use roster::{Presence, Seen, roster};
pub use simulation::{Course, Load, simulate};
pub use wire::Passport;
pub use worker::{Replica, Task, WorkerOptions, serve};
