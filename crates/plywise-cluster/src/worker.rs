//! A worker's life: it waits for runs, joins those it is equal to, and helps until they end.

use crate::connection::{ClusterError, Server, failed};
use crate::identity::{Key, Sealed};
use crate::queue_worker::QueueWorker;
use crate::roster::{self, PULSE, Presence};
use crate::store;
use crate::wire::{ANNOUNCEMENTS, Announcement, Passport, decode, safe_name};
use futures_util::{FutureExt, StreamExt};
use plywise_search::Signal;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What a worker is.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// Its name, by which coordinators know it.
    pub name: String,
    /// The machine.
    pub machine: String,
    /// The version of the program.
    pub version: String,
    /// The digest of the program's file.
    pub build: String,
    /// Cores of the machine.
    pub cores: usize,
    /// Units at the same time.
    pub jobs: usize,
}

/// A job that is to be run for a coordinator.
pub struct AssignedJob {
    /// What is to be done, as the coordinator wrote it.
    pub work: Vec<u8>,
    /// Where its units come from and its results go to.
    pub worker: Arc<dyn plywise_run::Worker>,
    /// Ends it.
    pub stop: Signal,
}

/// Runs jobs on a worker. The cluster knows no games and no jobs.
pub trait JobRunner: Sync {
    /// Who this program is for a game, and the nodes a second of its bench.
    fn passport(&self, game: &str) -> Result<(Passport, f64), String>;

    /// What forbids a job here. The worker leaves such a run, and waits for others.
    fn objection(&self, work: &[u8]) -> Option<String>;

    /// Runs a job.
    fn run(&self, task: AssignedJob) -> Result<(), String>;
}

/// A coordinator that is not heard of for so long is gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// A coordinator that is not heard of for so long may have been started again.
const HUSH: Duration = Duration::from_secs(3);

/// Sessions that a worker listens to at the same time, and those that it remembers.
const MOST_SESSIONS: usize = 1000;

/// How long a worker listens before it knows which runs there are.
const LISTENING: Duration = Duration::from_millis(2500);

/// How often a worker looks around.
const TICK: Duration = Duration::from_millis(50);

/// Works for any coordinator, until `stop` is given. `say` gets what happens, a sentence at a time.
///
/// A worker that only hears of runs to which it is not equal ends, and says what differs.
pub fn serve(
    server: &Server,
    options: WorkerOptions,
    runner: &dyn JobRunner,
    stop: &Signal,
    say: &dyn Fn(&str),
) -> Result<(), ClusterError> {
    server.runtime.block_on(roster::open(server))?;
    let listening = server.runtime.block_on(server.client.subscribe(ANNOUNCEMENTS));
    let options = WorkerOptions { name: safe_name(&options.name), ..options };
    let key = Arc::new(Key::new());
    let mut worker = Worker {
        server,
        presence: Presence {
            key: key.public(),
            name: options.name,
            machine: options.machine,
            version: options.version,
            build: options.build,
            cores: options.cores,
            jobs: options.jobs,
            speed: None,
            units: 0,
            session: None,
            title: None,
        },
        announcements: listening.map_err(failed("listen to coordinators"))?,
        heard: BTreeMap::new(),
        left: HashSet::new(),
        ended: HashSet::new(),
        passports: HashMap::new(),
        units_done: Arc::default(),
        runner,
        say,
        key,
    };
    worker.work(stop)
}

struct Worker<'a> {
    server: &'a Server,
    presence: Presence,
    announcements: async_nats::Subscriber,
    /// The last announcement of each session, and when it came.
    heard: BTreeMap<String, (Announcement, Instant)>,
    /// Sessions that this worker will not join again.
    left: HashSet<String>,
    /// Sessions that are over.
    ended: HashSet<String>,
    passports: HashMap<String, (Passport, f64)>,
    units_done: Arc<AtomicU64>,
    runner: &'a dyn JobRunner,
    say: &'a dyn Fn(&str),
    key: Arc<Key>,
}

impl Worker<'_> {
    fn work(&mut self, stop: &Signal) -> Result<(), ClusterError> {
        let begun = Instant::now();
        let mut pulse = Instant::now() - PULSE;
        while !stop.is_stopped() {
            self.listen();
            self.beat(&mut pulse);
            let mut objection = None;
            let mut runs: Vec<Announcement> = self.heard.values().map(|(run, _)| run.clone()).collect();
            runs.retain(|run| !self.left.contains(&run.session) && !self.is_replaced(run));
            for run in runs {
                if let Some(sentence) = self.inequality(&run) {
                    objection = Some(sentence);
                    continue;
                }
                objection = None;
                let work = self.server.runtime.block_on(store::get(self.server, &run.job));
                let work = work.map_err(|error| error.to_string());
                let work = work.and_then(|work| self.runner.objection(&work).map_or(Ok(work), Err));
                match work {
                    Ok(work) => self.help(&run, work, stop, &mut pulse),
                    Err(sentence) => self.leave(&run, &sentence),
                }
                break;
            }
            if let Some(sentence) = objection
                && begun.elapsed() > LISTENING
            {
                return Err(ClusterError::NotEqual(sentence));
            }
            thread::sleep(TICK);
        }
        Ok(())
    }

    /// Takes note of what coordinators have announced since.
    fn listen(&mut self) {
        while let Some(Some(message)) = self.announcements.next().now_or_never() {
            let Some(announcement) = read_announcement(&message.payload) else { continue };
            let session = announcement.session.clone();
            let known = self.heard.get(&session).map(|(known, _)| known.beat);
            if known.is_some_and(|beat| announcement.beat <= beat) || self.ended.contains(&session) {
                continue;
            }
            if announcement.ended {
                self.heard.remove(&session);
                remember(&mut self.ended, session);
            } else if known.is_some() || self.heard.len() < MOST_SESSIONS {
                self.heard.insert(session, (announcement, Instant::now()));
            }
        }
        self.heard.retain(|_, (_, when)| when.elapsed() < PATIENCE);
    }

    /// Whether a session has not been heard of for a few seconds and another of the same run has: its coordinator was
    /// killed and started again.
    fn is_replaced(&self, run: &Announcement) -> bool {
        let is_lively = |(_, when): &&(Announcement, Instant)| when.elapsed() < HUSH;
        let of_run = |(news, _): &&(Announcement, Instant)| news.run == run.run;
        let is_silent = self.heard.get(&run.session).is_none_or(|(_, when)| when.elapsed() >= HUSH);
        is_silent && self.heard.values().filter(of_run).any(|heard| is_lively(&heard))
    }

    /// Says now and then that this worker is there.
    fn beat(&mut self, last: &mut Instant) {
        if last.elapsed() >= PULSE {
            *last = Instant::now();
            self.presence.units = self.units_done.load(Ordering::Relaxed);
            self.server.runtime.block_on(roster::tell(self.server, &self.key, &self.presence));
        }
    }

    /// What makes this worker unequal to a run.
    fn inequality(&mut self, run: &Announcement) -> Option<String> {
        let named = |sentence: String| Some(format!("this worker cannot help with '{}': {sentence}", run.title));
        if run.passport.version != self.presence.version || run.passport.build != self.presence.build {
            let own = Passport {
                version: self.presence.version.clone(),
                build: self.presence.build.clone(),
                ..run.passport.clone()
            };
            return run.passport.difference(&own).and_then(named);
        }
        let (runner, game) = (self.runner, &run.passport.game);
        let found = match self.passports.get(game) {
            Some(found) => found.clone(),
            None => match runner.passport(game) {
                Ok(found) => self.passports.entry(game.clone()).or_insert(found).clone(),
                Err(sentence) => return named(sentence),
            },
        };
        let (passport, speed) = found;
        self.presence.speed = Some(speed);
        run.passport.difference(&passport).and_then(named)
    }

    /// Helps a run until it ends, or this worker does.
    fn help(&mut self, run: &Announcement, work: Vec<u8>, stop: &Signal, pulse: &mut Instant) {
        let speed = self.presence.speed.filter(|speed| *speed > 0.0).unwrap_or(run.speed);
        let slowness = if run.speed > 0.0 { (run.speed / speed).clamp(0.1, 10.0) } else { 1.0 };
        let ended = stop.child();
        let (server, key, done) = (self.server.clone(), self.key.clone(), self.units_done.clone());
        let queue = QueueWorker::new(server, run, &self.presence, key, slowness, ended.clone(), done);
        self.presence.session = Some(run.session.clone());
        self.presence.title = Some(run.title.clone());
        *pulse = Instant::now() - PULSE;
        (self.say)(&format!("helps with '{}'", run.title));
        let tasks = queue.start();
        let task = AssignedJob { work, worker: queue.clone(), stop: ended.clone() };
        let runner = self.runner;
        let outcome = thread::scope(|scope| {
            let running = thread::Builder::new().spawn_scoped(scope, move || runner.run(task));
            let Ok(running) = running else { return Err("no thread can be started".to_owned()) };
            while !running.is_finished() {
                self.listen();
                self.beat(pulse);
                match self.heard.get(&run.session) {
                    Some((news, _)) if news.shut_out.contains(&self.presence.key) => queue.close(),
                    Some((news, _)) => queue.hear(news),
                    None => queue.close(),
                }
                if stop.is_stopped() || self.is_replaced(run) {
                    queue.close();
                }
                thread::sleep(TICK);
            }
            running.join().unwrap_or_else(|_| Err("it broke down".to_owned()))
        });
        tasks.iter().for_each(tokio::task::JoinHandle::abort);
        self.presence.session = None;
        self.presence.title = None;
        *pulse = Instant::now() - PULSE;
        let is_shut_out =
            self.heard.get(&run.session).is_some_and(|(news, _)| news.shut_out.contains(&self.presence.key));
        match outcome {
            _ if is_shut_out => {
                self.leave(run, "it was shut out, because its answers were not valid or differ from those of others")
            }
            Err(sentence) if !ended.is_stopped() => self.leave(run, &sentence),
            _ => (self.say)(&format!("has helped with '{}'", run.title)),
        }
    }

    /// Leaves a run for good.
    fn leave(&mut self, run: &Announcement, reason: &str) {
        remember(&mut self.left, run.session.clone());
        (self.say)(&format!("leaves '{}': {reason}", run.title));
    }
}

/// What a coordinator itself has announced.
fn read_announcement(sealed: &[u8]) -> Option<Announcement> {
    let sealed = Sealed::read(sealed)?;
    let announcement: Announcement = decode(sealed.message)?;
    sealed.is_by(&announcement.session).then_some(announcement)
}

/// Adds a session to a set that does not grow forever.
fn remember(sessions: &mut HashSet<String>, session: String) {
    if sessions.len() >= MOST_SESSIONS {
        sessions.clear();
    }
    sessions.insert(session);
}
