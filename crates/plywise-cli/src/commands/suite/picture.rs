use super::Arguments;
use super::report::Row;
use crate::plots::{Curve, HeatMap, Panel, Plot};
use crate::variants::Grid;

/// Pictures of a suite: a map of the values of sweeps, or curves; each group holds the rows of one limit.
pub(super) fn panels(args: &Arguments, groups: &[&[Row]]) -> Vec<Box<dyn Panel>> {
    let names = |group: &[Row]| group.iter().map(|row| row.name().to_string()).collect::<Vec<_>>();
    match args.variants.grid(&groups.first().map_or(Vec::new(), |group| names(group))) {
        Some(grid) => groups.iter().map(|group| Box::new(map(&grid, group)) as Box<dyn Panel>).collect(),
        None => vec![Box::new(curves(groups))],
    }
}

/// How many positions each variant solves.
fn map(grid: &Grid, group: &[Row]) -> HeatMap {
    let limit = group.first().map_or("", |row| row.limit());
    grid.map(format!("solved at {limit}"), |place| group[place].found_nodes().len() as f64)
}

/// How many positions each row has solved for good after how many nodes.
fn curves(groups: &[&[Row]]) -> Plot {
    let name = |row: &Row| match groups {
        [_] => row.name().to_string(),
        _ => format!("{}, {}", row.name(), row.limit()),
    };
    let curve = |row: &Row| {
        // A step up for each position.
        let steps = row.found_nodes().into_iter().zip(0..);
        let points = steps
            .flat_map(|(nodes, solved)| [(nodes as f64, f64::from(solved)), (nodes as f64, f64::from(solved + 1))]);
        let last = (row.most_nodes() as f64, row.found_nodes().len() as f64);
        Curve { points: points.chain([last]).collect(), ..Curve::new(name(row), []) }
    };
    let mut plot = Plot::new("nodes", "solved", groups.iter().copied().flatten().map(curve).collect());
    plot.by_factors = [true, false];
    plot
}
