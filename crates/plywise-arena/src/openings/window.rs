use plywise_game::{Score, Side};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How far the player who moves first in the game may be ahead after an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// At least this much; negative where the other player is.
    pub least: Score,
    /// At most this much.
    pub most: Score,
}

impl Window {
    /// The score never favours a player by more than this.
    pub fn within(score: Score) -> Window {
        Window { least: -score.saturating_abs(), most: score.saturating_abs() }
    }

    /// Whether a score of the side to move lies inside.
    pub fn holds(&self, side: Side, score: Score) -> bool {
        let first = if side == Side::First { score } else { -score };
        (self.least..=self.most).contains(&first)
    }
}

/// As it is read.
impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.least == -self.most {
            true => write!(f, "{}", self.most),
            false => write!(f, "{},{}", self.least, self.most),
        }
    }
}

/// Why a text is no window.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no window: write a score, such as 50, or two, the lower one first, such as 80,120")]
pub struct WindowError(String);

impl FromStr for Window {
    type Err = WindowError;

    /// Reads `50`, which means from -50 to 50, or `80,120`.
    fn from_str(text: &str) -> Result<Window, WindowError> {
        const FARTHEST: Score = 900_000;
        let error = || WindowError(text.to_owned());
        let number = |text: &str| {
            let score = text.trim().parse::<Score>().ok();
            score.filter(|score| (-FARTHEST..=FARTHEST).contains(score)).ok_or_else(error)
        };
        match text.split_once(',') {
            None => number(text).and_then(|score| if score < 0 { Err(error()) } else { Ok(Window::within(score)) }),
            Some((least, most)) => {
                let window = Window { least: number(least)?, most: number(most)? };
                if window.least <= window.most { Ok(window) } else { Err(error()) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_from_the_first_players_view() {
        let read = |text: &str| text.parse::<Window>();
        assert_eq!(read("50"), Ok(Window { least: -50, most: 50 }));
        let ahead = read("80,120").unwrap();
        assert!(ahead.holds(Side::First, 80) && ahead.holds(Side::Second, -120) && !ahead.holds(Side::Second, 100));
        assert_eq!(read("-120, -80"), Ok(Window { least: -120, most: -80 }));
        assert_eq!((ahead.to_string(), read("50").unwrap().to_string()), ("80,120".into(), "50".into()));
        for text in ["", "x", "-5", "5,4", "1,2,3", "99999999"] {
            assert_eq!(read(text), Err(WindowError(text.to_owned())), "{text}");
        }
    }
}
