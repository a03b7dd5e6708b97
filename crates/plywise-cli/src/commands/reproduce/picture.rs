//! The picture of a table: a panel for each kind of figure, a curve for each technique.

use crate::plots::{Curve, Panel, Plot};
use plywise_papers::Row;

/// The panels of the rows that have a place in a picture, in their order.
pub(super) fn panels(rows: &[Row]) -> Vec<Box<dyn Panel>> {
    plots(rows).into_iter().map(|plot| Box::new(plot) as Box<dyn Panel>).collect()
}

fn plots(rows: &[Row]) -> Vec<Plot> {
    let mut plots: Vec<Plot> = Vec::new();
    for (point, figure) in rows.iter().filter_map(|row| Some((row.point.as_ref()?, row.ours?))) {
        let plot = match plots.iter().position(|plot| plot.upwards == point.panel) {
            Some(place) => &mut plots[place],
            None => {
                let mut plot = Plot::new("nodes", point.panel.clone(), Vec::new());
                plot.by_factors[0] = true;
                plot.levels.push(("no difference", if point.panel.starts_with("score") { 50.0 } else { 100.0 }));
                plots.push(plot);
                plots.last_mut().expect("it was just added")
            }
        };
        let curve = match plot.curves.iter().position(|curve| curve.name == point.curve) {
            Some(place) => &mut plot.curves[place],
            None => {
                plot.curves.push(Curve::new(point.curve.clone(), []));
                plot.curves.last_mut().expect("it was just added")
            }
        };
        curve.points.push((point.across, figure.value));
        curve.band.push(figure.error());
    }
    plots
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_papers::{Figure, Point};

    fn row(panel: &str, curve: &str, across: f64, value: f64) -> Row {
        let point = Point { panel: panel.to_owned(), curve: curve.to_owned(), across };
        let ours = Some(Figure::exact(value, " %"));
        Row { what: String::new(), paper: None, ours, note: String::new(), sample: None, point: Some(point) }
    }

    #[test]
    fn each_kind_of_figure_has_a_panel_and_each_technique_a_curve() {
        let mut rows = vec![
            row("score, %: chess", "RankCut", 1e3, 50.0),
            row("score, %: chess", "null move", 1e3, 60.0),
            row("score, %: chess", "RankCut", 1e4, 52.0),
            row("score, %: loa", "RankCut", 1e3, 49.0),
        ];
        rows.push(Row { point: None, ..rows[0].clone() });
        let plots = plots(&rows);
        let names = |plot: &Plot| plot.curves.iter().map(|curve| curve.name.clone()).collect::<Vec<_>>();
        assert_eq!(plots.len(), 2);
        assert_eq!(names(&plots[0]), ["RankCut", "null move"]);
        assert_eq!(plots[0].curves[0].points, [(1e3, 50.0), (1e4, 52.0)]);
        assert!(plots[0].to_svg().unwrap().contains("null move"));
    }
}
