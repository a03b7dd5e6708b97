//! The games: the built-in ones by their names, and those that are written in Python.

use crate::line::{AnyLine, boxed};
use crate::mind::AnyMind;
use crate::objects::raised;
use crate::python_game::PythonGame;
use crate::rules::Rules;
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_cli::Playable;
use plywise_cli::embed::{Mind, no_game, parse_position};
use plywise_cli::{GameCommands, Result};
use plywise_game::GameSoFar;
use plywise_loa::Loa;
use plywise_othello::Othello;
use pyo3::prelude::*;
use std::sync::Arc;

/// What a built-in game makes, behind pointers.
struct Hosted {
    name: &'static str,
    line: fn(&str) -> Result<Box<dyn AnyLine>>,
    mind: fn(&[String]) -> Result<Box<dyn AnyMind>>,
}

impl Hosted {
    const fn of<G: Playable<Position: 'static, Move: 'static>>() -> Hosted {
        Hosted {
            name: G::NAME,
            line: |text| Ok(boxed(GameSoFar::<G>::new(parse_position::<G>(text)?))),
            mind: |words| Ok(Box::new(Mind::<G>::new(words)?)),
        }
    }
}

static HOSTED: [Hosted; 4] =
    [Hosted::of::<Chess>(), Hosted::of::<Loa>(), Hosted::of::<Othello>(), Hosted::of::<Abalone>()];

static IN_PYTHON: [GameCommands; 1] = [GameCommands::of::<PythonGame>()];

/// A game, as Python names it.
pub enum Named {
    BuiltIn(&'static str),
    InPython(Arc<Rules>),
}

impl Named {
    /// The game that a name or an object with rules stands for.
    pub fn new(game: &Bound<'_, PyAny>) -> PyResult<Named> {
        let Ok(name) = game.extract::<String>() else { return Ok(Named::InPython(Arc::new(Rules::new(game)?))) };
        match HOSTED.iter().find(|hosted| hosted.name == name) {
            Some(hosted) => Ok(Named::BuiltIn(hosted.name)),
            None => Err(raised(no_game(&name, &plywise_cli::GAMES))),
        }
    }

    /// The rules, where they are written in Python.
    pub fn rules(&self) -> Option<Arc<Rules>> {
        match self {
            Named::BuiltIn(_) => None,
            Named::InPython(rules) => Some(rules.clone()),
        }
    }

    /// A game that begins with a position; the usual one where the text is empty.
    pub fn line(&self, text: &str) -> Result<Box<dyn AnyLine>> {
        match self {
            Named::BuiltIn(name) => (hosted(name).line)(text),
            Named::InPython(rules) => Ok(boxed(GameSoFar::<PythonGame>::new(rules.position(text)?))),
        }
    }

    /// A player of the game.
    pub fn mind(&self, words: &[String]) -> Result<Box<dyn AnyMind>> {
        match self {
            Named::BuiltIn(name) => (hosted(name).mind)(words),
            Named::InPython(_) => Ok(Box::new(Mind::<PythonGame>::new(words)?)),
        }
    }
}

fn hosted(name: &str) -> &'static Hosted {
    HOSTED.iter().find(|hosted| hosted.name == name).unwrap_or(&HOSTED[0])
}

/// The commands for the built-in games, or those for a game in Python.
pub fn commands(in_python: bool) -> &'static [GameCommands] {
    if in_python { &IN_PYTHON } else { &plywise_cli::GAMES }
}
