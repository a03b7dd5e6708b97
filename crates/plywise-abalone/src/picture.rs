//! The board drawn in text and as SVG.

use crate::board::Position;
use crate::cells::Cell;
use crate::game::Abalone;
use crate::notation::{colour_letter, marble_on, row_cells};
use plywise_game::svg::Drawing;
use plywise_game::{Game, Side};

/// The board in letters: rows are named at the left, diagonals at their lower ends.
pub(crate) fn text(position: &Position) -> String {
    let mut drawing = String::new();
    for row in (0..9_u8).rev() {
        let indent = usize::from(row.abs_diff(4));
        drawing.push_str(&format!("{:indent$}{}", "", char::from(b'a' + row)));
        for cell in row_cells(row) {
            drawing.push(' ');
            drawing.push(marble_on(position, cell).map_or('.', colour_letter));
        }
        if row < 4 {
            drawing.push_str(&format!(" {}", row + 6));
        }
        drawing.push('\n');
    }
    drawing.push_str("       1 2 3 4 5\n");
    let [black, white] = [Side::First, Side::Second].map(|side| position.lost(side));
    drawing.push_str(&format!("Lost: black {black}, white {white}\n{}\n", turn(position)));
    drawing
}

fn turn(position: &Position) -> &'static str {
    match (Abalone::decided(position).is_some(), position.side_to_move()) {
        (true, _) => "The game is over.",
        (false, Side::First) => "Black (b) to move",
        (false, Side::Second) => "White (w) to move",
    }
}

/// The distance between neighbouring cells.
const SPACING: f64 = 44.0;
/// The distance between rows: the height of a triangle of cells.
const ROW: f64 = SPACING * 0.866;
const RADIUS: f64 = 18.0;
const MIDDLE: (f64, f64) = (238.0, 214.0);
const INK: &str = "#222";
const WOOD: &str = "#c9a066";
const HOLE: &str = "#8f6a3a";
const MARBLES: [&str; 2] = ["#1b1b1b", "#f4f1e8"];

/// The board with its marbles and coordinates; the marbles that each side has lost lie beside it.
pub(crate) fn svg(position: &Position) -> String {
    let mut drawing = Drawing::new(2.0 * MIDDLE.0, 2.0 * MIDDLE.1 + 40.0);
    drawing.polygon(&[0, 1, 2, 3, 4, 5].map(corner), WOOD);
    for row in 0..9_u8 {
        for cell in row_cells(row) {
            match marble_on(position, cell) {
                Some(side) => drawing.disc(centre(cell), RADIUS, MARBLES[side as usize]),
                None => drawing.disc(centre(cell), RADIUS * 0.55, HOLE),
            }
        }
        let first = row.saturating_sub(4);
        drawing.text(place(row.into(), f64::from(first) - 0.95), 13.0, INK, char::from(b'a' + row));
    }
    for diagonal in 0..9_u8 {
        let lowest = diagonal.saturating_sub(4);
        drawing.text(place(f64::from(lowest) - 0.95, diagonal.into()), 13.0, INK, diagonal + 1);
    }
    draw_lost(&mut drawing, position, Side::First, 2.0 * MIDDLE.1 - 8.0);
    draw_lost(&mut drawing, position, Side::Second, 20.0);
    drawing.text((MIDDLE.0, 2.0 * MIDDLE.1 + 20.0), 13.0, INK, turn(position));
    drawing.finish()
}

/// The marbles that a side has lost, in the corner beside its home.
fn draw_lost(drawing: &mut Drawing, position: &Position, side: Side, y: f64) {
    let lost = position.lost(side);
    drawing.text((16.0, y), 13.0, INK, format_args!("{lost}×"));
    for i in 0..lost {
        drawing.disc((38.0 + 16.0 * f64::from(i), y), 7.0, MARBLES[side as usize]);
    }
}

fn centre(cell: Cell) -> (f64, f64) {
    place(cell.row().into(), cell.diagonal().into())
}

/// The point in this row and diagonal, which may lie between cells.
fn place(row: f64, diagonal: f64) -> (f64, f64) {
    let (up, right) = (row - 4.0, diagonal - 4.0);
    (round(MIDDLE.0 + (right - up / 2.0) * SPACING), round(MIDDLE.1 - up * ROW))
}

/// The corner of the board in the direction of so many times sixty degrees.
fn corner(number: u8) -> (f64, f64) {
    let (up, right) = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, -1.0), (-1.0, 0.0)][usize::from(number)];
    place(4.0 + 4.7 * up, 4.0 + 4.7 * right)
}

/// Tenths are enough, and keep the drawing short.
fn round(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
