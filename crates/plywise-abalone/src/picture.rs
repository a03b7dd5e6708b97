//! The board drawn in text and as SVG.

use crate::board::Position;
use crate::cells::Cell;
use crate::game::Abalone;
use crate::moves::Move;
use crate::notation::{colour_letter, marble_on, row_cells};
use plywise_game::svg::{Drawing, FRAME_INK, marble, tenths};
use plywise_game::view::{DARK, LIGHT, Place};
use plywise_game::{Game, Notation, Side, View};

/// The board in letters: rows are named at the left, diagonals at their lower ends.
pub(crate) fn text(position: &Position, view: &View<Move>) -> String {
    let moved = view.last_move.map_or(0, touched);
    let place = |cell: Cell| {
        let (letter, figure, ink) = match marble_on(position, cell) {
            Some(Side::First) => ('b', '●', DARK),
            Some(Side::Second) => ('w', '●', LIGHT),
            None => ('.', '·', DARK),
        };
        Place { letter, figure, ink, ground: GROUND, marked: moved & cell.bit() != 0 }
    };
    // Turned by half a circle, the board has the same shape, and all numbers count the other way.
    let number = |number: u8| if view.turned { 8 - number } else { number };
    let mut drawing = String::new();
    for height in (0..9_u8).rev() {
        let row = number(height);
        let mut places: Vec<Place> = row_cells(row).map(place).collect();
        if view.turned {
            places.reverse();
        }
        let indent = usize::from(height.abs_diff(4));
        let end = if height < 4 { (number(height + 5) + 1).to_string() } else { String::new() };
        let line = format!("{:indent$}{}{}{end}", "", char::from(b'a' + row), view.row(places, ""));
        drawing.push_str(line.trim_end());
        drawing.push('\n');
    }
    let lowest = [0, 1, 2, 3, 4].map(|diagonal| (number(diagonal) + 1).to_string());
    let [black, white] = [Side::First, Side::Second].map(|side| position.lost(side));
    let lost = format!("Lost: black {black}, white {white}");
    drawing + &format!("       {}\n{lost}\n{}\n", lowest.join(" "), turn(position, view))
}

/// The colour of the board on a terminal.
const GROUND: u8 = 137;

/// The cells that the moved marbles left or came to, without those of marbles that were pushed.
fn touched(mv: Move) -> u64 {
    let along = mv.line().unwrap_or(mv.direction());
    let marbles = (0..mv.marbles()).map(|step| mv.from().ahead(along, step));
    marbles.fold(0, |cells, marble| cells | marble.bit() | marble.ahead(mv.direction(), 1).bit())
}

fn turn(position: &Position, view: &View<Move>) -> String {
    let side = position.side_to_move();
    match Abalone::decided(position) {
        Some(_) => "The game is over.".to_string(),
        None => format!("{} to move", view.player(Abalone::player(side), colour_letter(side))),
    }
}

/// The distance between neighbouring cells.
const SPACING: f64 = 44.0;
/// The distance between rows: the height of a triangle of cells.
const ROW: f64 = SPACING * 0.866;
const RADIUS: f64 = 18.0;
const MIDDLE: (f64, f64) = (238.0, 214.0);
const WOOD: &str = "#c9a066";
const HOLE: &str = "#8f6a3a";
const MARBLES: [&str; 2] = ["#1f1f22", "#e3dccb"];
const NAMES: [&str; 2] = ["black marble", "white marble"];

/// The board with its marbles and coordinates; the marbles that each side has lost lie beside it.
pub(crate) fn svg(position: &Position, view: &View<Move>) -> String {
    let moved = view.last_move.map_or(0, touched);
    // Turned by half a circle, what was at a point is at the point opposite.
    let at = |(x, y): (f64, f64)| if view.turned { (2.0 * MIDDLE.0 - x, 2.0 * MIDDLE.1 - y) } else { (x, y) };
    let mut drawing = Drawing::framed(2.0 * MIDDLE.0, 2.0 * MIDDLE.1 + 40.0);
    drawing.polygon(&[0, 1, 2, 3, 4, 5].map(corner), WOOD);
    for row in 0..9_u8 {
        for cell in row_cells(row) {
            let marked = moved & cell.bit() != 0;
            let marble_here = marble_on(position, cell);
            let radius = if marble_here.is_some() { RADIUS } else { RADIUS * 0.55 };
            drawing.place(at(centre(cell)), radius, HOLE, marked, cell);
            if let Some(side) = marble_here {
                let shapes = marble(RADIUS, MARBLES[side as usize]);
                drawing.piece(at(centre(cell)), NAMES[side as usize], cell, shapes);
            }
        }
        let first = row.saturating_sub(4);
        drawing.text(at(place(row.into(), f64::from(first) - 0.95)), 13.0, FRAME_INK, char::from(b'a' + row));
    }
    for diagonal in 0..9_u8 {
        let lowest = diagonal.saturating_sub(4);
        drawing.text(at(place(f64::from(lowest) - 0.95, diagonal.into())), 13.0, FRAME_INK, diagonal + 1);
    }
    let (near, far) = if view.turned { (Side::Second, Side::First) } else { (Side::First, Side::Second) };
    draw_lost(&mut drawing, position, near, 2.0 * MIDDLE.1 - 8.0);
    draw_lost(&mut drawing, position, far, 20.0);
    drawing.text((MIDDLE.0, 2.0 * MIDDLE.1 + 20.0), 13.0, FRAME_INK, turn(position, &View::default()));
    drawing.finish()
}

/// The marbles that a side has lost, in the corner beside its home.
fn draw_lost(drawing: &mut Drawing, position: &Position, side: Side, y: f64) {
    let lost = position.lost(side);
    drawing.text((16.0, y), 13.0, FRAME_INK, format_args!("{lost}×"));
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
    (tenths(MIDDLE.0 + (right - up / 2.0) * SPACING), tenths(MIDDLE.1 - up * ROW))
}

/// The corner of the board in the direction of this many times sixty degrees.
fn corner(number: u8) -> (f64, f64) {
    let (up, right) = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, -1.0), (-1.0, 0.0)][usize::from(number)];
    place(4.0 + 4.7 * up, 4.0 + 4.7 * right)
}
