//! One step of a session: numbers go out, results come in, and each counts once.

use super::partial::Partials;
use super::session::{COORDINATOR, PATIENCE, Session, make_consumer, make_queue};
use crate::compare::same_apart_from_times;
use crate::connection::{ClusterError, Server, failed};
use crate::wire::{Head, RESULT_BYTES, Unit, decompress, encode, read_result, subject};
use async_nats::Message;
use async_nats::jetstream::context::GetStreamErrorKind;
use futures_util::stream::{self, FuturesUnordered};
use futures_util::{FutureExt, StreamExt};
use plywise_run::{Offer, Verdict};
use std::collections::{BTreeMap, HashSet};
use std::future::{self, Future};
use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;

/// Results that are kept together.
const BATCH: usize = 1000;

/// Units in the queue before any worker was heard of, and at least.
const LEAST_WINDOW: usize = 256;

/// Units that are put into the queue at once.
const CHUNK: usize = 1000;

/// Units of a chunk that are on their way at the same time.
const UNCONFIRMED: usize = 200;

/// How often the coordinator looks whether it was stopped.
const TICK: Duration = Duration::from_millis(100);

/// How long nothing may come in before the queue is looked at.
const SILENCE: Duration = Duration::from_secs(2);

/// Invalid results before a worker is shut out.
const MOST_REFUSED: u64 = 3;

/// Units in the queue at most, whatever workers say of themselves.
const MOST_WINDOW: usize = 1 << 16;

/// Refused results that are remembered.
const MOST_REMEMBERED: usize = 100_000;

type Published = Pin<Box<dyn Future<Output = Vec<u64>>>>;

pub(super) struct Handout<'a, 'o> {
    server: &'a Server,
    session: &'a Session,
    step: u64,
    /// The share of units that is done twice.
    verify: f64,
    /// Asks this process to do a unit itself.
    requests: mpsc::Sender<u64>,
    offer: &'a mut Offer<'o>,
    /// Units that are not kept yet.
    pending: BTreeMap<u64, Pending>,
    /// Units that have to be put into the queue again.
    again: Vec<u64>,
    /// Units on their way into the queue.
    publishing: FuturesUnordered<Published>,
    /// Results of which parts are missing.
    partial: Partials,
    /// The tickets of results that were refused: a copy of one counts for nothing.
    refused: HashSet<String>,
    is_exhausted: bool,
    /// The server refused units. Nothing more is sent before the queue was looked at: it may be gone.
    has_lost: bool,
    last_news: Instant,
    last_second: (Instant, usize, usize),
}

/// What is known of a unit that is not kept yet.
#[derive(Default)]
struct Pending {
    /// Answers that wait to be compared: who gave them.
    answers: Vec<(String, Vec<u8>)>,
    /// Whether this process does it itself.
    is_own: bool,
}

impl<'a, 'o> Handout<'a, 'o> {
    pub(super) fn new(
        server: &'a Server,
        session: &'a Session,
        step: u64,
        verify: f64,
        requests: mpsc::Sender<u64>,
        offer: &'a mut Offer<'o>,
    ) -> Handout<'a, 'o> {
        Handout {
            server,
            session,
            step,
            verify,
            requests,
            offer,
            pending: BTreeMap::new(),
            again: Vec::new(),
            publishing: FuturesUnordered::new(),
            partial: Partials::default(),
            refused: HashSet::new(),
            is_exhausted: false,
            has_lost: false,
            last_news: Instant::now(),
            last_second: (Instant::now(), 0, 0),
        }
    }

    /// Goes on until everything is kept, or enough, or it is stopped.
    pub(super) async fn run(mut self, mut own: UnboundedReceiver<(u64, Option<Vec<u8>>)>) -> Result<(), ClusterError> {
        let listening = self.server.client.subscribe(subject(&self.session.name, "results")).await;
        let mut results = listening.map_err(failed("listen to workers"))?;
        let mut clock = tokio::time::interval(TICK);
        while !self.offer.stop.is_stopped() {
            self.publish();
            if self.is_exhausted && self.pending.is_empty() {
                break;
            }
            let flow = tokio::select! {
                Some(message) = results.next() => {
                    let mut messages = vec![message];
                    while messages.len() < BATCH && let Some(Some(message)) = results.next().now_or_never() {
                        messages.push(message);
                    }
                    self.take(messages).await
                }
                Some(lost) = self.publishing.next() => {
                    self.has_lost |= !lost.is_empty();
                    self.again.extend(lost);
                    ControlFlow::Continue(())
                }
                Some((number, result)) = own.recv() => self.take_own(number, result),
                _ = clock.tick() => {
                    self.look_after_queue().await;
                    ControlFlow::Continue(())
                }
            };
            if flow.is_break() {
                break;
            }
        }
        self.empty_queue().await;
        Ok(())
    }

    /// Work that is no longer needed is withdrawn.
    async fn empty_queue(&self) {
        if !self.pending.is_empty() && self.server.is_connected() {
            let empty = async {
                if let Ok(stream) = self.server.context.get_stream_no_info(&self.session.stream).await {
                    let _ = stream.purge().await;
                }
            };
            let _ = tokio::time::timeout(PATIENCE, empty).await;
        }
    }

    /// Fills the queue: enough that no worker waits, and no more.
    fn publish(&mut self) {
        let (since, kept, rate) = self.last_second;
        if since.elapsed() >= Duration::from_secs(1) {
            self.last_second = (Instant::now(), 0, kept);
        }
        let wanted = self.session.jobs().saturating_mul(4).max(rate.max(kept).saturating_mul(2));
        let window = wanted.clamp(LEAST_WINDOW, MOST_WINDOW);
        if self.has_lost || !self.server.is_connected() {
            return;
        }
        let mut numbers = std::mem::take(&mut self.again);
        if self.pending.len() <= window / 2 {
            while !self.is_exhausted && self.pending.len() < window && numbers.len() < CHUNK {
                match self.offer.numbers.next() {
                    Some(number) => {
                        self.pending.insert(number, Pending::default());
                        numbers.push(number);
                    }
                    None => self.is_exhausted = true,
                }
            }
        }
        numbers.retain(|number| self.pending.get(number).is_some_and(|pending| !pending.is_own));
        if !numbers.is_empty() {
            let units = numbers.into_iter().map(|number| self.unit(number)).collect();
            self.send(units);
        }
    }

    /// A unit as it stands in the queue.
    fn unit(&self, number: u64) -> Unit {
        let answered = self.pending.get(&number).and_then(|pending| pending.answers.first());
        Unit { step: self.step, number, not_by: answered.map(|(worker, _)| worker.clone()) }
    }

    /// Puts units into the queue. What the server does not confirm is put there again.
    fn send(&mut self, units: Vec<Unit>) {
        let (context, place) = (self.server.context.clone(), subject(&self.session.name, "units"));
        let key = self.session.key.clone();
        let publish = move |unit: Unit| {
            let (context, place, sealed) = (context.clone(), place.clone(), key.seal(&encode(&unit)));
            async move {
                match context.publish(place, sealed.into()).await {
                    Ok(confirmation) => confirmation.await.is_err().then_some(unit.number),
                    Err(_) => Some(unit.number),
                }
            }
        };
        self.publishing.push(Box::pin(async move {
            let lost = stream::iter(units).map(publish).buffer_unordered(UNCONFIRMED);
            lost.filter_map(future::ready).collect().await
        }));
    }

    /// Takes results, keeps those that count, and only then lets the queue forget their units.
    async fn take(&mut self, messages: Vec<Message>) -> ControlFlow<()> {
        let mut settled = Vec::new();
        let mut checks = Vec::new();
        for message in messages {
            let Some((head, body)) = self.read(&message) else {
                self.session.shared().malformed += 1;
                continue;
            };
            self.session.know(&head.worker, &head.name);
            if self.session.shared().is_shut_out(&head.worker) {
                self.repeat(&head).await;
                continue;
            }
            if !self.pending.contains_key(&head.number) {
                // It was kept before; this one is late.
                settled.push(head.ticket);
                continue;
            }
            if head.failed {
                self.session.note(&head.worker, |stats| stats.failed += 1);
                self.do_it_here(head.number);
                settled.push(head.ticket);
                continue;
            }
            let Some(result) = self.whole(&head, body) else { continue };
            if self.is_checked(head.number) {
                self.compare(&head, result, &mut checks);
                // From now on the check stands for the unit in the queue.
                settled.push(head.ticket);
            } else if self.accept(&head.worker, &head.ticket, head.number, &result) {
                settled.push(head.ticket);
            } else {
                self.repeat(&head).await;
            }
            // Rubbish is no sign that the queue is well.
            self.last_news = Instant::now();
        }
        if !checks.is_empty() {
            let units = checks.into_iter().map(|number| self.unit(number)).collect();
            self.send(units);
        }
        let flow = self.offer.keeper.commit();
        for ticket in settled {
            let _ = self.server.client.publish(ticket, "+ACK".into()).await;
        }
        flow
    }

    /// A result of this step whose acknowledgement goes to our own queue.
    fn read<'m>(&self, message: &'m Message) -> Option<(Head, &'m [u8])> {
        let (head, body) = read_result(&message.payload)?;
        let is_ours = head.ticket.starts_with(&format!("$JS.ACK.{}.", self.session.stream))
            && !head.ticket.contains(|letter: char| letter.is_whitespace() || letter == '*' || letter == '>');
        (head.session == self.session.name && head.step == self.step && is_ours).then_some((head, body))
    }

    /// A result with all its parts.
    fn whole(&mut self, head: &Head, body: &[u8]) -> Option<Vec<u8>> {
        let compressed = self.partial.add(head, body)?;
        let result = decompress(&compressed, RESULT_BYTES);
        if result.is_none() {
            self.session.shared().malformed += 1;
        }
        result
    }

    /// Hands a result to the keeper; says whether the unit is settled.
    fn accept(&mut self, worker: &str, ticket: &str, number: u64, result: &[u8]) -> bool {
        match self.offer.keeper.accept(number, result) {
            Verdict::Counts { fault } => {
                self.session.note(worker, |stats| {
                    stats.units += 1;
                    stats.faults += u64::from(fault.is_some());
                });
                self.pending.remove(&number);
                self.last_second.1 += 1;
                let mut shared = self.session.shared();
                if shared.announcement.in_steps
                    && let Some(step) = shared.steps.last_mut()
                {
                    step.push((number, result.to_vec()));
                }
                true
            }
            Verdict::Superfluous => {
                self.pending.remove(&number);
                true
            }
            Verdict::Refused(reason) => {
                if self.refused.len() >= MOST_REMEMBERED {
                    self.refused.clear();
                }
                if self.refused.insert(ticket.to_owned()) {
                    let refused = self.session.note(worker, |stats| {
                        stats.refused += 1;
                        stats.refused
                    });
                    if refused >= MOST_REFUSED {
                        let reason = format!("{refused} of its results were not valid, the last because {reason}");
                        self.session.shut_out(worker, &reason);
                    }
                }
                false
            }
        }
    }

    /// Has the queue give a unit to somebody else.
    async fn repeat(&self, head: &Head) {
        let _ = self.server.client.publish(head.ticket.clone(), "-NAK".into()).await;
    }

    /// Whether a unit is done twice: its number decides.
    fn is_checked(&self, number: u64) -> bool {
        const FINE: u64 = 1 << 32;
        if self.verify == 0.0 {
            return false;
        }
        let drawn = plywise_run::digest(format!("{}/{}/{number}", self.session.name, self.step).as_bytes());
        let drawn = u64::from_str_radix(&drawn, 16).unwrap_or(0) % FINE;
        (drawn as f64) < self.verify * FINE as f64
    }

    /// Compares an answer with that of another worker. Where there is none yet, another is asked; where they differ, this
    /// process finds out itself.
    fn compare(&mut self, head: &Head, result: Vec<u8>, checks: &mut Vec<u64>) {
        let Some(pending) = self.pending.get_mut(&head.number) else { return };
        match pending.answers.first() {
            None => {
                pending.answers.push((head.worker.clone(), result));
                match self.session.helpers() {
                    0 | 1 => self.do_it_here(head.number),
                    _ => checks.push(head.number),
                }
            }
            Some((first, answer)) if *first != head.worker && same_apart_from_times(answer, &result) => {
                let (first, answer) = pending.answers.swap_remove(0);
                if !self.accept(&first, &head.ticket, head.number, &answer) {
                    self.do_it_here(head.number);
                }
            }
            // They differ, or there is no other worker to ask.
            Some(_) => {
                pending.answers.push((head.worker.clone(), result));
                self.do_it_here(head.number);
            }
        }
    }

    /// Has this process do a unit.
    fn do_it_here(&mut self, number: u64) {
        if let Some(pending) = self.pending.get_mut(&number)
            && !pending.is_own
        {
            pending.is_own = true;
            let _ = self.requests.send(number);
        }
    }

    /// Takes what this process found itself, which is right by definition.
    fn take_own(&mut self, number: u64, result: Option<Vec<u8>>) -> ControlFlow<()> {
        // Nothing means the same as in a run on one machine: no more is begun.
        let Some(result) = result else { return ControlFlow::Break(()) };
        let answers = self.pending.get_mut(&number).map(|pending| std::mem::take(&mut pending.answers));
        for (worker, answer) in answers.into_iter().flatten() {
            if !same_apart_from_times(&answer, &result) {
                self.session.note(&worker, |stats| stats.wrong = Some(number));
                self.session.shut_out(&worker, &format!("its answer to unit {number} was wrong"));
            }
        }
        if !self.accept(COORDINATOR, "", number, &result) {
            return ControlFlow::Break(());
        }
        self.offer.keeper.commit()
    }

    /// Fills the queue again where it has lost units: a server may come back without its disk.
    async fn look_after_queue(&mut self) {
        let is_due = self.has_lost || self.last_news.elapsed() > SILENCE;
        if !is_due || !self.publishing.is_empty() || !self.server.is_connected() {
            return;
        }
        self.last_news = Instant::now();
        let expected = self.pending.values().filter(|pending| !pending.is_own).count() as u64;
        let found = tokio::time::timeout(PATIENCE, self.server.context.get_stream(&self.session.stream)).await;
        let has_forgotten = match found {
            // What was refused is not there yet, and waits to be sent again.
            Ok(Ok(stream)) => {
                // Somebody may have removed what workers take units from.
                if make_consumer(&stream).await.is_err() {
                    return;
                }
                !self.has_lost && stream.cached_info().state.messages < expected
            }
            Ok(Err(error)) if matches!(error.kind(), GetStreamErrorKind::JetStream(_)) => {
                if make_queue(self.server, &self.session.stream, &self.session.name).await.is_err() {
                    return;
                }
                true
            }
            _ => return,
        };
        self.has_lost = false;
        if has_forgotten {
            self.again = self.pending.keys().copied().collect();
        }
    }
}
