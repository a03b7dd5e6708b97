//! When to stop: depth, nodes, time on the clock, a proven win, or a signal from outside.
//!
//! This is the only place where the search reads the clock.

use crate::clock::{Clock, TimeControl};
use crate::params::Time;
use crate::time::{Difficulty, Plan};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What a player may use up for a move, alone or in a game. Several limits hold together; the default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The last iteration, in plies.
    pub depth: Option<i32>,
    /// The nodes that all threads together may search; exact with one thread.
    pub nodes: Option<u64>,
    /// No iteration begins once the threads together have searched this many nodes: the last one is finished, so that
    /// its value is whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soft_nodes: Option<u64>,
    /// The time for the move.
    pub movetime: Option<Duration>,
    /// The clock, of which the move may use its share.
    pub clock: Option<Clock>,
    /// What a move loses on its way to the clock.
    pub overhead: Duration,
    /// Stop at a forced win within this many plies; with a limit of the depth, not before its line is known to the end.
    pub win_within: Option<i32>,
}

impl Limits {
    /// Search `plies` iterations.
    pub fn depth(plies: i32) -> Limits {
        Limits { depth: Some(plies), ..Limits::default() }
    }

    /// Search `nodes` nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Search for `time`.
    pub fn time(time: Duration) -> Limits {
        Limits { movetime: Some(time), ..Limits::default() }
    }

    /// Play by a clock, which is full.
    pub fn clock(control: TimeControl) -> Limits {
        Limits { clock: Some(Clock::new(control)), ..Limits::default() }
    }

    /// The same with `factor` times the time, as for a machine that is so much slower. Depths and nodes stay.
    pub fn scaled(&self, factor: f64) -> Limits {
        if factor == 1.0 {
            return *self;
        }
        let scale = |time: Duration| Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(time);
        let clock = self.clock.map(|clock| {
            let TimeControl { moves, base, increment } = clock.control();
            Clock::new(TimeControl { moves, base: scale(base), increment: scale(increment) })
        });
        Limits { movetime: self.movetime.map(scale), clock, ..*self }
    }

    /// The limits in words, with a number of nodes as `show_nodes` writes it; [`Display`](fmt::Display) is for documents.
    pub fn in_words(&self, show_nodes: impl Fn(u64) -> String) -> String {
        let mut parts = Vec::new();
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        parts.extend(self.nodes.map(show_nodes));
        parts.extend(self.movetime.map(|time| format!("{} ms", time.as_millis())));
        parts.extend(self.clock.map(|clock| format!("clock {}", clock.control())));
        if parts.is_empty() { "no limit".to_string() } else { parts.join(", ") }
    }

    /// Whether the search decides itself how long a move is worth thinking about.
    pub(crate) fn shares_a_clock(&self) -> bool {
        self.clock.is_some() && self.movetime.is_none()
    }
}

/// `depth 8, 100000 nodes`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.in_words(|nodes| format!("{nodes} nodes")))
    }
}

/// Stops a running search from another thread, and tells it that the opponent made the expected move.
#[derive(Clone, Debug, Default)]
pub struct Signal(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Whatever stops this one stops the search as well.
    above: Option<Signal>,
}

impl Signal {
    /// A signal that says nothing yet.
    pub fn new() -> Signal {
        Signal::default()
    }

    /// A signal for a search on the opponent's time: limits hold only after [`ponder_hit`](Signal::ponder_hit).
    pub fn pondering() -> Signal {
        let signal = Signal::default();
        signal.0.pondering.store(true, Relaxed);
        signal
    }

    /// A signal of its own that stops when this one does as well, but not the other way round.
    pub fn child(&self) -> Signal {
        Signal(Arc::new(Flags { above: Some(self.clone()), ..Flags::default() }))
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.0.stop.store(true, Relaxed);
    }

    /// The opponent made the expected move: from now on the limits hold.
    pub fn ponder_hit(&self) {
        self.0.pondering.store(false, Relaxed);
    }

    /// Whether the search has been told to stop.
    pub fn is_stopped(&self) -> bool {
        self.0.stop.load(Relaxed) || self.0.above.as_ref().is_some_and(Signal::is_stopped)
    }

    /// Whether the search still runs on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.0.pondering.load(Relaxed)
    }
}

/// The search ended before this node was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// What all threads of one search share: the limits, the clock, the signal and the node count.
pub(crate) struct Budget<'a> {
    limits: &'a Limits,
    params: &'a Time,
    plan: Option<Plan>,
    signal: &'a Signal,
    begun: Instant,
    done: AtomicBool,
    nodes: AtomicU64,
    threads: usize,
}

/// How often a thread looks at the clock and the signal: often enough to stop in time, whatever a node costs.
const BETWEEN_LOOKS: Duration = Duration::from_micros(250);
/// The most nodes between two looks, where nodes are cheap.
const MOST_BETWEEN_LOOKS: u64 = 1024;

/// One thread's count: what it has told the others, and at which node it looks at the clock again.
#[derive(Debug)]
pub(crate) struct Pace {
    /// The node at which the thread looks.
    next: u64,
    /// Its nodes when it looked last, and when that was.
    counted: u64,
    looked: Instant,
    /// The nodes between two looks.
    interval: u64,
}

impl Pace {
    /// The thread has searched nothing yet.
    pub(crate) fn new() -> Pace {
        Pace { next: 0, counted: 0, looked: Instant::now(), interval: 1 }
    }

    /// Whether the thread should [look](Budget::look) at this node.
    #[inline(always)]
    pub(crate) fn is_due(&self, own_nodes: u64) -> bool {
        own_nodes >= self.next
    }

    /// Sets the next look by what nodes have cost since the last one.
    fn set_next(&mut self, own_nodes: u64, now: Instant) {
        let (nodes, time) = (own_nodes - self.counted, now - self.looked);
        let fitting = BETWEEN_LOOKS.as_nanos() * u128::from(nodes) / time.as_nanos().max(1);
        // A thread that had to wait says nothing about nodes; from a short interval it comes back by doubling it.
        let most = (2 * self.interval).min(MOST_BETWEEN_LOOKS);
        self.interval = u64::try_from(fitting).unwrap_or(most).clamp(1, most);
        (self.counted, self.looked) = (own_nodes, now);
        self.next = own_nodes + self.interval;
    }
}

impl<'a> Budget<'a> {
    pub(crate) fn new(limits: &'a Limits, signal: &'a Signal, threads: usize, params: &'a Time) -> Budget<'a> {
        Budget {
            limits,
            params,
            plan: Plan::of(limits, params),
            signal,
            begun: Instant::now(),
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            threads,
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        self.limits
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Ends the search for all threads.
    pub(crate) fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    /// Nodes of all threads; `own` is the exact count of the thread that asks, where it is the only one.
    pub(crate) fn total_nodes(&self, own: u64) -> u64 {
        if self.threads == 1 { own } else { self.nodes.load(Relaxed).max(own) }
    }

    /// Adds `more` nodes, counted elsewhere, to the thread's own count, and says how many may follow: none at the end.
    pub(crate) fn grant(&self, own_nodes: &mut u64, pace: &mut Pace, more: u64) -> u64 {
        *own_nodes += more;
        if pace.is_due(*own_nodes) && self.look(*own_nodes, pace).is_err() || self.done.load(Relaxed) {
            return 0;
        }
        match self.limits.nodes {
            None => u64::MAX,
            // The others take their share of what is left at the same time.
            Some(limit) => limit.saturating_sub(self.spent(*own_nodes, pace)).div_ceil(self.threads as u64),
        }
    }

    /// The nodes of all threads, as far as the others have told theirs.
    fn spent(&self, own_nodes: u64, pace: &Pace) -> u64 {
        if self.threads == 1 { own_nodes } else { self.nodes.load(Relaxed) + own_nodes - pace.counted }
    }

    /// Tells the others of the thread's nodes, `own_nodes` with the one that is about to be searched; stops where a limit
    /// is reached.
    #[cold]
    pub(crate) fn look(&self, own_nodes: u64, pace: &mut Pace) -> Result<(), Stopped> {
        let nodes = self.spent(own_nodes, pace);
        self.nodes.fetch_add(own_nodes - pace.counted, Relaxed);
        let now = Instant::now();
        let is_late = |plan: Plan| !self.signal.is_pondering() && now - self.begun >= plan.hard;
        let over = self.done.load(Relaxed)
            || self.signal.is_stopped()
            || self.limits.nodes.is_some_and(|limit| nodes > limit)
            || self.plan.is_some_and(is_late);
        pace.set_next(own_nodes, now);
        if over {
            // Who looks next must know: what a solver finds with its last nodes is used, and the search goes on until then.
            self.finish();
            pace.next = 0;
            return Err(Stopped);
        }
        if let Some(limit) = self.limits.nodes {
            // With one thread the limit is exact.
            let left = (limit - nodes) / self.threads as u64 + 1;
            pace.next = pace.next.min(own_nodes + left);
        }
        Ok(())
    }

    /// Whether the search should end with the iteration that has just been finished.
    pub(crate) fn is_spent(&self, own_nodes: u64, difficulty: &Difficulty) -> bool {
        if self.is_over() || self.limits.soft_nodes.is_some_and(|limit| self.total_nodes(own_nodes) >= limit) {
            return true;
        }
        let Some(plan) = self.plan else { return false };
        let difficulty = if self.limits.shares_a_clock() { difficulty.factor(self.params) } else { 1.0 };
        !self.signal.is_pondering() && self.elapsed() >= plan.soft(difficulty)
    }

    /// Whether the search is ending.
    pub(crate) fn is_over(&self) -> bool {
        self.done.load(Relaxed) || self.signal.is_stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_stops_with_its_parent_and_alone() {
        let parent = Signal::new();
        let [one, other] = [parent.child(), parent.child()];
        one.stop();
        assert!(one.is_stopped() && !parent.is_stopped() && !other.is_stopped());
        parent.stop();
        assert!(other.is_stopped());
    }

    /// The number of looks at a clock in `nodes` nodes that take this long each, and how long the longest gap was.
    fn looks(nodes: u64, cost: Duration) -> (u64, Duration) {
        let mut pace = Pace::new();
        let begun = pace.looked;
        let (mut looks, mut longest) = (0, Duration::ZERO);
        for node in 1..=nodes {
            if pace.is_due(node) {
                let now = begun + cost * node as u32;
                longest = longest.max(now - pace.looked);
                pace.set_next(node, now);
                looks += 1;
            }
        }
        (looks, longest)
    }

    #[test]
    fn the_clock_is_read_as_often_as_nodes_are_dear() {
        let (looks_of_dear, longest) = looks(100, Duration::from_millis(1));
        assert_eq!((looks_of_dear, longest), (100, Duration::from_millis(1)), "every node");
        let (looks_of_cheap, longest) = looks(1_000_000, Duration::from_nanos(500));
        assert!((2000..2100).contains(&looks_of_cheap), "{looks_of_cheap} looks at cheap nodes");
        assert_eq!(longest, BETWEEN_LOOKS);
        let (_, longest) = looks(100_000, Duration::from_micros(10));
        assert!(longest <= BETWEEN_LOOKS + Duration::from_micros(10), "{longest:?}");
    }

    #[test]
    fn a_thread_that_had_to_wait_soon_reads_the_clock_as_rarely_as_before() {
        let mut pace = Pace::new();
        let (begun, mut node) = (pace.looked, 1);
        let mut time = begun;
        for _ in 0..20 {
            time += Duration::from_nanos(200) * pace.interval as u32;
            node += pace.interval;
            pace.set_next(node, time);
        }
        assert_eq!(pace.interval, MOST_BETWEEN_LOOKS);
        node += pace.interval;
        time += Duration::from_secs(1);
        pace.set_next(node, time);
        assert_eq!(pace.interval, 1);
    }
}
