//! What a trial is, and how many cases of it are run.

use crate::random::of_case;
use plywise_game::random::Random;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// One case: what it does follows from its number and its random numbers alone.
pub type Case = dyn Fn(u64, &mut Random) -> Result<(), Failure> + Sync;

/// One thing that is tried again and again.
pub struct Trial {
    /// The group on the command line.
    pub group: &'static str,
    /// Its own name.
    pub name: String,
    /// How many cases are enough for a test of seconds.
    pub short: u64,
    /// How many make the long run.
    pub long: u64,
    /// Runs one case.
    pub case: Box<Case>,
}

/// What a case must not do but did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// In one sentence.
    pub problem: String,
    /// What it did it with, as small as it could be made.
    pub input: String,
}

impl Failure {
    /// A problem with an input.
    pub fn new(problem: impl fmt::Display, input: impl Into<String>) -> Failure {
        Failure { problem: problem.to_string(), input: input.into() }
    }
}

/// How long to try, and from which seed.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What all cases follow from.
    pub seed: u64,
    /// The first case.
    pub first: u64,
    /// The number of cases.
    pub count: u64,
    /// No case begins after this moment.
    pub until: Option<Instant>,
    /// How many cases are run at the same time.
    pub jobs: usize,
}

/// A failure and the case that shows it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Find {
    /// The group of the trial.
    pub group: &'static str,
    /// Its name.
    pub trial: String,
    /// The seed.
    pub seed: u64,
    /// The number of the case.
    pub case: u64,
    /// What happened.
    pub failure: Failure,
}

impl fmt::Display for Find {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Find { group, trial, seed, case, failure } = self;
        writeln!(f, "{group}, {trial}: {}", failure.problem)?;
        if !failure.input.is_empty() {
            writeln!(f, "  with {:?}", failure.input)?;
        }
        write!(f, "  again: plywise-trials {group} --only '{trial}' --seed {seed} --case {case}")
    }
}

/// What a trial came to.
#[derive(Clone, Debug, Default)]
pub struct TrialCounts {
    /// Cases that were run.
    pub cases: u64,
    /// The time they took.
    pub time: Duration,
    /// What was found, at most `ENOUGH` of them, in the order of the cases.
    pub finds: Vec<Find>,
}

/// A trial ends when it has failed so often: what follows is most often the same again.
pub const ENOUGH: usize = 5;

/// Runs the cases of a trial.
pub fn run(trial: &Trial, settings: &Settings) -> TrialCounts {
    let begun = Instant::now();
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let is_enough = AtomicBool::new(false);
    let finds = Mutex::new(Vec::new());
    let work = || {
        while !is_enough.load(Ordering::Relaxed) && settings.until.is_none_or(|until| Instant::now() < until) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= settings.count {
                return;
            }
            let case = settings.first + number;
            let result = run_case(trial, settings.seed, case);
            done.fetch_add(1, Ordering::Relaxed);
            if let Err(failure) = result {
                let mut finds = finds.lock().unwrap_or_else(PoisonError::into_inner);
                finds.push(Find { group: trial.group, trial: trial.name.clone(), seed: settings.seed, case, failure });
                is_enough.fetch_or(finds.len() >= ENOUGH, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| (0..settings.jobs.max(1)).for_each(|_| drop(scope.spawn(work))));
    let mut finds = finds.into_inner().unwrap_or_else(PoisonError::into_inner);
    finds.sort_by_key(|find: &Find| find.case);
    TrialCounts { cases: done.into_inner(), time: begun.elapsed(), finds }
}

fn run_case(trial: &Trial, seed: u64, case: u64) -> Result<(), Failure> {
    let mut random = of_case(&trial.name, seed, case);
    caught(|| (trial.case)(case, &mut random)).unwrap_or_else(|panic| Err(Failure::new(panic, "")))
}

thread_local! {
    /// Whether a panic in this thread is expected to be caught, and what the last such one said.
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What `action` returns, or the words of its panic and the place where it happened.
pub(crate) fn caught<T>(action: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if CATCHING.get() {
                let place = panic.location().map_or(String::new(), |place| format!(" at {place}"));
                LAST.replace(format!("panic: {}{place}", words(panic.payload())));
            } else {
                usual(panic);
            }
        }));
    });
    let before = CATCHING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(action));
    CATCHING.set(before);
    result.map_err(|_| LAST.take())
}

fn words(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no words").to_owned()
}
