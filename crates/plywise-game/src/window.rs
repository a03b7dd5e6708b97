use crate::Score;
use crate::score::INFINITY;
use std::ops::Neg;

/// The open interval of scores that a search still has to tell apart.
///
/// ```
/// use plywise_game::Window;
/// let window = Window::new(10, 50);
/// assert_eq!(-window, Window::new(-50, -10));
/// assert_eq!(window.raise(20).scout(), Window::new(20, 21));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the side to move has already.
    pub alpha: Score,
    /// What the opponent can hold it to.
    pub beta: Score,
}

impl Window {
    /// The window that holds every score.
    pub const FULL: Window = Window { alpha: -INFINITY, beta: INFINITY };

    /// The window from `alpha` to `beta`.
    pub const fn new(alpha: Score, beta: Score) -> Window {
        debug_assert!(alpha < beta);
        Window { alpha, beta }
    }

    /// The null window that asks only whether a score reaches `beta`.
    pub const fn reaching(beta: Score) -> Window {
        Window { alpha: beta - 1, beta }
    }

    /// The null window that asks only whether a score exceeds this window's alpha.
    pub const fn scout(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }

    /// The same window with alpha raised to `score` where that is higher.
    pub fn raise(self, score: Score) -> Window {
        Window { alpha: self.alpha.max(score), ..self }
    }

    /// Whether no score fits inside.
    pub const fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }
}

impl Neg for Window {
    type Output = Window;
    /// The same window seen by the opponent.
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}
