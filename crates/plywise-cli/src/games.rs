//! The games of a program: every command for each of them, behind pointers.
//!
//! The commands are generic over the game. [`GameCommands::of`] is where they are compiled for one, so a program pays for
//! the games that it has, and this library for none.

pub use plywise_host::Playable;

use crate::commands::{
    analyse, annotate, bench, classes, compare, draw, evolve, forge, gather, learn, matches, openings, params, perft,
    play, profiles, studio, suite, tree,
};
use crate::{Failure, Result, network, uci, which_game};
use plywise_game::Notation;
use plywise_game::notation::excerpt;
use plywise_game::parameters::nearest_name;
use plywise_search::Signal;
use std::io::Write;

/// A command that takes long, and can be interrupted.
type Long<Arguments> = fn(&Arguments, &mut dyn Write, &Signal) -> Result;
/// A command that does not.
type Short<Arguments> = fn(&Arguments, &mut dyn Write) -> Result;

/// Every command for one game.
#[derive(Clone, Copy)]
pub struct GameCommands {
    pub(crate) name: &'static str,
    pub(crate) analyse: Long<analyse::Arguments>,
    pub(crate) annotate: Long<annotate::Arguments>,
    pub(crate) compare: Long<compare::Arguments>,
    pub(crate) play: Short<play::Arguments>,
    pub(crate) uci: fn(&uci::Arguments) -> Result,
    pub(crate) perft: Short<perft::Arguments>,
    pub(crate) draw: Short<draw::Arguments>,
    pub(crate) classes: Short<classes::Arguments>,
    pub(crate) bench: fn() -> Result<bench::Summary>,
    #[cfg_attr(not(feature = "cluster"), allow(dead_code))]
    pub(crate) quick_bench: fn() -> Result<bench::Measurement>,
    #[cfg_attr(not(feature = "cluster"), allow(dead_code))]
    pub(crate) own_suite: fn(&str) -> Option<&'static str>,
    #[cfg_attr(not(feature = "cluster"), allow(dead_code))]
    pub(crate) has_network: fn(&str) -> bool,
    pub(crate) profile: fn(&str, &profiles::Arguments, &mut dyn Write) -> Result,
    pub(crate) weights: fn() -> params::Section,
    pub(crate) suite: Long<suite::Arguments>,
    pub(crate) matches: Long<matches::Arguments>,
    pub(crate) openings: Long<openings::Arguments>,
    pub(crate) gather: Long<gather::Arguments>,
    pub(crate) forge_data: Long<forge::data::Arguments>,
    pub(crate) forge_games: Long<forge::games::Arguments>,
    pub(crate) forge_suite: Long<forge::suite::Arguments>,
    pub(crate) learn_chances: Long<learn::chances::Arguments>,
    pub(crate) learn_eval: Long<learn::eval::Arguments>,
    pub(crate) learn_extensions: Long<learn::extensions::Arguments>,
    pub(crate) learn_net: Long<learn::net::Arguments>,
    pub(crate) learn_spsa: Long<learn::spsa::Arguments>,
    pub(crate) evolve_eval: Long<evolve::eval::Arguments>,
    pub(crate) evolve_coeval: Long<evolve::coeval::Arguments>,
    pub(crate) evolve_search: Long<evolve::search::Arguments>,
    pub(crate) evolve_show: Short<evolve::show::Arguments>,
    pub(crate) tree_record: Long<tree::record::Arguments>,
    pub(crate) tree_lore: fn(&plywise_tree::Head) -> Result<tree::Lore>,
    pub(crate) studio: studio::GameDesk,
}

impl GameCommands {
    /// The commands for a game.
    pub const fn of<G: Playable>() -> GameCommands {
        GameCommands {
            name: G::NAME,
            analyse: analyse::run::<G>,
            annotate: annotate::run::<G>,
            compare: compare::run::<G>,
            play: play::run::<G>,
            uci: uci::run::<G>,
            perft: perft::run::<G>,
            draw: draw::run::<G>,
            classes: classes::run::<G>,
            bench: bench::summarise::<G>,
            quick_bench: bench::quick::<G>,
            profile: profiles::show::<G>,
            weights: params::evaluation_section::<G>,
            own_suite: suite::own::<G>,
            has_network: network::is_built_in::<G>,
            suite: suite::run::<G>,
            matches: matches::run::<G>,
            openings: openings::run::<G>,
            gather: gather::run::<G>,
            forge_data: forge::data::run::<G>,
            forge_games: forge::games::run::<G>,
            forge_suite: forge::suite::run::<G>,
            learn_chances: learn::chances::run::<G>,
            learn_eval: learn::eval::run::<G>,
            learn_extensions: learn::extensions::run::<G>,
            learn_net: learn::net::run::<G>,
            learn_spsa: learn::spsa::run::<G>,
            evolve_eval: evolve::eval::run::<G>,
            evolve_coeval: evolve::coeval::run::<G>,
            evolve_search: evolve::search::run::<G>,
            evolve_show: evolve::show::run::<G>,
            tree_record: tree::record::run::<G>,
            tree_lore: tree::Lore::of::<G>,
            studio: studio::GameDesk::of::<G>(),
        }
    }
}

/// The games of a program, the default first.
#[derive(Clone, Copy)]
pub(crate) struct Games(pub(crate) &'static [GameCommands]);

impl Games {
    /// The commands for the game of this name.
    pub(crate) fn find(self, name: &str) -> Result<&'static GameCommands> {
        self.0.iter().find(|game| game.name == name).ok_or_else(|| unknown_game(name, &self.names()))
    }

    /// The names of all games.
    pub(crate) fn names(self) -> Vec<&'static str> {
        self.0.iter().map(|game| game.name).collect()
    }

    /// Only the game of this name, or all of them.
    pub(crate) fn selected(self, name: Option<&str>) -> Result<Vec<&'static GameCommands>> {
        match name {
            Some(name) => Ok(vec![self.find(name)?]),
            None => Ok(self.0.iter().collect()),
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
            [only] if is_listed => argument.required(false).default_value(only.name),
            [first, ..] if has_default => argument.default_value(first.name),
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
    let name = excerpt(name);
    match nearest_name(&name, known.iter().map(|name| name.to_string())) {
        Some(nearest) => Failure::input(format!("unknown game '{name}'; the nearest is '{nearest}'")),
        None => Failure::input(format!("unknown game '{name}'; there are {}", known.join(", "))),
    }
}

/// Reads a position, where `startpos` and nothing at all mean the start.
pub fn parse_position<G: Notation>(text: &str) -> Result<G::Position> {
    match text.trim() {
        "" | "startpos" => Ok(G::start()),
        text => Ok(G::parse_position(text)?),
    }
}
