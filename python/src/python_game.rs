//! A game in Python as the search sees it.

use crate::games::Named;
use crate::objects::{PlywiseError, raised};
use crate::rules::{CodedMove, Rules};
use crate::waiting;
use plywise_cli::Failure;
use plywise_game::conformance::{self, Violation};
use plywise_game::notation::excerpt;
use plywise_game::score::EVAL_LIMIT;
use plywise_game::{BoardGame, Evaluate, Game, GameInfo, Notation, NotationError, Outcome, Score, Side, View, svg};
use plywise_host::{AnyPosition, Hosted, Playable};
use plywise_search::Signal;
use pyo3::prelude::*;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Whichever game the position belongs to.
pub enum PythonGame {}

/// The game with these rules as a value.
pub fn hosted(rules: &Arc<Rules>) -> Hosted<PythonGame> {
    let (for_start, for_texts) = (rules.clone(), rules.clone());
    Hosted::with(PythonGame::NAME, PythonGame::TITLE, move || for_start.start(), move |text| for_texts.parse(text))
}

/// A position of a game in Python. Without a node it belongs to no game, and has no moves.
#[derive(Clone)]
pub struct Position(Option<Arc<Node>>);

/// The state of a position, which Python knows, and what the search asks of it again and again.
struct Node {
    rules: Arc<Rules>,
    state: Py<PyAny>,
    side: Side,
    hash: u64,
    decided: Option<Outcome>,
    /// Not asked for before they are needed: at the horizon they are not.
    moves: OnceLock<Vec<CodedMove>>,
}

impl Node {
    fn moves(&self) -> &[CodedMove] {
        self.moves.get().unwrap_or_else(|| {
            let moves = match self.decided {
                Some(_) => Vec::new(),
                None => self.rules.ask(Vec::new(), |py| self.rules.list_moves(py, &self.state)),
            };
            // They are listed before they are kept: who waits here for another thread may hold Python's lock.
            self.moves.get_or_init(|| moves)
        })
    }
}

impl Position {
    pub fn new(rules: &Arc<Rules>, py: Python<'_>, state: Py<PyAny>) -> PyResult<Position> {
        let (side, hash) = (rules.side(py, &state)?, rules.hash(py, &state)?);
        let decided = rules.decision(py, &state)?;
        Ok(Position(Some(Arc::new(Node { rules: rules.clone(), state, side, hash, decided, moves: OnceLock::new() }))))
    }

    /// A position of no game.
    pub fn void() -> Position {
        Position(None)
    }

    fn rules(&self) -> Option<&Rules> {
        self.0.as_ref().map(|node| &*node.rules)
    }

    fn moves(&self) -> &[CodedMove] {
        self.0.as_ref().map_or(&[], |node| node.moves())
    }

    fn find(&self, code: u16) -> Option<&Py<PyAny>> {
        self.moves().iter().find(|(of_move, _)| *of_move == code).map(|(_, mv)| mv)
    }

    /// Asks the rules about the state; `otherwise` where they fail, or where there are none.
    fn ask<T>(&self, otherwise: T, ask: impl FnOnce(Python<'_>, &Node) -> PyResult<T>) -> T {
        match &self.0 {
            Some(node) => node.rules.ask(otherwise, |py| ask(py, node)),
            None => otherwise,
        }
    }

    /// Whether the game has a hook.
    fn has(&self, hook: Hook) -> bool {
        self.rules().is_some_and(|rules| hook(rules).is_some())
    }

    /// The answer of a hook about the position; `otherwise` where the game has none.
    fn hook<T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>>(&self, hook: Hook, otherwise: T) -> T {
        if !self.has(hook) {
            return otherwise;
        }
        let answer = self.ask(None, |py, node| match hook(&node.rules) {
            Some(hook) => hook.bind(py).call1((&node.state,))?.extract().map(Some),
            None => Ok(None),
        });
        answer.unwrap_or(otherwise)
    }

    /// The same about a move.
    fn hook_of_move<T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>>(
        &self,
        hook: Hook,
        code: u16,
        otherwise: T,
    ) -> T {
        let Some(mv) = self.find(code).filter(|_| self.has(hook)) else { return otherwise };
        let answer = self.ask(None, |py, node| match hook(&node.rules) {
            Some(hook) => hook.bind(py).call1((&node.state, mv))?.extract().map(Some),
            None => Ok(None),
        });
        answer.unwrap_or(otherwise)
    }
}

/// A rule that a game need not have.
type Hook = fn(&Rules) -> &Option<Py<PyAny>>;

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(ours), Some(theirs)) if Arc::ptr_eq(ours, theirs) => true,
            (Some(_), Some(theirs)) => self.ask(false, |py, ours| ours.state.bind(py).eq(&theirs.state)),
            _ => false,
        }
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

    /// The type has no rules; a game [as a value](hosted) begins where its rules say.
    fn start() -> Position {
        Position::void()
    }

    fn is_start(position: &Position) -> bool {
        position.0.as_ref().is_some_and(|node| *position == node.rules.start())
    }

    fn side_to_move(position: &Position) -> Side {
        position.0.as_ref().map_or(Side::First, |node| node.side)
    }

    fn moves(position: &Position, mut each: impl FnMut(u16)) {
        position.moves().iter().for_each(|(code, _)| each(*code));
    }

    fn play(position: &Position, code: u16) -> Position {
        let Some(mv) = position.find(code) else { return position.clone() };
        position.ask(position.clone(), |py, node| {
            let state = node.rules.after(py, &node.state, mv)?;
            Position::new(&node.rules, py, state)
        })
    }

    fn hash(position: &Position) -> u64 {
        position.0.as_ref().map_or(0, |node| node.hash)
    }

    fn stuck(position: &Position) -> Outcome {
        position.ask(Outcome::Draw, |py, node| node.rules.stuck(py, &node.state))
    }

    fn move_code(code: u16) -> u16 {
        code
    }

    fn decided(position: &Position) -> Option<Outcome> {
        position.0.as_ref().map_or(Some(Outcome::Draw), |node| node.decided)
    }

    fn drawn_by_rule(position: &Position) -> bool {
        position.hook(|rules| &rules.drawn_by_rule, false)
    }

    fn hash_afresh(position: &Position) -> u64 {
        position.ask(Self::hash(position), |py, node| node.rules.hash(py, &node.state))
    }

    fn move_count(position: &Position) -> usize {
        position.moves().len()
    }

    const MOVE_INDICES: usize = 1 << 12;

    fn move_index(_: &Position, code: u16) -> usize {
        usize::from(code) % Self::MOVE_INDICES
    }

    fn tactical_value(position: &Position, code: u16) -> Option<i32> {
        position.hook_of_move(|rules| &rules.tactical_value, code, None)
    }

    fn tactical_moves(position: &Position, mut each: impl FnMut(u16)) {
        if position.has(|rules| &rules.tactical_value) {
            let is_tactical = |code: &u16| Self::tactical_value(position, *code).is_some();
            position.moves().iter().map(|(code, _)| *code).filter(is_tactical).for_each(&mut each);
        }
    }

    fn in_check(position: &Position) -> bool {
        position.hook(|rules| &rules.in_check, false)
    }

    fn gives_check(position: &Position, code: u16) -> bool {
        position.has(|rules| &rules.in_check) && Self::in_check(&Self::play(position, code))
    }

    fn null_move(position: &Position) -> Option<Position> {
        let null_move = position.rules()?.null_move.as_ref()?;
        position.ask(None, |py, node| match null_move.call1(py, (&node.state,))? {
            state if state.is_none(py) => Ok(None),
            state => Position::new(&node.rules, py, state).map(Some),
        })
    }

    fn is_irreversible(position: &Position, code: u16) -> bool {
        position.hook_of_move(|rules| &rules.is_irreversible, code, false)
    }
}

impl Notation for PythonGame {
    const NAME: &'static str = "python";
    const TITLE: &'static str = "a game in Python";

    /// The type has no rules; a game [as a value](hosted) reads what its rules read.
    fn parse_position(text: &str) -> Result<Position, NotationError> {
        Err(NotationError::new(format!("'{}' is read by the rules of a game only", excerpt(text))))
    }

    fn write_short_position(position: &Position) -> String {
        Self::write_position(position)
    }

    fn write_position(position: &Position) -> String {
        position.ask("?".into(), |py, node| node.rules.position_text(py, &node.state))
    }

    fn write_move(position: &Position, code: u16) -> String {
        let Some(mv) = position.find(code) else { return "?".into() };
        position.ask("?".into(), |py, node| node.rules.move_text(py, &node.state, mv))
    }

    fn draw(position: &Position) -> String {
        match position.has(|rules| &rules.draw) {
            true => position.hook(|rules| &rules.draw, String::new()).trim_end().to_string() + "\n",
            false => Self::write_position(position) + "\n",
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
        let value: i64 = position.hook(|rules| &rules.evaluate, 0);
        match Score::try_from(value).ok().filter(|value| value.abs() <= EVAL_LIMIT) {
            Some(value) => value,
            None => position.ask(0, |_, _| {
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

impl Playable for PythonGame {}

/// The state on the board, if the game is one in Python.
pub fn state(position: &AnyPosition) -> Option<&Py<PyAny>> {
    Some(&position.typed::<PythonGame>()?.position().0.as_ref()?.state)
}

/// Puts a game in Python through the conformance kit.
#[pyfunction]
pub fn check(py: Python<'_>, game: &Bound<'_, PyAny>, games: u32, seed: u64) -> PyResult<()> {
    let Some(rules) = Named::new(game)?.rules else { return Ok(()) };
    Rules::guard(Some(&rules), py, || rules.start())?;
    let stop = Signal::new();
    let (game, signal) = (hosted(&rules), stop.clone());
    let examine = move || examine(game.info(), games, seed, &signal).map_err(Failure::input);
    match waiting::begin(Some(rules), examine)?.finish(py, &stop)? {
        (_, true) => Err(raised(Failure::Interrupted)),
        (examined, false) => examined.map_err(raised),
    }
}

/// A few games at a time, so that it can be stopped.
fn examine(info: &GameInfo<PythonGame>, games: u32, seed: u64, stop: &Signal) -> Result<(), Violation> {
    const AT_ONCE: u32 = 10;
    let start = info.start();
    for first in (0..games).step_by(AT_ONCE as usize) {
        if stop.is_stopped() {
            break;
        }
        let (count, seed) = (AT_ONCE.min(games - first), seed.wrapping_add(u64::from(first)));
        conformance::check_with(info, count, seed)?;
        conformance::check_evaluation_from::<PythonGame, _>(&start, &Opinion, count, seed)?;
    }
    Ok(())
}
