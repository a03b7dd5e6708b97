//! A game in Python as the search sees it.

use crate::games::Named;
use crate::line::AnyLine;
use crate::objects::{PlywiseError, raised};
use crate::rules::{CodedMove, MayWait, Rules, Table};
use crate::waiting;
use plywise_cli::Failure;
use plywise_game::conformance::{self, Violation};
use plywise_game::score::EVAL_LIMIT;
use plywise_game::{BoardGame, Evaluate, Game, GameSoFar, Notation, NotationError, Outcome, Score, Side, View, svg};
use plywise_search::Signal;
use pyo3::prelude::*;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Whichever game the position belongs to.
pub enum PythonGame {}

/// A position of a game in Python: its state, which Python knows, and what the search asks of it again and again.
#[derive(Clone)]
pub struct Position(Arc<Node>);

struct Node {
    rules: Arc<Rules>,
    state: Py<PyAny>,
    side: Side,
    hash: u64,
    decided: Option<Outcome>,
    /// Not asked for before somebody wants them: at the horizon nobody does.
    moves: OnceLock<Vec<CodedMove>>,
}

impl Position {
    pub fn new(rules: &Arc<Rules>, py: Python<'_>, state: Py<PyAny>) -> PyResult<Position> {
        let (side, hash) = (rules.side(py, &state)?, rules.hash(py, &state)?);
        let decided = rules.decision(py, &state)?;
        Ok(Position(Arc::new(Node { rules: rules.clone(), state, side, hash, decided, moves: OnceLock::new() })))
    }

    pub fn state(&self) -> &Py<PyAny> {
        &self.0.state
    }

    fn rules(&self) -> &Rules {
        &self.0.rules
    }

    fn moves(&self) -> &[CodedMove] {
        self.0.moves.get().unwrap_or_else(|| {
            let moves = match self.0.decided {
                Some(_) => Vec::new(),
                None => self.rules().ask(Vec::new(), |py| self.rules().list_moves(py, self.state())),
            };
            // They are listed before they are kept: who waits here for another thread may hold Python's lock.
            self.0.moves.get_or_init(|| moves)
        })
    }

    fn find(&self, code: u16) -> Option<&Py<PyAny>> {
        self.moves().iter().find(|(of_move, _)| *of_move == code).map(|(_, mv)| mv)
    }

    /// The answer of a hook about the position; `otherwise` where the game has none.
    fn hook<T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>>(&self, hook: &Option<Py<PyAny>>, otherwise: T) -> T {
        match hook {
            None => otherwise,
            Some(hook) => self.rules().ask(otherwise, |py| hook.bind(py).call1((self.state(),))?.extract()),
        }
    }

    /// The same about a move.
    fn hook_of_move<T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>>(
        &self,
        hook: &Option<Py<PyAny>>,
        code: u16,
        otherwise: T,
    ) -> T {
        match (hook, self.find(code)) {
            (Some(hook), Some(mv)) => {
                self.rules().ask(otherwise, |py| hook.bind(py).call1((self.state(), mv))?.extract())
            }
            _ => otherwise,
        }
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        let are_equal = || self.rules().ask(false, |py| self.state().bind(py).eq(other.state()));
        Arc::ptr_eq(&self.0, &other.0) || are_equal()
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&PythonGame::write_position(self))
    }
}

impl Game for PythonGame {
    type Position = Position;
    /// The code of a move: in one position no two moves have the same.
    type Move = u16;

    fn start() -> Position {
        Table::seated().start()
    }

    fn side_to_move(position: &Position) -> Side {
        position.0.side
    }

    fn moves(position: &Position, mut each: impl FnMut(u16)) {
        position.moves().iter().for_each(|(code, _)| each(*code));
    }

    fn play(position: &Position, code: u16) -> Position {
        let Some(mv) = position.find(code) else { return position.clone() };
        position.rules().ask(position.clone(), |py| {
            let state = position.rules().after(py, position.state(), mv)?;
            Position::new(&position.0.rules, py, state)
        })
    }

    fn hash(position: &Position) -> u64 {
        position.0.hash
    }

    fn stuck(position: &Position) -> Outcome {
        position.rules().ask(Outcome::Draw, |py| position.rules().stuck(py, position.state()))
    }

    fn move_code(code: u16) -> u16 {
        code
    }

    fn decided(position: &Position) -> Option<Outcome> {
        position.0.decided
    }

    fn drawn_by_rule(position: &Position) -> bool {
        position.hook(&position.rules().drawn_by_rule, false)
    }

    fn hash_afresh(position: &Position) -> u64 {
        position.rules().ask(position.0.hash, |py| position.rules().hash(py, position.state()))
    }

    fn move_count(position: &Position) -> usize {
        position.moves().len()
    }

    const MOVE_INDICES: usize = 1 << 12;

    fn move_index(_: &Position, code: u16) -> usize {
        usize::from(code) % Self::MOVE_INDICES
    }

    fn tactical_value(position: &Position, code: u16) -> Option<i32> {
        position.hook_of_move(&position.rules().tactical_value, code, None)
    }

    fn tactical_moves(position: &Position, mut each: impl FnMut(u16)) {
        if position.rules().tactical_value.is_some() {
            let is_tactical = |code: &u16| Self::tactical_value(position, *code).is_some();
            position.moves().iter().map(|(code, _)| *code).filter(is_tactical).for_each(&mut each);
        }
    }

    fn in_check(position: &Position) -> bool {
        position.hook(&position.rules().in_check, false)
    }

    fn gives_check(position: &Position, code: u16) -> bool {
        position.rules().in_check.is_some() && Self::in_check(&Self::play(position, code))
    }

    fn null_move(position: &Position) -> Option<Position> {
        let null_move = position.rules().null_move.as_ref()?;
        position.rules().ask(None, |py| match null_move.call1(py, (position.state(),))? {
            state if state.is_none(py) => Ok(None),
            state => Position::new(&position.0.rules, py, state).map(Some),
        })
    }

    fn is_irreversible(position: &Position, code: u16) -> bool {
        position.hook_of_move(&position.rules().is_irreversible, code, false)
    }
}

impl Notation for PythonGame {
    const NAME: &'static str = "python";
    const TITLE: &'static str = "a game in Python";

    fn parse_position(text: &str) -> Result<Position, NotationError> {
        Table::seated().parse(text)
    }

    fn write_position(position: &Position) -> String {
        position.rules().ask("?".into(), |py| position.rules().position_text(py, position.state()))
    }

    fn write_move(position: &Position, code: u16) -> String {
        let Some(mv) = position.find(code) else { return "?".into() };
        position.rules().ask("?".into(), |py| position.rules().move_text(py, position.state(), mv))
    }

    fn draw(position: &Position) -> String {
        match &position.rules().draw {
            None => Self::write_position(position) + "\n",
            Some(_) => position.hook(&position.rules().draw, String::new()).trim_end().to_string() + "\n",
        }
    }

    fn draw_svg(position: &Position, _: &View<u16>) -> String {
        svg::of_text(&Self::draw(position))
    }
}

/// What the game itself thinks of a position; nothing where it has no opinion.
#[derive(Clone)]
pub struct Opinion;

impl Evaluate<PythonGame> for Opinion {
    fn evaluate(&mut self, position: &Position) -> Score {
        let value: i64 = position.hook(&position.rules().evaluate, 0);
        match Score::try_from(value).ok().filter(|value| value.abs() <= EVAL_LIMIT) {
            Some(value) => value,
            None => position.rules().ask(0, |_| {
                let sentence = format!("evaluate gave {value}; a value lies between -{EVAL_LIMIT} and {EVAL_LIMIT}");
                Err(PlywiseError::new_err(sentence))
            }),
        }
    }
}

impl BoardGame for PythonGame {
    type Weights = ();
    type Evaluation = Opinion;

    fn evaluation((): ()) -> Opinion {
        Opinion
    }
}

impl plywise_cli::Playable for PythonGame {}

/// The state on the board, if the game is one in Python.
pub fn state(line: &dyn AnyLine) -> Option<&Py<PyAny>> {
    line.as_any().downcast_ref::<GameSoFar<PythonGame>>().map(|line| line.position().state())
}

/// Puts a game in Python through the conformance kit.
#[pyfunction]
pub fn check(py: Python<'_>, game: &Bound<'_, PyAny>, games: u32, seed: u64) -> PyResult<()> {
    let Some(rules) = Named::new(game)?.rules() else { return Ok(()) };
    Rules::guard(Some(&rules), py, || rules.position(""))?.map_err(raised)?;
    let stop = Signal::new();
    let (at_table, signal, may_wait) = (rules.clone(), stop.clone(), MayWait::here());
    let pending = waiting::begin(Some(rules), move || {
        let _table = Table::sit(at_table, &signal, may_wait)?;
        examine(games, seed, &signal).map_err(Failure::input)
    })?;
    match pending.finish(py, &stop)? {
        (_, true) => Err(raised(Failure::Interrupted)),
        (examined, false) => examined.map_err(raised),
    }
}

/// A few games at a time, so that it can be stopped.
fn examine(games: u32, seed: u64, stop: &Signal) -> Result<(), Violation> {
    const AT_ONCE: u32 = 10;
    for first in (0..games).step_by(AT_ONCE as usize) {
        if stop.is_stopped() {
            break;
        }
        let (count, seed) = (AT_ONCE.min(games - first), seed.wrapping_add(u64::from(first)));
        conformance::check::<PythonGame>(count, seed)?;
        conformance::check_evaluation::<PythonGame, _>(&Opinion, count, seed)?;
    }
    Ok(())
}
