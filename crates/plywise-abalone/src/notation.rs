//! Reading and writing positions and moves.
//!
//! A position is its board, row i first, the side to move, and the marbles lost by Black and by White:
//! `wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0`. Where plies have passed since the last ejection, their number
//! follows. The words `standard`, `belgian-daisy` and `german-daisy` stand for the usual starts.
//!
//! Moves are written in the coordinates of the official board, as the program Aba-Pro writes them. An inline move is
//! the cell of the last marble and the cell where that goes: `a1b2`. A broadside move is the two ends of the line and
//! the cell where the first of them goes: `c3c5d3`. Either end may be written first; the writer begins with the lower
//! row, in a row with the lower diagonal. Separators and capitals are read as well: `A1-B2`, `c3-c5-d3`.

use crate::board::{LOST_TO_LOSE, MARBLES, PLIES_TO_DRAW, Position};
use crate::cells::{Cell, Direction};
use crate::game::Abalone;
use crate::moves::{self, LONGEST_LINE, Move, Obstacle};
use crate::picture;
use plywise_game::notation::{excerpt, write_rows};
use plywise_game::{Game, Notation, NotationError, Side, View};

/// Positions that have a name.
const NAMED: [(&str, Position); 3] = [
    ("standard", Position::STANDARD),
    ("belgian-daisy", Position::BELGIAN_DAISY),
    ("german-daisy", Position::GERMAN_DAISY),
];

impl Notation for Abalone {
    const NAME: &'static str = "abalone";
    const TITLE: &'static str = "Abalone";
    const PLAYERS: [&'static str; 2] = ["Black", "White"];

    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        if let Some((_, position)) = NAMED.iter().find(|(name, _)| fields == [*name]) {
            return Ok(*position);
        }
        let (rows, turn, lost, plies) = match fields[..] {
            [rows, turn, black, white] => (rows, turn, [black, white], "0"),
            [rows, turn, black, white, plies] => (rows, turn, [black, white], plies),
            _ => {
                return Err(NotationError::new(format!(
                    "an Abalone position is its board, the side to move and the marbles lost by black and by white, or \
                     one of {}; '{}' is neither",
                    NAMED.map(|(name, _)| name).join(", "),
                    excerpt(text)
                )));
            }
        };
        let marbles = board(rows.as_bytes()).map_err(|error| explain_board(error, rows))?;
        let side = match turn {
            "b" => Side::First,
            "w" => Side::Second,
            _ => {
                let turn = excerpt(turn);
                return Err(NotationError::new(format!("the side to move must be 'b' or 'w', not '{turn}'")));
            }
        };
        let lost = [
            number("marbles lost by black", lost[0], LOST_TO_LOSE)?,
            number("marbles lost by white", lost[1], LOST_TO_LOSE)?,
        ];
        let plies = number("plies without an ejection", plies, PLIES_TO_DRAW)?;
        check_marbles(marbles, lost)?;
        Ok(Position::new(marbles, lost, side, plies))
    }

    fn write_position(position: &Position) -> String {
        write_position(position)
    }

    fn parse_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        let text = text.trim();
        if Abalone::decided(position).is_some() {
            return Err(NotationError::new(format!("the game is over, so '{}' cannot be played", excerpt(text))));
        }
        let read = match parse_cells(text).as_deref() {
            Some(&[from, to]) => inline_move(position, from, to),
            Some(&[first, last, to]) => broadside_move(position, first, last, to),
            _ => {
                return Err(NotationError::new(format!(
                    "'{}' is not a move; moves look like a1b2, or c3c5d3 for a line that moves sideways",
                    excerpt(text)
                )));
            }
        };
        read.map_err(|obstacle| {
            NotationError::new(format!("{} is illegal: {}", excerpt(text), explain(obstacle, position.side_to_move())))
        })
    }

    fn write_move(_position: &Position, mv: Move) -> String {
        write_move(mv)
    }

    fn describe_end(position: &Position) -> String {
        let is_beaten = |side| position.lost(side) >= LOST_TO_LOSE;
        if is_beaten(Side::First) {
            "White wins, Black is down to eight marbles".to_string()
        } else if is_beaten(Side::Second) {
            "Black wins, White is down to eight marbles".to_string()
        } else if position.quiet_plies() >= PLIES_TO_DRAW {
            format!("{PLIES_TO_DRAW} plies without an ejection")
        } else {
            "no marble can move".to_string()
        }
    }

    fn draw(position: &Position) -> String {
        picture::text(position, &View::default())
    }

    fn draw_view(position: &Position, view: &View<Move>) -> String {
        picture::text(position, view)
    }

    fn draw_svg(position: &Position, view: &View<Move>) -> String {
        picture::svg(position, view)
    }
}

pub(crate) fn write_position(position: &Position) -> String {
    let row = |row| row_cells(row).map(|cell| marble_on(position, cell).map(colour_letter));
    let [black, white] = [Side::First, Side::Second].map(|side| position.lost(side));
    let (board, side) = (write_rows((0..9).rev().map(row)), colour_letter(position.side_to_move()));
    let mut text = format!("{board} {side} {black} {white}");
    if position.quiet_plies() > 0 {
        text.push_str(&format!(" {}", position.quiet_plies()));
    }
    text
}

pub(crate) fn write_move(mv: Move) -> String {
    let to = mv.from().ahead(mv.direction(), 1);
    match mv.line() {
        None => format!("{}{to}", mv.from()),
        Some(_) => format!("{}{}{to}", mv.from(), mv.end()),
    }
}

/// The cells of a row from the left; 0 is row a.
pub(crate) fn row_cells(row: u8) -> impl Iterator<Item = Cell> {
    (0..9).filter_map(move |diagonal| Cell::at(row, diagonal))
}

pub(crate) fn marble_on(position: &Position, cell: Cell) -> Option<Side> {
    [Side::First, Side::Second].into_iter().find(|&side| position.marbles(side) & cell.bit() != 0)
}

pub(crate) const fn colour_letter(side: Side) -> char {
    match side {
        Side::First => 'b',
        Side::Second => 'w',
    }
}

/// What is wrong with the text of a board.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BoardError {
    /// It has another number of rows than nine.
    Rows(usize),
    /// Something that means nothing stands in this row, at this place of the text.
    Letter { row: u8, at: usize },
    /// A row describes another number of cells than it has.
    Length { row: u8, cells: usize },
}

/// The bitboards of both sides, from nine rows between slashes. A function of constants too, for the starts.
pub(crate) const fn board(text: &[u8]) -> Result<[u64; 2], BoardError> {
    let (mut marbles, mut slashes, mut at) = ([0; 2], 0, 0);
    while at < text.len() {
        slashes += (text[at] == b'/') as usize;
        at += 1;
    }
    if slashes != 8 {
        return Err(BoardError::Rows(slashes + 1));
    }
    let (mut row, mut cells, mut at) = (8, 0, 0);
    while at <= text.len() {
        match if at < text.len() { text[at] } else { b'/' } {
            b'/' => {
                if cells != row_length(row) {
                    return Err(BoardError::Length { row, cells });
                }
                row = row.saturating_sub(1);
                cells = 0;
            }
            empty @ b'1'..=b'9' => cells += (empty - b'0') as usize,
            letter @ (b'b' | b'w') => {
                if cells < 9
                    && let Some(cell) = Cell::at(row, row.saturating_sub(4) + cells as u8)
                {
                    marbles[(letter == b'w') as usize] |= cell.bit();
                }
                cells += 1;
            }
            _ => return Err(BoardError::Letter { row, at }),
        }
        at += 1;
    }
    Ok(marbles)
}

/// The number of cells in a row.
const fn row_length(row: u8) -> usize {
    9 - row.abs_diff(4) as usize
}

fn explain_board(error: BoardError, text: &str) -> NotationError {
    let name = |row: u8| char::from(b'a' + row);
    NotationError::new(match error {
        BoardError::Rows(rows) => format!("the board must have 9 rows, but '{}' has {rows}", excerpt(text)),
        BoardError::Letter { row, at } => {
            let letter: String = text.chars().skip(at).take(1).collect();
            let (row, letter) = (name(row), excerpt(&letter));
            format!("row {row} of the board contains '{letter}'; only b, w and the digits 1 to 9 may stand there")
        }
        BoardError::Length { row, cells } => {
            let words = text.split('/').nth(8 - usize::from(row)).unwrap_or_default();
            let (row, length) = (name(row), row_length(row));
            format!("row {row} of the board, '{}', describes {cells} cells instead of {length}", excerpt(words))
        }
    })
}

fn number(what: &str, text: &str, most: u8) -> Result<u8, NotationError> {
    let parsed = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u8>().ok()).flatten();
    parsed.filter(|&number| number <= most).ok_or_else(|| {
        NotationError::new(format!("the number of {what} must lie between 0 and {most}, but is '{}'", excerpt(text)))
    })
}

fn check_marbles(marbles: [u64; 2], lost: [u8; 2]) -> Result<(), NotationError> {
    for side in [Side::First, Side::Second] {
        let (on_board, lost) = (marbles[side as usize].count_ones(), u32::from(lost[side as usize]));
        let colour = Abalone::player(side).to_lowercase();
        if on_board == 0 {
            return Err(NotationError::new(format!("the board has no {colour} marble")));
        }
        if on_board + lost > MARBLES {
            return Err(NotationError::new(format!(
                "{colour} has {on_board} marbles on the board and has lost {lost}, but began with {MARBLES}"
            )));
        }
    }
    if lost == [LOST_TO_LOSE; 2] {
        return Err(NotationError::new(format!("both sides have lost {LOST_TO_LOSE} marbles, so both have lost")));
    }
    Ok(())
}

/// The cells that a move names, with or without separators.
fn parse_cells(text: &str) -> Option<Vec<Cell>> {
    let letters: Vec<u8> = text.bytes().filter(|byte| !b"-, ".contains(byte)).collect();
    let is_whole = letters.len().is_multiple_of(2);
    let cell = |name: &[u8]| Cell::at(name[0].to_ascii_lowercase().checked_sub(b'a')?, name[1].checked_sub(b'1')?);
    is_whole.then(|| letters.chunks(2).map(cell).collect()).flatten()
}

fn inline_move(position: &Position, from: Cell, to: Cell) -> Result<Move, Obstacle> {
    let direction = from.direction_to(to).ok_or(Obstacle::NotNeighbours(from, to))?;
    moves::inline_move(position, from, direction)
}

fn broadside_move(position: &Position, first: Cell, last: Cell, to: Cell) -> Result<Move, Obstacle> {
    let direction = first.direction_to(to).ok_or(Obstacle::NotNeighbours(first, to))?;
    let (line, marbles) = line_between(first, last).ok_or(Obstacle::NotALine(first, last))?;
    // Along itself, a line moves by its last marble.
    if line == direction {
        return Err(Obstacle::Along(first, to));
    }
    if line == direction.opposite() {
        return Err(Obstacle::Along(last, last.ahead(direction, 1)));
    }
    if Direction::AXES.contains(&line) {
        moves::broadside_move(position, first, line, marbles, direction)
    } else {
        moves::broadside_move(position, last, line.opposite(), marbles, direction)
    }
}

/// The direction from one end of a line of two or three cells to the other, and how many they are.
fn line_between(first: Cell, last: Cell) -> Option<(Direction, usize)> {
    Direction::ALL.into_iter().find_map(|direction| {
        let line = std::iter::successors(Some(first), |cell| cell.neighbour(direction)).take(LONGEST_LINE);
        let steps = line.skip(1).position(|cell| cell == last)?;
        Some((direction, steps + 2))
    })
}

/// What stands in the way of a move, as the end of a sentence.
fn explain(obstacle: Obstacle, side: Side) -> String {
    let own = Abalone::player(side).to_lowercase();
    match obstacle {
        Obstacle::NoMarble(cell) => format!("there is no {own} marble on {cell}"),
        Obstacle::NotNeighbours(from, to) => format!("{from} and {to} are not neighbours"),
        Obstacle::TooLong(marbles) => format!("{marbles} {own} marbles stand in the line, but at most 3 may move"),
        Obstacle::OffTheBoard(cell) => format!("the {own} marble on {cell} would leave the board"),
        Obstacle::Outnumbered { own, enemy } => format!("{own} cannot push {enemy}; more must push fewer"),
        Obstacle::Blocked(cell) => format!("the {own} marble on {cell} blocks those that are pushed"),
        Obstacle::NotALine(first, last) => format!("{first} and {last} are not the ends of a line of two or three"),
        Obstacle::Along(rear, to) => format!("the line moves along itself, which is written {rear}{to}"),
        Obstacle::Occupied(cell) => format!("{cell} is not empty"),
    }
}
