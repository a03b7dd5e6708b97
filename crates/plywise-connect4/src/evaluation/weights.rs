//! The weights, declared once.

plywise_game::parameters! {
    /// The weights of the evaluation of Connect Four, in points.
    pub struct Weights;

    /// Where discs lie.
    discs: Discs {
        /// A disc in column d, in c or e, in b or f: what it is worth more than one in a or g.
        columns: [3] -1000..=1000 = [6, 4, 2];
    }
    /// Lines of four that the other player has no disc in.
    lines: Lines {
        /// A line with one own disc, with two, with three.
        discs: [3] -1000..=1000 = [1, 4, 8];
    }
    /// Free places that complete a line of four, where the opponent has none further down in the column.
    threats: Threats {
        /// One of the first player's in row 1, 3 or 5, and in row 2, 4 or 6.
        first: [2] -1000..=1000 = [40, 15];
        /// One of the second player's in row 1, 3 or 5, and in row 2, 4 or 6.
        second: [2] -1000..=1000 = [15, 30];
    }
    /// Who runs out of moves if both players fill the board and keep out of each other's threats.
    zugzwang: Zugzwang {
        /// The other player does: before the endgame, and in it.
        favours: [2] -1000..=1000 = [50, 100];
    }
    /// Whose turn it is.
    turn: Turn {
        /// Being the side to move.
        bonus: -1000..=1000 = 5;
    }
}
