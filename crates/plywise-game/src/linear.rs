use crate::Game;
use crate::parameters::Parameters;

/// The weights of an evaluation that is linear in them: what a tuner needs.
pub trait Linear<G: Game>: Parameters {
    /// What the value of `position` is made of: the nonzero amounts, each with the place of its weight in the order of
    /// declaration. The value for the side to move is the sum of weights times amounts, before it is rounded.
    fn amounts(position: &G::Position) -> Vec<(usize, f64)>;
}
