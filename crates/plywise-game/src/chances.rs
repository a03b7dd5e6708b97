//! What a score is worth: the chances to win, to draw and to lose.
//!
//! Two logistic curves, one for each phase of the game: a score `s` wins with probability `σ((s - even) / scale)` and loses
//! with `σ((-s - even) / scale)`; the rest are draws. At the score `even` a win is as likely as not. `plywise learn chances`
//! fits both numbers to games of self-play.

use crate::{Phase, Score, score};
use serde::Serialize;

/// How likely each result is, together 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Outlook {
    /// To win.
    pub win: f64,
    /// To draw.
    pub draw: f64,
    /// To lose.
    pub loss: f64,
}

impl Outlook {
    /// The points to expect: one for a win, half for a draw.
    pub fn points(&self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// In thousandths, which add up.
    pub fn permille(&self) -> [u32; 3] {
        let whole = |share: f64| (1000.0 * share).round() as u32;
        let (win, loss) = (whole(self.win), whole(self.loss).min(1000 - whole(self.win)));
        [win, 1000 - win - loss, loss]
    }
}

/// The curves of one phase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The score at which a win is as likely as not.
    pub even: f64,
    /// How much the score must grow for the odds to grow e-fold.
    pub scale: f64,
}

impl Curve {
    /// The curve with these two numbers.
    pub const fn new(even: f64, scale: f64) -> Curve {
        Curve { even, scale }
    }

    /// The chances that come with a score.
    pub fn outlook(&self, score: Score) -> Outlook {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let points = f64::from(score);
        let win = sigmoid((points - self.even) / self.scale);
        let loss = sigmoid((-points - self.even) / self.scale);
        Outlook { win, draw: (1.0 - win - loss).max(0.0), loss }
    }
}

/// The chances that scores stand for in a game, phase by phase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Chances {
    /// For the opening, the middlegame and the endgame.
    pub curves: [Curve; 3],
}

impl Chances {
    /// For games without a fit: a pawn, or what is like it, wins three games of four.
    pub const UNFITTED: Chances = Chances { curves: [Curve::new(0.0, 90.0); 3] };

    /// What a score promises the side to move in a position of this phase.
    pub fn outlook(&self, phase: Phase, score: Score) -> Outlook {
        match score {
            _ if score > score::WIN_THRESHOLD => Outlook { win: 1.0, draw: 0.0, loss: 0.0 },
            _ if score < -score::WIN_THRESHOLD => Outlook { win: 0.0, draw: 0.0, loss: 1.0 },
            _ => self.curves[phase as usize].outlook(score),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_are_fair() {
        let curve = Curve::new(80.0, 60.0);
        for score in [-900, -100, -3, 0, 40, 80, 2000] {
            let (here, there) = (curve.outlook(score), curve.outlook(-score));
            assert!((here.win + here.draw + here.loss - 1.0).abs() < 1e-9);
            assert!((here.win - there.loss).abs() < 1e-9 && (here.points() + there.points() - 1.0).abs() < 1e-9);
            assert_eq!(here.permille().iter().sum::<u32>(), 1000);
        }
        assert!((curve.outlook(80).win - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_forced_win_is_certain() {
        let outlook = Chances::UNFITTED.outlook(Phase::Endgame, score::win_in(5));
        assert_eq!(outlook.permille(), [1000, 0, 0]);
        assert_eq!(Chances::UNFITTED.outlook(Phase::Opening, score::loss_in(4)).permille(), [0, 0, 1000]);
    }
}
