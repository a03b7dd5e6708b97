//! Tic-tac-toe: the rules, and a perfect game, played and printed.
#![allow(clippy::print_stdout)]

use plywise::{Game, Limits, Outcome, Params, Request, Searcher, Side, Signal, zobrist};

/// A game is an empty type.
pub enum TicTacToe {}
/// The squares of crosses and those of noughts, a bit each.
pub type Position = [u16; 2];
const ROWS: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Game for TicTacToe {
    type Position = Position;
    type Move = u16; // The bit of the square that is taken.

    fn start() -> Position {
        [0, 0]
    }
    fn side_to_move([crosses, noughts]: &Position) -> Side {
        if crosses.count_ones() == noughts.count_ones() { Side::First } else { Side::Second }
    }
    fn moves(position: &Position, each: impl FnMut(u16)) {
        if Self::decided(position).is_none() {
            (0..9).map(|n| 1 << n).filter(|square| (position[0] | position[1]) & square == 0).for_each(each);
        }
    }
    fn play(position: &Position, square: u16) -> Position {
        let mut after = *position;
        after[Self::side_to_move(position) as usize] |= square;
        after
    }
    fn hash([crosses, noughts]: &Position) -> u64 {
        zobrist::key(u64::from(*crosses) << 9 | u64::from(*noughts))
    }
    fn decided(position: &Position) -> Option<Outcome> {
        let opponent = position[!Self::side_to_move(position) as usize];
        ROWS.iter().any(|row| opponent & row == *row).then_some(Outcome::Loss)
    }
    fn stuck(_: &Position) -> Outcome {
        Outcome::Draw
    }
    fn move_code(square: u16) -> u16 {
        square
    }
}

fn main() {
    // The game is searched to its end, so no evaluation is needed: ().
    let mut searcher = Searcher::<TicTacToe, _>::new(Params::DEFAULT, (), 1).expect("1 MB fits into memory");
    let mut position = TicTacToe::start();
    while TicTacToe::outcome(&position).is_none() {
        let report = searcher.search(&Request::new(position), &Limits::depth(9), &Signal::new(), &mut ());
        position = report.best_move().map_or(position, |square| TicTacToe::play(&position, square));
        let [crosses, noughts] = position.map(|taken| (0..9).filter(|n| taken >> n & 1 == 1).collect::<Vec<_>>());
        println!("crosses {crosses:?}, noughts {noughts:?}: value {}, {} nodes", report.score(), report.nodes);
    }
    println!("{:?}", TicTacToe::outcome(&position)); // Some(Draw)
}
