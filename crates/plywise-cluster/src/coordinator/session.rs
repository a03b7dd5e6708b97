//! A session of a coordinator: its queue on the server, what it announces, and what it answers.

use super::{Job, Say, SharedState, WorkerStats};
use crate::connection::{ClusterError, Server, failed};
use crate::identity::Key;
use crate::roster::{PULSE, Presence};
use crate::wire::{
    ANNOUNCEMENTS, ANSWER_BYTES, Announcement, Answer, CONSUMER, Question, compress, decode, encode, safe_name,
    stream_name, subject, worker_subject,
};
use async_nats::jetstream::consumer::{self, AckPolicy};
use async_nats::jetstream::stream::{self, RetentionPolicy};
use futures_util::StreamExt;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// A unit whose worker is not heard of for so long is given to another.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// How often a coordinator says that it is there.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// How long a run waits before it reports that no worker helps: a worker has to hear of it, and to measure itself.
const ALONE: Duration = Duration::from_secs(10);

/// The most workers that are counted separately.
const MOST_WORKERS: usize = 10_000;

/// Workers that an announcement names as shut out.
const MOST_SHUT_OUT: usize = 1000;

/// The most jobs of a worker that are believed.
const MOST_JOBS: usize = 1024;

/// What worker_stats call the units that the coordinator did itself.
pub(super) const COORDINATOR: &str = "coordinator";

/// The name under which worker_stats count all further workers.
const OTHERS: &str = "others";

/// A session, which ends when it is dropped.
#[derive(Debug)]
pub(super) struct Session {
    server: Server,
    /// Its key, as others know it.
    pub(super) name: String,
    pub(super) key: Arc<Key>,
    pub(super) stream: String,
    shared: SharedState,
    /// Something is to be announced at once.
    news: Arc<Notify>,
    say: Say,
    background: JoinHandle<()>,
}

/// What the background task needs to know.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) announcement: Announcement,
    /// What journals held when they were opened, one after another.
    pub(super) journals: Vec<Vec<Vec<u8>>>,
    /// What was accepted in each step, where steps follow from each other.
    pub(super) steps: Vec<Vec<(u64, Vec<u8>)>>,
    pub(super) worker_stats: BTreeMap<String, WorkerStats>,
    pub(super) malformed: u64,
    /// Jobs of the workers that help, by their keys, and when each was last heard of.
    helpers: BTreeMap<String, (usize, Instant)>,
    /// What people call workers, by their keys.
    names: BTreeMap<String, String>,
    /// Since when no worker helps with an open step, and whether that was reported.
    alone: Option<(Instant, bool)>,
}

impl Session {
    pub(super) async fn open(
        server: &Server,
        run: String,
        job: Job,
        digest: String,
        say: Say,
    ) -> Result<Session, ClusterError> {
        let (key, stream) = (Arc::new(Key::new()), stream_name(&run));
        let name = key.public();
        // What an earlier coordinator of the same run has left in the queue is not known to anybody.
        let _ = server.context.delete_stream(&stream).await;
        make_queue(server, &stream, &name).await?;
        let announcement = Announcement {
            run,
            session: name.clone(),
            title: job.title,
            passport: job.passport,
            speed: job.speed,
            in_steps: job.in_steps,
            step: None,
            is_open: false,
            ended: false,
            beat: 0,
            shut_out: Vec::new(),
            job: digest,
        };
        let shared = Arc::new(Mutex::new(Shared {
            announcement,
            journals: Vec::new(),
            steps: Vec::new(),
            worker_stats: BTreeMap::new(),
            malformed: 0,
            helpers: BTreeMap::new(),
            names: BTreeMap::new(),
            alone: None,
        }));
        let news = Arc::new(Notify::new());
        let questions = server.client.subscribe(subject(&name, "ask")).await.map_err(failed("listen to workers"))?;
        let pulses = server.client.subscribe(worker_subject("*")).await.map_err(failed("listen to workers"))?;
        let background =
            Background { server: server.clone(), key: key.clone(), shared: shared.clone(), say: say.clone() };
        let background = tokio::spawn(background.attend(news.clone(), questions, pulses));
        Ok(Session { server: server.clone(), name, key, stream, shared, news, say, background })
    }

    pub(super) fn shared(&self) -> MutexGuard<'_, Shared> {
        lock(&self.shared)
    }

    pub(super) fn begin_step(&self) -> u64 {
        let mut shared = self.shared();
        let step = shared.announcement.step.map_or(0, |step| step + 1);
        shared.announcement.step = Some(step);
        shared.announcement.is_open = true;
        shared.steps.push(Vec::new());
        drop(shared);
        self.news.notify_one();
        step
    }

    pub(super) fn end_step(&self) {
        self.shared().announcement.is_open = false;
        self.news.notify_one();
    }

    /// Wants no more answers of a worker, and says why.
    pub(super) fn shut_out(&self, worker: &str, reason: &str) {
        let mut shared = self.shared();
        if shared.is_shut_out(worker) {
            return;
        }
        // An announcement has room for no more; only a flood of keys gets there.
        shared.announcement.shut_out.truncate(MOST_SHUT_OUT - 1);
        shared.announcement.shut_out.push(worker.to_owned());
        shared.helpers.remove(worker);
        let name = shared.name(worker);
        let left = match shared.present().count() {
            0 => "; no worker is left, and the run waits for another worker",
            _ => "",
        };
        drop(shared);
        (self.say.0)(&format!("worker {name} is shut out: {reason}{left}"));
        self.news.notify_one();
    }

    /// Takes note of what a worker is called. Names may be taken: two keys never share one.
    pub(super) fn know(&self, worker: &str, name: &str) {
        let mut shared = self.shared();
        if shared.names.contains_key(worker) || shared.names.len() >= MOST_WORKERS {
            return;
        }
        let plain = safe_name(name);
        let is_taken = plain == COORDINATOR || shared.names.values().any(|known| *known == plain);
        let name = if is_taken { format!("{plain} ({})", worker.get(..12).unwrap_or(worker)) } else { plain };
        shared.names.insert(worker.to_owned(), name);
    }

    /// Writes something into the books of a worker.
    pub(super) fn note<R>(&self, worker: &str, write: impl FnOnce(&mut WorkerStats) -> R) -> R {
        let mut shared = self.shared();
        let name = shared.name(worker);
        write(shared.worker_stats.entry(name).or_default())
    }

    /// Units that helpers do at the same time.
    pub(super) fn jobs(&self) -> usize {
        self.shared().present().fold(0, |sum, (jobs, _)| sum.saturating_add(*jobs))
    }

    /// Workers that help.
    pub(super) fn helpers(&self) -> usize {
        self.shared().present().count()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.background.abort();
        let mut announcement = self.shared().announcement.clone();
        announcement.ended = true;
        announcement.beat += 1;
        let Server { runtime, client, context, .. } = &self.server;
        // Where the server is away, workers find out by themselves, and the next session removes the queue.
        if self.server.is_connected() {
            runtime.block_on(async {
                let tidy = async {
                    let _ = client.publish(ANNOUNCEMENTS, self.key.seal(&encode(&announcement)).into()).await;
                    let _ = context.delete_stream(&self.stream).await;
                    let _ = client.flush().await;
                };
                let _ = tokio::time::timeout(PATIENCE, tidy).await;
            });
        }
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the queue of a session: a unit stays in it until its result is kept.
pub(super) async fn make_queue(server: &Server, stream: &str, session: &str) -> Result<(), ClusterError> {
    let action = "make a queue on the server";
    let config = stream::Config {
        name: stream.to_owned(),
        subjects: vec![subject(session, "units")],
        retention: RetentionPolicy::WorkQueue,
        ..Default::default()
    };
    let stream = server.context.create_stream(config).await.map_err(failed(action))?;
    make_consumer(&stream).await
}

/// Makes what workers take the units of a queue from, unless it is there.
pub(super) async fn make_consumer<I>(stream: &stream::Stream<I>) -> Result<(), ClusterError> {
    let config = consumer::pull::Config {
        durable_name: Some(CONSUMER.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: PATIENCE,
        max_ack_pending: 1 << 20,
        max_waiting: 1 << 16,
        ..Default::default()
    };
    stream.create_consumer(config).await.map(drop).map_err(failed("make a queue on the server"))
}

/// The background of a session.
struct Background {
    server: Server,
    key: Arc<Key>,
    shared: SharedState,
    say: Say,
}

impl Background {
    /// Announces the session every second, answers questions, and counts helpers.
    async fn attend(
        self,
        news: Arc<Notify>,
        mut questions: async_nats::Subscriber,
        mut pulses: async_nats::Subscriber,
    ) {
        let mut clock = tokio::time::interval(HEARTBEAT);
        loop {
            tokio::select! {
                _ = clock.tick() => {
                    self.announce().await;
                    self.look_for_help();
                }
                () = news.notified() => self.announce().await,
                Some(message) = questions.next() => {
                    let answer = decode(&message.payload).map(|question| lock(&self.shared).answer(question));
                    match (answer, message.reply) {
                        (Some(answer), Some(reply)) => {
                            // A worker that hears nothing asks again.
                            let answer = self.key.seal(&compress(&encode(&answer)));
                            let _ = self.server.client.publish(reply, answer.into()).await;
                        }
                        _ => lock(&self.shared).malformed += 1,
                    }
                }
                Some(message) = pulses.next() => {
                    let mut shared = lock(&self.shared);
                    match Presence::read(&message.payload) {
                        Some(worker) => shared.see(worker),
                        None => shared.malformed += 1,
                    }
                }
                else => return,
            }
        }
    }

    async fn announce(&self) {
        let announcement = {
            let mut shared = lock(&self.shared);
            shared.announcement.beat += 1;
            encode(&shared.announcement)
        };
        if self.server.is_connected() {
            let _ = self.server.client.publish(ANNOUNCEMENTS, self.key.seal(&announcement).into()).await;
        }
    }

    /// Reports when no worker helps for a while, and when one does again.
    fn look_for_help(&self) {
        let mut shared = lock(&self.shared);
        let is_alone = shared.announcement.is_open && shared.present().next().is_none();
        let news = match (is_alone, shared.alone) {
            (true, None) => {
                shared.alone = Some((Instant::now(), false));
                None
            }
            (true, Some((since, false))) if since.elapsed() > ALONE => {
                shared.alone = Some((since, true));
                let title = &shared.announcement.title;
                Some(format!("no worker helps with '{title}', and the run waits for one"))
            }
            (true, Some(_)) => None,
            (false, was_alone) => {
                shared.alone = None;
                let was_said = was_alone.is_some_and(|(_, was_said)| was_said);
                (was_said && shared.announcement.is_open).then(|| "a worker helps now".to_owned())
            }
        };
        drop(shared);
        if let Some(news) = news {
            (self.say.0)(&news);
        }
    }
}

impl Shared {
    /// Jobs of the workers that were heard of a moment ago.
    fn present(&self) -> impl Iterator<Item = &(usize, Instant)> {
        self.helpers.values().filter(|(_, heard)| heard.elapsed() < 3 * PULSE)
    }

    /// Takes note of a worker that helps.
    fn see(&mut self, worker: Presence) {
        let is_ours = worker.session.as_deref() == Some(&self.announcement.session);
        if !is_ours || self.is_shut_out(&worker.key) {
            return;
        }
        if self.helpers.len() >= MOST_WORKERS {
            self.helpers.retain(|_, (_, heard)| heard.elapsed() < 3 * PULSE);
        }
        if self.helpers.len() < MOST_WORKERS {
            // What a worker says of itself may be anything.
            self.helpers.insert(worker.key, (worker.jobs.clamp(1, MOST_JOBS), Instant::now()));
        }
    }

    pub(super) fn is_shut_out(&self, worker: &str) -> bool {
        self.announcement.shut_out.iter().any(|key| key == worker)
    }

    /// What people call a worker.
    fn name(&self, worker: &str) -> String {
        match self.names.get(worker) {
            Some(name) => name.clone(),
            None if worker == COORDINATOR => worker.to_owned(),
            None => OTHERS.to_owned(),
        }
    }

    fn answer(&self, question: Question) -> Answer {
        Answer { question: Some(question.clone()), ..self.found(&question) }
    }

    fn found(&self, question: &Question) -> Answer {
        match *question {
            Question::Journal { nth, from } => {
                let lines = self.journals.get(nth).map(|lines| lines.iter().map(|line| (0, line)).collect());
                chunk(lines, from)
            }
            Question::Results { step, from } => {
                let is_over = self.announcement.step > Some(step)
                    || self.announcement.step == Some(step) && !self.announcement.is_open;
                let results = self.steps.get(step as usize).filter(|_| is_over);
                chunk(results.map(|results| results.iter().map(|(number, result)| (*number, result)).collect()), from)
            }
        }
    }
}

/// As many lines as fit into an answer.
fn chunk(lines: Option<Vec<(u64, &Vec<u8>)>>, from: usize) -> Answer {
    let Some(lines) = lines else { return Answer::default() };
    let mut answer = Answer { is_ready: true, is_all: true, ..Answer::default() };
    let mut bytes = 0;
    for (number, line) in lines.into_iter().skip(from) {
        if bytes > 0 && bytes + line.len() > ANSWER_BYTES {
            answer.is_all = false;
            break;
        }
        bytes += line.len();
        answer.lines.push((number, String::from_utf8_lossy(line).into_owned()));
    }
    answer
}
