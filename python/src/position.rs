//! Positions with the moves that led to them, whatever the game.

use crate::games::Named;
use crate::objects::raised;
use crate::python_game;
use crate::rules::Rules;
use crate::waiting;
use plywise_cli::{Failure, LearnableGame, Result};
use plywise_game::{Ended, Outcome, Side};
use plywise_host::{AnyPosition, Style};
use plywise_search::Signal;
use pyo3::prelude::*;
use std::sync::Arc;

/// How a game ended for the side to move: the outcome, its points where it has some, the result and the words.
type Ending = (&'static str, Option<i32>, String, String);

/// What Python holds of a position: it never changes.
#[pyclass(frozen, name = "Position", module = "plywise._plywise")]
pub struct PyPosition {
    pub position: AnyPosition,
    pub rules: Option<Arc<Rules>>,
    game: Arc<dyn LearnableGame>,
}

impl PyPosition {
    /// What `ask` answers, unless a rule in Python fails.
    fn ask<T>(&self, py: Python<'_>, ask: impl FnOnce(&AnyPosition) -> T) -> PyResult<T> {
        Rules::guard(self.rules.as_deref(), py, || ask(&self.position))
    }
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (game, text = ""))]
    fn new(game: &Bound<'_, PyAny>, text: &str) -> PyResult<PyPosition> {
        let Named { game: of, rules } = Named::new(game)?;
        let read = Rules::guard(rules.as_deref(), game.py(), || of.position(text))?;
        let position = read.map_err(|error| raised(error.into()))?;
        Ok(PyPosition { position, rules, game: of })
    }

    /// The position on the board, and the one that the game began with.
    fn texts(&self, py: Python<'_>) -> PyResult<[String; 2]> {
        self.ask(py, |position| [position.text(), position.at(0).text()])
    }

    /// The legal moves as players write them, and as engines do; none when the game is over.
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        self.ask(py, |position| {
            let moves = if position.ended().is_some() { Vec::new() } else { position.legal_moves() };
            let texts = |mv| (position.write_move(mv), position.write_move_as(mv, Style::Engine));
            moves.into_iter().map(texts).collect()
        })
    }

    /// The moves so far, as engines write them.
    fn played(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, |position| position.at(0).write_line_as(&position.moves(), Style::Engine))
    }

    fn play(&self, py: Python<'_>, text: &str) -> PyResult<PyPosition> {
        let position = self.ask(py, |position| after(position, text))?.map_err(raised)?;
        Ok(PyPosition { position, rules: self.rules.clone(), game: self.game.clone() })
    }

    fn player(&self) -> &str {
        self.game.player(self.position.side_to_move())
    }

    fn first_to_move(&self) -> bool {
        self.position.side_to_move() == Side::First
    }

    fn ending(&self, py: Python<'_>) -> PyResult<Option<Ending>> {
        self.ask(py, ending)
    }

    fn draw(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, AnyPosition::draw)
    }

    fn draw_svg(&self, py: Python<'_>, turned: bool) -> PyResult<String> {
        self.ask(py, |position| position.draw_svg(turned))
    }

    fn hash(&self) -> u64 {
        self.position.hash()
    }

    fn same_position(&self, py: Python<'_>, other: &PyPosition) -> PyResult<bool> {
        self.ask(py, |position| *position == other.position)
    }

    /// The state of a game in Python.
    fn state(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        python_game::state(&self.position).map(|state| state.clone_ref(py))
    }

    /// Move paths of `depth` plies, by their first move.
    fn divide(&self, py: Python<'_>, depth: u32) -> PyResult<Vec<(String, u64)>> {
        let stop = Signal::new();
        let (position, signal) = (self.position.clone(), stop.clone());
        let pending = waiting::begin(self.rules.clone(), move || {
            let row = |(mv, paths)| (position.write_move_as(mv, Style::Engine), paths);
            position.divide(depth, &signal).map(row).collect()
        })?;
        match pending.finish(py, &stop)? {
            (rows, false) => Ok(rows),
            // Half a count is none.
            (_, true) => Err(raised(Failure::Interrupted)),
        }
    }
}

/// The position after a move.
fn after(position: &AnyPosition, text: &str) -> Result<AnyPosition> {
    if position.ended().is_some() {
        return Err(Failure::input("the game is over in this position"));
    }
    let mut after = position.clone();
    after.play_text(text)?;
    Ok(after)
}

fn ending(position: &AnyPosition) -> Option<Ending> {
    let (outcome, points) = match position.ended()? {
        Ended::Decided(Outcome::Win) => ("win", None),
        Ended::Decided(Outcome::Loss) => ("loss", None),
        Ended::Decided(Outcome::Points(points @ 1..)) => ("win", Some(points)),
        Ended::Decided(Outcome::Points(points @ ..=-1)) => ("loss", Some(points)),
        Ended::Decided(Outcome::Points(points)) => ("draw", Some(points)),
        Ended::Decided(Outcome::Draw) | Ended::Repetition(_) | Ended::DrawnByRule => ("draw", None),
    };
    Some((outcome, points, position.result().to_string(), position.describe_end()))
}
