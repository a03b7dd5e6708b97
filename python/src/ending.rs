//! The end of Python.
//!
//! A thread that asks for Python's lock while Python ends is torn down by the system, and a thread of Rust does not
//! survive that. So before Python ends, [`abandon`] lets those through that already ask, and all others stay where they are.

use pyo3::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// The thread that ends Python, once it does.
static LAST: OnceLock<ThreadId> = OnceLock::new();

/// How many threads ask for the lock, or have it because they did.
static ASKING: AtomicUsize = AtomicUsize::new(0);

/// The right to ask for Python's lock.
pub struct Pass(());

impl Pass {
    /// The right to ask, unless Python ends.
    pub fn new() -> Option<Pass> {
        ASKING.fetch_add(1, SeqCst);
        let pass = Pass(());
        let may_ask = LAST.get().is_none_or(|last| *last == thread::current().id());
        may_ask.then_some(pass)
    }

    /// The right to ask; where Python ends, the thread rests until the process does.
    pub fn wait() -> Pass {
        loop {
            match Pass::new() {
                Some(pass) => return pass,
                None => thread::park(),
            }
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        ASKING.fetch_sub(1, SeqCst);
    }
}

/// Called when Python is about to end.
#[pyfunction]
pub fn abandon(py: Python<'_>) {
    const PATIENCE: Duration = Duration::from_secs(2);
    let _ = LAST.set(thread::current().id());
    py.detach(|| {
        let begun = Instant::now();
        while ASKING.load(SeqCst) > 0 && begun.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    });
}
