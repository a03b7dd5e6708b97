//! The worker's side of one session: units come from the queue, results go to the coordinator.

use crate::connection::Server;
use crate::coordinator::PATIENCE;
use crate::identity::{Key, Sealed};
use crate::roster::Presence;
use crate::wire::{
    Announcement, Answer, CONSUMER, Head, Question, RESULT_BYTES, Unit, decode, decompress, encode, stream_name,
    subject, write_result,
};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{self, AckKind};
use futures_util::StreamExt;
use plywise_run::Worker;
use plywise_search::Signal;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// How often a waiting thread looks around.
const TICK: Duration = Duration::from_millis(100);

/// Work that lies ready on this machine is for so long: neither idle hands nor units that others could do.
const AHEAD: Duration = Duration::from_millis(200);

/// Units that lie ready at most.
const MOST_AHEAD: usize = 500;

/// Helps a session.
#[derive(Debug)]
pub(crate) struct QueueWorker {
    server: Server,
    /// The worker's name, and the key with which it signs.
    name: String,
    key: Arc<Key>,
    run: String,
    session: String,
    jobs: usize,
    slowness: f64,
    in_steps: bool,
    /// Ends everything.
    stop: Signal,
    state: Mutex<State>,
    changed: Condvar,
    /// More units are wanted.
    hungry: Notify,
    units_done: Arc<AtomicU64>,
}

#[derive(Debug, Default)]
struct State {
    /// The step that this side is at, and what ends it.
    step: Option<(u64, Signal)>,
    /// Steps that this side has begun.
    begun: u64,
    /// The step that the coordinator is at, and whether it is still open.
    coordinator: Option<(u64, bool)>,
    /// Journals that this side has asked for.
    journals: usize,
    queue: VecDeque<Taken>,
    /// Units that are worked on, with where their acknowledgement goes.
    working: HashMap<(u64, u64), String>,
    /// Units that were finished since a moment.
    rate: Rate,
}

/// A unit that was taken from the queue.
#[derive(Debug)]
struct Taken {
    unit: Unit,
    ticket: String,
}

/// How fast units are done here.
#[derive(Debug)]
struct Rate {
    since: Instant,
    finished: u32,
    per_second: f64,
}

impl Default for Rate {
    fn default() -> Rate {
        Rate { since: Instant::now(), finished: 0, per_second: 0.0 }
    }
}

impl Rate {
    fn count(&mut self) {
        self.finished += 1;
        let elapsed = self.since.elapsed();
        if elapsed > AHEAD {
            self.per_second = f64::from(self.finished) / elapsed.as_secs_f64();
            (self.since, self.finished) = (Instant::now(), 0);
        }
    }
}

impl QueueWorker {
    pub(crate) fn new(
        server: Server,
        announcement: &Announcement,
        worker: &Presence,
        key: Arc<Key>,
        slowness: f64,
        stop: Signal,
        units_done: Arc<AtomicU64>,
    ) -> Arc<QueueWorker> {
        Arc::new(QueueWorker {
            server,
            name: worker.name.clone(),
            key,
            run: announcement.run.clone(),
            session: announcement.session.clone(),
            jobs: worker.jobs,
            slowness,
            in_steps: announcement.in_steps,
            stop,
            state: Mutex::default(),
            changed: Condvar::new(),
            hungry: Notify::new(),
            units_done,
        })
    }

    /// Fetches units and keeps the queue informed, until the tasks are aborted.
    pub(crate) fn start(self: &Arc<QueueWorker>) -> [JoinHandle<()>; 2] {
        let runtime = self.server.runtime.clone();
        let (one, other) = (self.clone(), self.clone());
        [runtime.spawn(async move { one.fetch().await }), runtime.spawn(async move { other.report().await })]
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of what the coordinator announces.
    pub(crate) fn hear(&self, announcement: &Announcement) {
        let Some(step) = announcement.step else { return };
        self.move_on(step, announcement.is_open);
    }

    fn move_on(&self, step: u64, is_open: bool) {
        let mut state = self.state();
        if state.coordinator.is_none_or(|(known, _)| known <= step) {
            state.coordinator = Some((step, is_open));
        }
        if let Some((own, ended)) = &state.step
            && (step > *own || step == *own && !is_open)
        {
            ended.stop();
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Ends it: nothing more is done for this session.
    pub(crate) fn close(&self) {
        self.stop.stop();
        self.changed.notify_all();
    }

    /// Takes units from the queue, as many as will soon be needed.
    async fn fetch(&self) {
        loop {
            let Ok(consumer) = self.consumer().await else {
                tokio::time::sleep(TICK).await;
                continue;
            };
            // Where the queue fails, it is looked for again: the server may have been away.
            while let Some(wanted) = self.wanted() {
                if wanted == 0 {
                    let _ = tokio::time::timeout(TICK, self.hungry.notified()).await;
                } else if self.fetch_some(&consumer, wanted).await.is_err() {
                    tokio::time::sleep(TICK).await;
                    break;
                }
            }
        }
    }

    async fn consumer(&self) -> Result<PullConsumer, ()> {
        let found = self.server.context.get_consumer_from_stream(CONSUMER, stream_name(&self.run)).await;
        found.map_err(drop)
    }

    /// How many more units should lie ready; nothing when it is over.
    fn wanted(&self) -> Option<usize> {
        if self.stop.is_stopped() {
            return None;
        }
        let state = self.state();
        // Between steps nothing is wanted, and before the first.
        if state.step.as_ref().is_none_or(|(_, ended)| ended.is_stopped()) {
            return Some(0);
        }
        let soon = (state.rate.per_second * AHEAD.as_secs_f64()) as usize;
        let ready = soon.clamp(1, MOST_AHEAD) + self.jobs.saturating_sub(state.working.len());
        // A few at a time would cost a question each.
        let missing = ready.saturating_sub(state.queue.len());
        Some(if 2 * missing >= ready { missing } else { 0 })
    }

    async fn fetch_some(&self, consumer: &PullConsumer, wanted: usize) -> Result<(), ()> {
        let batch = consumer.batch().max_messages(wanted).expires(Duration::from_secs(1)).messages().await;
        let mut messages = batch.map_err(drop)?;
        while let Some(message) = messages.next().await {
            self.put(message.map_err(drop)?).await;
        }
        Ok(())
    }

    /// Lays a unit ready.
    async fn put(&self, message: jetstream::Message) {
        /// A check that no other worker takes is done by the worker it checks: the coordinator will see that.
        const PATIENT: i64 = 20;
        // The queue of the run may be that of a later session by now.
        let is_ours = message.subject.as_str() == subject(&self.session, "units");
        if !is_ours {
            let _ = message.ack_with(AckKind::Nak(None)).await;
            return;
        }
        let sealed = Sealed::read(&message.payload).filter(|sealed| sealed.is_by(&self.session));
        let Some(unit) = sealed.and_then(|sealed| decode::<Unit>(sealed.message)) else {
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        if self.state().coordinator.is_some_and(|(step, _)| unit.step < step) {
            let _ = message.ack().await;
            return;
        }
        let tries = message.info().map_or(0, |info| info.delivered);
        if unit.not_by == Some(self.key.public()) && tries < PATIENT {
            let _ = message.ack_with(AckKind::Nak(Some(TICK))).await;
            return;
        }
        let Some(ticket) = message.reply.as_ref().map(ToString::to_string) else { return };
        self.move_on(unit.step, true);
        self.state().queue.push_back(Taken { unit, ticket });
        self.changed.notify_one();
    }

    /// Tells the queue that units are still worked on: else it gives them to others.
    async fn report(&self) {
        loop {
            tokio::time::sleep(PATIENCE / 4).await;
            if !self.server.is_connected() {
                continue;
            }
            let tickets: Vec<String> = {
                let state = self.state();
                state.working.values().cloned().chain(state.queue.iter().map(|taken| taken.ticket.clone())).collect()
            };
            for ticket in tickets {
                let _ = self.server.client.publish(ticket, "+WPI".into()).await;
            }
        }
    }

    /// Sends a result, or that there is none.
    fn send(&self, step: u64, number: u64, result: Option<Vec<u8>>) {
        let mut state = self.state();
        let Some(ticket) = state.working.remove(&(step, number)) else { return };
        state.rate.count();
        drop(state);
        self.units_done.fetch_add(1, Ordering::Relaxed);
        let failed = result.is_none();
        let (session, worker, name) = (self.session.clone(), self.key.public(), self.name.clone());
        let head = Head { session, step, number, worker, name, ticket, failed, part: 0, parts: 1 };
        let largest = self.server.client.max_payload();
        let place = subject(&self.session, "results");
        let messages = write_result(&self.key, &head, &result.unwrap_or_default(), largest);
        self.server.runtime.block_on(async {
            for message in messages {
                // What is lost here is done again.
                let _ = self.server.client.publish(place.clone(), message.into()).await;
            }
        });
    }

    /// All of what a question is about, as soon as the coordinator has it; nothing once it is over.
    fn ask(&self, question: impl Fn(usize) -> Question) -> Vec<(u64, String)> {
        let mut lines = Vec::new();
        while !self.stop.is_stopped() {
            let answer = self.server.runtime.block_on(self.ask_once(&question(lines.len())));
            match answer.filter(|answer| answer.is_ready) {
                Some(answer) => {
                    lines.extend(answer.lines);
                    if answer.is_all {
                        return lines;
                    }
                }
                None => std::thread::sleep(TICK),
            }
        }
        Vec::new()
    }

    async fn ask_once(&self, question: &Question) -> Option<Answer> {
        let place = subject(&self.session, "ask");
        let asking = self.server.client.request(place, encode(question).into());
        let reply = tokio::time::timeout(Duration::from_secs(2), asking).await.ok()?.ok()?;
        let sealed = Sealed::read(&reply.payload).filter(|sealed| sealed.is_by(&self.session))?;
        let answer: Answer = serde_json::from_slice(&decompress(sealed.message, RESULT_BYTES)?).ok()?;
        (answer.question.as_ref() == Some(question)).then_some(answer)
    }
}

impl Worker for QueueWorker {
    fn is_in_steps(&self) -> bool {
        self.in_steps
    }

    fn remembered(&self) -> Vec<Vec<u8>> {
        let nth = self.state().journals;
        self.state().journals += 1;
        let lines = self.ask(|from| Question::Journal { nth, from });
        lines.into_iter().map(|(_, line)| line.into_bytes()).collect()
    }

    fn jobs(&self) -> usize {
        self.jobs
    }

    fn slowness(&self) -> f64 {
        self.slowness
    }

    fn begin(&self, ended: &Signal) -> u64 {
        let mut state = self.state();
        let step = state.begun;
        state.begun += 1;
        state.step = Some((step, ended.clone()));
        state.rate = Rate::default();
        let coordinator = state.coordinator;
        drop(state);
        if let Some((step, is_open)) = coordinator {
            self.move_on(step, is_open);
        }
        self.hungry.notify_one();
        step
    }

    fn next(&self, step: u64) -> Option<u64> {
        let mut state = self.state();
        loop {
            let is_over = state.step.as_ref().is_none_or(|(own, ended)| *own != step || ended.is_stopped());
            if self.stop.is_stopped() || is_over {
                return None;
            }
            // Units of earlier steps are not needed by anybody; the coordinator has removed them or will.
            while state.queue.front().is_some_and(|taken| taken.unit.step < step) {
                state.queue.pop_front();
            }
            if state.queue.front().is_some_and(|taken| taken.unit.step == step)
                && let Some(Taken { unit, ticket }) = state.queue.pop_front()
            {
                state.working.insert((step, unit.number), ticket);
                self.hungry.notify_one();
                return Some(unit.number);
            }
            self.hungry.notify_one();
            state = self.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn deliver(&self, step: u64, number: u64, result: Vec<u8>) {
        self.send(step, number, Some(result));
    }

    fn fail(&self, step: u64, number: u64) {
        self.send(step, number, None);
    }

    fn results(&self, step: u64) -> Vec<(u64, Vec<u8>)> {
        self.state().working.clear();
        if !self.in_steps {
            // The work ends with this step, and the coordinator says when.
            while !self.stop.is_stopped() {
                std::thread::sleep(TICK);
            }
            return Vec::new();
        }
        let lines = self.ask(|from| Question::Results { step, from });
        lines.into_iter().map(|(number, result)| (number, result.into_bytes())).collect()
    }
}
