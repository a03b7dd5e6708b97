//! The weights, declared once. They were fitted to games of self-play; where a term is 0, the fit found no use for it
//! beside the others.

plywise_game::parameters! {
    /// The weights of the evaluation of Abalone, in tenths of a point.
    pub struct Weights;

    /// Marbles pushed off the board.
    material: Material {
        /// The first, the second, up to the fifth marble of the enemy's.
        ejected: [5] -20000..=20000 = [1024, 996, 977, 971, 1033];
    }
    /// Where the centres of mass lie, and how far the marbles are from the enemy's.
    mass: Mass {
        /// Each step between the enemy's centre and each marble.
        approach: -20000..=20000 = -164;
        /// The square of the steps between the centre and the middle of the board.
        offset: -20000..=20000 = -96;
    }
    /// Where on the board each marble stands.
    place: Place {
        /// In a corner, elsewhere on the rim, three, two, one step from the middle, in the middle.
        rings: [6] -20000..=20000 = [0, 0, 0, 0, 0, 0];
    }
    /// How the marbles hold together.
    cohesion: Cohesion {
        /// Each pair of neighbours.
        pairs: -20000..=20000 = 0;
    }
    /// Marbles that face the enemy's.
    contact: Contact {
        /// Each marble between two of the enemy's, for each line: it keeps them apart.
        breaks: -20000..=20000 = 26;
        /// Each line that can push without ejecting.
        pushes: -20000..=20000 = 68;
        /// Each enemy marble with the rim behind it and an own marble before it.
        pressed: -20000..=20000 = 44;
    }
    /// Enemy marbles that can be ejected at once.
    threats: Threats {
        /// Each line that can eject, of the side to move.
        to_move: -20000..=20000 = 60;
        /// Each line that can eject, of the other side.
        waiting: -20000..=20000 = 22;
    }
    /// Whose turn it is.
    turn: Turn {
        /// Being the side to move.
        bonus: -20000..=20000 = 17;
    }
}
