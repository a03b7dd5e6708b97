//! Connect Four on bitboards: solves a position, then plays itself and prints the boards.
//!
//! `cargo run --release --example connect_four [MOVES]`, where MOVES are the columns played so far, such as `ddc`.
#![allow(clippy::print_stdout)]

use plywise::{Evaluate, Game, Limits, Outcome, Params, Request, Score, Searcher, Side, Signal, score, zobrist};
use std::fmt;

/// Four in a row on seven columns of six. Stones fall to the lowest free place.
pub enum ConnectFour {}

/// The stones: bit 7c + r is row r of column c. The seventh row stays empty, so that no line runs from one column into
/// the next (the layout of Tromp's Fhourstones).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// Those of the side to move.
    pub own: u64,
    /// Those of both sides.
    pub all: u64,
}

/// The bit of the place that the stone falls to.
pub type Move = u64;

const COLUMNS: usize = 7;
const ROWS: usize = 6;
const BOTTOM: u64 = 0x0000_0408_1020_4081;
const BOARD: u64 = BOTTOM * 0x3f;
/// The middle columns take part in the most lines, so their moves are generated first.
const MIDDLE_FIRST: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];

const fn column(index: usize) -> u64 {
    0x3f << (7 * index)
}

const MIDDLE: u64 = column(2) | column(3) | column(4);

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
    fn moves(position: &Position, mut each: impl FnMut(Move)) {
        if Self::decided(position).is_none() {
            let reachable = position.reachable();
            MIDDLE_FIRST.into_iter().map(|index| reachable & column(index)).filter(|mv| *mv != 0).for_each(&mut each);
        }
    }
    fn play(position: &Position, mv: Move) -> Position {
        Position { own: position.opponent(), all: position.all | mv }
    }
    /// The sum tells all positions apart: in a column of n stones it is 2^n − 1 and the own stones, which are below 2^n.
    fn hash(position: &Position) -> u64 {
        zobrist::key(position.own + position.all)
    }
    fn decided(position: &Position) -> Option<Outcome> {
        if has_four(position.opponent()) {
            return Some(Outcome::Loss);
        }
        (position.all == BOARD).then_some(Outcome::Draw)
    }
    /// Never asked: a full board is decided.
    fn stuck(_: &Position) -> Outcome {
        Outcome::Draw
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
        let worth = |stones: u64| {
            20 * count(completing(stones) & !position.all) + 2 * count(stones & MIDDLE) + count(stones & column(3))
        };
        worth(position.own) - worth(position.opponent())
    }
}

/// The position after moves that are given as the letters of their columns, if they are legal.
pub fn position_after(columns: &str) -> Option<Position> {
    columns.chars().try_fold(ConnectFour::start(), |position, letter| {
        let mv = ConnectFour::legal_moves(&position).into_iter().find(|mv| column_letter(*mv) == letter)?;
        Some(ConnectFour::play(&position, mv))
    })
}

fn column_letter(mv: Move) -> char {
    char::from(b'a' + (mv.trailing_zeros() / 7) as u8)
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letters = if ConnectFour::side_to_move(self) == Side::First { ['x', 'o'] } else { ['o', 'x'] };
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                let place = 1 << (7 * column + row);
                let stone = [self.own, self.opponent()].iter().position(|stones| stones & place != 0);
                write!(f, " {}", stone.map_or('.', |player| letters[player]))?;
            }
            writeln!(f)?;
        }
        writeln!(f, " a b c d e f g")
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let columns = std::env::args().nth(1).unwrap_or_default();
    let mut position = position_after(&columns).ok_or("MOVES are letters from a to g, one for each stone")?;
    let mut searcher = Searcher::<ConnectFour, _>::new(Params::DEFAULT, Threats, 16)?;
    while ConnectFour::outcome(&position).is_none() {
        let report = searcher.search(&Request::new(position), &Limits::depth(14), &Signal::new(), &mut ());
        let Some(mv) = report.best_move() else { break };
        let value = match score::plies_to_end(report.score()) {
            Some(plies) => format!("{} in {} plies", if plies > 0 { "wins" } else { "loses" }, plies.abs()),
            None => format!("value {:+}", report.score()),
        };
        println!("{position}plays {}, {value}, {} nodes\n", column_letter(mv), report.nodes);
        position = ConnectFour::play(&position, mv);
    }
    println!("{position}{:?}", ConnectFour::outcome(&position));
    Ok(())
}
