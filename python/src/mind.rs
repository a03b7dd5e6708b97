//! Searchers, whatever the game.

use crate::games::Named;
use crate::line::{AnyLine, Line};
use crate::objects::{raised, to_python};
use crate::rules::MayWait;
use crate::waiting;
use plywise_cli::Playable;
use plywise_cli::embed::{self, Question};
use plywise_cli::{Failure, Result};
use plywise_game::GameSoFar;
use plywise_search::Signal;
use pyo3::prelude::*;
use serde_json::Value;
use std::sync::{Arc, Mutex};

/// A player of any game.
pub trait AnyMind: Send {
    fn search(&mut self, line: &dyn AnyLine, question: &Question, stop: &Signal) -> Result<Value>;
    fn forget(&mut self);
}

impl<G: Playable<Position: 'static, Move: 'static>> AnyMind for embed::Mind<G> {
    fn search(&mut self, line: &dyn AnyLine, question: &Question, stop: &Signal) -> Result<Value> {
        let line = line.as_any().downcast_ref::<GameSoFar<G>>();
        let line = line.ok_or_else(|| Failure::input(format!("the position is not one of {}", G::TITLE)))?;
        Ok(embed::Mind::search(self, line, question, stop))
    }

    fn forget(&mut self) {
        embed::Mind::forget(self);
    }
}

/// What Python holds of a searcher. Threads that share one wait for each other.
#[pyclass(frozen, module = "plywise._plywise")]
pub struct Mind {
    mind: Arc<Mutex<Box<dyn AnyMind>>>,
}

#[pymethods]
impl Mind {
    #[new]
    fn new(game: &Bound<'_, PyAny>, words: Vec<String>) -> PyResult<Mind> {
        let named = Named::new(game)?;
        let mind = game.py().detach(|| named.mind(&words)).map_err(raised)?;
        Ok(Mind { mind: Arc::new(Mutex::new(mind)) })
    }

    /// What was found, and whether Ctrl-C ended the search.
    fn search(&self, py: Python<'_>, line: &Line, words: Vec<String>) -> PyResult<(Py<PyAny>, bool)> {
        let question = Question::new(&words).map_err(raised)?;
        let stop = Signal::new();
        let (mind, position, signal, may_wait) = (self.mind.clone(), line.line.clone(), stop.clone(), MayWait::here());
        let pending = waiting::begin(line.rules.clone(), move || {
            may_wait.lock(&*mind, &signal, BUSY)?.search(&*position, &question, &signal)
        })?;
        let (found, interrupted) = pending.finish(py, &stop)?;
        Ok((to_python(py, &found.map_err(raised)?)?.unbind(), interrupted))
    }

    fn forget(&self, py: Python<'_>) -> PyResult<()> {
        let stop = Signal::new();
        let (mind, signal, may_wait) = (self.mind.clone(), stop.clone(), MayWait::here());
        let pending = waiting::begin(None, move || may_wait.lock(&*mind, &signal, BUSY).map(|mut mind| mind.forget()))?;
        pending.finish(py, &stop)?.0.map_err(raised)
    }
}

const BUSY: &str = "a searcher that is searching: let it make one of its own";
