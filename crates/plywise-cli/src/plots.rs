//! Pictures of curves, as SVG.

use crate::{Failure, Result};
use plotters::prelude::*;

/// What a picture shows.
pub struct Plot<'a> {
    /// What runs to the right.
    pub across: &'a str,
    /// What runs upwards.
    pub upwards: &'a str,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// A named line through points, with a band round it where there is one.
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// How far the band reaches to either side of the line; empty without one.
    pub band: Vec<f64>,
}

impl Curve {
    /// A curve through values at 0, 1, 2 and so on.
    pub fn new(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Curve {
        let points = values.into_iter().enumerate().map(|(i, value)| (i as f64, value)).collect();
        Curve { name: name.into(), points, band: Vec::new() }
    }

    /// The lowest and the highest point of the band at each place.
    fn edges(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let half = |i: usize| self.band.get(i).copied().unwrap_or(0.0);
        self.points.iter().enumerate().map(move |(i, &(x, y))| (x, y - half(i), y + half(i)))
    }
}

impl Plot<'_> {
    /// The picture.
    pub fn to_svg(&self) -> Result<String> {
        let mut picture = String::new();
        self.draw(&mut picture).map_err(|error| Failure::Failed(format!("cannot draw a plot: {error}")))?;
        Ok(picture)
    }

    fn draw(&self, picture: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let area = SVGBackend::with_string(picture, (720, 420)).into_drawing_area();
        area.fill(&WHITE)?;
        let [across, upwards] = self.ranges();
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(72)
            .build_cartesian_2d(across, upwards)?;
        chart.configure_mesh().x_desc(self.across).y_desc(self.upwards).draw()?;
        for (i, curve) in self.curves.iter().enumerate() {
            let colour = Palette99::pick(i).to_rgba();
            if !curve.band.is_empty() {
                let back = curve.edges().collect::<Vec<_>>().into_iter().rev().map(|(x, low, _)| (x, low));
                let outline: Vec<_> = curve.edges().map(|(x, _, high)| (x, high)).chain(back).collect();
                chart.draw_series([Polygon::new(outline, colour.mix(0.15))])?;
            }
            chart
                .draw_series(LineSeries::new(curve.points.iter().copied(), colour.stroke_width(2)))?
                .label(&curve.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
        }
        if self.curves.len() > 1 {
            chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
        }
        area.present()?;
        Ok(())
    }

    fn ranges(&self) -> [std::ops::Range<f64>; 2] {
        let edges = || self.curves.iter().flat_map(Curve::edges);
        let across = spread(edges().map(|(x, ..)| x));
        let upwards = spread(edges().flat_map(|(_, low, high)| [low, high]));
        let room = (upwards.end - upwards.start) * 0.05;
        [across, upwards.start - room..upwards.end + room]
    }
}

/// From the least to the greatest number, and never nothing.
fn spread(numbers: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    match low < high {
        true => low..high,
        false if low == high => low - 0.5..low + 0.5,
        false => 0.0..1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_strange_curves_are_drawn() {
        for values in [vec![], vec![1.0], vec![3.0, 3.0], vec![1.0, 2.0, 0.5]] {
            let band = values.iter().map(|_| 0.1).collect();
            let curve = Curve { band, ..Curve::new("x", values) };
            let plot = Plot { across: "iteration", upwards: "nodes", curves: vec![curve, Curve::new("y", [1.0])] };
            let svg = plot.to_svg().unwrap();
            assert!(svg.starts_with("<svg") && svg.contains("iteration"), "{svg}");
        }
    }
}
