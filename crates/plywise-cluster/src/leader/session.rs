//! A session of a coordinator: its queue on the server, what it announces, and what it answers.

use super::{Job, SharedState, Tally};
use crate::connection::{ClusterError, Server, failed};
use crate::parcel::Packed;
use crate::roster::{PULSE, Presence};
use crate::wire::{
    ANNOUNCEMENTS, ANSWER_BYTES, Announcement, Answer, CONSUMER, Question, compress, decode, encode, random_name,
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

/// A session, which ends when it is dropped.
#[derive(Debug)]
pub(super) struct Session {
    server: Server,
    pub(super) name: String,
    pub(super) stream: String,
    shared: SharedState,
    /// Something is to be announced at once.
    news: Arc<Notify>,
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
    pub(super) tallies: BTreeMap<String, Tally>,
    pub(super) malformed: u64,
    /// Jobs of the workers that help, and when each was last heard of.
    helpers: BTreeMap<String, (usize, Instant)>,
}

impl Session {
    pub(super) async fn open(server: &Server, run: String, job: Job, packed: Packed) -> Result<Session, ClusterError> {
        let (name, stream) = (random_name(), stream_name(&run));
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
            shut_out: Vec::new(),
            words: job.words,
            parcels: packed.parcels,
        };
        let shared = Arc::new(Mutex::new(Shared {
            announcement,
            journals: Vec::new(),
            steps: Vec::new(),
            tallies: BTreeMap::new(),
            malformed: 0,
            helpers: BTreeMap::new(),
        }));
        let news = Arc::new(Notify::new());
        let questions = server.client.subscribe(subject(&name, "ask")).await.map_err(failed("listen to workers"))?;
        let pulses = server.client.subscribe(worker_subject("*")).await.map_err(failed("listen to workers"))?;
        let background = tokio::spawn(attend(server.clone(), shared.clone(), news.clone(), questions, pulses));
        Ok(Session { server: server.clone(), name, stream, shared, news, background })
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

    /// Names a worker whose answers are not wanted any more.
    pub(super) fn shut_out(&self, worker: &str) {
        let mut shared = self.shared();
        if !shared.announcement.shut_out.iter().any(|name| name == worker) {
            shared.announcement.shut_out.push(worker.to_owned());
        }
        drop(shared);
        self.news.notify_one();
    }

    /// Writes something into the books of a worker.
    pub(super) fn note<R>(&self, worker: &str, write: impl FnOnce(&mut Tally) -> R) -> R {
        write(self.shared().tallies.entry(worker.to_owned()).or_default())
    }

    /// Units that helpers do at the same time.
    pub(super) fn jobs(&self) -> usize {
        self.shared().present().map(|(jobs, _)| jobs).sum()
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
        let Server { runtime, client, context, .. } = &self.server;
        // Where the server is away, workers find out by themselves, and the next session removes the queue.
        if self.server.is_connected() {
            runtime.block_on(async {
                let tidy = async {
                    let _ = client.publish(ANNOUNCEMENTS, encode(&announcement).into()).await;
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
    let config = consumer::pull::Config {
        durable_name: Some(CONSUMER.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: PATIENCE,
        max_ack_pending: 1 << 20,
        max_waiting: 1 << 16,
        ..Default::default()
    };
    stream.create_consumer(config).await.map(drop).map_err(failed(action))
}

/// Announces the session every second, answers questions, and counts helpers.
async fn attend(
    server: Server,
    shared: SharedState,
    news: Arc<Notify>,
    mut questions: async_nats::Subscriber,
    mut pulses: async_nats::Subscriber,
) {
    let mut clock = tokio::time::interval(HEARTBEAT);
    loop {
        tokio::select! {
            _ = clock.tick() => announce(&server, &shared).await,
            () = news.notified() => announce(&server, &shared).await,
            Some(message) = questions.next() => {
                let answer = decode(&message.payload).map(|question| lock(&shared).answer(&question));
                match (answer, message.reply) {
                    (Some(answer), Some(reply)) => {
                        // A worker that hears nothing asks again.
                        let _ = server.client.publish(reply, compress(&encode(&answer)).into()).await;
                    }
                    _ => lock(&shared).malformed += 1,
                }
            }
            Some(message) = pulses.next() => {
                let mut shared = lock(&shared);
                match decode::<Presence>(&message.payload) {
                    Some(worker) if worker.session.as_deref() == Some(&shared.announcement.session) => {
                        shared.helpers.insert(worker.name, (worker.jobs, Instant::now()));
                    }
                    Some(_) => {}
                    None => shared.malformed += 1,
                }
            }
            else => return,
        }
    }
}

async fn announce(server: &Server, shared: &Mutex<Shared>) {
    let announcement = encode(&lock(shared).announcement);
    if server.is_connected() {
        let _ = server.client.publish(ANNOUNCEMENTS, announcement.into()).await;
    }
}

impl Shared {
    /// Jobs of the workers that were heard of a moment ago.
    fn present(&self) -> impl Iterator<Item = &(usize, Instant)> {
        self.helpers.values().filter(|(_, heard)| heard.elapsed() < 3 * PULSE)
    }

    fn answer(&self, question: &Question) -> Answer {
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
    let mut answer = Answer { is_ready: true, is_all: true, lines: Vec::new() };
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
