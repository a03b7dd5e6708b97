//! How strong the engine plays.

use crate::arguments::{describe_limits, parse_depth, parse_movetime, parse_nodes, show_limits};
use crate::games::Playable;
use crate::{Failure, Result};
use plywise_game::{Phase, Score};
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
}

/// How far the evaluation of the highest level varies in the opening, as a share of the score by which the odds of winning grow
/// e-fold: about ten points in chess, half a disc in Othello. That of the lowest varies ten times as much.
const LEAST_SPREAD: f64 = 0.065;

impl Strength {
    /// These limits, with the profile as it is.
    pub(super) fn of(limits: Limits) -> Strength {
        Strength { level: None, limits }
    }

    /// One of [`LEVELS`]. The nodes grow threefold from level to level; the depth keeps the lowest levels from seeing
    /// far in positions with few moves.
    pub(super) fn level(level: u32) -> Strength {
        let number = level.clamp(*LEVELS.start(), *LEVELS.end());
        let depth = Some(2 * number as i32 - 1);
        let limits = Limits { depth, ..Limits::nodes(200 * 3_u64.pow(number - 1)) };
        Strength { level: Some(number), limits }
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

    /// The parameters of a profile of a game that plays with this strength.
    pub(super) fn apply_to<G: Playable>(&self, profile: &Params) -> Params {
        let mut params = profile.clone();
        if let Some(level) = self.level {
            let steps = f64::from(LEVELS.end() + 1 - level);
            let scale = G::CHANCES.curves[Phase::Opening as usize].scale;
            params.variety.enabled = true;
            params.variety.spread = ((steps * LEAST_SPREAD * scale).round() as Score).max(1);
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
        let limits = show_limits(&self.limits);
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
    use crate::engine::TypedSetup;
    use crate::engine::{Setup, setup_of_profile};
    use plywise_chess::Chess;
    use plywise_game::pgn::GameResult;
    use plywise_game::{Game, GameSoFar, Side};
    use plywise_loa::Loa;
    use plywise_othello::Othello;
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
        }
    }

    #[test]
    fn lower_levels_vary_more_and_by_what_is_little_in_the_game() {
        let spread = |level, game: fn(&Strength, &Params) -> Params| {
            game(&Strength::level(level), &Params::default()).variety.spread
        };
        assert_eq!([1, 5, 10].map(|level| spread(level, Strength::apply_to::<Chess>)), [101, 60, 10]);
        assert_eq!([1, 5, 10].map(|level| spread(level, Strength::apply_to::<Othello>)), [5, 3, 1]);
    }

    #[test]
    fn level_five_beats_level_one() {
        let setup = setup_of_profile::<Loa>("best", &ResourceArgs { hash: 1, ..ResourceArgs::default() }).unwrap();
        for strong in [Side::First, Side::Second] {
            let strengths = if strong == Side::First { [5, 1] } else { [1, 5] }.map(Strength::level);
            let mut players = strengths.map(|strength| {
                let params = strength.apply_to::<Loa>(&setup.params);
                let mut searcher = Setup { params, ..setup.clone() }.searcher::<Loa>().unwrap();
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
