//! Commands that run while Python goes on.

use crate::games::{Named, commands};
use crate::objects::raised;
use crate::rules::{Rules, Table};
use crate::waiting::{self, Pending};
use plywise_cli::embed::execute;
use plywise_cli::{Failure, Result};
use plywise_search::Signal;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::time::Duration;

/// A command at work, in the words of the command line.
#[pyclass(frozen, module = "plywise._plywise")]
pub struct Task {
    stop: Signal,
    state: Mutex<State>,
}

struct State {
    pending: Pending<Result<String>>,
    result: Option<Result<String>>,
}

#[pymethods]
impl Task {
    /// Begins a command for the built-in games, or for one in Python, which is called 'python' there.
    #[new]
    #[pyo3(signature = (words, game = None))]
    fn new(py: Python<'_>, words: Vec<String>, game: Option<&Bound<'_, PyAny>>) -> PyResult<Task> {
        let rules = game.map(Named::new).transpose()?.and_then(|named| named.rules());
        // A game that cannot even begin is told at once.
        if let Some(rules) = &rules {
            Rules::guard(Some(rules), py, || rules.position(""))?.map_err(raised)?;
        }
        let stop = Signal::new();
        let (signal, at_table) = (stop.clone(), rules.clone());
        let pending = waiting::begin(rules, move || {
            let games = commands(at_table.is_some());
            let _table = match at_table {
                Some(rules) => Some(Table::sit(rules, &signal).ok_or(Failure::Interrupted)?),
                None => None,
            };
            let mut out = Vec::new();
            execute(games, &words, &mut out, &signal)?;
            Ok(String::from_utf8_lossy(&out).into_owned())
        })?;
        Ok(Task { stop, state: Mutex::new(State { pending, result: None }) })
    }

    /// Waits so many seconds at most, and says whether the command is done. Ctrl-C interrupts the waiting.
    fn wait(&self, py: Python<'_>, seconds: f64) -> PyResult<bool> {
        {
            let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if state.result.is_none() {
                let patience = Duration::try_from_secs_f64(seconds).unwrap_or_default();
                state.result = state.pending.wait(py, patience)?;
            }
            if let Some(error) = state.pending.failure(py) {
                self.stop.stop();
                return if state.result.is_some() { Err(error) } else { Ok(false) };
            }
            if state.result.is_some() {
                return Ok(true);
            }
        }
        py.check_signals()?;
        Ok(false)
    }

    /// Tells the command to stop.
    fn stop(&self) {
        self.stop.stop();
    }

    /// What a command that is done has printed.
    fn output(&self) -> PyResult<String> {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        state.result.take().unwrap_or(Err(Failure::Interrupted)).map_err(raised)
    }
}

impl Drop for Task {
    /// Nobody will ask for it any more.
    fn drop(&mut self) {
        self.stop.stop();
    }
}
