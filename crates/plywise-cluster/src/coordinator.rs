//! The coordinator's side: it hands units out, and its keeper decides what counts.

mod handout;
mod partial;
mod session;

use crate::connection::{ClusterError, Server, failed};
use crate::roster::{Seen, roster};
use crate::store;
use crate::wire::{Passport, random_name, safe_name};
use handout::Handout;
use plywise_run::{Coordinator, Offer};
pub(crate) use session::PATIENCE;
use session::{Session, Shared};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

/// A run that others are to help with.
#[derive(Clone, Debug)]
pub struct Job {
    /// What people call it.
    pub title: String,
    /// What is the same for the same run directory, however often its coordinator is started; nothing where there is no
    /// such directory.
    pub run: Option<String>,
    /// What workers must be equal to.
    pub passport: Passport,
    /// Nodes a second of the bench on this machine.
    pub speed: f64,
    /// Whether later units follow from the results of earlier ones.
    pub in_steps: bool,
    /// The share of units that is done twice and compared, from 0 to 1.
    pub verify: f64,
    /// What a worker is to do, in a form that its [`JobRunner`](crate::JobRunner) reads. Nothing else travels.
    pub work: Vec<u8>,
}

/// What a worker did in a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerStats {
    /// Results that count.
    pub units: u64,
    /// Results of these in which a player failed, by time or by a crash.
    pub faults: u64,
    /// Results that were not valid.
    pub refused: u64,
    /// Units it could not do.
    pub failed: u64,
    /// The unit whose answer was wrong, where it was shut out for that.
    pub wrong: Option<u64>,
}

/// Hands the units of a run to workers.
#[derive(Debug)]
pub struct QueueCoordinator {
    server: Server,
    session: Session,
    verify: f64,
    in_steps: bool,
}

impl QueueCoordinator {
    /// Opens a session for a run: its job is sent, its queue is made, and workers hear of it from now on. `say` hears
    /// what its user should know meanwhile, a sentence at a time.
    pub fn open(
        server: Server,
        job: Job,
        say: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<QueueCoordinator, ClusterError> {
        let say = Say(Arc::new(say));
        let digest = server.runtime.block_on(store::put(&server, &job.work))?;
        let run = job.run.as_deref().map_or_else(random_name, safe_name);
        let (verify, in_steps) = (job.verify, job.in_steps);
        let session = server.runtime.block_on(Session::open(&server, run, job, digest, say.clone()))?;
        if !roster(&server)?.iter().any(Seen::is_there) {
            let address = &server.address;
            (say.0)(&format!(
                "no worker is at {address}, and the run waits for one: start it with 'plywise worker {address}'"
            ));
        }
        Ok(QueueCoordinator { server, session, verify, in_steps })
    }

    /// What each worker did.
    pub fn worker_stats(&self) -> BTreeMap<String, WorkerStats> {
        self.session.shared().worker_stats.clone()
    }

    /// How many messages could not be read.
    pub fn malformed(&self) -> u64 {
        self.session.shared().malformed
    }
}

impl Coordinator for QueueCoordinator {
    fn is_in_steps(&self) -> bool {
        self.in_steps
    }

    fn remember(&self, finished: Vec<Vec<u8>>) {
        self.session.shared().journals.push(finished);
    }

    fn hand_out(&self, offer: &mut Offer) -> Result<(), String> {
        let step = self.session.begin_step();
        let (requests, wanted) = mpsc::channel::<u64>();
        let (done, own_results) = tokio::sync::mpsc::unbounded_channel();
        let own = offer.own;
        let outcome = thread::scope(|scope| {
            // What others cannot do, or disagree about, is done here.
            let doing = thread::Builder::new().spawn_scoped(scope, move || {
                for number in wanted {
                    let _ = done.send((number, own(number)));
                }
            });
            doing.map_err(failed("start a thread"))?;
            let handout = Handout::new(&self.server, &self.session, step, self.verify, requests, offer);
            self.server.runtime.block_on(handout.run(own_results))
        });
        self.session.end_step();
        outcome.map_err(|error: ClusterError| error.to_string())
    }
}

/// Tells the user something.
#[derive(Clone)]
struct Say(Arc<dyn Fn(&str) + Send + Sync>);

impl fmt::Debug for Say {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Say")
    }
}

/// What a session and its background task share.
type SharedState = Arc<std::sync::Mutex<Shared>>;
