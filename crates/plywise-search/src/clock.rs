//! A player's time: the rule of a clock, and what it shows.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A clock's rule: a time for a number of moves or for the whole game, and an increment after each move.
///
/// Written as seconds, as match runners do: `8+0.08`, `40/60`, `40/60+0.6`.
///
/// ```
/// use plywise_search::TimeControl;
/// use std::time::Duration;
/// let control: TimeControl = "40/60+0.6".parse().unwrap();
/// assert_eq!((control.moves, control.base), (Some(40), Duration::from_secs(60)));
/// assert_eq!(control.to_string(), "40/60+0.6");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TimeControl {
    /// The moves that `base` is for, after which it is added again; `None` for the whole game.
    pub moves: Option<u32>,
    /// The time at the start.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// Why a time control could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a time control in seconds, such as 8+0.08 or 40/60")]
pub struct TimeControlError(String);

/// No time control is longer: it keeps sums of times far from overflow.
const LONGEST_SECONDS: f64 = 1e7;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let error = || TimeControlError(text.to_owned());
        let seconds = |text: &str| match text.trim().parse::<f64>() {
            Ok(seconds) if (0.0..=LONGEST_SECONDS).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
            _ => Err(error()),
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                (Some(moves.trim().parse().ok().filter(|&moves| moves > 0).ok_or_else(error)?), rest)
            }
            None => (None, text),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (seconds(base)?, seconds(increment)?),
            None => (seconds(rest)?, Duration::ZERO),
        };
        if base.is_zero() && increment.is_zero() {
            return Err(error());
        }
        Ok(TimeControl { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// The time that a player has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    control: TimeControl,
    /// The time left for the moves up to the next control.
    pub remaining: Duration,
    /// The moves to the next control, if there is one.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        // The increment is added before each move, as match runners do, so that a control like 0+0.1 is playable.
        Clock { control, remaining: control.base + control.increment, moves_to_go: control.moves }
    }

    /// Somebody else's clock, of which only what it shows is known.
    pub fn showing(remaining: Duration, increment: Duration, moves_to_go: Option<u32>) -> Clock {
        Clock { control: TimeControl { moves: None, base: Duration::ZERO, increment }, remaining, moves_to_go }
    }

    /// The rule it goes by.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What each move adds.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Takes the time of a move off and adds what its end brings. An overdrawn clock goes on from zero.
    pub fn spend(&mut self, elapsed: Duration) {
        self.remaining = self.remaining.saturating_sub(elapsed) + self.control.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves = moves.saturating_sub(1);
            if *moves == 0 {
                self.remaining += self.control.base;
                self.moves_to_go = self.control.moves;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_read_back() {
        for text in ["8+0.08", "40/60", "40/60+0.6", "0+0.1", "300"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "x", "0", "-1", "1+", "1+-1", "0/60", "/60", "nan", "inf", "1e300", "40/60+0.6+1", "1/2/3"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_control_of_two_moves_starts_again() {
        let mut clock = Clock::new("2/10+1".parse().unwrap());
        assert_eq!((clock.remaining, clock.moves_to_go), (Duration::from_secs(11), Some(2)));
        clock.spend(Duration::from_secs(4));
        assert_eq!((clock.remaining, clock.moves_to_go), (Duration::from_secs(8), Some(1)));
        clock.spend(Duration::from_secs(9));
        assert_eq!((clock.remaining, clock.moves_to_go), (Duration::from_secs(11), Some(2)));
    }
}
