//! The weights, declared once.
//!
//! The defaults are what `plywise evolve coeval loa --preset full` found from random organisms by games alone: ten organisms,
//! fifty generations, 300 nodes a move. Against the weights before, which a logistic regression on 116,119 positions of
//! self-play had given, they score as docs/results/ours.md says.

plywise_game::parameters! {
    /// The weights of the evaluation of Lines of Action, in points.
    pub struct Weights;

    /// How close the pieces stand to their centre of mass.
    concentration: Concentration {
        /// Each square that the pieces are further away than needed, on average.
        surplus: -2000..=2000 = -428;
    }
    /// Where on the board the pieces stand.
    centralisation: Centralisation {
        /// All pieces in the corners, on the edge, on the 6x6 rim, on the 4x4 rim, in the central 2x2.
        regions: [5] -2000..=2000 = [-64, 0, 0, 28, 28];
    }
    /// Where the centre of mass lies.
    centre_of_mass: CentreOfMass {
        /// Each square of distance from the middle of the board. MIA counts it; here the regions do its work.
        distance: -2000..=2000 = 0;
    }
    /// Squares of 2x2 with most of their pieces, which hold a group together.
    quads: Quads {
        /// Each quad with three pieces at most two squares from the centre of mass.
        threes: -2000..=2000 = 21;
        /// Each quad with four pieces at most two squares from the centre of mass.
        fours: -2000..=2000 = 19;
        /// Each group beyond the first, counted by the Euler number, which also subtracts holes.
        groups: -2000..=2000 = -5;
    }
    /// The moves that the pieces have.
    mobility: Mobility {
        /// A move without capture to the rim of the board, to the 6x6 rim, to the inner 4x4.
        quiet: [3] -2000..=2000 = [8, 9, 16];
        /// A capture on the rim of the board, on the 6x6 rim, in the inner 4x4.
        captures: [3] -2000..=2000 = [16, 30, 45];
    }
    /// Enemy pieces on the edge that are kept from entering the board.
    walls: Walls {
        /// An enemy piece on the edge with two of its three ways inwards closed.
        two_closed: -2000..=2000 = 37;
        /// An enemy piece on the edge with all three ways inwards closed.
        three_closed: -2000..=2000 = 77;
    }
    /// How the pieces touch.
    connectedness: Connectedness {
        /// Each neighbour that a piece has, on average.
        neighbours: -2000..=2000 = 23;
    }
    /// How evenly the pieces are spread.
    uniformity: Uniformity {
        /// Each square of the smallest rectangle that holds all pieces.
        area: -2000..=2000 = -1;
    }
    /// Whose turn it is.
    turn: Turn {
        /// Being the side to move.
        bonus: -2000..=2000 = 55;
    }
}
