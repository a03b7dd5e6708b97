//! Reading and writing positions and moves.

use crate::board::{COLUMNS, Place, Position, ROWS, places};
use crate::game::Connect4;
use crate::lines::{fours, has_four};
use plywise_game::notation::{excerpt, write_rows};
use plywise_game::svg::{CELL, MARGIN, SquareBoard, stone};
use plywise_game::view::Place as Shown;
use plywise_game::{Game, Notation, NotationError, Side, View};

impl Notation for Connect4 {
    const NAME: &'static str = "connect4";
    const TITLE: &'static str = "Connect Four";
    const PLAYERS: [&'static str; 2] = ["Red", "Yellow"];

    /// Reads a board, its rows from the top between slashes, and the side to move: `7/7/7/7/3o3/3x3 x`. Or the columns that
    /// were played from the start in one word, as most programs and solvers write positions: `44`, or `dd`.
    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let mut fields = text.split_whitespace();
        match (fields.next(), fields.next(), fields.next()) {
            (Some(columns), None, None) if !columns.contains('/') => parse_columns(columns),
            (Some(board), Some(turn), None) => with_turn(parse_board(board)?, turn),
            _ => Err(NotationError::new(format!(
                "a Connect Four position is the board and the side to move, or the columns that were played, such as \
                 4453, but not '{}'",
                excerpt(text)
            ))),
        }
    }

    fn write_position(position: &Position) -> String {
        write_position(position)
    }

    /// Reads a column, `d` or `4`, or the place that the disc falls to, `d1`.
    fn parse_move(position: &Position, text: &str) -> Result<Place, NotationError> {
        let text = text.trim();
        if Connect4::outcome(position).is_some() {
            return Err(NotationError::new(format!("the game is over, so '{}' cannot be played", excerpt(text))));
        }
        let unreadable =
            || NotationError::new(format!("'{}' is not a move; moves are columns from a to g", excerpt(text)));
        let mut letters = text.chars();
        let column = letters.next().and_then(parse_column).ok_or_else(unreadable)?;
        let named = match letters.as_str() {
            "" => None,
            row => Some(parse_row(row).and_then(|row| Place::at(column, row)).ok_or_else(unreadable)?),
        };
        let reached = places(position.reachable()).find(|place| place.column() == column);
        let letter = column_letter(column);
        match (named, reached) {
            (_, None) => Err(NotationError::new(format!("{letter} is illegal: column {letter} is full"))),
            (Some(named), Some(reached)) if named != reached => {
                Err(NotationError::new(format!("{named} is illegal: in column {letter} the disc falls to {reached}")))
            }
            (_, Some(reached)) => Ok(reached),
        }
    }

    /// The column: where the disc falls to goes without saying.
    fn write_move(_position: &Position, mv: Place) -> String {
        column_letter(mv.column()).to_string()
    }

    /// The place, so that a program that knows no gravity can show the move.
    fn write_engine_move(_position: &Position, mv: Place) -> String {
        mv.to_string()
    }

    fn describe_end(position: &Position) -> String {
        match Connect4::decided(position) {
            Some(_) => format!("{} connects four", Connect4::player(!position.side_to_move())),
            None => "the board is full".to_string(),
        }
    }

    fn draw(position: &Position) -> String {
        Connect4::draw_view(position, &View::default())
    }

    /// From both sides the board looks the same but for left and right; it is never upside down.
    fn draw_view(position: &Position, view: &View<Place>) -> String {
        const BLUE: u8 = 19;
        const INKS: [u8; 2] = [196, 226];
        const HOLE: u8 = 17;
        // A turned view would show the last row at the bottom, and has the first on top to undo that.
        let board = view.board(COLUMNS, ROWS, view.turned, |column, row| {
            let (letter, ink) = match disc_on(position, column, row) {
                Some(side) => (colour_letter(side), INKS[side as usize]),
                None => ('.', HOLE),
            };
            let marked = view.last_move.is_some() && view.last_move == Place::at(column, row);
            Shown { letter, figure: '●', ink, ground: BLUE, marked }
        });
        board + &state_of_play(position, view) + "\n"
    }

    /// Discs behind a blue board with holes; rings mark the last disc and those that connect four.
    fn draw_svg(position: &Position, view: &View<Place>) -> String {
        const BLUE: &str = "#2b5fb3";
        const HOLE: &str = "#1b2f52";
        const DISCS: [&str; 2] = ["#d62828", "#f6c915"];
        const RING: &str = "#fff";
        const NAMES: [&str; 2] = ["red disc", "yellow disc"];
        const RADIUS: f64 = 0.4 * CELL;
        let shape = SquareBoard { files: COLUMNS, ranks: ROWS, first_rank_on_top: view.turned, turned: view.turned };
        let is_last = |column, row| view.last_move.is_some() && view.last_move == Place::at(column, row);
        let mut drawing = shape.draw(|_, _| (HOLE, false));
        let all = || (0..ROWS).flat_map(|row| (0..COLUMNS).filter_map(move |column| Place::at(column, row)));
        let middle = |place: Place| shape.middle(place.column(), place.row());
        for place in all() {
            let Some(side) = disc_on(position, place.column(), place.row()) else { continue };
            let shapes = stone(RADIUS + 2.0, DISCS[side as usize]);
            drawing.piece(middle(place), NAMES[side as usize], place, shapes);
        }
        let (width, height) = (f64::from(COLUMNS) * CELL, f64::from(ROWS) * CELL);
        let mut front = format!("M{MARGIN} {MARGIN}h{width}v{height}h-{width}z");
        for (x, y) in all().map(middle) {
            let (left, wide) = (x - RADIUS, 2.0 * RADIUS);
            front += &format!("M{left} {y}a{RADIUS} {RADIUS} 0 1 0 {wide} 0a{RADIUS} {RADIUS} 0 1 0-{wide} 0z");
        }
        drawing.add(format_args!(
            r##"<path data-front="" d="{front}" fill="{BLUE}" fill-rule="evenodd" stroke="#000" stroke-opacity="0.25"/>"##
        ));
        let four = fours(position.enemy());
        for place in all().filter(|place| is_last(place.column(), place.row()) || four & place.bit() != 0) {
            drawing.ring(middle(place), RADIUS - 2.0, RING);
        }
        drawing.finish()
    }
}

pub(crate) fn write_position(position: &Position) -> String {
    let row = |row| (0..COLUMNS).map(move |column| disc_on(position, column, row).map(colour_letter));
    format!("{} {}", write_rows((0..ROWS).rev().map(row)), colour_letter(position.side_to_move()))
}

/// Whose turn it is, or how the game ended.
fn state_of_play(position: &Position, view: &View<Place>) -> String {
    let side = position.side_to_move();
    match Connect4::outcome(position) {
        Some(_) => format!("The game is over: {}", Connect4::describe_end(position)),
        None => format!("{} to move", view.player(Connect4::player(side), colour_letter(side))),
    }
}

const fn colour_letter(side: Side) -> char {
    match side {
        Side::First => 'x',
        Side::Second => 'o',
    }
}

const fn column_letter(column: u8) -> char {
    (b'a' + column) as char
}

fn disc_on(position: &Position, column: u8, row: u8) -> Option<Side> {
    let bit = Place::at(column, row)?.bit();
    [Side::First, Side::Second].into_iter().find(|&side| position.discs(side) & bit != 0)
}

/// The column that a letter or a digit names.
fn parse_column(letter: char) -> Option<u8> {
    let column = match letter.to_ascii_lowercase() {
        letter @ 'a'..='z' => letter as u8 - b'a',
        digit @ '1'..='9' => digit as u8 - b'1',
        _ => return None,
    };
    (column < COLUMNS).then_some(column)
}

fn parse_row(text: &str) -> Option<u8> {
    let [digit] = text.as_bytes() else { return None };
    digit.checked_sub(b'1')
}

/// The position after discs were dropped into these columns from the start.
fn parse_columns(text: &str) -> Result<Position, NotationError> {
    let mut position = Position::START;
    for (number, column) in (1..).zip(text.chars()) {
        let mv = Connect4::parse_move(&position, column.encode_utf8(&mut [0; 4]))
            .map_err(|error| NotationError::new(format!("move {number} of '{}': {error}", excerpt(text))))?;
        position = Connect4::play(&position, mv);
    }
    Ok(position)
}

/// The discs of both sides, from six rows between slashes, the highest first. Each disc lies on another or at the bottom.
fn parse_board(text: &str) -> Result<[u64; 2], NotationError> {
    let rows = text.split('/').count();
    if rows != usize::from(ROWS) {
        return Err(NotationError::new(format!("the board must have {ROWS} rows, but '{}' has {rows}", excerpt(text))));
    }
    let mut discs = [0; 2];
    for (line, row) in text.split('/').zip((0..ROWS).rev()) {
        let mut column: usize = 0;
        for letter in line.chars() {
            let side = match letter {
                'x' | 'X' => Side::First,
                'o' | 'O' => Side::Second,
                '1'..='7' => {
                    column += letter as usize - '0' as usize;
                    continue;
                }
                _ => {
                    return Err(NotationError::new(format!(
                        "row {} of the board contains '{}'; only x, o and the digits 1 to 7 may stand there",
                        row + 1,
                        letter.escape_default()
                    )));
                }
            };
            if let Some(place) = u8::try_from(column).ok().and_then(|column| Place::at(column, row)) {
                discs[side as usize] |= place.bit();
            }
            column += 1;
        }
        if column != usize::from(COLUMNS) {
            return Err(NotationError::new(format!(
                "row {} of the board, '{}', describes {column} places instead of {COLUMNS}",
                row + 1,
                excerpt(line)
            )));
        }
    }
    let occupied = discs[0] | discs[1];
    match places(occupied).find(|disc| disc.row() > 0 && occupied & disc.bit() >> 1 == 0) {
        Some(disc) => Err(NotationError::new(format!("the disc on {disc} has nothing below it"))),
        None => Ok(discs),
    }
}

/// The position with these discs, if the turn fits and no move follows the end of the game.
fn with_turn(discs: [u64; 2], turn: &str) -> Result<Position, NotationError> {
    let [red, yellow] = discs.map(u64::count_ones);
    let side = match turn {
        "x" | "X" => Side::First,
        "o" | "O" => Side::Second,
        _ => return Err(NotationError::new(format!("the side to move must be 'x' or 'o', not '{}'", excerpt(turn)))),
    };
    if red != yellow + u32::from(side == Side::Second) {
        return Err(NotationError::new(format!(
            "{} cannot be to move where there are {red} x and {yellow} o: x begins, and the players take turns",
            colour_letter(side)
        )));
    }
    let [own, enemy] = side.own_first(discs);
    if has_four(own) {
        let letter = colour_letter(side);
        return Err(NotationError::new(format!(
            "{letter} has four in a row, so the game ended before {letter} was to move"
        )));
    }
    Ok(Position::new(own, enemy))
}
