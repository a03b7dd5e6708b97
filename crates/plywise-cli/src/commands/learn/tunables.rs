//! What learners tune: declared parameters of the search, or the options of somebody else's engine.

use crate::commands::test::working_copy;
use crate::engine::Setup;
use crate::{Failure, Result, files, network};
use plywise_arena::commit_test::{Change, EngineFile, EngineOption, SourceTree, patch, with_starts};
use plywise_arena::engine::Engine;
use plywise_game::parameters::{Parameter, Parameters};
use plywise_host::AnyGame;
use plywise_learn::control::Tunable;
use plywise_search::{Params, Profile, Signal, write_groups, write_profile};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

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

/// The options of an engine, as an author's `plywise-engine.toml` names them, or a file with nothing else.
pub struct OptionFile {
    /// What is tuned.
    pub tunables: Vec<Tunable>,
    path: PathBuf,
    text: String,
    file: EngineFile,
    /// The source of the engine, once it was built.
    source: Option<SourceTree>,
}

impl OptionFile {
    /// Reads a file. Options with a value are set, not tuned.
    pub fn read(path: &Path) -> Result<OptionFile> {
        let name = path.display();
        let bad = |problem: String| Failure::input(format!("options '{name}': {problem}"));
        let text = files::read_text(path)?;
        let file = EngineFile::read(&text).map_err(|error| bad(error.to_string()))?;
        let read = |option: &EngineOption| {
            let (min, max, start) = (option.min?, option.max?, option.start?);
            let (name, step) = (option.name.clone(), option.step);
            let is_sound = [min, max, start, step.unwrap_or(1.0)].iter().all(|number| number.is_finite())
                && min < max
                && (max - min).is_finite()
                && (min..=max).contains(&start)
                && step.is_none_or(|step| step > 0.0 && step <= max - min);
            Some(match is_sound {
                true => Ok(tunable(name, start, min, max, step, false)),
                false => Err(bad(format!(
                    "'{name}' needs min < max, a start between them and a step above 0 that is no longer than the range"
                ))),
            })
        };
        let tunables: Vec<Tunable> = file.option.iter().filter_map(read).collect::<Result<_>>()?;
        if tunables.is_empty() {
            return Err(bad("no [[option]] with min, max and start is named".to_owned()));
        }
        Ok(OptionFile { tunables, path: path.to_owned(), text, file, source: None })
    }

    /// The engine of the file as its source is now, if the file says how to build and to run it. `output` is the file that
    /// the command writes.
    pub fn engine(&mut self, output: &Path, stop: &Signal) -> Result<Option<Engine>> {
        let Some((engine, source)) = working_copy(&self.path, &self.file, output, stop)? else { return Ok(None) };
        self.source = Some(source);
        Ok(Some(engine))
    }

    /// The options that are set in every game.
    pub fn fixed(&self) -> Vec<(String, String)> {
        self.file.fixed_options()
    }

    /// The file with these values as the start of its options; all else stays as it is where that can be done.
    pub fn with(&self, values: &[f64]) -> Result<String> {
        if let Some(text) = with_starts(&self.text, &self.changes(values)) {
            return Ok(text);
        }
        let mut file = self.file.clone();
        for (tunable, &value) in self.tunables.iter().zip(values) {
            let option = file.option.iter_mut().find(|option| option.name == tunable.name);
            option.into_iter().for_each(|option| option.start = Some(start(tunable, value)));
        }
        toml::to_string(&file).map_err(|error| Failure::Failed(error.to_string()))
    }

    /// Each option, its start and what was learned.
    pub fn changes(&self, values: &[f64]) -> Vec<Change> {
        let text = |value: f64| value.to_string();
        let change = |(tunable, &value): (&Tunable, &f64)| Change {
            option: tunable.name.clone(),
            old: text(tunable.start),
            new: text(start(tunable, value)),
        };
        self.tunables.iter().zip(values).map(change).collect()
    }

    /// Says what to change in the engine, as a patch where its source is known.
    pub fn tell(&self, values: &[f64], out: &mut dyn Write) -> Result {
        let changes = self.changes(values);
        for Change { option, old, new } in changes.iter().filter(|change| change.old != change.new) {
            writeln!(out, "{option}: {old} -> {new}")?;
        }
        let Some((patch, missing)) = self.patch(&changes) else { return Ok(()) };
        if !patch.is_empty() {
            write!(out, "the patch, for 'git apply':\n{patch}")?;
        }
        for option in missing {
            writeln!(out, "no line of the source has '{option}' with its default: change that one yourself")?;
        }
        Ok(())
    }

    fn patch(&self, changes: &[Change]) -> Option<(String, Vec<String>)> {
        self.source.as_ref().map(|source| patch(source, changes))
    }

    /// The same as data.
    pub fn to_json(&self, values: &[f64]) -> Value {
        let changes = self.changes(values);
        let patch = self.patch(&changes);
        let change = |Change { option, old, new }: &Change| json!({"option": option, "old": old, "new": new});
        json!({
            "changes": changes.iter().map(change).collect::<Vec<_>>(),
            "patch": patch.as_ref().map(|(patch, _)| patch),
            "not_in_the_source": patch.as_ref().map(|(_, missing)| missing),
        })
    }
}

/// A value as the start of an option. Where the bounds are whole numbers, an engine is given whole numbers; elsewhere
/// rounding could leave the range, and the file could not be read again.
fn start(tunable: &Tunable, value: f64) -> f64 {
    match tunable.min.fract() == 0.0 && tunable.max.fract() == 0.0 {
        true => tunable.setting(value) as f64,
        false => value.clamp(tunable.min, tunable.max),
    }
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
            let options = OptionFile::read(file.path()).unwrap();
            std::fs::write(file.path(), options.with(&[value]).unwrap()).unwrap();
            let again = OptionFile::read(file.path()).unwrap();
            assert_eq!((again.tunables[0].start, again.tunables[0].step), (start, options.tunables[0].step));
        }
        std::fs::write(file.path(), "[[option]]\nname = \"a\"\nmin = -1e308\nmax = 1e308\nstart = 0\n").unwrap();
        assert!(OptionFile::read(file.path()).is_err(), "the range is no number");
    }
}
