//! Connect Four on bitboards: solves a position, then plays itself and prints the boards.
//!
//! `cargo run --release --example connect_four [MOVES]`, where MOVES are the columns played so far, such as `ddc`.
#![allow(clippy::print_stdout, missing_docs)]

use plywise::{Evaluate, Game, Limits, Outcome, Params, Request, Score, Searcher, Side, Signal, zobrist};

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

fn column_letter(mv: Move) -> char {
    char::from(b'a' + (mv.trailing_zeros() / 7) as u8)
}

/// The position after moves that are given as the letters of their columns, if they are legal.
pub fn position_after(columns: &str) -> Option<Position> {
    columns.chars().try_fold(ConnectFour::start(), |position, letter| {
        let mv = ConnectFour::legal_moves(&position).into_iter().find(|mv| column_letter(*mv) == letter)?;
        Some(ConnectFour::play(&position, mv))
    })
}

pub fn draw(position: &Position) -> String {
    let letters = if ConnectFour::side_to_move(position) == Side::First { "xo." } else { "ox." };
    let stone = |place: u64| if position.own & place != 0 { 0 } else { 2 - usize::from(position.all & place != 0) };
    let letter = |column: usize, row: usize| &letters[stone(1 << (7 * column + row))..][..1];
    let row = |row| (0..7).map(|column| letter(column, row)).fold(String::new(), |line, letter| line + " " + letter);
    (0..6).rev().map(row).fold(String::new(), |board, row| board + &row + "\n") + " a b c d e f g\n"
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut position =
        position_after(&std::env::args().nth(1).unwrap_or_default()).ok_or("MOVES are letters a to g")?;
    let mut searcher = Searcher::<ConnectFour, _>::new(Params::DEFAULT, Threats, 16)?;
    while ConnectFour::outcome(&position).is_none() {
        let report = searcher.search(&Request::new(position), &Limits::depth(14), &Signal::new(), &mut ());
        let Some(mv) = report.best_move() else { break };
        position = ConnectFour::play(&position, mv);
        println!("{}: value {}, {} nodes\n{}", column_letter(mv), report.score(), report.nodes, draw(&position));
    }
    println!("{:?}", ConnectFour::outcome(&position));
    Ok(())
}
