//! How strong the engine plays.

use crate::arguments::{describe_limits, parse_depth, parse_movetime, parse_nodes};
use crate::{Failure, Result};
use plywise_search::{Limits, Params};
use std::fmt;
use std::ops::RangeInclusive;

/// Who begins to learn a game starts at the lowest.
pub(super) const LEVELS: RangeInclusive<u32> = 1..=10;

/// What the engine may use up for a move, and how far its evaluation varies in the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    /// The level that the limits belong to, unless the user gave them.
    level: Option<u32>,
    pub(super) limits: Limits,
    /// The spread of variety; `None` leaves it to the profile.
    spread: Option<i32>,
}

impl Strength {
    /// These limits, with the profile as it is.
    pub(super) fn of(limits: Limits) -> Strength {
        Strength { level: None, limits, spread: None }
    }

    /// One of [`LEVELS`]. The nodes grow threefold from level to level; the depth keeps the lowest levels from seeing
    /// far in positions with few moves.
    pub(super) fn level(level: u32) -> Strength {
        let number = level.clamp(*LEVELS.start(), *LEVELS.end());
        let depth = Some(2 * number as i32 - 1);
        let limits = Limits { depth, ..Limits::nodes(200 * 3_u64.pow(number - 1)) };
        Strength { level: Some(number), limits, spread: Some(10 * (11 - number as i32)) }
    }

    /// Reads `5`, `depth 6`, `nodes 10000` or `time 500`.
    pub(super) fn parse(text: &str) -> Result<Strength> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let limits = match words[..] {
            [level] => {
                let level = level.parse().ok().filter(|level| LEVELS.contains(level));
                return level.map(Strength::level).ok_or_else(unreadable);
            }
            ["depth", plies] => parse_depth(plies).map(Limits::depth),
            ["nodes", nodes] => parse_nodes(nodes).map(Limits::nodes),
            ["time", milliseconds] => parse_movetime(milliseconds).map(Limits::time),
            _ => return Err(unreadable()),
        };
        limits.map(Strength::of).map_err(Failure::input)
    }

    /// The parameters of a profile that plays with this strength.
    pub(super) fn apply_to(&self, profile: &Params) -> Params {
        let mut params = profile.clone();
        if let Some(spread) = self.spread {
            params.variety.enabled = true;
            params.variety.spread = spread;
        }
        params
    }

    /// Its name in a few words: `level 5`, or the limits.
    pub(super) fn name(&self) -> String {
        self.level.map_or_else(|| describe_limits(&self.limits), |level| format!("level {level}"))
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let limits = describe_limits(&self.limits);
        match self.level {
            Some(level) => write!(f, "The engine plays at level {level}: {limits} at most."),
            None => write!(f, "The engine's limit is {limits}."),
        }
    }
}

fn unreadable() -> Failure {
    let (lowest, highest) = (LEVELS.start(), LEVELS.end());
    Failure::input(format!(
        "A level is a number from {lowest} to {highest}, or a limit: depth N, nodes N or time MILLISECONDS."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::ResourceArgs;
    use crate::engine::Setup;
    use plywise_game::pgn::GameResult;
    use plywise_game::{Game, GameSoFar, Side};
    use plywise_loa::Loa;
    use std::time::Duration;

    #[test]
    fn levels_and_limits_are_read() {
        assert_eq!(Strength::parse("6").unwrap(), Strength::level(6));
        assert_eq!(Strength::parse("depth 6").unwrap(), Strength::of(Limits::depth(6)));
        assert_eq!(Strength::parse("nodes 1000").unwrap().limits, Limits::nodes(1000));
        assert_eq!(Strength::parse("time 500").unwrap().limits, Limits::time(Duration::from_millis(500)));
        for text in ["", "0", "11", "-1", "depth", "depth 0", "depth -1", "speed 3", "depth 3 4", "time 99999999999"] {
            assert!(Strength::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_level_may_use_more_than_the_one_before() {
        let levels: Vec<Strength> = LEVELS.map(Strength::level).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].limits.nodes < pair[1].limits.nodes && pair[0].limits.depth < pair[1].limits.depth);
            assert!(pair[0].spread > pair[1].spread && pair[1].spread > Some(0));
        }
    }

    #[test]
    fn level_five_beats_level_one() {
        let setup = Setup::<Loa>::of_profile("best", &ResourceArgs { hash: 1, ..ResourceArgs::default() }).unwrap();
        for strong in [Side::First, Side::Second] {
            let strengths = if strong == Side::First { [5, 1] } else { [1, 5] }.map(Strength::level);
            let mut players = strengths.map(|strength| {
                let params = strength.apply_to(&setup.params);
                let mut searcher = Setup { params, ..setup.clone() }.searcher().unwrap();
                searcher.set_seed(1);
                searcher
            });
            let mut game = GameSoFar::<Loa>::new(Loa::start());
            while game.ended().is_none() {
                let side = game.side_to_move() as usize;
                let report = players[side].think(game.position(), &strengths[side].limits);
                game.play(report.best_move().unwrap());
            }
            assert_eq!(game.result(), GameResult::Win(strong));
        }
    }
}
