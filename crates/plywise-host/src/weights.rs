use plywise_game::parameters::{Parameter, Parameters};

/// The weights of a game's evaluation, whatever the game: numbers with their declarations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights(Vec<(Parameter, i32)>);

impl Weights {
    /// The same numbers in the form that a game has them in.
    pub fn of(weights: &impl Parameters) -> Weights {
        let mut all = Vec::new();
        weights.visit(&mut |parameter, value| all.push((*parameter, value)));
        Weights(all)
    }

    /// Whether the evaluation has no weights at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the numbers into the form that a game has them in.
    pub fn to_typed<W: Parameters + Default>(&self) -> W {
        let mut typed = W::default();
        typed.set_values(&self.values());
        typed
    }
}

impl Parameters for Weights {
    fn visit(&self, each: &mut dyn FnMut(&Parameter, i32)) {
        self.0.iter().for_each(|(parameter, value)| each(parameter, *value));
    }

    fn visit_mut(&mut self, each: &mut dyn FnMut(&Parameter, &mut i32)) {
        self.0.iter_mut().for_each(|(parameter, value)| each(parameter, value));
    }
}
