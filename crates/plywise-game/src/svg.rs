//! Drawings of boards as SVG, for documents and web pages.

use crate::NotationError;
use crate::notation::excerpt;
use std::fmt::{Display, Write};

/// The side of a square, in the drawing's unit.
pub const CELL: f64 = 45.0;
/// The room round a board for its coordinates.
pub const MARGIN: f64 = 18.0;
/// What is written on the frame.
pub const FRAME_INK: &str = "#d8d1c4";

const INK: &str = "#222";
/// The frame of a board, which stands out on light and on dark pages.
const FRAME: &str = "#3a352f";
/// What the last move changed.
const MARK: &str = "#f2c230";
const ARROW: &str = "#2a6fdb";
const PAPER: &str = "#fff";
const FONT: &str = "DejaVu Sans, Segoe UI Symbol, Arial, sans-serif";

/// A drawing that grows shape by shape: what is added later lies above.
///
/// ```
/// use plywise_game::svg::Drawing;
///
/// let mut drawing = Drawing::new(40.0, 40.0);
/// drawing.disc((20.0, 20.0), 15.0, "#000");
/// assert!(drawing.finish().starts_with("<svg "));
/// ```
#[derive(Clone, Debug)]
pub struct Drawing {
    width: f64,
    height: f64,
    shapes: String,
}

impl Drawing {
    /// An empty drawing of this size.
    pub fn new(width: f64, height: f64) -> Drawing {
        Drawing { width, height, shapes: String::new() }
    }

    /// An empty drawing of this size on the frame of a board.
    pub fn framed(width: f64, height: f64) -> Drawing {
        let mut drawing = Drawing::new(width, height);
        drawing.shape(format_args!(r##"<rect width="{width}" height="{height}" rx="6" fill="{FRAME}"/>"##));
        drawing
    }

    /// A disc with a thin outline.
    pub fn disc(&mut self, (x, y): (f64, f64), radius: f64, fill: &str) {
        self.shape(format_args!(r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{INK}"/>"##));
    }

    /// A disc that is a place of the board, with a name by which a page finds it.
    pub fn place(&mut self, (x, y): (f64, f64), radius: f64, fill: &str, marked: bool, name: impl Display) {
        let (stroke, width) = if marked { (MARK, 5) } else { (INK, 1) };
        self.shape(format_args!(
            r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{stroke}" stroke-width="{width}" data-place="{name}"/>"##
        ));
    }

    /// A ring that what lies below shines through: a place to look at.
    pub fn ring(&mut self, (x, y): (f64, f64), radius: f64, colour: &str) {
        self.shape(format_args!(
            r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="{colour}" stroke-width="3"/>"##
        ));
    }

    /// A piece that stands on a place. A page finds it by its name, `white king`, can lift it, and sees
    /// it move. Its shapes are drawn round 0, 0: [`stone`] and [`marble`] are some.
    pub fn piece(&mut self, (x, y): (f64, f64), name: &str, place: impl Display, shapes: impl Display) {
        self.shape(format_args!(
            r##"<g transform="translate({x} {y})" data-piece="{name}" data-on="{place}">{shapes}</g>"##
        ));
    }

    /// Other shapes, as SVG has them, on one line.
    pub fn add(&mut self, shapes: impl Display) {
        self.shape(format_args!("{shapes}"));
    }

    /// A polygon with a thin outline.
    pub fn polygon(&mut self, corners: &[(f64, f64)], fill: &str) {
        let points: Vec<String> = corners.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        self.shape(format_args!(r##"<polygon points="{points}" fill="{fill}" stroke="{INK}"/>"##));
    }

    /// An arrow from one point to another, which what lies below shines through.
    fn arrow(&mut self, (x, y): (f64, f64), (to_x, to_y): (f64, f64)) {
        let length = (to_x - x).hypot(to_y - y);
        let (ahead_x, ahead_y) = ((to_x - x) / length, (to_y - y) / length);
        // Along the arrow and to its left.
        let at =
            |along: f64, aside: f64| (x + along * ahead_x + aside * ahead_y, y + along * ahead_y - aside * ahead_x);
        let (neck, shaft, head) = (length - 0.35 * CELL, 0.07 * CELL, 0.2 * CELL);
        let half = [(0.1 * CELL, shaft), (neck, shaft), (neck, head), (length, 0.0)];
        let outline = half.iter().copied().chain(half.iter().rev().skip(1).map(|&(along, aside)| (along, -aside)));
        let points: Vec<String> =
            outline.map(|(along, aside)| at(along, aside)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        self.shape(format_args!(r##"<polygon points="{points}" fill="{ARROW}" fill-opacity="0.75"/>"##));
    }

    /// Words, centred on a point.
    pub fn text(&mut self, (x, y): (f64, f64), size: f64, fill: &str, words: impl Display) {
        let words = escaped(&words.to_string());
        self.shape(format_args!(
            r##"<text x="{x}" y="{y}" font-size="{size}" font-family="{FONT}" fill="{fill}" text-anchor="middle" dominant-baseline="central">{words}</text>"##
        ));
    }

    /// The whole drawing as an SVG document.
    pub fn finish(self) -> String {
        let Drawing { width, height, shapes } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             {shapes}</svg>\n"
        )
    }

    fn shape(&mut self, element: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.shapes, "{element}");
    }
}

/// A board of square fields: letters for the files, numbers for the ranks, both counted from 0 here.
#[derive(Clone, Copy, Debug)]
pub struct SquareBoard {
    /// How many files it has.
    pub files: u8,
    /// How many ranks.
    pub ranks: u8,
    /// Whether the first rank is at the top, as in Othello.
    pub first_rank_on_top: bool,
    /// Whether it is seen from the second player's side.
    pub turned: bool,
}

impl SquareBoard {
    /// Draws the squares with their coordinates. `square` says how each is filled, and whether the last move changed it.
    pub fn draw(&self, square: impl Fn(u8, u8) -> (&'static str, bool)) -> Drawing {
        let (width, height) = (f64::from(self.files) * CELL, f64::from(self.ranks) * CELL);
        let mut drawing = Drawing::framed(width + 2.0 * MARGIN, height + 2.0 * MARGIN);
        for rank in 0..self.ranks {
            for file in 0..self.files {
                let (x, y) = self.middle(file, rank);
                let (left, top) = (x - CELL / 2.0, y - CELL / 2.0);
                let (fill, is_marked) = square(file, rank);
                let name = format!("{}{}", char::from(b'a' + file), rank + 1);
                drawing.shape(format_args!(
                    r##"<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#000" stroke-opacity="0.3" stroke-width="0.5" data-place="{name}"/>"##
                ));
                if is_marked {
                    drawing.shape(format_args!(
                        r##"<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="{MARK}" fill-opacity="0.55"/>"##
                    ));
                }
            }
            drawing.text((MARGIN / 2.0, self.middle(0, rank).1), 11.0, FRAME_INK, rank + 1);
        }
        for file in 0..self.files {
            drawing.text((self.middle(file, 0).0, height + 1.5 * MARGIN), 11.0, FRAME_INK, char::from(b'a' + file));
        }
        drawing
    }

    /// The middle of a square.
    pub fn middle(&self, file: u8, rank: u8) -> (f64, f64) {
        let column = if self.turned { self.files - 1 - file } else { file };
        let row = if self.turned == self.first_rank_on_top { self.ranks - 1 - rank } else { rank };
        (MARGIN + (f64::from(column) + 0.5) * CELL, MARGIN + (f64::from(row) + 0.5) * CELL)
    }
}

/// The shapes of a flat disc with a rim, seen from above.
pub fn stone(radius: f64, fill: &str) -> String {
    let (rim, groove, below) = (tenths(0.78 * radius), tenths(0.72 * radius), tenths(0.08 * radius));
    format!(
        r##"<circle cy="{below}" r="{radius}" fill="#000" fill-opacity="0.35"/><circle r="{radius}" fill="{fill}" stroke="#000" stroke-opacity="0.6"/><circle r="{rim}" fill="none" stroke="#000" stroke-opacity="0.2"/><circle r="{groove}" fill="none" stroke="#fff" stroke-opacity="0.25" stroke-width="1.2"/>"##
    )
}

/// The shapes of a ball that light falls on from above.
pub fn marble(radius: f64, fill: &str) -> String {
    let mut shapes = format!(
        r##"<circle cy="{}" r="{radius}" fill="#000" fill-opacity="0.35"/><circle r="{radius}" fill="{fill}" stroke="#000" stroke-opacity="0.6"/>"##,
        tenths(0.1 * radius)
    );
    // How far up, how large and how bright, as parts of the whole.
    for (up, size, light) in [(0.1, 0.82, 0.12), (0.2, 0.6, 0.14), (0.3, 0.38, 0.2), (0.42, 0.16, 0.6)] {
        let (aside, up, size) = (tenths(-0.8 * up * radius), tenths(-up * radius), tenths(size * radius));
        let _ = write!(shapes, r##"<circle cx="{aside}" cy="{up}" r="{size}" fill="#fff" fill-opacity="{light}"/>"##);
    }
    shapes
}

/// Tenths are enough, and keep a drawing short.
pub fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// A drawing of a board with arrows between places, each written as two names: `e2e4`, or `e2-e4`. The names are those
/// that the drawing gives its places.
///
/// ```
/// use plywise_game::svg::{SquareBoard, with_arrows};
///
/// let board = SquareBoard { files: 3, ranks: 3, first_rank_on_top: false, turned: false };
/// let picture = board.draw(|_, _| ("#fff", false)).finish();
/// assert!(with_arrows(&picture, &["a1c3"]).unwrap().contains("<polygon"));
/// assert_eq!(with_arrows(&picture, &["a1z9"]).unwrap_err().to_string(), "'a1z9' does not name two places of this board");
/// ```
pub fn with_arrows(picture: &str, arrows: &[impl AsRef<str>]) -> Result<String, NotationError> {
    let places: Vec<(&str, (f64, f64))> = picture.lines().filter_map(named_place).collect();
    let find = |name: &str| places.iter().find(|(place, _)| *place == name).map(|(_, middle)| *middle);
    let mut drawing = Drawing::new(0.0, 0.0);
    for arrow in arrows.iter().map(AsRef::as_ref) {
        let ends = (1..arrow.len()).filter_map(|at| {
            let (from, to) = (arrow.get(..at)?, arrow.get(at..)?);
            Some((find(from)?, find(to.trim_start_matches('-'))?)).filter(|(from, to)| from != to)
        });
        let (from, to) = { ends }.next().ok_or_else(|| {
            NotationError::new(format!("'{}' does not name two places of this board", excerpt(arrow)))
        })?;
        drawing.arrow(from, to);
    }
    let end = picture.rfind("</svg>").unwrap_or(picture.len());
    Ok(format!("{}{}{}", &picture[..end], drawing.shapes, &picture[end..]))
}

/// The name and the middle of the place that a line of a drawing shows, if it shows one.
fn named_place(line: &str) -> Option<(&str, (f64, f64))> {
    let text = |name: &str| line.split_once(&format!(" {name}=\""))?.1.split_once('"').map(|(text, _)| text);
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    let middle = match (number("cx"), number("cy")) {
        (Some(x), Some(y)) => (x, y),
        _ => (number("x")? + number("width")? / 2.0, number("y")? + number("height")? / 2.0),
    };
    Some((text("data-place")?, middle))
}

/// Lines of plain text as a drawing: what a game without a picture of its own shows.
pub fn of_text(text: &str) -> String {
    const LINE: f64 = 18.0;
    const LETTER: f64 = 9.0;
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut drawing =
        Drawing::new(2.0 * MARGIN + longest as f64 * LETTER, 2.0 * MARGIN + text.lines().count() as f64 * LINE);
    drawing.shape(format_args!(r##"<rect width="100%" height="100%" fill="{PAPER}"/>"##));
    for (line, number) in text.lines().zip(0..) {
        let (y, words) = (MARGIN + (f64::from(number) + 0.5) * LINE, escaped(line));
        drawing.shape(format_args!(
            r##"<text x="{MARGIN}" y="{y}" font-size="15" font-family="monospace" fill="{INK}" xml:space="preserve">{words}</text>"##
        ));
    }
    drawing.finish()
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_its_squares_and_coordinates() {
        let board = SquareBoard { files: 3, ranks: 2, first_rank_on_top: false, turned: false };
        let colour = |file, rank| (if (file + rank) % 2 == 0 { "#111" } else { "#eee" }, (file, rank) == (2, 1));
        let text = board.draw(colour).finish();
        assert_eq!(text.matches(r##"fill="#111""##).count(), 3);
        assert_eq!(text.matches(r##"fill="#eee""##).count(), 3);
        assert_eq!(text.matches("<text").count(), 5);
        assert_eq!(text.matches(MARK).count(), 1);
        assert_eq!(text.matches("data-place=").count(), 6);
        let marked =
            format!(r##"<rect x="{}" y="{MARGIN}" width="{CELL}" height="{CELL}" fill="{MARK}""##, MARGIN + 2.0 * CELL);
        assert!(text.contains(&marked), "the last square of the last rank is at the right and at the top: {text}");
    }

    #[test]
    fn a_board_can_be_turned() {
        for first_rank_on_top in [false, true] {
            let board = SquareBoard { files: 3, ranks: 2, first_rank_on_top, turned: false };
            let turned = SquareBoard { turned: true, ..board };
            assert_eq!(board.middle(0, 0), turned.middle(2, 1));
            assert_eq!(board.middle(0, 0).1 < board.middle(0, 1).1, first_rank_on_top);
        }
    }

    #[test]
    fn text_is_escaped() {
        let text = of_text("a < b\n& c");
        assert!(text.contains("a &lt; b") && text.contains("&amp; c"), "{text}");
    }
}
