//! The weights, declared once.
//!
//! A logistic regression gave the defaults, on 18,000 positions with 12 to 34 discs whose outcome the solver knows
//! (`forge weights`, see `data/README.md`); 90 points make the odds of a win grow e-fold. Only the bonus for the turn, for
//! which the fit gave 149, was set by games. Against weights that were set by hand before, they scored 61.4 ± 0.8 % (one
//! standard error) in 4000 games of the profile `classic` with 1000 nodes a move; against themselves without `zugzwang`,
//! 62.0 ± 0.8 %.

plywise_game::parameters! {
    /// The weights of the evaluation of Connect Four, in points.
    pub struct Weights;

    /// Where discs lie.
    discs: Discs {
        /// A disc in column d, in c or e, in b or f: what it is worth more than one in a or g.
        columns: [3] -1000..=1000 = [5, 0, 3];
    }
    /// Lines of four that the other player has no disc in.
    lines: Lines {
        /// A line with one own disc, with two, with three.
        discs: [3] -1000..=1000 = [12, 43, 6];
    }
    /// Free places that complete a line of four, where the opponent has none further down in the column.
    threats: Threats {
        /// One of the first player's in row 1, 3 or 5, and in row 2, 4 or 6.
        first: [2] -1000..=1000 = [100, 42];
        /// One of the second player's in row 1, 3 or 5, and in row 2, 4 or 6.
        second: [2] -1000..=1000 = [71, 77];
    }
    /// Who runs out of moves if both players fill the board and keep out of each other's threats.
    zugzwang: Zugzwang {
        /// The other player does: before the endgame, and in it.
        favours: [2] -1000..=1000 = [74, 153];
    }
    /// Whose turn it is.
    turn: Turn {
        /// Being the side to move.
        bonus: -1000..=1000 = 100;
    }
}
