//! The weights, declared once.
//!
//! The defaults of the features come from a linear regression without the patterns on about 370,000 positions of games that an
//! earlier set with patterns played against itself at depth 4. Without the patterns they scored 59.0 % in 300 games against
//! the guesses before them. The patterns were learned on top of these defaults: learn them again after changing one.

plywise_game::parameters! {
    /// The weights of the evaluation of Othello: in hundredths of a disc, with 12 discs on the board, with 34 and with
    /// 56; between them they change evenly.
    pub struct Weights;

    /// What was learned about patterns of discs.
    patterns: PatternShare {
        /// How much of it counts, in percent.
        share: 0..=200 = 100;
    }
    /// The moves that a side has, or may get.
    mobility: Mobility {
        /// Each move that the side to move has more than the enemy would have.
        moves: [3] -2000..=2000 = [55, 100, 370];
        /// Each empty square next to enemy discs, more than there are next to own ones.
        potential: [3] -2000..=2000 = [100, 130, -100];
    }
    /// Discs that cannot be turned over any more.
    stability: Stability {
        /// Each disc that the corners make stable.
        discs: [3] -2000..=2000 = [490, 100, 100];
    }
    /// The corners and the squares beside them.
    corners: Corners {
        /// A corner.
        taken: [3] -2000..=2000 = [1600, 1080, 135];
        /// A disc on the diagonal beside an empty corner.
        diagonal: [3] -2000..=2000 = [-1900, -765, -175];
        /// A disc on the rim beside an empty corner.
        rim: [3] -2000..=2000 = [-930, -35, -230];
    }
    /// Whose turn it is.
    turn: Turn {
        /// Being the side to move.
        bonus: [3] -2000..=2000 = [-65, -285, 175];
        /// An odd number of empty squares, which gives the last move to the side to move; an even one counts against
        /// it.
        parity: [3] -2000..=2000 = [45, 0, 170];
    }
}
