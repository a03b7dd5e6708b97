use plywise::{Evaluate, Game, Outcome, Score, Side, zobrist};

/// Ten matches lie on the table. The players take one to three in turn; whoever takes the last one wins.
#[derive(Debug)]
pub enum Nim {}

/// What lies on the table, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table {
    pub matches: u8,
    pub turn: Side,
}

impl Game for Nim {
    type Position = Table;
    type Move = u8; // How many are taken.

    fn start() -> Table {
        Table { matches: 10, turn: Side::First }
    }
    fn side_to_move(table: &Table) -> Side {
        table.turn
    }
    fn moves(table: &Table, each: impl FnMut(u8)) {
        (1..=table.matches.min(3)).for_each(each);
    }
    fn play(table: &Table, taken: u8) -> Table {
        Table { matches: table.matches - taken, turn: !table.turn }
    }
    fn hash(table: &Table) -> u64 {
        zobrist::key(u64::from(table.matches) * 2 + table.turn as u64)
    }
    fn stuck(_: &Table) -> Outcome {
        Outcome::Loss // Nothing is left: the opponent took the last match.
    }
    fn move_code(taken: u8) -> u16 {
        taken.into()
    }
}

/// Knows nothing: the search must find out.
#[derive(Clone)]
pub struct Even;

impl Evaluate<Nim> for Even {
    fn evaluate(&mut self, _: &Table) -> Score {
        0
    }
}
