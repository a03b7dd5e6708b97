//! Searchers, whatever the game.

use crate::games::Named;
use crate::objects::{PlywiseError, raised, to_python};
use crate::position::PyPosition;
use crate::rules::MayWait;
use crate::waiting;
use plywise_cli::embed::{Question, SearchSession};
use plywise_search::{Limits, Signal};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// What Python holds of a searcher. Threads that share one wait for each other.
#[pyclass(frozen, name = "Searcher", module = "plywise._plywise")]
pub struct PySearcher {
    session: Arc<Mutex<SearchSession>>,
}

#[pymethods]
impl PySearcher {
    #[new]
    fn new(game: &Bound<'_, PyAny>, words: Vec<String>) -> PyResult<PySearcher> {
        let of = Named::new(game)?.game;
        let session = game.py().detach(|| SearchSession::new(of, &words)).map_err(raised)?;
        Ok(PySearcher { session: Arc::new(Mutex::new(session)) })
    }

    /// What was found, and whether Ctrl-C ended the search.
    fn search(&self, py: Python<'_>, position: &PyPosition, words: Vec<String>) -> PyResult<(Py<PyAny>, bool)> {
        let question = Question::new(&words).map_err(raised)?;
        let (stop, rules, position) = (Signal::new(), position.rules.clone(), position.position.clone());
        let (session, signal, may_wait) = (self.session.clone(), stop.clone(), MayWait::here());
        let pending = waiting::begin(rules, move || {
            may_wait.lock(&*session, &signal, BUSY)?.search(&position, &question, &signal)
        })?;
        let (found, interrupted) = pending.finish(py, &stop)?;
        Ok((to_python(py, &found.map_err(raised)?)?.unbind(), interrupted))
    }

    fn forget(&self, py: Python<'_>) -> PyResult<()> {
        let stop = Signal::new();
        let (session, signal, may_wait) = (self.session.clone(), stop.clone(), MayWait::here());
        let pending =
            waiting::begin(None, move || may_wait.lock(&*session, &signal, BUSY).map(|mut session| session.forget()))?;
        pending.finish(py, &stop)?.0.map_err(raised)
    }
}

/// Limits in words, from what run directories keep of them.
#[pyfunction]
pub fn show_limits(written: &str) -> PyResult<String> {
    let limits: Limits = serde_json::from_str(written).map_err(|error| PlywiseError::new_err(error.to_string()))?;
    Ok(limits.to_string())
}

const BUSY: &str = "a searcher that is searching: let it make one of its own";
