//! Pictures of curves and tables, as SVG, for light pages and dark ones.

mod heat_map;

pub use heat_map::HeatMap;

use crate::{Failure, Result, files};
use clap::Args;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where a picture of the results goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct PlotArgs {
    /// Draw the results as an SVG picture into this file
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
}

impl PlotArgs {
    /// Finds out before the work whether the picture can be written after it.
    pub fn check(&self) -> Result {
        self.plot.as_deref().map_or(Ok(()), check_picture)
    }

    /// Draws what the closure gives, if a picture is asked for.
    pub fn draw(&self, panels: &dyn Fn() -> Vec<Box<dyn Panel>>, out: &mut dyn Write) -> Result {
        let Some(path) = &self.plot else { return Ok(()) };
        let panels = panels();
        files::write(path, &to_svg(&panels.iter().map(|panel| &**panel).collect::<Vec<_>>())?, out)
    }
}

/// Refuses a file that cannot become a picture.
pub fn check_picture(path: &Path) -> Result {
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
        let sentence = format!("cannot draw '{}': pictures are SVG, so the name must end in .svg", path.display());
        return Err(Failure::input(sentence));
    }
    files::check_writable(path)
}

/// Where a part of a picture is drawn.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// What goes wrong while something is drawn.
pub type DrawError = Box<dyn std::error::Error>;

/// A part of a picture.
pub trait Panel {
    /// Draws it where it belongs.
    fn draw(&self, area: &Area) -> Result<(), DrawError>;
}

const WIDTH: u32 = 720;
const HEIGHT: u32 = 420;

/// Panels, one below the other.
pub fn to_svg(panels: &[&dyn Panel]) -> Result<String> {
    let mut picture = String::new();
    draw_all(panels, &mut picture).map_err(|error| Failure::Failed(format!("cannot draw a plot: {error}")))?;
    Ok(adapted(&picture))
}

fn draw_all(panels: &[&dyn Panel], picture: &mut String) -> Result<(), DrawError> {
    let area = SVGBackend::with_string(picture, (WIDTH, HEIGHT * panels.len() as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    for (panel, place) in panels.iter().zip(area.split_evenly((panels.len(), 1))) {
        panel.draw(&place)?;
    }
    area.present()?;
    Ok(())
}

/// What is white and black here becomes dark and light where the page is dark. A rule goes before an attribute.
fn adapted(picture: &str) -> String {
    const STYLE: &str = "\n<style>@media (prefers-color-scheme: dark) { \
        [fill=\"#FFFFFF\"] { fill: #1b1b1b } [fill=\"#000000\"] { fill: #dddddd } \
        [stroke=\"#000000\"] { stroke: #dddddd } }</style>";
    match picture.find('>') {
        Some(end) => format!("{}{STYLE}{}", &picture[..=end], &picture[end + 1..]),
        None => picture.to_string(),
    }
}

/// Colours that can be told apart, on white and on black.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0x1f, 0x77, 0xb4),
    RGBColor(0xd9, 0x5f, 0x02),
    RGBColor(0x2c, 0xa0, 0x2c),
    RGBColor(0x94, 0x67, 0xbd),
    RGBColor(0xd6, 0x27, 0x28),
    RGBColor(0x13, 0x8d, 0x9e),
    RGBColor(0x8f, 0x8f, 0x00),
    RGBColor(0xd4, 0x5b, 0xb0),
];

fn colour(place: usize) -> RGBAColor {
    COLOURS[place % COLOURS.len()].to_rgba()
}

/// What a picture shows.
pub struct Plot {
    /// What runs to the right.
    pub across: &'static str,
    /// What runs upwards.
    pub upwards: String,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Points without a line between them; each cloud has the colour of the curve in its place.
    pub clouds: Vec<Curve>,
    /// Which directions go up by factors instead of sums: to the right, upwards.
    pub by_factors: [bool; 2],
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
        let (clouds, levels) = (Vec::new(), Vec::new());
        Plot { across, upwards: upwards.into(), curves, clouds, by_factors: [false; 2], levels }
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
            "log": self.by_factors[1],
            "series": self.curves.iter().map(curve).collect::<Vec<_>>(),
            "lines": self.levels.iter().map(level).collect::<Vec<_>>(),
        })
    }

    /// The picture.
    pub fn to_svg(&self) -> Result<String> {
        to_svg(&[self])
    }

    /// Where a point lies, in the directions' own terms.
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let [across, upwards] = self.by_factors;
        (if across { logarithm(x) } else { x }, if upwards { logarithm(y) } else { y })
    }

    fn ranges(&self) -> [std::ops::Range<f64>; 2] {
        let all = || self.curves.iter().chain(&self.clouds);
        let edges = || all().flat_map(Curve::edges).flat_map(|(x, low, high)| [(x, low), (x, high)]);
        let across = spread(edges().map(|point| self.place(point).0));
        let levels = self.levels.iter().map(|&(_, y)| self.place((1.0, y)).1);
        let upwards = spread(edges().map(|point| self.place(point).1).chain(levels));
        let room = (upwards.end - upwards.start) * 0.05;
        [across, upwards.start - room..upwards.end + room]
    }
}

impl Panel for Plot {
    fn draw(&self, area: &Area) -> Result<(), DrawError> {
        let [across, upwards] = self.ranges();
        let area = self.draw_legend(area)?;
        let [x_axis, y_axis] =
            [Axis::new(&across, self.by_factors[0], self.is_whole()), Axis::new(&upwards, self.by_factors[1], false)];
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(72)
            .build_cartesian_2d(across, upwards)?;
        chart
            .configure_mesh()
            .x_desc(self.across)
            .y_desc(&self.upwards)
            .x_labels(x_axis.ticks())
            .x_label_formatter(&|number| x_axis.label(*number))
            .y_label_formatter(&|number| y_axis.label(*number))
            .max_light_lines(0)
            .draw()?;
        for &(_, y) in &self.levels {
            let y = self.place((1.0, y)).1;
            let ends = [(chart.x_range().start, y), (chart.x_range().end, y)];
            chart.draw_series(LineSeries::new(ends, LEVEL))?;
        }
        for (i, cloud) in self.clouds.iter().enumerate() {
            let dot = |&point: &(f64, f64)| Circle::new(self.place(point), 2, colour(i).mix(0.4).filled());
            chart.draw_series(cloud.points.iter().map(dot))?;
        }
        for (i, curve) in self.curves.iter().enumerate() {
            let colour = colour(i);
            if !curve.band.is_empty() {
                let back = curve.edges().collect::<Vec<_>>().into_iter().rev().map(|(x, low, _)| (x, low));
                let outline = curve.edges().map(|(x, _, high)| (x, high)).chain(back);
                let outline: Vec<_> = outline.map(|point| self.place(point)).collect();
                chart.draw_series([Polygon::new(outline, colour.mix(0.15))])?;
            }
            let points = || curve.points.iter().map(|&point| self.place(point));
            chart.draw_series(LineSeries::new(points(), colour.stroke_width(2)))?;
            // A line through one point is nothing to see.
            if curve.points.len() <= FEW_POINTS {
                chart.draw_series(points().map(|point| Circle::new(point, 3, colour.filled())))?;
            }
        }
        Ok(())
    }
}

/// The most points of a curve that are drawn as such, beside the line.
const FEW_POINTS: usize = 24;

/// The colour of heights that mean something.
const LEVEL: RGBAColor = RGBAColor(0, 0, 0, 0.5);

impl Plot {
    /// Whether all that runs to the right is counted, as depths and games are.
    fn is_whole(&self) -> bool {
        let all = self.curves.iter().chain(&self.clouds);
        all.flat_map(|curve| &curve.points).all(|(x, _)| x.fract() == 0.0)
    }

    /// Draws the names above the picture, where no curve runs, and gives the place that is left.
    fn draw_legend<'a>(&self, area: &Area<'a>) -> Result<Area<'a>, DrawError> {
        const ROW: i32 = 18;
        const LETTER: i32 = 7;
        const LEFT: i32 = 84;
        let levels = self.levels.iter().map(|(name, _)| (*name, LEVEL));
        let curves = self.curves.iter().enumerate().map(|(i, curve)| (curve.name.as_str(), colour(i)));
        let names: Vec<(&str, RGBAColor)> = levels.chain(curves).collect();
        if names.len() < 2 {
            return Ok(area.clone());
        }
        let right = area.dim_in_pixel().0 as i32 - 12;
        let (mut x, mut y) = (LEFT, ROW / 2 + 4);
        for (name, colour) in names {
            let width = 28 + LETTER * name.chars().count() as i32;
            if x > LEFT && x + width > right {
                (x, y) = (LEFT, y + ROW);
            }
            area.draw(&PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)))?;
            let style = ("sans-serif", 12).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(name.to_owned(), (x + 20, y), style))?;
            x += width;
        }
        Ok(area.split_vertically(y + ROW / 2).1)
    }
}

/// How the numbers of a direction are written.
struct Axis {
    /// The width of what it shows.
    width: f64,
    by_factors: bool,
    /// Whether there is nothing between whole numbers.
    is_whole: bool,
}

impl Axis {
    /// About as many numbers as stand at an axis.
    const TICKS: usize = 10;

    fn new(range: &std::ops::Range<f64>, by_factors: bool, is_whole: bool) -> Axis {
        Axis { width: range.end - range.start, by_factors, is_whole: is_whole && !by_factors }
    }

    fn ticks(&self) -> usize {
        if self.is_whole { Self::TICKS.min(self.width as usize + 1) } else { Self::TICKS }
    }

    /// A number: short, but never the same as the next one.
    fn label(&self, number: f64) -> String {
        if self.is_whole && number.fract() != 0.0 {
            return String::new();
        }
        // The step is a tenth of the width or more.
        let step = self.width / (2.0 * Self::TICKS as f64);
        match self.by_factors {
            true => {
                let digits = (1.0 - (10f64.powf(step) - 1.0).log10()).ceil().clamp(2.0, 9.0);
                label(rounded(10f64.powf(number), digits), (digits - 1.0) as usize)
            }
            false => label(number, if step > 0.0 { (-step.log10()).ceil().clamp(3.0, 12.0) as usize } else { 3 }),
        }
    }
}

/// Numbers below one, if there are any, stand beside one.
fn logarithm(number: f64) -> f64 {
    number.max(1.0).log10()
}

/// A number with at most this many decimals; large ones in thousands and millions.
fn label(number: f64, digits: usize) -> String {
    match number.abs() {
        size if size >= 1e9 => format!("{number:.digits$e}"),
        size if size >= 1e6 => format!("{} M", shortened(number / 1e6, (digits + 6).min(12))),
        size if size >= 1e4 => format!("{} k", shortened(number / 1e3, (digits + 3).min(12))),
        _ => shortened(number, digits),
    }
}

/// A number of at least 1, rounded to this many significant digits.
fn rounded(number: f64, digits: f64) -> f64 {
    let unit = 10f64.powf(number.log10().floor() + 1.0 - digits);
    (number / unit).round() * unit
}

/// At most this many decimals, without trailing zeros.
fn shortened(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    if !text.contains('.') {
        return text;
    }
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
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
    fn dots_factors_and_dark_pages_are_drawn() {
        let mut plot = Plot::new("nodes", "solved", vec![Curve::new("line", [1.0, 100.0, 100_000.0])]);
        plot.clouds.push(Curve::new("dots", [1.0, 10.0, 0.0]));
        plot.by_factors = [false, true];
        let svg = to_svg(&[&plot, &plot]).unwrap();
        assert_eq!(svg.matches("<circle").count(), 12, "the dots, and the points of the line: {svg}");
        assert!(svg.contains("100 k") && svg.contains("height=\"840\""), "{svg}");
        let style = svg.find("prefers-color-scheme: dark").unwrap();
        assert!(style < svg.find("<rect").unwrap(), "{svg}");
        // The rules must name what the drawing says.
        assert!(svg[style + 200..].contains("fill=\"#FFFFFF\"") && svg.contains("stroke=\"#000000\""), "{svg}");
    }

    #[test]
    fn numbers_at_an_axis_are_short() {
        let cases = [(0.25, "0.25"), (-0.0001, "0"), (1500.0, "1500"), (25_000.0, "25 k"), (1.5e6, "1.5 M")];
        cases.iter().for_each(|(number, text)| assert_eq!(label(*number, 3), *text));
        let decades = Axis::new(&(0.0..6.0), true, false);
        assert_eq!([decades.label(5.0), decades.label(3.5)], ["100 k", "3200"]);
    }

    #[test]
    fn no_two_numbers_at_an_axis_are_the_same() {
        for (range, by_factors) in
            [(0.0108..0.0112, false), (4.400..4.405, true), (0.0..3.0, false), (1e6..1.00001e6, false)]
        {
            let axis = Axis::new(&range, by_factors, false);
            let ticks = (0..=10).map(|i| range.start + (range.end - range.start) * f64::from(i) / 10.0);
            let labels: Vec<String> = ticks.map(|tick| axis.label(tick)).collect();
            assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{labels:?}");
        }
        // What is counted has no halves.
        let depths = Axis::new(&(1.0..3.0), false, true);
        assert_eq!([1.0, 1.5, 2.0].map(|depth| depths.label(depth)), ["1", "", "2"]);
    }

    #[test]
    fn names_stand_above_the_curves_and_single_points_are_seen() {
        let curves = vec![Curve::new("first", [5.0]), Curve::new("second", [7.0])];
        let svg = Plot::new("depth", "nodes", curves).to_svg().unwrap();
        assert_eq!(svg.matches("<circle").count(), 2, "{svg}");
        let height = |mark: &str| {
            let text = &svg[..svg.find(mark).unwrap()];
            let at = &text[text.rfind(" y=\"").unwrap() + 4..];
            at[..at.find('"').unwrap()].parse::<i32>().unwrap()
        };
        let highest = svg.match_indices(" cy=\"").map(|(at, mark)| {
            let rest = &svg[at + mark.len()..];
            rest[..rest.find('"').unwrap()].parse::<i32>().unwrap()
        });
        assert!(height("\nfirst\n") < highest.min().unwrap(), "{svg}");
    }

    #[test]
    fn pictures_are_svg() {
        for name in ["a.png", "a", "svg"] {
            let refusal = check_picture(Path::new(name)).unwrap_err().to_string();
            assert!(refusal.contains("pictures are SVG"), "{refusal}");
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
