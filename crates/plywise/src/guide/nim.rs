use plywise::{Evaluate, Game, Outcome, Score, Side, zobrist};

/// Ten matches lie on the table. The players take one to three in turn; the player who takes the last one wins.
#[derive(Debug)]
pub enum Nim {}

/// What is left of the matches, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heap {
    pub matches: u8,
    pub turn: Side,
}

impl Game for Nim {
    type Position = Heap;
    type Move = u8; // How many are taken.

    fn start() -> Heap {
        Heap { matches: 10, turn: Side::First }
    }
    fn side_to_move(heap: &Heap) -> Side {
        heap.turn
    }
    fn moves(heap: &Heap, each: impl FnMut(u8)) {
        (1..=heap.matches.min(3)).for_each(each);
    }
    fn play(heap: &Heap, taken: u8) -> Heap {
        Heap { matches: heap.matches - taken, turn: !heap.turn }
    }
    fn hash(heap: &Heap) -> u64 {
        zobrist::key(u64::from(heap.matches) * 2 + heap.turn as u64)
    }
    fn stuck(_: &Heap) -> Outcome {
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
    fn evaluate(&mut self, _: &Heap) -> Score {
        0
    }
}
