//! What learners tune: declared parameters of the search, or the options of somebody else's engine.

use crate::engine::Setup;
use crate::{Failure, Result, files, network};
use plywise_game::parameters::{Parameter, Parameters};
use plywise_host::AnyGame;
use plywise_learn::control::Tunable;
use plywise_search::{Params, Profile, write_groups, write_profile};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How a parameter of the search is tuned: in its own unit, over its whole range.
pub fn of_parameter(params: &Params, path: &str) -> Result<Tunable> {
    let parameter = Params::find(path)?;
    let start = f64::from(params.get(path)?);
    let Parameter { min, max, is_bool, .. } = parameter;
    Ok(tunable(parameter.path(), start, f64::from(min), f64::from(max), None, is_bool))
}

/// The step is a twentieth of the range, and a doubling of the nodes moves half of it: for prices between 0.1 and 2 plies
/// that comes close to the thesis.
fn tunable(name: String, start: f64, min: f64, max: f64, step: Option<f64>, is_switch: bool) -> Tunable {
    let range = max - min;
    let step = step.unwrap_or((range / 20.0).round().max(1.0).min(range));
    Tunable { paths: vec![name.clone()], name, unit: 1.0, start, min, max, step, reach: range / 2.0, is_switch }
}

/// A file that names the options of an engine.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionFile {
    /// The options.
    #[serde(default)]
    pub option: Vec<EngineOption>,
}

/// An option of an engine.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineOption {
    /// Its name.
    pub name: String,
    /// Its least value.
    pub min: f64,
    /// Its greatest value.
    pub max: f64,
    /// Where it begins.
    pub start: f64,
    /// By how much it is altered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
}

/// Reads the options of an engine.
pub fn of_file(path: &Path) -> Result<Vec<Tunable>> {
    let name = path.display();
    let bad = |problem: String| Failure::input(format!("options '{name}': {problem}"));
    let file: OptionFile =
        toml::from_str(&files::read_text(name.to_string())?).map_err(|error| bad(error.to_string()))?;
    if file.option.is_empty() {
        return Err(bad("no [[option]] is named".to_owned()));
    }
    let read = |option: EngineOption| {
        let EngineOption { name, min, max, start, step } = option;
        let is_sound = [min, max, start, step.unwrap_or(1.0)].iter().all(|number| number.is_finite())
            && min < max
            && (max - min).is_finite()
            && (min..=max).contains(&start)
            && step.is_none_or(|step| step > 0.0 && step <= max - min);
        match is_sound {
            true => Ok(tunable(name, start, min, max, step, false)),
            false => Err(bad(format!(
                "'{name}' needs min < max, a start between them and a step above 0 that is no longer than the range"
            ))),
        }
    };
    file.option.into_iter().map(read).collect()
}

/// The options with these values as their start. Where the bounds are whole numbers, an engine is given whole numbers;
/// elsewhere rounding could leave the range, and the file could not be read again.
pub fn to_file(tunables: &[Tunable], values: &[f64]) -> Result<String> {
    let option = tunables.iter().zip(values).map(|(tunable, &value)| EngineOption {
        name: tunable.name.clone(),
        min: tunable.min,
        max: tunable.max,
        start: match tunable.min.fract() == 0.0 && tunable.max.fract() == 0.0 {
            true => tunable.setting(value) as f64,
            false => value.clamp(tunable.min, tunable.max),
        },
        step: Some(tunable.step),
    });
    toml::to_string(&OptionFile { option: option.collect() }).map_err(|error| Failure::Failed(error.to_string()))
}

/// A profile that thinks as `setup` does, written in full; `profile` is what it was learned from.
pub fn to_profile(game: &dyn AnyGame, description: &str, profile: &str, setup: &Setup) -> String {
    let mut groups = write_groups(&format!("game.{}.search", game.name()), &setup.params);
    if game.sight().features > 0 {
        groups += &network::profile_lines(game, setup.network.as_ref());
    }
    if !setup.weights.is_empty() {
        groups += &write_groups(&format!("game.{}.evaluation", game.name()), &setup.weights);
    }
    // A base must be built in.
    let base = Profile::named(profile).is_ok().then_some(profile);
    write_profile(description, base, &groups)
}

/// A learning rate.
pub fn parse_rate(text: &str) -> Result<f64, String> {
    let rate = text.trim().parse().ok().filter(|rate| *rate > 0.0 && *rate <= 100.0);
    rate.ok_or_else(|| "it must be a number above 0, and 100 at the most".to_string())
}

/// A momentum.
pub fn parse_momentum(text: &str) -> Result<f64, String> {
    let momentum = text.trim().parse().ok().filter(|momentum| (0.0..1.0).contains(momentum));
    momentum.ok_or_else(|| "it must be a number from 0 to less than 1".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written is read, whatever the range.
    #[test]
    fn options_read_back() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (range, value, start) in
            [("min = 0.4\nmax = 0.6\nstart = 0.5", 0.43, 0.43), ("min = 1\nmax = 5\nstart = 2", 3.4, 3.0)]
        {
            std::fs::write(file.path(), format!("[[option]]\nname = \"a\"\n{range}\n")).unwrap();
            let tunables = of_file(file.path()).unwrap();
            std::fs::write(file.path(), to_file(&tunables, &[value]).unwrap()).unwrap();
            let again = of_file(file.path()).unwrap();
            assert_eq!((again[0].start, again[0].step), (start, tunables[0].step));
        }
        std::fs::write(file.path(), "[[option]]\nname = \"a\"\nmin = -1e308\nmax = 1e308\nstart = 0\n").unwrap();
        assert!(of_file(file.path()).is_err(), "the range is no number");
    }
}
