use crate::{AnyGame, Files, HostError, Setting, Setup};
use std::str::FromStr;

/// A parameter and the values to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// The name of the parameter.
    pub path: String,
    /// Its values as texts.
    pub values: Vec<String>,
}

impl FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Sweep, String> {
        let error = || "a sweep is written group.name=value,value,…".to_string();
        let (path, values) = text.split_once('=').ok_or_else(error)?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_string()).collect();
        let is_sound = !path.trim().is_empty() && values.iter().all(|value| !value.is_empty());
        is_sound.then(|| Sweep { path: path.trim().to_string(), values }).ok_or_else(error)
    }
}

impl Setup {
    /// This setup with every combination of the values, the last sweep changing fastest; the names say which.
    pub fn swept(&self, game: &dyn AnyGame, sweeps: &[Sweep], files: &dyn Files) -> Result<Vec<Setup>, HostError> {
        let variant = |settings: Vec<Setting>| {
            let mut variant = self.clone();
            for setting in settings {
                variant.apply(game, &setting, files)?;
                variant.name.push_str(&format!(" {}={}", setting.path, setting.value));
            }
            Ok(variant)
        };
        combinations(sweeps).into_iter().map(variant).collect()
    }
}

/// Every combination of the values, the last sweep changing fastest.
fn combinations(sweeps: &[Sweep]) -> Vec<Vec<Setting>> {
    sweeps.iter().fold(vec![Vec::new()], |before, sweep| {
        let extend = |combination: &Vec<Setting>, value: &String| {
            let setting = Setting { path: sweep.path.clone(), value: value.clone() };
            [&combination[..], &[setting]].concat()
        };
        before.iter().flat_map(|combination| sweep.values.iter().map(move |value| extend(combination, value))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_are_combined() {
        let sweeps: Vec<Sweep> = ["a.b=1,2", "c.d=3,4,5"].iter().map(|text| text.parse().unwrap()).collect();
        let all = combinations(&sweeps);
        assert_eq!(all.len(), 6);
        let show = |c: &[Setting]| c.iter().map(|s| format!("{}={}", s.path, s.value)).collect::<Vec<_>>().join(" ");
        assert_eq!(show(&all[0]), "a.b=1 c.d=3");
        assert_eq!(show(&all[5]), "a.b=2 c.d=5");
    }

    #[test]
    fn a_sweep_without_values_is_refused() {
        for text in ["a.b", "a.b=", "=1", "a.b=1,,2"] {
            assert!(text.parse::<Sweep>().is_err(), "{text}");
        }
    }
}
