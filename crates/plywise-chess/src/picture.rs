//! The board as SVG, with pieces of our own drawing.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};
use plywise_game::svg::{CELL, SquareBoard, tenths};
use std::fmt::Write;

/// The dark and the light squares.
const SQUARES: [&str; 2] = ["#b08a62", "#ecdfc6"];
/// Below a king in check.
const CHECK: &str = "#e0362c";

/// The board with the squares of the last move marked, and the king, if it is in check.
pub(crate) fn svg(board: &Board, moved: BitBoard, turned: bool) -> String {
    let shape = SquareBoard { files: 8, ranks: 8, first_rank_on_top: false, turned };
    let mut drawing = shape.draw(|file, rank| {
        let square = Square::new(File::index(file.into()), Rank::index(rank.into()));
        (SQUARES[usize::from((file + rank) % 2)], moved.has(square))
    });
    let middle = |square: Square| shape.middle(square.file() as u8, square.rank() as u8);
    if !board.checkers().is_empty() {
        let (x, y) = middle(board.king(board.side_to_move()));
        for (part, opacity) in [(0.5, 0.45), (0.4, 0.7)] {
            let radius = tenths(part * CELL);
            drawing.add(format_args!(
                r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="{CHECK}" fill-opacity="{opacity}"/>"##
            ));
        }
    }
    for square in board.occupied() {
        let (Some(piece), Some(color)) = (board.piece_on(square), board.color_on(square)) else { continue };
        let figure = &FIGURES[piece as usize];
        let name = format!("{} {}", if color == Color::White { "white" } else { "black" }, figure.name);
        drawing.piece(middle(square), &name, square, figure.paint(color));
    }
    drawing.finish()
}

/// A piece: outlines that are filled, one above the other, and lines upon them.
struct Figure {
    name: &'static str,
    outlines: &'static [&'static str],
    lines: &'static str,
}

impl Figure {
    fn paint(&self, color: Color) -> String {
        let (fill, outline, line) = match color {
            Color::White => ("#fbf8f1", "#2b2722", "#2b2722"),
            Color::Black => ("#393530", "#12100e", "#d9d2c4"),
        };
        let mut shapes = format!(
            r##"<g fill="{fill}" stroke="{outline}" stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round">"##
        );
        for outline in self.outlines {
            let _ = write!(shapes, r##"<path d="{outline}"/>"##);
        }
        if !self.lines.is_empty() {
            let _ = write!(shapes, r##"<path d="{}" fill="none" stroke="{line}" stroke-width="1.2"/>"##, self.lines);
        }
        shapes + "</g>"
    }
}

/// In the order of [`Piece`].
const FIGURES: [Figure; Piece::NUM] = [
    Figure {
        name: "pawn",
        outlines: &[
            "M-4.2 0C-4.6 4.5-8.6 7-10 11.5h20C8.6 7 4.6 4.5 4.2 0z",
            "M-5.8-6.2a5.8 5.8 0 1 1 11.6 0a5.8 5.8 0 1 1-11.6 0z",
            "M-6.6-2.2h13.2q1.4 1.6 0 3.2h-13.2q-1.4-1.6 0-3.2z",
            "M-11.5 10.5h23q2 1.5 2 5.5h-27q0-4 2-5.5z",
        ],
        lines: "",
    },
    Figure {
        name: "knight",
        outlines: &[
            "M-9.6 10.5C-10 5.4-4.6 2.2-3.4-2.4c-2.3.2-3.9 1-5.2 2.5C-9.7 1.4-11.2 2-12.4 1.2L-14-1.2c-.5-1-.3-1.9.3-2.7\
             l4.1-5.6c.6-1.5.8-3.5 1.6-5.2L-6.8-17.6l3.4 3.1C5-14.6 11.6-6.6 10.6 10.5z",
            "M-12 9.5h24.5q1.8 1.5 1.8 6.5h-28q0-5 1.7-6.5z",
        ],
        lines: "M-11.6-2.2l1-.6M-.6-11C4-9.6 7.4-4.2 7 5M-6-8.6a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0z",
    },
    Figure {
        name: "bishop",
        outlines: &[
            "M-4.5 2.5C-5 7-8.5 8.5-9.5 11.5h19C8.5 8.5 5 7 4.5 2.5z",
            "M0-14.6C5-11 8.6-6.6 8.6-2.6 8.6 1 5.6 3 0 3S-8.6 1-8.6-2.6C-8.6-6.6-5-11 0-14.6z",
            "M-2.4-16a2.4 2.4 0 1 1 4.8 0a2.4 2.4 0 1 1-4.8 0z",
            "M-7-.2h14q1.4 1.7 0 3.4h-14q-1.4-1.7 0-3.4z",
            "M-12 10.5h24q2 1.5 2 5.5h-28q0-4 2-5.5z",
        ],
        lines: "M1.2-10.6L4.4-5.6",
    },
    Figure {
        name: "rook",
        outlines: &[
            "M-7.5-5.5L-9 10.5H9L7.5-5.5z",
            "M-11.5-15.5h5v3h4v-3h5v3h4v-3h5v7.5l-3.5 3.5h-16l-3.5-3.5z",
            "M-12.5 9.5h25q1.8 1.5 1.8 6.5h-28.6q0-5 1.8-6.5z",
        ],
        lines: "M-7.6-4.5H7.6M-9 9.5H9",
    },
    Figure {
        name: "queen",
        outlines: &[
            "M-9.5 6.5L-14-8.5l6.6 6.6L-6.2-12.6-1.4-3.2 0-14.2 1.4-3.2l4.8-9.4L7.4-1.9 14-8.5 9.5 6.5z",
            "M-16.7-9.6a2.3 2.3 0 1 1 4.6 0a2.3 2.3 0 1 1-4.6 0z",
            "M-8.7-13.8a2.3 2.3 0 1 1 4.6 0a2.3 2.3 0 1 1-4.6 0z",
            "M-2.4-15.6a2.4 2.4 0 1 1 4.8 0a2.4 2.4 0 1 1-4.8 0z",
            "M4.1-13.8a2.3 2.3 0 1 1 4.6 0a2.3 2.3 0 1 1-4.6 0z",
            "M12.1-9.6a2.3 2.3 0 1 1 4.6 0a2.3 2.3 0 1 1-4.6 0z",
            "M-9.8 5.8h19.6q1.6 2-.6 5h-18.4q-2.2-3-.6-5z",
            "M-11 10.5h22q2.2 1.5 2.2 5.5h-26.4q0-4 2.2-5.5z",
        ],
        lines: "M-9.2 5.8h18.4M-10.2 10.6h20.4",
    },
    Figure {
        name: "king",
        outlines: &[
            "M-.7-19.3h1.4v2.3h2.6v1.4h-2.6v4h-1.4v-4h-2.6v-1.4h2.6z",
            "M-9.3 7.5C-17 1.5-16-8.2-8.6-8.2-4.2-8.2-1-5 0-1.6 1-5 4.2-8.2 8.6-8.2 16-8.2 17 1.5 9.3 7.5z",
            "M0-12.6C2.8-11 3.6-8.4 3-5.6L0 .6-3-5.6C-3.6-8.4-2.8-11 0-12.6z",
            "M-9.8 5.8h19.6q1.6 2-.6 5h-18.4q-2.2-3-.6-5z",
            "M-11 10.5h22q2.2 1.5 2.2 5.5h-26.4q0-4 2.2-5.5z",
        ],
        lines: "M-9.2 5.8h18.4M-10.2 10.6h20.4",
    },
];
