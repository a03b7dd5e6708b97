//! The games: the built-in ones by their names, and those that are written in Python.

use crate::objects::raised;
use crate::python_game;
use crate::rules::Rules;
use plywise_cli::embed::no_game;
use plywise_cli::{LearnableGame, built_in};
use pyo3::prelude::*;
use std::sync::Arc;

/// A game, as Python names it.
pub struct Named {
    pub game: Arc<dyn LearnableGame>,
    /// The rules, where they are written in Python.
    pub rules: Option<Arc<Rules>>,
}

impl Named {
    /// The game that a name or an object with rules stands for.
    pub fn new(game: &Bound<'_, PyAny>) -> PyResult<Named> {
        let Ok(name) = game.extract::<String>() else {
            let rules = Arc::new(Rules::new(game)?);
            return Ok(Named { game: Arc::new(python_game::hosted(&rules)), rules: Some(rules) });
        };
        let games = built_in();
        match games.iter().find(|game| game.name() == name) {
            Some(game) => Ok(Named { game: game.clone(), rules: None }),
            None => Err(raised(no_game(&name, &games))),
        }
    }
}
