//! Work on a thread of its own, while the thread that asked for it lets go of Python's lock and listens to Ctrl-C.

use crate::ending::Pass;
use crate::objects::PlywiseError;
use crate::rules::Rules;
use plywise_search::Signal;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Ctrl-C is looked for this often. Work that is done is noticed at once.
const PATIENCE: Duration = Duration::from_millis(50);

/// Programs have this much; threads have less unless they ask for it.
const STACK: usize = 8 << 20;

/// What a thread will have found.
pub struct Pending<T> {
    slot: Arc<Slot<T>>,
    rules: Option<Arc<Rules>>,
    failures: u64,
}

/// Where a thread leaves its result.
struct Slot<T> {
    content: Mutex<Content<T>>,
    changed: Condvar,
}

enum Content<T> {
    Nothing,
    Result(T),
    /// The result was taken, or the thread ended without one.
    Gone,
}

impl<T> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, Content<T>> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whatever happens to a thread, its waiters wake up.
struct Leave<T>(Arc<Slot<T>>);

impl<T> Drop for Leave<T> {
    fn drop(&mut self) {
        let mut content = self.0.lock();
        if matches!(*content, Content::Nothing) {
            *content = Content::Gone;
        }
        self.0.changed.notify_all();
    }
}

/// Begins work on a thread. Where it asks the rules of a game in Python, the thread becomes one of Python's.
pub fn begin<T: Send + 'static>(
    rules: Option<Arc<Rules>>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<Pending<T>> {
    let slot = Arc::new(Slot { content: Mutex::new(Content::Nothing), changed: Condvar::new() });
    let of_python = rules.is_some();
    let failures = rules.as_ref().map_or(0, |rules| rules.failures());
    let leave = Leave(slot.clone());
    let run = move || {
        // A thread that Python knows takes the lock faster than one that it meets anew each time.
        let result = if of_python {
            let pass = Pass::wait();
            Python::attach(|py| {
                drop(pass);
                py.detach(|| (work(), Pass::wait())).0
            })
        } else {
            work()
        };
        *leave.0.lock() = Content::Result(result);
    };
    let thread = thread::Builder::new().name("plywise".into()).stack_size(STACK).spawn(run);
    thread.map_err(|error| PlywiseError::new_err(format!("no thread can be started: {error}")))?;
    Ok(Pending { slot, rules, failures })
}

impl<T: Send> Pending<T> {
    /// Waits for the result, at most so long; nothing if it is not there yet. The first who finds it takes it.
    pub fn wait(&self, py: Python<'_>, patience: Duration) -> PyResult<Option<T>> {
        let (content, _pass) = py.detach(|| {
            let is_due = |content: &mut Content<T>| matches!(content, Content::Nothing);
            let waited = self.slot.changed.wait_timeout_while(self.slot.lock(), patience, is_due);
            let mut content = waited.unwrap_or_else(PoisonError::into_inner).0;
            let content = match *content {
                Content::Nothing => Content::Nothing,
                _ => std::mem::replace(&mut *content, Content::Gone),
            };
            (content, Pass::wait())
        });
        match content {
            Content::Nothing => Ok(None),
            Content::Result(result) => Ok(Some(result)),
            Content::Gone => {
                Err(PlywiseError::new_err("a defect of plywise ended the work; standard error says where"))
            }
        }
    }

    /// The exception of a rule that failed since the work began.
    pub fn failure(&self, py: Python<'_>) -> Option<PyErr> {
        self.rules.as_ref()?.failure_since(py, self.failures)
    }

    /// Waits to the end. The first Ctrl-C, or a rule that fails, stops the work; what was found by then comes with whether
    /// it was interrupted.
    pub fn finish(&self, py: Python<'_>, stop: &Signal) -> PyResult<(T, bool)> {
        let mut interrupt: Option<PyErr> = None;
        loop {
            if let Some(result) = self.wait(py, PATIENCE)? {
                if let Some(error) = self.failure(py) {
                    return Err(error);
                }
                return match interrupt {
                    Some(error) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error),
                    interrupt => Ok((result, interrupt.is_some())),
                };
            }
            if let Err(error) = py.check_signals() {
                interrupt.get_or_insert(error);
            }
            if interrupt.is_some() || self.failure(py).is_some() {
                stop.stop();
            }
        }
    }
}
