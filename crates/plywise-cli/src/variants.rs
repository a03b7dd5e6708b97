//! Several players to compare: profiles, and sweeps through values of parameters.

use crate::arguments::{DEFAULT_PROFILE, ResourceArgs};
use crate::engine::{Disk, Setup, setup_for};
use crate::plots::HeatMap;
use crate::{Failure, Result};
use clap::Args;
use plywise_host::{AnyGame, Sweep};

/// The players that a command compares.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct VariantArgs {
    /// The profiles to compare, names or files; the first is what the others are measured against
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', default_value = DEFAULT_PROFILE)]
    pub profiles: Vec<String>,
    /// Try each value of a parameter; several sweeps try all combinations. The first profile stays as it is, for
    /// comparison; if it is the only one, its variants follow
    #[arg(long, value_name = "GROUP.NAME=V,V,…")]
    pub sweep: Vec<Sweep>,
    #[command(flatten)]
    pub resources: ResourceArgs,
}

/// Variants as a table: the values of the last sweep from left to right, everything else downwards.
pub struct Grid {
    /// The parameter of the last sweep.
    pub across: String,
    /// Its values.
    pub values: Vec<String>,
    /// The names of the rows.
    pub rows: Vec<String>,
}

impl Grid {
    /// A picture of what `number` says about each player, by its place among all.
    pub fn map(&self, title: String, number: impl Fn(usize) -> f64) -> HeatMap {
        let row = |row: usize| (0..self.values.len()).map(move |column| 1 + row * self.values.len() + column);
        HeatMap {
            title,
            across: (self.across.clone(), self.values.clone()),
            rows: self.rows.clone(),
            cells: (0..self.rows.len()).map(|place| row(place).map(&number).collect()).collect(),
        }
    }
}

impl VariantArgs {
    /// How the variants of sweeps lie in a table, if there are sweeps. The first of all players is no variant.
    pub fn grid(&self, names: &[String]) -> Option<Grid> {
        let Sweep { path, values } = self.sweep.last()?.clone();
        let rows = names.get(1..).unwrap_or_default().chunks(values.len()).map(|row| {
            let ending = format!(" {path}={}", values[0]);
            row[0].strip_suffix(&ending).unwrap_or(&row[0]).to_string()
        });
        Some(Grid { rows: rows.collect(), across: path, values })
    }

    /// A setup for each player, the one that the others are measured against first.
    pub fn setups(&self, game: &dyn AnyGame) -> Result<Vec<Setup>> {
        let profiles = self.profiles.iter().map(|profile| setup_for(game, profile, &self.resources));
        let mut setups = profiles.collect::<Result<Vec<Setup>>>()?;
        if setups.is_empty() {
            return Err(Failure::input("--profiles names no profile"));
        }
        if self.sweep.is_empty() {
            return Ok(setups);
        }
        let swept = if setups.len() == 1 { setups.clone() } else { setups.split_off(1) };
        for setup in &swept {
            setups.extend(setup.swept(game, &self.sweep, &Disk)?);
        }
        Ok(setups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_lie_in_a_table() {
        let names = ["best", "best a=1 b=3", "best a=1 b=4", "best a=2 b=3", "best a=2 b=4"].map(String::from);
        let sweep = ["a=1,2", "b=3,4"].iter().map(|text| text.parse().unwrap()).collect();
        let args = VariantArgs { profiles: vec!["best".into()], sweep, resources: ResourceArgs::default() };
        let map = args.grid(&names).unwrap().map("x".into(), |place| place as f64);
        assert_eq!(map.rows, ["best a=1", "best a=2"]);
        assert_eq!(map.across, ("b".to_string(), vec!["3".to_string(), "4".to_string()]));
        assert_eq!(map.cells, [[1.0, 2.0], [3.0, 4.0]]);
    }
}
