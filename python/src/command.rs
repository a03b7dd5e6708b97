//! Commands that run while Python goes on.

use crate::games::Named;
use crate::objects::raised;
use crate::rules::Rules;
use crate::waiting::{self, Pending};
use plywise_cli::embed::execute;
use plywise_cli::{Failure, Result, built_in};
use plywise_search::Signal;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A command at work, in the words of the command line.
#[pyclass(frozen, name = "Command", module = "plywise._plywise")]
pub struct PyCommand {
    stop: Signal,
    pending: Pending<Result<String>>,
    result: Mutex<Option<Result<String>>>,
}

#[pymethods]
impl PyCommand {
    /// Begins a command for the built-in games, or for one in Python, which is called 'python' there.
    #[new]
    #[pyo3(signature = (words, game = None))]
    fn new(py: Python<'_>, words: Vec<String>, game: Option<&Bound<'_, PyAny>>) -> PyResult<PyCommand> {
        let (games, rules) = match game.map(Named::new).transpose()? {
            Some(Named { game, rules }) => (vec![game], rules),
            None => (built_in(), None),
        };
        // A game that cannot even begin fails at once.
        if let Some(rules) = &rules {
            Rules::guard(Some(rules), py, || rules.start())?;
        }
        let stop = Signal::new();
        let signal = stop.clone();
        let pending = waiting::begin(rules, move || {
            let mut out = Vec::new();
            execute(&games, &words, &mut out, &signal)?;
            Ok(String::from_utf8_lossy(&out).into_owned())
        })?;
        Ok(PyCommand { stop, pending, result: Mutex::new(None) })
    }

    /// Waits `seconds` at most, and says whether the command is done. Ctrl-C interrupts the waiting.
    fn wait(&self, py: Python<'_>, seconds: f64) -> PyResult<bool> {
        if !self.is_done() {
            let patience = Duration::try_from_secs_f64(seconds).unwrap_or_default();
            if let Some(result) = self.pending.wait(py, patience)? {
                *self.result() = Some(result);
            }
        }
        if let Some(error) = self.pending.failure(py) {
            self.stop.stop();
            return if self.is_done() { Err(error) } else { Ok(false) };
        }
        let is_done = self.is_done();
        if !is_done {
            py.check_signals()?;
        }
        Ok(is_done)
    }

    /// Tells the command to stop.
    fn stop(&self) {
        self.stop.stop();
    }

    /// What a command that is done has printed.
    fn output(&self) -> PyResult<String> {
        self.result().take().unwrap_or(Err(Failure::Interrupted)).map_err(raised)
    }
}

impl PyCommand {
    /// What came out of it. This lock is never held while waiting for Python.
    fn result(&self) -> MutexGuard<'_, Option<Result<String>>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_done(&self) -> bool {
        self.result().is_some()
    }
}

impl Drop for PyCommand {
    /// It will not be asked for any more.
    fn drop(&mut self) {
        self.stop.stop();
    }
}
