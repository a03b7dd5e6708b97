//! The games of a program.

use crate::{Failure, Result, which_game};
use plywise_host::AnyGame;
use plywise_learn::LearnableGame;
use std::sync::Arc;

/// The games of a program, the default first.
#[derive(Clone, Copy)]
pub(crate) struct Games<'a>(pub(crate) &'a [Arc<dyn LearnableGame>]);

impl<'a> Games<'a> {
    /// The game of this name as a value that can be learned about.
    pub(crate) fn learnable(self, name: &str) -> Result<Arc<dyn LearnableGame>> {
        let found = self.0.iter().find(|game| game.name() == name);
        found.cloned().ok_or_else(|| unknown_game(name, &self.names()))
    }

    /// The game of this name.
    pub(crate) fn game(self, name: &str) -> Result<Arc<dyn AnyGame>> {
        Ok(self.learnable(name)?)
    }

    /// All games, the default first.
    pub(crate) fn all(self) -> Vec<Arc<dyn AnyGame>> {
        self.0.iter().cloned().map(|game| game as Arc<dyn AnyGame>).collect()
    }

    /// The names of all games.
    pub(crate) fn names(self) -> Vec<&'a str> {
        self.0.iter().map(|game| game.name()).collect()
    }

    /// Only the game of this name, or all of them.
    pub(crate) fn selected(self, name: Option<&str>) -> Result<Vec<Arc<dyn AnyGame>>> {
        match name {
            Some(name) => Ok(vec![self.game(name)?]),
            None => Ok(self.all()),
        }
    }

    /// Tells an argument which games there are: its help, and its default where it has [`DEFAULT`] or nothing else is
    /// left to choose.
    pub(crate) fn introduce(self, argument: clap::Arg) -> clap::Arg {
        if argument.get_id() != which_game::ARGUMENT {
            return argument;
        }
        let is_listed = argument.get_help().is_some_and(|help| help.to_string() == HELP);
        let has_default = argument.get_default_values() == [DEFAULT];
        let argument = if is_listed { argument.help(format!("{HELP}: {}", self.names().join(", "))) } else { argument };
        match self.0 {
            [only] if is_listed => argument.required(false).default_value(only.name().to_owned()),
            [first, ..] if has_default => argument.default_value(first.name().to_owned()),
            _ => argument,
        }
    }
}

/// The help of an argument that names a game; the names follow it.
pub(crate) const HELP: &str = "The game";

/// The default of an argument that names a game: the first one.
pub(crate) const DEFAULT: &str = "";

/// Says that there is no such game, and which one may have been meant.
pub(crate) fn unknown_game(name: &str, known: &[&str]) -> Failure {
    plywise_host::unknown_game(name, known).into()
}
