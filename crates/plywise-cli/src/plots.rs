//! Pictures of curves, as SVG.

use crate::{Failure, Result};
use plotters::prelude::*;
use serde_json::{Value, json};

/// What a picture shows.
pub struct Plot {
    /// What runs to the right.
    pub across: &'static str,
    /// What runs upwards.
    pub upwards: String,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Heights that mean something, with their names.
    pub levels: Vec<(&'static str, f64)>,
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

/// The most points of a curve on a page.
const MOST_POINTS: usize = 1000;

impl Plot {
    /// A picture of these curves.
    pub fn new(across: &'static str, upwards: impl Into<String>, curves: Vec<Curve>) -> Plot {
        Plot { across, upwards: upwards.into(), curves, levels: Vec::new() }
    }

    /// The curves as data, for a page that draws them itself. Of very many points some are left out.
    pub fn to_json(&self) -> Value {
        let curve = |curve: &Curve| {
            let every = curve.points.len().div_ceil(MOST_POINTS).max(1);
            let last = curve.points.len().saturating_sub(1);
            let is_kept = |i: usize| i.is_multiple_of(every) || i == last;
            let points: Vec<_> = (0..curve.points.len()).filter(|&i| is_kept(i)).map(|i| curve.points[i]).collect();
            let edges = curve.edges().enumerate().filter(|(i, _)| is_kept(*i)).map(|(_, edge)| edge);
            let band: Option<Vec<_>> = (!curve.band.is_empty()).then(|| edges.collect());
            json!({"name": curve.name, "points": points, "band": band})
        };
        let level = |(name, y): &(&str, f64)| json!({"name": name, "y": y});
        json!({
            "title": self.upwards,
            "x": self.across,
            "y": self.upwards,
            "log": false,
            "series": self.curves.iter().map(curve).collect::<Vec<_>>(),
            "lines": self.levels.iter().map(level).collect::<Vec<_>>(),
        })
    }

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
        chart.configure_mesh().x_desc(self.across).y_desc(&self.upwards).draw()?;
        for &(name, y) in &self.levels {
            let ends = [(chart.x_range().start, y), (chart.x_range().end, y)];
            let colour = BLACK.mix(0.5);
            chart
                .draw_series(LineSeries::new(ends, colour))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
        }
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
        if self.curves.len() + self.levels.len() > 1 {
            chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
        }
        area.present()?;
        Ok(())
    }

    fn ranges(&self) -> [std::ops::Range<f64>; 2] {
        let edges = || self.curves.iter().flat_map(Curve::edges);
        let across = spread(edges().map(|(x, ..)| x));
        let levels = self.levels.iter().map(|&(_, y)| y);
        let upwards = spread(edges().flat_map(|(_, low, high)| [low, high]).chain(levels));
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
            let mut plot = Plot::new("iteration", "nodes", vec![curve, Curve::new("y", [1.0])]);
            plot.levels.push(("enough", 2.5));
            let svg = plot.to_svg().unwrap();
            assert!(svg.starts_with("<svg") && svg.contains("iteration") && svg.contains("enough"), "{svg}");
        }
    }

    #[test]
    fn long_curves_are_thinned_but_for_their_ends() {
        let curve = Curve { band: vec![0.5; 2500], ..Curve::new("x", (0..2500).map(f64::from)) };
        let shown = Plot::new("game", "x", vec![curve]).to_json();
        let (points, band) = (&shown["series"][0]["points"], &shown["series"][0]["band"]);
        assert_eq!(points.as_array().map(Vec::len), Some(834));
        assert_eq!((&points[0][0], &points[833][1]), (&json!(0.0), &json!(2499.0)));
        assert_eq!(band[833], json!([2499.0, 2498.5, 2499.5]));
    }
}
