use super::Tunable;
use plywise_game::Phase;
use plywise_game::parameters::{ParameterError, Parameters};
use plywise_search::{Extension, ExtensionClass, Params};

/// Which prices of `extensions` are learned together: each slot is one weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Whether the endgame has weights of its own. The opening shares those of the middlegame.
    by_phase: bool,
}

/// The classes that are learned. Whether passing would lose shows only in a search, so that class is left out, as in the
/// thesis.
const LEARNED: [ExtensionClass; 4] =
    [ExtensionClass::Check, ExtensionClass::OneReply, ExtensionClass::Recapture, ExtensionClass::Advance];

impl Slots {
    /// One weight for each class.
    pub const BY_CLASS: Slots = Slots { by_phase: false };

    /// Two weights for each class: for the middlegame, which the opening shares, and for the endgame.
    pub const BY_CLASS_AND_PHASE: Slots = Slots { by_phase: true };

    /// The number of weights.
    #[expect(clippy::len_without_is_empty, reason = "there is always a weight")]
    pub fn len(&self) -> usize {
        LEARNED.len() * self.phases()
    }

    fn phases(&self) -> usize {
        if self.by_phase { 2 } else { 1 }
    }

    /// The weight that prices a move.
    #[inline]
    pub fn slot(&self, Extension { class, phase }: Extension) -> Option<usize> {
        let class = LEARNED.iter().position(|&learned| learned == class)?;
        Some(class * self.phases() + usize::from(self.by_phase && phase == Phase::Endgame))
    }

    /// The names of the weights, as people read them.
    pub fn names(&self) -> Vec<String> {
        let phases: &[&str] = if self.by_phase { &["", " in the endgame"] } else { &[""] };
        LEARNED.iter().flat_map(|class| phases.iter().map(|phase| format!("{}{phase}", class.name()))).collect()
    }

    /// The parameters that each weight sets.
    pub fn paths(&self) -> Vec<Vec<String>> {
        let path = |class: ExtensionClass, place: usize| format!("extensions.{}.{place}", class.name());
        let places: &[&[usize]] = if self.by_phase { &[&[0, 1], &[2]] } else { &[&[0, 1, 2]] };
        let of = |class| places.iter().map(move |places| places.iter().map(|&place| path(class, place)).collect());
        LEARNED.into_iter().flat_map(of).collect()
    }

    /// The weights as a learner begins with them: at `start` plies each, altered by `delta` to see what that does.
    pub fn tunables(&self, start: f64, delta: f64) -> Vec<Tunable> {
        let tunable = |(name, paths)| Tunable {
            name,
            paths,
            unit: 100.0,
            start,
            min: 0.1,
            max: 2.0,
            step: delta,
            reach: 1.0,
            is_switch: false,
        };
        self.names().into_iter().zip(self.paths()).map(tunable).collect()
    }

    /// The weights in plies, as `params` have them.
    pub fn read(&self, params: &Params) -> Vec<f64> {
        let value = |path: &String| params.get(path).map_or(1.0, |value| f64::from(value) / 100.0);
        // The last place is that of the middlegame or the endgame.
        self.paths().iter().map(|paths| paths.get(paths.len() / 2).map_or(1.0, value)).collect()
    }

    /// Sets the weights, in plies. The class that is not learned costs a ply, and no line is too long for its prices: else
    /// the depth of a line would not be their sum.
    pub fn write(&self, weights: &[f64], params: &mut Params) -> Result<(), ParameterError> {
        params.set("extensions", "on")?;
        params.extensions.threat = [100; 3];
        params.extensions.limit = Params::find("extensions.limit")?.max;
        for (paths, weight) in self.paths().iter().zip(weights) {
            let hundredths = (100.0 * weight).round() as i64;
            paths.iter().try_for_each(|path| params.set(path, &hundredths.to_string()))?;
        }
        Ok(())
    }
}
