//! Drawings of boards as SVG, for documents and web pages.

use std::fmt::{Display, Write};

/// The side of a square, in the drawing's unit.
pub const CELL: f64 = 45.0;
/// The room round a board for its coordinates.
pub const MARGIN: f64 = 22.0;

const INK: &str = "#222";
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

    /// A board of square fields with its coordinates: letters for the files, numbers for the ranks, the first rank at the
    /// bottom, or at the top as Othello has it. `colour` says how each square is filled.
    pub fn board(files: u8, ranks: u8, first_rank_on_top: bool, colour: impl Fn(u8, u8) -> &'static str) -> Drawing {
        let (width, height) = (f64::from(files) * CELL, f64::from(ranks) * CELL);
        let mut drawing = Drawing::new(width + 2.0 * MARGIN, height + 2.0 * MARGIN);
        for row in 0..ranks {
            let rank = if first_rank_on_top { row } else { ranks - 1 - row };
            let top = MARGIN + f64::from(row) * CELL;
            for file in 0..files {
                drawing.rectangle((MARGIN + f64::from(file) * CELL, top), (CELL, CELL), colour(file, rank));
            }
            drawing.text((MARGIN / 2.0, top + CELL / 2.0), 13.0, INK, rank + 1);
        }
        for file in 0..files {
            let middle = MARGIN + (f64::from(file) + 0.5) * CELL;
            drawing.text((middle, height + 1.5 * MARGIN), 13.0, INK, char::from(b'a' + file));
        }
        drawing
    }

    /// The middle of a square of a [`board`](Drawing::board), counted from the left and from the top.
    pub fn middle(column: u8, row: u8) -> (f64, f64) {
        (MARGIN + (f64::from(column) + 0.5) * CELL, MARGIN + (f64::from(row) + 0.5) * CELL)
    }

    /// A rectangle with a thin outline.
    pub fn rectangle(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str) {
        self.shape(format_args!(
            r##"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" stroke="{INK}" stroke-width="0.5"/>"##
        ));
    }

    /// A disc with a thin outline.
    pub fn disc(&mut self, (x, y): (f64, f64), radius: f64, fill: &str) {
        self.shape(format_args!(r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{INK}"/>"##));
    }

    /// A polygon with a thin outline.
    pub fn polygon(&mut self, corners: &[(f64, f64)], fill: &str) {
        let points: Vec<String> = corners.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        self.shape(format_args!(r##"<polygon points="{points}" fill="{fill}" stroke="{INK}"/>"##));
    }

    /// Words, centred on a point.
    pub fn text(&mut self, middle: (f64, f64), size: f64, fill: &str, words: impl Display) {
        self.letters(middle, size, &format!(r##"fill="{fill}""##), words);
    }

    /// Words with a dark outline, centred on a point: figures that must show on light and dark squares.
    pub fn outlined_text(&mut self, middle: (f64, f64), size: f64, fill: &str, words: impl Display) {
        self.letters(middle, size, &format!(r##"fill="{fill}" stroke="{INK}" stroke-width="0.7""##), words);
    }

    fn letters(&mut self, (x, y): (f64, f64), size: f64, paint: &str, words: impl Display) {
        let words = escaped(&words.to_string());
        self.shape(format_args!(
            r##"<text x="{x}" y="{y}" font-size="{size}" font-family="{FONT}" {paint} text-anchor="middle" dominant-baseline="central">{words}</text>"##
        ));
    }

    /// The whole drawing as an SVG document.
    pub fn finish(self) -> String {
        let Drawing { width, height, shapes } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n{shapes}</svg>\n"
        )
    }

    fn shape(&mut self, element: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.shapes, "{element}");
    }
}

/// Lines of plain text as a drawing: what a game without a picture of its own shows.
pub fn of_text(text: &str) -> String {
    const LINE: f64 = 18.0;
    const LETTER: f64 = 9.0;
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut drawing =
        Drawing::new(2.0 * MARGIN + longest as f64 * LETTER, 2.0 * MARGIN + text.lines().count() as f64 * LINE);
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
        let drawing = Drawing::board(3, 2, false, |file, rank| if (file + rank) % 2 == 0 { "#111" } else { "#eee" });
        let text = drawing.finish();
        assert_eq!(text.matches(r##"fill="#111""##).count(), 3);
        assert_eq!(text.matches(r##"fill="#eee""##).count(), 3);
        assert_eq!(text.matches("<text").count(), 5);
        assert!(text.find(">2<") < text.find(">1<"), "the first rank is at the bottom");
    }

    #[test]
    fn text_is_escaped() {
        let text = of_text("a < b\n& c");
        assert!(text.contains("a &lt; b") && text.contains("&amp; c"), "{text}");
    }
}
