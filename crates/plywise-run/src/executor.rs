//! Who does the units: threads of this process, workers elsewhere, or this process as a worker.

use crate::{WorkError, read_unit};
use plywise_search::Signal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

/// Who does the units of a job.
#[derive(Clone, Debug, Default)]
pub enum Executor {
    /// On threads of this process.
    #[default]
    Local,
    /// Workers do; this process hands out the numbers and keeps the results.
    Coordinator(Arc<dyn Coordinator>),
    /// This process is a worker: a coordinator elsewhere says which numbers, and keeps the results.
    Worker(Arc<dyn Worker>),
}

/// Hands units to workers, by whatever transport. The [`Offer`] decides what is kept and what is enough.
pub trait Coordinator: Debug + Send + Sync {
    /// Whether later units depend on the results of earlier ones: then workers need those.
    fn is_in_steps(&self) -> bool;

    /// Takes note of what a journal held when it was opened, for workers that join later.
    fn remember(&self, finished: Vec<Vec<u8>>);

    /// Has the units of an offer done, until all are, or enough, or `stop` is given. A sentence says why it cannot be.
    fn hand_out(&self, offer: &mut Offer) -> Result<(), String>;
}

/// Does units for a coordinator elsewhere. Every method blocks.
pub trait Worker: Debug + Send + Sync {
    /// Whether later units follow from the results of earlier ones.
    fn is_in_steps(&self) -> bool;

    /// What the journal of the other process held when it was opened: the same journal for the same call.
    fn remembered(&self) -> Vec<Vec<u8>>;

    /// The most units at the same time.
    fn jobs(&self) -> usize;

    /// How much longer this machine needs for the same search than the one that hands out.
    fn slowness(&self) -> f64;

    /// The next step begins, and is called by the number that this gives. `ended` is given when no more is needed of it.
    fn begin(&self, ended: &Signal) -> u64;

    /// The number of the next unit of a step; nothing when the step is over.
    fn next(&self, step: u64) -> Option<u64>;

    /// Hands a result over.
    fn deliver(&self, step: u64, number: u64, result: Vec<u8>);

    /// Says that a unit could not be done here although nothing stopped it.
    fn fail(&self, step: u64, number: u64);

    /// What was accepted in a step that is over, in the order in which it was. Nothing where the work ends with it.
    fn results(&self, step: u64) -> Vec<(u64, Vec<u8>)>;
}

/// Units that are to be done elsewhere.
pub struct Offer<'a> {
    /// Their numbers, in the order in which they are needed.
    pub numbers: &'a mut dyn Iterator<Item = u64>,
    /// Ends it.
    pub stop: &'a Signal,
    /// Does a unit in this process, where others could not or disagree.
    pub own: &'a (dyn Fn(u64) -> Option<Vec<u8>> + Sync),
    /// Keeps results.
    pub keeper: &'a mut dyn Keeper,
}

/// Keeps results that come from elsewhere.
pub trait Keeper {
    /// Takes a result, if it is one.
    fn accept(&mut self, number: u64, result: &[u8]) -> Verdict;

    /// Keeps what was accepted: after this it survives whatever happens. Breaks off when enough is done.
    fn commit(&mut self) -> ControlFlow<()>;
}

/// What became of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It counts. Where a player failed by time or crash, that is said for the books of the one who sent it.
    Counts {
        /// What failed.
        fault: Option<String>,
    },
    /// It is not a result of this unit, for this reason.
    Refused(String),
    /// Enough is done, and it is not needed.
    Superfluous,
}

/// What takes results of a known type, on the thread of the caller.
pub trait Results<T> {
    /// What is wrong with a result that comes from elsewhere.
    fn check(&self, number: u64, result: &T) -> Result<(), String>;

    /// What failed in it, for the books.
    fn fault(&self, result: &T) -> Option<String> {
        let _ = result;
        None
    }

    /// Takes a result. Breaks off when enough is done.
    fn take(&mut self, number: u64, result: T) -> ControlFlow<()>;

    /// Keeps what was taken. Breaks off when that fails.
    fn commit(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Does units where the executor says, and hands each result to `results`.
///
/// `work` gives `None` if it was stopped; then no further unit begins.
pub fn do_units<W: Send, T: Serialize + DeserializeOwned + Send + 'static>(
    executor: &Executor,
    numbers: &mut (dyn Iterator<Item = u64> + Send),
    workers: Vec<W>,
    stop: &Signal,
    work: impl Fn(&mut W, u64, &Signal) -> Option<T> + Sync,
    results: &mut dyn Results<T>,
) -> Result<(), WorkError> {
    let work = &work;
    let hands = workers.into_iter().map(|mut worker| -> Hand<'_> {
        Box::new(move |number, stop| Some(Box::new(work(&mut worker, number, stop)?)))
    });
    let (hands, mut collector) = (hands.collect(), Typed(results));
    // What follows is compiled once, not for every kind of work in every game.
    match executor {
        Executor::Local => locally(numbers, hands, stop, &mut collector),
        Executor::Coordinator(coordinator) => {
            by_workers(&**coordinator, numbers, hands, stop, Typed::<T>::pack, &mut collector)
        }
        Executor::Worker(worker) => as_worker(&**worker, hands, stop, Typed::<T>::pack, &mut collector),
    }
}

/// A result whose type only those know who made it and who take it.
type Parcel = Box<dyn Any + Send>;

/// Does one unit after another.
type Hand<'a> = Box<dyn FnMut(u64, &Signal) -> Option<Parcel> + Send + 'a>;

/// How a result is sent to others.
type Pack = fn(Parcel) -> Option<Vec<u8>>;

/// What takes parcels.
trait Collector {
    /// What others sent, if it is a result of this unit.
    fn unpack(&self, number: u64, sent: &[u8]) -> Result<Parcel, String>;

    /// What is wrong with a result that comes from elsewhere; otherwise what failed in it, for the books.
    fn check(&self, number: u64, parcel: &Parcel) -> Result<Option<String>, String>;

    /// Takes a result. Breaks off when enough is done.
    fn take(&mut self, number: u64, parcel: Parcel) -> ControlFlow<()>;

    /// Keeps what was taken. Breaks off when that fails.
    fn commit(&mut self) -> ControlFlow<()>;
}

/// Takes parcels that hold a `T`, and all of them do.
struct Typed<'a, T>(&'a mut dyn Results<T>);

impl<T: Serialize + 'static> Typed<'_, T> {
    fn pack(parcel: Parcel) -> Option<Vec<u8>> {
        serde_json::to_vec(parcel.downcast_ref::<T>()?).ok()
    }
}

impl<T: DeserializeOwned + Send + 'static> Collector for Typed<'_, T> {
    fn unpack(&self, number: u64, sent: &[u8]) -> Result<Parcel, String> {
        match read_unit::<T>(sent) {
            Ok(result) => Ok(Box::new(result)),
            Err(problem) => Err(format!("the result of unit {number} cannot be read: {problem}")),
        }
    }

    fn check(&self, number: u64, parcel: &Parcel) -> Result<Option<String>, String> {
        let result = parcel.downcast_ref().ok_or("it is a result of other work")?;
        self.0.check(number, result)?;
        Ok(self.0.fault(result))
    }

    fn take(&mut self, number: u64, parcel: Parcel) -> ControlFlow<()> {
        match parcel.downcast() {
            Ok(result) => self.0.take(number, *result),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn commit(&mut self) -> ControlFlow<()> {
        self.0.commit()
    }
}

/// Ends the work of all threads when one of them panics: the unit that it leaves out would never be finished.
struct EndOnPanic<'a>(&'a Signal);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Starts a thread for each hand. Fewer threads than were asked for do the same; without any, nothing is done.
fn start<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    hands: Vec<Hand<'scope>>,
    each: impl Fn(Hand<'scope>) + Clone + Send + 'scope,
) -> Result<(), WorkError> {
    for (started, hand) in hands.into_iter().enumerate() {
        let each = each.clone();
        match thread::Builder::new().spawn_scoped(scope, move || each(hand)) {
            Ok(_) => {}
            Err(error) if started == 0 => return Err(WorkError::Threads(error)),
            Err(_) => break,
        }
    }
    Ok(())
}

/// On threads of this process.
fn locally(
    numbers: &mut (dyn Iterator<Item = u64> + Send),
    hands: Vec<Hand>,
    stop: &Signal,
    collector: &mut dyn Collector,
) -> Result<(), WorkError> {
    // Apart from the caller's: enough can end what is under way, and the caller's signal stays its own.
    let (ended, numbers) = (stop.child(), Mutex::new(numbers));
    let next = || numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (sender, finished) = mpsc::channel();
    let each = |mut hand: Hand, sender: mpsc::Sender<(u64, Parcel)>| {
        let _end = EndOnPanic(&ended);
        while !ended.is_stopped()
            && let Some(number) = next()
            && let Some(result) = hand(number, &ended)
        {
            if sender.send((number, result)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let each = &each;
        let started = start(scope, hands, move |hand| each(hand, sender.clone()));
        let mut is_over = started.is_err();
        for (number, result) in finished {
            // What comes in after the end was under way and is not needed.
            is_over = is_over || collector.take(number, result).is_break() || collector.commit().is_break();
            if is_over {
                ended.stop();
            }
        }
        started
    })
}

/// By workers. One hand stays here, for what they cannot do.
fn by_workers(
    coordinator: &dyn Coordinator,
    numbers: &mut dyn Iterator<Item = u64>,
    hands: Vec<Hand>,
    stop: &Signal,
    pack: Pack,
    collector: &mut dyn Collector,
) -> Result<(), WorkError> {
    let own_hand = Mutex::new(hands.into_iter().next());
    let own = |number: u64| {
        let mut hand = own_hand.lock().unwrap_or_else(PoisonError::into_inner);
        pack(hand.as_mut()?(number, stop)?)
    };
    let mut keeper = Reader { collector, is_over: false };
    coordinator.hand_out(&mut Offer { numbers, stop, own: &own, keeper: &mut keeper }).map_err(WorkError::Elsewhere)
}

/// Reads results and hands them on.
struct Reader<'a> {
    collector: &'a mut dyn Collector,
    is_over: bool,
}

impl Reader<'_> {
    /// Takes a result. Where a player failed in it, that is said.
    fn read(&mut self, number: u64, sent: &[u8]) -> Result<Option<String>, String> {
        let result = self.collector.unpack(number, sent)?;
        let fault = self.collector.check(number, &result)?;
        self.is_over = self.collector.take(number, result).is_break();
        Ok(fault)
    }
}

impl Keeper for Reader<'_> {
    fn accept(&mut self, number: u64, result: &[u8]) -> Verdict {
        if self.is_over {
            return Verdict::Superfluous;
        }
        match self.read(number, result) {
            Ok(fault) => Verdict::Counts { fault },
            Err(problem) => Verdict::Refused(problem),
        }
    }

    fn commit(&mut self) -> ControlFlow<()> {
        self.is_over |= self.collector.commit().is_break();
        if self.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// For a coordinator. In the end this takes what the coordinator accepted, so both continue from the same state.
fn as_worker(
    worker: &dyn Worker,
    mut hands: Vec<Hand>,
    stop: &Signal,
    pack: Pack,
    collector: &mut dyn Collector,
) -> Result<(), WorkError> {
    let ended = stop.child();
    let step = worker.begin(&ended);
    hands.truncate(worker.jobs());
    let each = |mut hand: Hand| {
        let _end = EndOnPanic(&ended);
        while let Some(number) = worker.next(step) {
            match hand(number, &ended).and_then(pack) {
                Some(result) => worker.deliver(step, number, result),
                None if ended.is_stopped() => return,
                None => worker.fail(step, number),
            }
        }
    };
    thread::scope(|scope| {
        let each = &each;
        start(scope, hands, each)
    })?;
    for (number, result) in worker.results(step) {
        let result = collector.unpack(number, &result).map_err(WorkError::Elsewhere)?;
        if collector.take(number, result).is_break() {
            break;
        }
    }
    Ok(())
}
