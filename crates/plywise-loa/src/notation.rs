//! Reading and writing positions and moves.

use crate::board::{MAX_PIECES, Position};
use crate::connection::is_connected;
use crate::game::Loa;
use crate::moves::{self, Move, Obstacle};
use plywise_game::bitboard::{Square, squares};
use plywise_game::notation::{excerpt, write_rows};
use plywise_game::svg::{CELL, SquareBoard, stone};
use plywise_game::view::{DARK, LIGHT, Place};
use plywise_game::{Game, Notation, NotationError, Side, View};

impl Notation for Loa {
    const NAME: &'static str = "loa";
    const TITLE: &'static str = "Lines of Action";
    const PLAYERS: [&'static str; 2] = ["Black", "White"];

    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let mut fields = text.split_whitespace();
        let (Some(board), Some(turn), None) = (fields.next(), fields.next(), fields.next()) else {
            return Err(NotationError::new(format!(
                "a LOA position has two fields, the board and the side to move, but '{}' has {}",
                excerpt(text),
                text.split_whitespace().count()
            )));
        };
        let [black, white] = parse_board(board)?;
        let side = match turn {
            "b" => Side::First,
            "w" => Side::Second,
            _ => {
                return Err(NotationError::new(format!(
                    "the side to move must be 'b' or 'w', not '{}'",
                    excerpt(turn)
                )));
            }
        };
        for (colour, pieces) in [("black", black.count_ones()), ("white", white.count_ones())] {
            if pieces == 0 {
                return Err(NotationError::new(format!("the board has no {colour} piece")));
            }
            if pieces > MAX_PIECES {
                return Err(NotationError::new(format!(
                    "the board has {pieces} {colour} pieces, but a side has {MAX_PIECES} at most"
                )));
            }
        }
        Ok(Position::new(black, white, side))
    }

    fn write_position(position: &Position) -> String {
        write_position(position)
    }

    fn parse_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        let text = text.trim();
        if Loa::decided(position).is_some() {
            return Err(NotationError::new(format!("the game is over, so '{}' cannot be played", excerpt(text))));
        }
        if text.eq_ignore_ascii_case("pass") || text == ENGINE_PASS {
            return if Loa::move_from_code(position, Move::PASS.code()).is_some() {
                Ok(Move::PASS)
            } else {
                Err(NotationError::new("a player who can move a piece may not pass"))
            };
        }
        let (from, to) = parse_squares(text).ok_or_else(|| {
            NotationError::new(format!("'{}' is not a move; moves look like d3-b5, d3xd5 or d3b5", excerpt(text)))
        })?;
        moves::piece_move(position, from, to).map_err(|obstacle| {
            NotationError::new(format!("{from}-{to} is illegal: {}", explain(obstacle, position, from, to)))
        })
    }

    fn write_move(_position: &Position, mv: Move) -> String {
        write_move(mv)
    }

    fn write_engine_move(_position: &Position, mv: Move) -> String {
        if mv.is_pass() { ENGINE_PASS.to_string() } else { format!("{}{}", mv.from(), mv.to()) }
    }

    fn describe_end(position: &Position) -> String {
        let connected = |side| is_connected(position.pieces(side));
        match (connected(Side::First), connected(Side::Second)) {
            (true, true) => "both connect",
            (true, false) => "Black connects",
            (false, true) => "White connects",
            (false, false) => "a draw",
        }
        .to_string()
    }

    fn draw(position: &Position) -> String {
        Loa::draw_view(position, &View::default())
    }

    fn draw_view(position: &Position, view: &View<Move>) -> String {
        const GROUND: [u8; 2] = [137, 180];
        let moved = moved(view);
        let board = view.board(8, 8, false, |file, rank| {
            let (letter, figure, ink) = match piece_at(position, file, rank) {
                Some(Side::First) => ('b', '●', DARK),
                Some(Side::Second) => ('w', '●', LIGHT),
                None => ('.', ' ', DARK),
            };
            let marked = Square::at(file, rank).is_some_and(|square| moved & square.bit() != 0);
            Place { letter, figure, ink, ground: GROUND[usize::from((file + rank) % 2)], marked }
        });
        let side = position.side_to_move();
        match Loa::decided(position) {
            Some(_) => board + "The game is over.\n",
            None => format!("{board}{} to move\n", view.player(Loa::player(side), colour_letter(side))),
        }
    }

    fn draw_svg(position: &Position, view: &View<Move>) -> String {
        let board = SquareBoard { files: 8, ranks: 8, first_rank_on_top: false, turned: view.turned };
        let moved = moved(view);
        let mut drawing = board.draw(|file, rank| {
            let is_marked = Square::at(file, rank).is_some_and(|square| moved & square.bit() != 0);
            (if (file + rank) % 2 == 0 { "#b99467" } else { "#d6b98f" }, is_marked)
        });
        for square in squares(position.occupied()) {
            let black = position.pieces(Side::First) & square.bit() != 0;
            let (name, fill) = if black { ("black piece", "#2b2b2b") } else { ("white piece", "#f6f2e9") };
            drawing.piece(board.middle(square.file(), square.rank()), name, square, stone(0.4 * CELL, fill));
        }
        drawing.finish()
    }
}

/// The squares that the last move changed.
fn moved(view: &View<Move>) -> u64 {
    view.last_move.filter(|mv| !mv.is_pass()).map_or(0, |mv| mv.from().bit() | mv.to().bit())
}

/// The pass over engine protocols, which write every move with squares.
const ENGINE_PASS: &str = "0000";

pub(crate) fn write_position(position: &Position) -> String {
    let row = |rank| (0..8).map(move |file| piece_at(position, file, rank).map(colour_letter));
    format!("{} {}", write_rows((0..8).rev().map(row)), colour_letter(position.side_to_move()))
}

pub(crate) fn write_move(mv: Move) -> String {
    if mv.is_pass() {
        return "pass".to_string();
    }
    format!("{}{}{}", mv.from(), if mv.captures() { 'x' } else { '-' }, mv.to())
}

const fn colour_letter(side: Side) -> char {
    match side {
        Side::First => 'b',
        Side::Second => 'w',
    }
}

fn piece_at(position: &Position, file: u8, rank: u8) -> Option<Side> {
    let bit = Square::at(file, rank)?.bit();
    [Side::First, Side::Second].into_iter().find(|&side| position.pieces(side) & bit != 0)
}

/// The bitboards of both sides, from eight ranks between slashes.
fn parse_board(text: &str) -> Result<[u64; 2], NotationError> {
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(NotationError::new(format!("the board must have 8 ranks, but '{}' has {ranks}", excerpt(text))));
    }
    let mut pieces = [0; 2];
    for (row, rank) in text.split('/').zip((0..8).rev()) {
        let mut file = 0;
        for letter in row.chars() {
            match letter {
                '1'..='8' => file += letter as usize - '0' as usize,
                'b' | 'w' => {
                    if file < 8 {
                        pieces[usize::from(letter == 'w')] |= 1 << (rank * 8 + file);
                    }
                    file += 1;
                }
                _ => {
                    return Err(NotationError::new(format!(
                        "rank {} of the board contains '{}'; only b, w and the digits 1 to 8 may stand there",
                        rank + 1,
                        letter.escape_default()
                    )));
                }
            }
        }
        if file != 8 {
            return Err(NotationError::new(format!(
                "rank {} of the board, '{}', describes {file} squares instead of 8",
                rank + 1,
                excerpt(row)
            )));
        }
    }
    Ok(pieces)
}

/// The two squares of a move: `d3b5`, `d3-b5` or `d3xb5`.
fn parse_squares(text: &str) -> Option<(Square, Square)> {
    let (from, to) = match text.as_bytes() {
        [f, r, b'-' | b'x' | b'X' | b':', to @ ..] => ([*f, *r], to),
        [f, r, to @ ..] => ([*f, *r], to),
        _ => return None,
    };
    Some((parse_square(&from)?, parse_square(to)?))
}

fn parse_square(text: &[u8]) -> Option<Square> {
    let [file, rank] = text else { return None };
    Square::at(file.to_ascii_lowercase().checked_sub(b'a')?, rank.checked_sub(b'1')?)
}

/// What stands in the way of a move, as the end of a sentence.
fn explain(obstacle: Obstacle, position: &Position, from: Square, to: Square) -> String {
    let side = position.side_to_move();
    match obstacle {
        Obstacle::NoPiece => format!("there is no {} piece on {from}", Loa::player(side).to_lowercase()),
        Obstacle::NotInLine => format!("{from} and {to} do not lie on one line"),
        Obstacle::WrongDistance { pieces, steps } => {
            format!("its line has {}, so the piece must move that many squares, not {steps}", plural(pieces, "piece"))
        }
        Obstacle::OwnPieceOnTarget => format!("{} has a piece on {to} already", Loa::player(side).to_lowercase()),
        Obstacle::EnemyBetween(blocker) => {
            format!("the {} piece on {blocker} blocks the way", Loa::player(!side).to_lowercase())
        }
    }
}

fn plural(count: u32, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
