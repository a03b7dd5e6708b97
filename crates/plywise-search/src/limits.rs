//! When to stop: depth, nodes, time on the clock, a proven win, or a signal from outside.
//!
//! This is the only place where the search reads the clock.

use crate::clock::{Clock, TimeControl};
use serde::{Deserialize, Serialize};
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

    /// Whether the search decides itself how long a move is worth thinking about.
    pub(crate) fn shares_a_clock(&self) -> bool {
        self.clock.is_some() && self.movetime.is_none()
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

/// How long to think: beyond `soft` no new iteration begins, at `hard` the search breaks off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    soft: Duration,
    hard: Duration,
}

/// Without a time control ahead, play as if this many moves were to come.
const MOVES_AHEAD: u32 = 24;
/// A move may take at most this many times its share.
const PATIENCE: u32 = 4;

impl Plan {
    /// The plan that the limits ask for, if time is one of them.
    fn of(limits: &Limits) -> Option<Plan> {
        let least = Duration::from_millis(1);
        let usable = |clock: Clock| clock.remaining.saturating_sub(limits.overhead).max(least);
        match (limits.movetime, limits.clock) {
            (None, None) => None,
            (Some(time), clock) => {
                let time = clock.map_or(time, |clock| time.min(usable(clock)));
                Some(Plan { soft: time, hard: time })
            }
            (None, Some(clock)) => {
                let usable = usable(clock);
                let moves = clock.moves_to_go.unwrap_or(MOVES_AHEAD).clamp(1, MOVES_AHEAD);
                let share = usable / moves + clock.increment() * 3 / 4;
                // The last move before the control may use what is left; otherwise keep most of the clock.
                let most = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
                let hard = (share * PATIENCE).min(most).max(least);
                Some(Plan { soft: (share * 3 / 5).min(hard), hard })
            }
        }
    }
}

/// What all threads of one search share: the limits, the clock, the signal and the node count.
pub(crate) struct Budget<'a> {
    limits: &'a Limits,
    plan: Option<Plan>,
    signal: &'a Signal,
    begun: Instant,
    done: AtomicBool,
    nodes: AtomicU64,
    threads: usize,
}

/// The clock is read once in this many nodes.
const NODES_PER_LOOK: u64 = 1024;

impl<'a> Budget<'a> {
    pub(crate) fn new(limits: &'a Limits, signal: &'a Signal, threads: usize) -> Budget<'a> {
        Budget {
            limits,
            plan: Plan::of(limits),
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

    /// Called at every node with the thread's own count, this node included.
    #[inline]
    pub(crate) fn check(&self, own_nodes: u64) -> Result<(), Stopped> {
        if self.threads == 1 && self.limits.nodes.is_some_and(|limit| own_nodes > limit) {
            return Err(Stopped);
        }
        if own_nodes.is_multiple_of(NODES_PER_LOOK) { self.look(1) } else { Ok(()) }
    }

    /// Adds `more` nodes, counted elsewhere, to the thread's own count, and says how many may follow: none at the end.
    pub(crate) fn grant(&self, own_nodes: &mut u64, more: u64) -> u64 {
        let looks = (*own_nodes % NODES_PER_LOOK + more) / NODES_PER_LOOK;
        *own_nodes += more;
        if looks > 0 && self.look(looks).is_err() || self.done.load(Relaxed) {
            return 0;
        }
        match self.limits.nodes {
            None => u64::MAX,
            Some(limit) if self.threads == 1 => limit.saturating_sub(*own_nodes),
            Some(limit) => {
                // The others take their share of what is left at the same time.
                let spent = self.nodes.load(Relaxed) + *own_nodes % NODES_PER_LOOK;
                limit.saturating_sub(spent).div_ceil(self.threads as u64)
            }
        }
    }

    /// Reads the clock and the signal, `looks` times [`NODES_PER_LOOK`] nodes after the last time.
    fn look(&self, looks: u64) -> Result<(), Stopped> {
        let mut over = self.done.load(Relaxed) || self.signal.is_stopped();
        if self.threads > 1 {
            let more = looks * NODES_PER_LOOK;
            let nodes = self.nodes.fetch_add(more, Relaxed) + more;
            over |= self.limits.nodes.is_some_and(|limit| nodes > limit);
        }
        if let Some(plan) = self.plan {
            over |= !self.signal.is_pondering() && self.elapsed() >= plan.hard;
        }
        if !over {
            return Ok(());
        }
        // Who looks next must know: what a solver finds with its last nodes is used, and the search goes on until then.
        self.finish();
        Err(Stopped)
    }

    /// Whether another iteration should begin. An unstable best move deserves more time: `instability` is 1 for a
    /// settled one and grows.
    pub(crate) fn has_time_for_another(&self, instability: f64) -> bool {
        if self.done.load(Relaxed) || self.signal.is_stopped() {
            return false;
        }
        let Some(plan) = self.plan else { return true };
        let soft = match self.limits.shares_a_clock() {
            true => plan.soft.mul_f64(instability).min(plan.hard),
            false => plan.soft,
        };
        self.signal.is_pondering() || self.elapsed() < soft
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Plan {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        let clock = Some(Clock::showing(remaining, increment, moves_to_go));
        Plan::of(&Limits { clock, overhead: Duration::from_millis(10), ..Limits::default() }).unwrap()
    }

    #[test]
    fn a_plan_never_exceeds_the_clock() {
        for remaining in [0, 1, 5, 10, 50, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 30_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let plan = plan(remaining, increment, moves_to_go);
                    assert!(plan.soft <= plan.hard);
                    let usable = remaining.saturating_sub(10).max(1);
                    assert!(plan.hard <= Duration::from_millis(usable), "{remaining} {increment} {moves_to_go:?}");
                }
            }
        }
    }

    #[test]
    fn a_child_stops_with_its_parent_and_alone() {
        let parent = Signal::new();
        let [one, other] = [parent.child(), parent.child()];
        one.stop();
        assert!(one.is_stopped() && !parent.is_stopped() && !other.is_stopped());
        parent.stop();
        assert!(other.is_stopped());
    }

    #[test]
    fn more_time_gives_longer_plans() {
        assert!(plan(60_000, 0, None).soft > plan(30_000, 0, None).soft);
        assert!(plan(60_000, 0, Some(5)).soft > plan(60_000, 0, Some(20)).soft);
    }

    #[test]
    fn a_time_for_the_move_never_exceeds_the_clock() {
        let limits =
            |text: &str| Limits { movetime: Some(Duration::from_secs(5)), ..Limits::clock(text.parse().unwrap()) };
        assert_eq!(Plan::of(&limits("40/60")).unwrap().hard, Duration::from_secs(5));
        assert_eq!(Plan::of(&limits("2")).unwrap().hard, Duration::from_secs(2));
    }
}
