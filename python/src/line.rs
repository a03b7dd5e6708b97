//! Games as far as they have been played, whatever the game.

use crate::games::Named;
use crate::objects::raised;
use crate::rules::Rules;
use crate::waiting;
use plywise_cli::Playable;
use plywise_cli::embed::show_ending;
use plywise_cli::{Failure, Result};
use plywise_game::{Ended, GameSoFar, Outcome, Side, View, perft};
use plywise_search::Signal;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::Arc;

/// How a game ended for the side to move: the outcome, its points where it has some, the result and the words.
type Ending = (&'static str, Option<i32>, String, String);

/// A game of any kind.
pub trait AnyLine: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    /// The position on the board, and the one that the game began with.
    fn texts(&self) -> [String; 2];
    /// The legal moves as players write them, and as engines do; none when the game is over.
    fn moves(&self) -> Vec<(String, String)>;
    /// The moves so far, as engines write them.
    fn played(&self) -> Vec<String>;
    fn play(&self, text: &str) -> Result<Box<dyn AnyLine>>;
    fn player(&self) -> &'static str;
    fn first_to_move(&self) -> bool;
    fn ending(&self) -> Option<Ending>;
    fn draw(&self) -> String;
    fn draw_svg(&self, turned: bool) -> String;
    fn hash(&self) -> u64;
    fn same_position(&self, other: &dyn AnyLine) -> bool;
    /// Move paths of so many plies, by their first move; fewer of them where they were stopped.
    fn divide(&self, depth: u32, stop: &Signal) -> Vec<(String, u64)>;
}

pub fn boxed<G: Playable<Position: 'static, Move: 'static>>(line: GameSoFar<G>) -> Box<dyn AnyLine> {
    Box::new(line)
}

impl<G: Playable<Position: 'static, Move: 'static>> AnyLine for GameSoFar<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn texts(&self) -> [String; 2] {
        [self.position(), &self.positions()[0]].map(G::write_position)
    }

    fn moves(&self) -> Vec<(String, String)> {
        let position = self.position();
        let moves = if self.ended().is_some() { Vec::new() } else { G::legal_moves(position) };
        moves.into_iter().map(|mv| (G::write_move(position, mv), G::write_engine_move(position, mv))).collect()
    }

    fn played(&self) -> Vec<String> {
        self.steps().map(|(position, mv)| G::write_engine_move(position, mv)).collect()
    }

    fn play(&self, text: &str) -> Result<Box<dyn AnyLine>> {
        if self.ended().is_some() {
            return Err(Failure::input("the game is over in this position"));
        }
        let mut line = self.clone();
        line.play_text(text)?;
        Ok(boxed(line))
    }

    fn player(&self) -> &'static str {
        G::player(self.side_to_move())
    }

    fn first_to_move(&self) -> bool {
        self.side_to_move() == Side::First
    }

    fn ending(&self) -> Option<Ending> {
        let (outcome, points) = match self.ended()? {
            Ended::Decided(Outcome::Win) => ("win", None),
            Ended::Decided(Outcome::Loss) => ("loss", None),
            Ended::Decided(Outcome::Points(points @ 1..)) => ("win", Some(points)),
            Ended::Decided(Outcome::Points(points @ ..=-1)) => ("loss", Some(points)),
            Ended::Decided(Outcome::Points(points)) => ("draw", Some(points)),
            Ended::Decided(Outcome::Draw) | Ended::Repetition(_) | Ended::DrawnByRule => ("draw", None),
        };
        Some((outcome, points, self.result().to_string(), show_ending(self)))
    }

    fn draw(&self) -> String {
        G::draw(self.position())
    }

    fn draw_svg(&self, turned: bool) -> String {
        let last_move = self.moves().last().copied();
        // A move is marked in the position that it led to.
        G::draw_svg(self.position(), &View { turned, last_move, ..View::default() })
    }

    fn hash(&self) -> u64 {
        G::hash(self.position())
    }

    fn same_position(&self, other: &dyn AnyLine) -> bool {
        let other = other.as_any().downcast_ref::<GameSoFar<G>>();
        other.is_some_and(|other| other.position() == self.position())
    }

    fn divide(&self, depth: u32, stop: &Signal) -> Vec<(String, u64)> {
        let position = self.position();
        let moves = G::legal_moves(position).into_iter();
        let rows = moves.map(|mv| {
            let paths = paths::<G>(&G::play(position, mv), depth - 1, stop);
            (G::write_engine_move(position, mv), paths)
        });
        rows.take_while(|_| !stop.is_stopped()).collect()
    }
}

/// [`perft`] that can be stopped: it looks at the signal where a few plies are left, and counts the rest in one go.
fn paths<G: Playable>(position: &G::Position, depth: u32, stop: &Signal) -> u64 {
    const IN_ONE_GO: u32 = 2;
    if depth <= IN_ONE_GO {
        return perft::<G>(position, depth);
    }
    let mut paths_so_far = 0;
    G::moves(position, |mv| {
        if !stop.is_stopped() {
            paths_so_far += paths::<G>(&G::play(position, mv), depth - 1, stop);
        }
    });
    paths_so_far
}

/// What Python holds of a game: it never changes.
#[pyclass(frozen, module = "plywise._plywise")]
pub struct Line {
    pub line: Arc<dyn AnyLine>,
    pub rules: Option<Arc<Rules>>,
}

impl Line {
    /// What `ask` answers, unless a rule in Python fails.
    fn ask<T>(&self, py: Python<'_>, ask: impl FnOnce(&dyn AnyLine) -> T) -> PyResult<T> {
        Rules::guard(self.rules.as_deref(), py, || ask(&*self.line))
    }
}

#[pymethods]
impl Line {
    #[new]
    #[pyo3(signature = (game, text = ""))]
    fn new(game: &Bound<'_, PyAny>, text: &str) -> PyResult<Line> {
        let named = Named::new(game)?;
        let rules = named.rules();
        let line = Rules::guard(rules.as_deref(), game.py(), || named.line(text))?.map_err(raised)?;
        Ok(Line { line: line.into(), rules })
    }

    fn texts(&self, py: Python<'_>) -> PyResult<[String; 2]> {
        self.ask(py, |line| line.texts())
    }

    fn moves(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        self.ask(py, |line| line.moves())
    }

    fn played(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, |line| line.played())
    }

    fn play(&self, py: Python<'_>, text: &str) -> PyResult<Line> {
        let line = self.ask(py, |line| line.play(text))?.map_err(raised)?;
        Ok(Line { line: line.into(), rules: self.rules.clone() })
    }

    fn player(&self) -> &'static str {
        self.line.player()
    }

    fn first_to_move(&self) -> bool {
        self.line.first_to_move()
    }

    fn ending(&self, py: Python<'_>) -> PyResult<Option<Ending>> {
        self.ask(py, |line| line.ending())
    }

    fn draw(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |line| line.draw())
    }

    fn draw_svg(&self, py: Python<'_>, turned: bool) -> PyResult<String> {
        self.ask(py, |line| line.draw_svg(turned))
    }

    fn hash(&self) -> u64 {
        self.line.hash()
    }

    fn same_position(&self, py: Python<'_>, other: &Line) -> PyResult<bool> {
        self.ask(py, |line| line.same_position(&*other.line))
    }

    /// The state of a game in Python.
    fn state(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        crate::python_game::state(&*self.line).map(|state| state.clone_ref(py))
    }

    fn divide(&self, py: Python<'_>, depth: u32) -> PyResult<Vec<(String, u64)>> {
        let stop = Signal::new();
        let (line, signal) = (self.line.clone(), stop.clone());
        let pending = waiting::begin(self.rules.clone(), move || line.divide(depth, &signal))?;
        match pending.finish(py, &stop)? {
            (rows, false) => Ok(rows),
            // Half a count is none.
            (_, true) => Err(raised(Failure::Interrupted)),
        }
    }
}
