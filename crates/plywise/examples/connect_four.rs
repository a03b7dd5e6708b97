//! Connect Four on bitboards, with every command of plywise.
//!
//! `cargo run --release -p plywise --example connect_four -- analyse connect-four --moves d d c`
#![allow(missing_docs)]

use plywise::{BoardGame, Evaluate, Game, Notation, NotationError, Outcome, Score, Side, zobrist};
use std::process::ExitCode;

pub enum ConnectFour {}

/// The stones of the side to move, and those of both sides: bit 7c + r is row r of column c. The seventh row stays
/// empty, so that no line runs from one column into the next (the layout of Tromp's Fhourstones).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    pub own: u64,
    pub all: u64,
}
pub type Move = u64; // The bit of the place that the stone falls to.

const BOTTOM: u64 = 0x0000_0408_1020_4081;
const BOARD: u64 = BOTTOM * 0x3f;
/// The columns. Those in the middle take part in the most lines, so their moves are generated first.
const COLUMNS: [u64; 7] = [0x3f << 21, 0x3f << 14, 0x3f << 28, 0x3f << 7, 0x3f << 35, 0x3f, 0x3f << 42];

impl Position {
    fn opponent(&self) -> u64 {
        self.all ^ self.own
    }
    /// The places that a stone can fall to now.
    fn reachable(&self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }
}

fn has_four(stones: u64) -> bool {
    [1, 6, 7, 8].into_iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// The places, free or not, that complete a line of four.
fn completing(stones: u64) -> u64 {
    let upwards = (stones << 1) & (stones << 2) & (stones << 3);
    [6, 7, 8].into_iter().fold(upwards, |places, step| {
        let (after, before) = ((stones << step) & (stones << (2 * step)), (stones >> step) & (stones >> (2 * step)));
        let ends = after & (stones << (3 * step)) | before & (stones >> (3 * step));
        places | ends | after & (stones >> step) | before & (stones << step)
    }) & BOARD
}

impl Game for ConnectFour {
    type Position = Position;
    type Move = Move;

    fn start() -> Position {
        Position { own: 0, all: 0 }
    }
    fn side_to_move(position: &Position) -> Side {
        if position.all.count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn moves(position: &Position, each: impl FnMut(Move)) {
        if Self::decided(position).is_none() {
            COLUMNS.map(|column| position.reachable() & column).into_iter().filter(|mv| *mv != 0).for_each(each);
        }
    }
    fn play(position: &Position, mv: Move) -> Position {
        Position { own: position.opponent(), all: position.all | mv }
    }
    fn hash(position: &Position) -> u64 {
        zobrist::key(position.own + position.all) // In a column of n stones, 2^n − 1 and the own ones: all sums differ.
    }
    fn decided(position: &Position) -> Option<Outcome> {
        let lost = has_four(position.opponent()).then_some(Outcome::Loss);
        lost.or((position.all == BOARD).then_some(Outcome::Draw))
    }
    fn stuck(_: &Position) -> Outcome {
        Outcome::Draw // Never asked: a full board is decided.
    }
    fn move_code(mv: Move) -> u16 {
        mv.trailing_zeros() as u16 + 1
    }

    // Hooks: what helps the search to look at good moves first.
    const MOVE_INDICES: usize = 49;
    /// Moves to the same place are alike: history learns which places are good.
    fn move_index(_: &Position, mv: Move) -> usize {
        mv.trailing_zeros() as usize
    }
    /// Completing a line comes first, then keeping the opponent from it.
    fn tactical_value(position: &Position, mv: Move) -> Option<i32> {
        let completes = |stones| completing(stones) & mv != 0;
        if completes(position.own) { Some(2) } else { completes(position.opponent()).then_some(1) }
    }
    /// The opponent would complete a line: an evaluation says little here.
    fn in_check(position: &Position) -> bool {
        completing(position.opponent()) & position.reachable() != 0
    }
    fn is_irreversible(_: &Position, _: Move) -> bool {
        true
    }
}

/// Counts the free places that would complete a line, and the stones in the middle.
#[derive(Clone)]
pub struct Threats;

impl Evaluate<ConnectFour> for Threats {
    fn evaluate(&mut self, position: &Position) -> Score {
        let count = |places: u64| places.count_ones() as Score;
        let middle = |stones: u64| 3 * count(stones & COLUMNS[0]) + 2 * count(stones & (COLUMNS[1] | COLUMNS[2]));
        let worth = |stones: u64| 20 * count(completing(stones) & !position.all) + middle(stones);
        worth(position.own) - worth(position.opponent())
    }
}

/// A position is its seven columns between slashes, each from the bottom upwards.
impl Notation for ConnectFour {
    const NAME: &'static str = "connect-four";
    const TITLE: &'static str = "Connect Four";
    const PLAYERS: [&'static str; 2] = ["x", "o"];

    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let error = || NotationError::new("a position is seven columns of at most six 'x' and 'o' between slashes");
        let columns: Vec<&str> = text.trim().split('/').collect();
        if columns.len() != 7 || columns.iter().any(|column| column.len() > 6) {
            return Err(error());
        }
        let mut stones = [0u64; 2];
        for (index, column) in columns.into_iter().enumerate() {
            for (row, letter) in column.chars().enumerate() {
                let player = Self::PLAYERS.iter().position(|known| known.starts_with(letter)).ok_or_else(error)?;
                stones[player] |= 1 << (7 * index + row);
            }
        }
        let [first, second] = stones;
        let own = match first.count_ones().checked_sub(second.count_ones()) {
            Some(0) => first,
            Some(1) => second,
            _ => return Err(error()),
        };
        Ok(Position { own, all: first | second })
    }
    fn write_position(position: &Position) -> String {
        let column =
            |index: u32| (0..6).filter_map(|row| letter(position, 1u64 << (7 * index + row))).collect::<String>();
        (0..7).map(column).collect::<Vec<_>>().join("/")
    }
    fn write_move(_: &Position, mv: Move) -> String {
        char::from(b'a' + (mv.trailing_zeros() / 7) as u8).to_string()
    }
    fn draw(position: &Position) -> String {
        let place = |column: usize, row: usize| letter(position, 1 << (7 * column + row)).unwrap_or('.');
        let row = |row| (0..7).map(|column| format!(" {}", place(column, row))).collect::<String>() + "\n";
        (0..6).rev().map(row).collect::<String>() + " a b c d e f g\n"
    }
}

/// Whose stone lies on a place, if any does.
fn letter(position: &Position, place: u64) -> Option<char> {
    let letters = if ConnectFour::side_to_move(position) == Side::First { ['x', 'o'] } else { ['o', 'x'] };
    (position.all & place != 0).then(|| letters[usize::from(position.own & place == 0)])
}

impl BoardGame for ConnectFour {
    type Weights = ();
    type Evaluation = Threats;
    fn evaluation((): ()) -> Threats {
        Threats
    }
    /// What a network looks at: each player's own stones, then the other's, place by place.
    const FEATURES: usize = 84;
    fn features(position: &Position, mut each: impl FnMut([usize; 2])) {
        let mover = ConnectFour::side_to_move(position) as usize;
        for place in (0..42).filter(|place| position.all >> (place / 6 * 7 + place % 6) & 1 != 0) {
            let owner = if position.own >> (place / 6 * 7 + place % 6) & 1 != 0 { mover } else { 1 - mover };
            each([place + 42 * owner, place + 42 * (1 - owner)]);
        }
    }
    const SYMMETRIES: usize = 2;
    /// Left and right can be exchanged.
    fn twin_feature(feature: usize, symmetry: usize) -> usize {
        let (owner, column, row) = (feature / 42, feature % 42 / 6, feature % 6);
        if symmetry == 0 { feature } else { 42 * owner + 6 * (6 - column) + row }
    }
}

impl plywise::cli::Playable for ConnectFour {}

/// The position after moves that are given as the letters of their columns, if they are legal.
pub fn position_after(columns: &str) -> Option<Position> {
    columns.chars().try_fold(ConnectFour::start(), |position, letter| {
        let mv = ConnectFour::parse_move(&position, &letter.to_string()).ok()?;
        Some(ConnectFour::play(&position, mv))
    })
}

fn main() -> ExitCode {
    plywise::cli::main::<ConnectFour>()
}
