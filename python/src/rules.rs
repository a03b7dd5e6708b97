//! The rules of a game that is written in Python.
//!
//! A position carries its rules, and a game as a value has them too, so any number of such games can be at work at once.

use crate::ending::Pass;
use crate::python_game::Position;
use plywise_cli::{Failure, Result};
use plywise_game::{NotationError, Outcome, Side};
use plywise_search::Signal;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

/// The functions of a game. What it leaves out is switched off.
pub struct Rules {
    start: Py<PyAny>,
    side_to_move: Py<PyAny>,
    moves: Py<PyAny>,
    play: Py<PyAny>,
    hash: Py<PyAny>,
    stuck: Py<PyAny>,
    move_code: Py<PyAny>,
    decided: Option<Py<PyAny>>,
    pub drawn_by_rule: Option<Py<PyAny>>,
    pub evaluate: Option<Py<PyAny>>,
    pub tactical_value: Option<Py<PyAny>>,
    pub in_check: Option<Py<PyAny>>,
    pub null_move: Option<Py<PyAny>>,
    pub is_irreversible: Option<Py<PyAny>>,
    parse_position: Py<PyAny>,
    write_position: Py<PyAny>,
    write_move: Py<PyAny>,
    pub draw: Option<Py<PyAny>>,
    /// What a rule raised last. A search cannot return it: the code that waits for the search does.
    failure: Mutex<Option<PyErr>>,
    failures: AtomicU64,
}

/// A legal move: its code, and the object that the game knows it by.
pub type CodedMove = (u16, Py<PyAny>);

impl Rules {
    /// The rules of an object, or of an object of a class.
    pub fn new(game: &Bound<'_, PyAny>) -> PyResult<Rules> {
        let object = if game.is_instance_of::<PyType>() { game.call0()? } else { game.clone() };
        let of_kind = game.cast::<PyType>().cloned().unwrap_or_else(|_| game.get_type());
        let texts = game.py().import("plywise._texts")?;
        let optional = |name: &str| object.getattr_opt(name).map(|found| found.map(Bound::unbind));
        let required = |name: &str| match optional(name)? {
            Some(function) => Ok(function),
            None => Err(PyTypeError::new_err(format!(
                "{} is not a game: it has no '{name}'; a game is a name such as 'chess', or a class with the rules start, \
                 side_to_move, moves, play, hash, stuck and move_code",
                of_kind.name().map_or_else(|_| "this".to_string(), |name| name.to_string())
            ))),
        };
        let text = |name: &str| match optional(name)? {
            Some(function) => Ok(function),
            None => texts.getattr(name).map(Bound::unbind),
        };
        Ok(Rules {
            start: required("start")?,
            side_to_move: required("side_to_move")?,
            moves: required("moves")?,
            play: required("play")?,
            hash: required("hash")?,
            stuck: required("stuck")?,
            move_code: required("move_code")?,
            decided: optional("decided")?,
            drawn_by_rule: optional("drawn_by_rule")?,
            evaluate: optional("evaluate")?,
            tactical_value: optional("tactical_value")?,
            in_check: optional("in_check")?,
            null_move: optional("null_move")?,
            is_irreversible: optional("is_irreversible")?,
            parse_position: text("parse_position")?,
            write_position: text("write_position")?,
            write_move: text("write_move")?,
            draw: optional("draw")?,
            failure: Mutex::new(None),
            failures: AtomicU64::new(0),
        })
    }

    /// How many times a rule has failed.
    pub fn failures(&self) -> u64 {
        self.failures.load(Relaxed)
    }

    /// What a rule raised last, if any failed after a number of failures.
    pub fn failure_since(&self, py: Python<'_>, failures: u64) -> Option<PyErr> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.as_ref().filter(|_| self.failures() > failures).map(|error| error.clone_ref(py))
    }

    /// Calls `work`, and gives its result unless a rule fails meanwhile.
    pub fn guard<T>(rules: Option<&Rules>, py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
        let Some(rules) = rules else { return Ok(work()) };
        let failures = rules.failures();
        let result = work();
        rules.failure_since(py, failures).map_or(Ok(result), Err)
    }

    /// Asks a rule. Where it raises something that is kept, and `otherwise` stands for the answer; so it does where Python
    /// is about to end.
    pub fn ask<T>(&self, otherwise: T, ask: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        let Some(_pass) = Pass::new() else { return otherwise };
        let _inside = Inside::enter();
        let answer = Python::try_attach(|py| {
            ask(py).map_err(|error| {
                let before = self.failure.lock().unwrap_or_else(PoisonError::into_inner).replace(error);
                self.failures.fetch_add(1, Relaxed);
                // Whatever that runs in Python, it is not waited for here.
                drop(before);
            })
        });
        answer.and_then(std::result::Result::ok).unwrap_or(otherwise)
    }

    /// The position in which games begin; where the rules fail to say, one without moves.
    pub fn start(self: &Arc<Rules>) -> Position {
        let start = self.ask(None, |py| Position::new(self, py, self.start.call0(py)?).map(Some));
        start.unwrap_or_else(|| Position::void())
    }

    /// Reads a position. Whatever the rules cannot handle is none.
    pub fn parse(self: &Arc<Rules>, text: &str) -> Result<Position, NotationError> {
        let read = |py: Python<'_>| {
            let state = self.parse_position.call1(py, (text,))?;
            let position = Position::new(self, py, state.clone_ref(py))?;
            self.list_moves(py, &state)?;
            Ok(position)
        };
        // What is raised here is no failure of the rules, but their verdict on the text.
        let verdict = |py: Python<'_>| Ok(read(py).map_err(|error: PyErr| error.value(py).to_string()));
        self.ask(Err("Python ends".to_string()), verdict).map_err(|reason| {
            let text = plywise_game::notation::excerpt(text);
            NotationError::new(format!("'{text}' is not a position of this game: {reason}"))
        })
    }

    // Each rule, asked once.

    pub fn side(&self, py: Python<'_>, state: &Py<PyAny>) -> PyResult<Side> {
        let answer = self.side_to_move.bind(py).call1((state,))?;
        match answer.extract::<i64>() {
            Ok(0) => Ok(Side::First),
            Ok(1) => Ok(Side::Second),
            _ => Err(PyTypeError::new_err(format!("side_to_move gave {answer}; the sides are 0 and 1"))),
        }
    }

    pub fn hash(&self, py: Python<'_>, state: &Py<PyAny>) -> PyResult<u64> {
        let answer = self.hash.bind(py).call1((state,))?;
        // Python's own hashes are signed, and other people's numbers are longer.
        let low = match answer.extract::<i64>() {
            Ok(number) => number as u64,
            Err(_) => answer.bitand(u64::MAX)?.extract::<u64>()?,
        };
        // Neighbouring numbers are as good as any: each becomes one that looks random.
        Ok(plywise_game::zobrist::key(low))
    }

    pub fn list_moves(&self, py: Python<'_>, state: &Py<PyAny>) -> PyResult<Vec<CodedMove>> {
        let mut moves = Vec::new();
        for mv in self.moves.bind(py).call1((state,))?.try_iter()? {
            let mv = mv?;
            let answer = self.move_code.bind(py).call1((&mv,))?;
            match answer.extract::<u16>() {
                Ok(code @ 1..) => moves.push((code, mv.unbind())),
                _ => {
                    let sentence = format!("move_code gave {answer}; a code is a whole number from 1 to {}", u16::MAX);
                    return Err(PyTypeError::new_err(sentence));
                }
            }
        }
        Ok(moves)
    }

    pub fn after(&self, py: Python<'_>, state: &Py<PyAny>, mv: &Py<PyAny>) -> PyResult<Py<PyAny>> {
        self.play.call1(py, (state, mv))
    }

    pub fn decision(&self, py: Python<'_>, state: &Py<PyAny>) -> PyResult<Option<Outcome>> {
        let Some(decided) = &self.decided else { return Ok(None) };
        let answer = decided.bind(py).call1((state,))?;
        if answer.is_none() { Ok(None) } else { outcome("decided", &answer).map(Some) }
    }

    pub fn stuck(&self, py: Python<'_>, state: &Py<PyAny>) -> PyResult<Outcome> {
        outcome("stuck", self.stuck.bind(py).call1((state,))?.as_any())
    }

    pub fn position_text(&self, py: Python<'_>, state: &Py<PyAny>) -> PyResult<String> {
        one_line("write_position", self.write_position.bind(py).call1((state,))?)
    }

    pub fn move_text(&self, py: Python<'_>, state: &Py<PyAny>, mv: &Py<PyAny>) -> PyResult<String> {
        one_line("write_move", self.write_move.bind(py).call1((state, mv))?)
    }
}

/// An outcome as games in Python say it.
fn outcome(rule: &str, answer: &Bound<'_, PyAny>) -> PyResult<Outcome> {
    let word = answer.cast::<PyString>().map(|word| word.to_string());
    match (word.as_deref(), answer.extract::<i32>()) {
        (Ok("win"), _) => Ok(Outcome::Win),
        (Ok("draw"), _) => Ok(Outcome::Draw),
        (Ok("loss"), _) => Ok(Outcome::Loss),
        (Err(_), Ok(points)) => Ok(Outcome::Points(points)),
        _ => Err(PyTypeError::new_err(format!("{rule} gave {answer}; an outcome is 'win', 'draw', 'loss' or points"))),
    }
}

fn one_line(rule: &str, answer: Bound<'_, PyAny>) -> PyResult<String> {
    let text: String = answer.extract()?;
    match text.is_empty() || text.contains(char::is_control) {
        true => Err(PyTypeError::new_err(format!("{rule} gave {text:?}; it must be one line of text"))),
        false => Ok(text),
    }
}

/// A rule is being asked on this thread.
struct Inside;

thread_local! {
    static INSIDE: Cell<u32> = const { Cell::new(0) };
}

impl Inside {
    fn enter() -> Inside {
        INSIDE.set(INSIDE.get() + 1);
        Inside
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(INSIDE.get() - 1);
    }
}

/// Whether the thread that asks for work may wait for what other work uses. A rule may not: the work that asked it may be
/// what it would wait for.
#[derive(Clone, Copy)]
pub struct MayWait(bool);

impl MayWait {
    /// For what this thread asks for.
    pub fn here() -> MayWait {
        MayWait(INSIDE.get() == 0)
    }

    /// Takes a lock when it is free. What panicked while holding it left it usable.
    pub fn lock<'a, T: ?Sized>(self, mutex: &'a Mutex<T>, stop: &Signal, what: &str) -> Result<MutexGuard<'a, T>> {
        loop {
            match mutex.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(guard)) => return Ok(guard.into_inner()),
                Err(TryLockError::WouldBlock) if !self.0 => {
                    return Err(Failure::input(format!("a rule of a game cannot wait for {what}")));
                }
                Err(TryLockError::WouldBlock) if stop.is_stopped() => return Err(Failure::Interrupted),
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}
