//! How strong the engine plays.

use crate::arguments::{describe_limits, parse_depth, parse_movetime, parse_nodes, show_limits};
use crate::engine::Setup;
use crate::{Failure, Result};
use plywise_host::{AnyGame, Level};
use plywise_search::Limits;
use std::fmt;

/// What the engine may use up for a move, and how far its evaluation varies in the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    /// The level that the limits belong to, unless the user gave them.
    level: Option<Level>,
    pub(super) limits: Limits,
}

impl Strength {
    /// These limits, with the profile as it is.
    pub(super) fn of(limits: Limits) -> Strength {
        Strength { level: None, limits }
    }

    /// That of a level.
    pub(super) fn level(level: Level) -> Strength {
        Strength { level: Some(level), limits: level.limits() }
    }

    /// Reads `5`, `depth 6`, `nodes 10000` or `time 500`.
    pub(super) fn parse(text: &str) -> Result<Strength> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let limits = match words[..] {
            [level] => {
                let level = level.parse().ok().and_then(Level::new);
                return level.map(Strength::level).ok_or_else(unreadable);
            }
            ["depth", plies] => parse_depth(plies).map(Limits::depth),
            ["nodes", nodes] => parse_nodes(nodes).map(Limits::nodes),
            ["time", milliseconds] => parse_movetime(milliseconds).map(Limits::time),
            _ => return Err(unreadable()),
        };
        limits.map(Strength::of).map_err(Failure::input)
    }

    /// A setup for a game, changed so that it plays with this strength.
    pub(super) fn apply_to(&self, game: &dyn AnyGame, setup: &Setup) -> Setup {
        self.level.map_or_else(|| setup.clone(), |level| level.apply_to(game, setup))
    }

    /// Its name in a few words: `level 5`, or the limits.
    pub(super) fn name(&self) -> String {
        self.level.map_or_else(|| describe_limits(&self.limits), |level| format!("level {}", level.number()))
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let limits = show_limits(&self.limits);
        match self.level {
            Some(level) => write!(f, "The engine plays at level {}: {limits} at most.", level.number()),
            None => write!(f, "The engine's limit is {limits}."),
        }
    }
}

fn unreadable() -> Failure {
    let (lowest, highest) = (Level::ALL.start(), Level::ALL.end());
    Failure::input(format!(
        "A level is a number from {lowest} to {highest}, or a limit: depth N, nodes N or time MILLISECONDS."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::new_engine;
    use plywise_game::Side;
    use plywise_game::pgn::GameResult;
    use plywise_host::games::Chess;
    use plywise_host::games::Loa;
    use plywise_host::games::Othello;
    use plywise_host::{Ask, Hosted};
    use plywise_search::Signal;
    use std::time::Duration;

    fn level(number: u32) -> Strength {
        Strength::level(Level::new(number).unwrap())
    }

    #[test]
    fn levels_and_limits_are_read() {
        assert_eq!(Strength::parse("6").unwrap(), level(6));
        assert_eq!(Strength::parse("depth 6").unwrap(), Strength::of(Limits::depth(6)));
        assert_eq!(Strength::parse("nodes 1000").unwrap().limits, Limits::nodes(1000));
        assert_eq!(Strength::parse("time 500").unwrap().limits, Limits::time(Duration::from_millis(500)));
        for text in ["", "0", "11", "-1", "depth", "depth 0", "depth -1", "speed 3", "depth 3 4", "time 99999999999"] {
            assert!(Strength::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_level_may_use_more_than_the_one_before() {
        let levels: Vec<Strength> = Level::ALL.map(level).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].limits.nodes < pair[1].limits.nodes && pair[0].limits.depth < pair[1].limits.depth);
        }
    }

    #[test]
    fn lower_levels_vary_more_and_by_what_is_little_in_the_game() {
        let spreads = |game: &dyn AnyGame| {
            let setup = Setup::of_profile(game, "best").unwrap();
            [1, 5, 10].map(|number| level(number).apply_to(game, &setup).params.variety.spread)
        };
        assert_eq!(spreads(&Hosted::<Chess>::new()), [101, 60, 10]);
        assert_eq!(spreads(&Hosted::<Othello>::new()), [5, 3, 1]);
    }

    #[test]
    fn level_five_beats_level_one() {
        let game = Hosted::<Loa>::new();
        let setup = Setup { hash: 1, ..Setup::of_profile(&game, "best").unwrap() };
        for strong in [Side::First, Side::Second] {
            let strengths = if strong == Side::First { [5, 1] } else { [1, 5] }.map(level);
            let mut players = strengths.map(|strength| {
                let mut engine = new_engine(&game, &strength.apply_to(&game, &setup)).unwrap();
                engine.set_seed(1);
                engine
            });
            let mut position = game.start();
            while position.ended().is_none() {
                let side = position.side_to_move() as usize;
                let alone = position.alone();
                let report =
                    players[side].search(&Ask::new(&alone), &strengths[side].limits, &Signal::new(), &mut |_| {});
                position.play(report.best_move().unwrap()).unwrap();
            }
            assert_eq!(position.result(), GameResult::Win(strong));
        }
    }
}
