//! Reading and writing positions and moves.

use crate::board::Position;
use crate::game::Othello;
use crate::moves::Move;
use plywise_game::bitboard::{Square, squares};
use plywise_game::notation::excerpt;
use plywise_game::svg::{CELL, FRAME_INK, MARGIN, SquareBoard, stone};
use plywise_game::view::{DARK, LIGHT, Place};
use plywise_game::{Game, Notation, NotationError, Side, View};
use std::cmp::Ordering;

impl Notation for Othello {
    const NAME: &'static str = "othello";
    const TITLE: &'static str = "Othello";
    const PLAYERS: [&'static str; 2] = ["Black", "White"];

    /// Reads a board with the side to move, or the moves that lead from the start to a position: `f5d6c3`, `f5 d6 c3`.
    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let text = text.trim();
        if text.starts_with(|letter: char| matches!(letter.to_ascii_lowercase(), 'a'..='h')) {
            return parse_transcript(text);
        }
        let mut fields = text.split_whitespace();
        let (Some(board), Some(turn), None) = (fields.next(), fields.next(), fields.next()) else {
            return Err(NotationError::new(format!(
                "an Othello position has two fields, the board and the side to move, but '{}' has {}",
                excerpt(text),
                text.split_whitespace().count()
            )));
        };
        let [black, white] = parse_board(board)?;
        match turn {
            "X" | "x" | "*" => Ok(Position::new(black, white, Side::First)),
            "O" | "o" => Ok(Position::new(white, black, Side::Second)),
            _ => Err(NotationError::new(format!("the side to move must be 'X' or 'O', not '{}'", excerpt(turn)))),
        }
    }

    fn write_position(position: &Position) -> String {
        write_position(position)
    }

    fn parse_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        let text = text.trim();
        let wanted = parse_word(text).ok_or_else(|| {
            NotationError::new(format!("'{}' is not a move; moves look like f5, or pass", excerpt(text)))
        })?;
        if let Some(mv) = Othello::move_from_code(position, wanted.code()) {
            return Ok(mv);
        }
        let text = write_move(wanted);
        Err(NotationError::new(match wanted.square() {
            _ if Othello::move_count(position) == 0 => format!("the game is over, so '{text}' cannot be played"),
            None => "a player who can put a disc may not pass".to_string(),
            Some(square) if position.occupied() & square.bit() != 0 => {
                format!("{text} is illegal: there is a disc already")
            }
            Some(_) => {
                let mover = Othello::player(position.side_to_move()).to_lowercase();
                format!("{text} is illegal: it turns no disc over for {mover}")
            }
        }))
    }

    fn write_move(_position: &Position, mv: Move) -> String {
        write_move(mv)
    }

    fn write_engine_move(_position: &Position, mv: Move) -> String {
        if mv.is_pass() { ENGINE_PASS.to_string() } else { write_move(mv) }
    }

    fn describe_end(position: &Position) -> String {
        let [black, white] = [Side::First, Side::Second].map(|side| position.discs(side).count_ones());
        match black.cmp(&white) {
            Ordering::Greater => format!("Black wins {black}-{white}"),
            Ordering::Less => format!("White wins {white}-{black}"),
            Ordering::Equal => format!("drawn {black}-{white}"),
        }
    }

    /// Discs are `X` and `O`; a dot marks a square where the side to move can put one.
    fn draw(position: &Position) -> String {
        Othello::draw_view(position, &View::default())
    }

    fn draw_view(position: &Position, view: &View<Move>) -> String {
        const GREEN: [u8; 2] = [28, 29];
        let mobility = position.mobility();
        let put = view.last_move.and_then(Move::square);
        let board = view.board(8, 8, true, |file, rank| {
            let square = Square::from_index(u32::from(8 * rank + file));
            let (letter, figure, ink) = match disc_on(position, square) {
                Some(Side::First) => (colour_letter(Side::First), '●', DARK),
                Some(Side::Second) => (colour_letter(Side::Second), '●', LIGHT),
                None if mobility & square.bit() != 0 => ('.', '·', DARK),
                None => ('-', ' ', DARK),
            };
            Place { letter, figure, ink, ground: GREEN[usize::from((file + rank) % 2)], marked: put == Some(square) }
        });
        board + &state_of_play(position, view) + "\n"
    }

    /// A green board; small dots mark the squares where the side to move can put a disc.
    fn draw_svg(position: &Position, view: &View<Move>) -> String {
        const GREEN: &str = "#2f7d54";
        const HINT: &str = "#17442c";
        let board = SquareBoard { files: 8, ranks: 8, first_rank_on_top: true, turned: view.turned };
        let put = view.last_move.and_then(Move::square);
        let is_put = |file, rank| put.is_some_and(|square| (square.file(), square.rank()) == (file, rank));
        let mut drawing = board.draw(|file, rank| (GREEN, is_put(file, rank)));
        let middle = |square: Square| board.middle(square.file(), square.rank());
        for (side, colour) in [(Side::First, "#1d1d1d"), (Side::Second, "#f6f2e9")] {
            let name = if side == Side::First { "black disc" } else { "white disc" };
            let shapes = stone(0.4 * CELL, colour);
            squares(position.discs(side)).for_each(|square| drawing.piece(middle(square), name, square, &shapes));
        }
        squares(position.mobility()).for_each(|square| drawing.disc(middle(square), 0.07 * CELL, HINT));
        drawing.text((MARGIN + 4.0 * CELL, MARGIN / 2.0), 11.0, FRAME_INK, state_of_play(position, &View::default()));
        drawing.finish()
    }
}

/// The pass over engine protocols, which write every move with squares.
const ENGINE_PASS: &str = "0000";

pub(crate) fn write_position(position: &Position) -> String {
    let mut text: String = squares(!0).map(|square| disc_on(position, square).map_or('-', colour_letter)).collect();
    text.push(' ');
    text.push(colour_letter(position.side_to_move()));
    text
}

pub(crate) fn write_move(mv: Move) -> String {
    mv.square().map_or("pass".to_string(), |square| square.to_string())
}

/// Whose turn it is or that the game is over, and how many discs each side has.
fn state_of_play(position: &Position, view: &View<Move>) -> String {
    let side = position.side_to_move();
    let turn = match Othello::move_count(position) {
        0 => "The game is over".to_string(),
        _ => format!("{} to move", view.player(Othello::player(side), colour_letter(side))),
    };
    let [black, white] = [Side::First, Side::Second].map(|side| position.discs(side).count_ones());
    format!("{turn}; discs: Black {black}, White {white}")
}

const fn colour_letter(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

fn disc_on(position: &Position, square: Square) -> Option<Side> {
    [Side::First, Side::Second].into_iter().find(|&side| position.discs(side) & square.bit() != 0)
}

/// The discs of black and white, from 64 characters.
fn parse_board(text: &str) -> Result<[u64; 2], NotationError> {
    let count = text.chars().count();
    if count != 64 {
        return Err(NotationError::new(format!("the board must have 64 squares, but '{}' has {count}", excerpt(text))));
    }
    let [mut black, mut white] = [0; 2];
    for (letter, square) in text.chars().zip(squares(!0)) {
        match letter {
            'X' | 'x' | '*' => black |= square.bit(),
            'O' | 'o' => white |= square.bit(),
            '-' | '.' => {}
            _ => {
                return Err(NotationError::new(format!(
                    "square {square} of the board is '{}'; only X, O and - may stand there",
                    letter.escape_debug()
                )));
            }
        }
    }
    Ok([black, white])
}

/// The position after a list of moves from the start. Passes may be written or left out.
fn parse_transcript(text: &str) -> Result<Position, NotationError> {
    let mut position = Position::START;
    let mut rest = text;
    for number in 1.. {
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let (word, after) = first_word(rest).ok_or_else(|| {
            NotationError::new(format!(
                "move {number}, at '{}', is not a move; moves look like f5, or pass",
                excerpt(rest)
            ))
        })?;
        if word != Move::PASS && Othello::must_pass(&position) {
            position = position.with_turn_passed();
        }
        let mv = Othello::parse_move(&position, &write_move(word))
            .map_err(|error| NotationError::new(format!("move {number} of the transcript: {error}")))?;
        position = Othello::play(&position, mv);
        rest = after;
    }
    Ok(position)
}

/// The move with which a transcript goes on, and what follows it.
fn first_word(text: &str) -> Option<(Move, &str)> {
    [PASS_WORD.len(), ENGINE_PASS.len(), 2].into_iter().find_map(|length| {
        let (word, rest) = text.split_at_checked(length)?;
        Some((parse_word(word)?, rest))
    })
}

const PASS_WORD: &str = "pass";

/// The move that a word means, legal or not.
fn parse_word(word: &str) -> Option<Move> {
    if word.eq_ignore_ascii_case(PASS_WORD) || word == ENGINE_PASS || word == "--" {
        return Some(Move::PASS);
    }
    let [file, row] = word.as_bytes() else { return None };
    let square = Square::at(file.to_ascii_lowercase().checked_sub(b'a')?, row.checked_sub(b'1')?)?;
    Some(Move::to(square))
}
