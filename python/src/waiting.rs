//! Work on a thread of its own, while the thread that asked for it lets go of Python's lock and listens to Ctrl-C.

use crate::objects::PlywiseError;
use crate::rules::Rules;
use plywise_search::Signal;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Ctrl-C is looked for this often. Work that is done is noticed at once.
const PATIENCE: Duration = Duration::from_millis(20);

/// Programs have this much; threads have less unless they ask for it.
const STACK: usize = 8 << 20;

/// What a thread will have found.
pub struct Pending<T> {
    found: Option<Receiver<T>>,
    rules: Option<Arc<Rules>>,
    failures: u64,
}

/// Begins work on a thread. Where it asks the rules of a game in Python, the thread becomes one of Python's.
pub fn begin<T: Send + 'static>(
    rules: Option<Arc<Rules>>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<Pending<T>> {
    let (sender, found) = channel();
    let of_python = rules.is_some();
    let failures = rules.as_ref().map_or(0, |rules| rules.failures());
    let run = move || {
        // A thread that Python knows takes the lock faster than one that it meets anew each time.
        let result = if of_python { Python::attach(|py| py.detach(work)) } else { work() };
        // Whoever asked may have lost interest.
        let _ = sender.send(result);
    };
    let thread = thread::Builder::new().name("plywise".into()).stack_size(STACK).spawn(run);
    thread.map_err(|error| PlywiseError::new_err(format!("no thread can be started: {error}")))?;
    Ok(Pending { found: Some(found), rules, failures })
}

impl<T: Send> Pending<T> {
    /// Waits for the result, at most so long; nothing if it is not there yet, or was taken before.
    pub fn wait(&mut self, py: Python<'_>, patience: Duration) -> PyResult<Option<T>> {
        let Some(found) = self.found.take() else { return Ok(None) };
        let (found, result) = py.detach(move || {
            let result = found.recv_timeout(patience);
            (found, result)
        });
        match result {
            Ok(result) => Ok(Some(result)),
            Err(RecvTimeoutError::Timeout) => {
                self.found = Some(found);
                Ok(None)
            }
            Err(RecvTimeoutError::Disconnected) => {
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
    pub fn finish(&mut self, py: Python<'_>, stop: &Signal) -> PyResult<(T, bool)> {
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
