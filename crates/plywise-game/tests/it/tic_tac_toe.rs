// Tic-tac-toe with every hook that a search may ask: the smallest game that can try everything in this crate. The
// documentation's examples include this file.

use plywise_game::{Evaluate, Game, MoveTraits, Notation, NotationError, Outcome, Score, Side, zobrist};

/// Three in a row on a board of three by three. Crosses move first.
pub enum TicTacToe {}

/// The squares that each side has taken, a bit each, a1 first, then b1. The hash is kept up to date move by move.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    taken: [u16; 2],
    side: Side,
    hash: u64,
}

/// A square, from 0 for a1 to 8 for c3.
pub type Square = u8;

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

impl Position {
    fn new(taken: [u16; 2], side: Side) -> Position {
        let mut position = Position { taken, side, hash: 0 };
        position.hash = TicTacToe::hash_afresh(&position);
        position
    }

    pub fn own(&self) -> u16 {
        self.taken[self.side as usize]
    }

    pub fn enemy(&self) -> u16 {
        self.taken[!self.side as usize]
    }

    /// The empty squares.
    pub fn free(&self) -> u16 {
        FULL & !self.taken[0] & !self.taken[1]
    }

    /// The same board with the other side to move.
    pub fn with_other_side(&self) -> Position {
        Position::new(self.taken, !self.side)
    }

    /// The same position with nothing on `square`.
    pub fn without(&self, square: Square) -> Position {
        Position::new(self.taken.map(|taken| taken & !(1 << square)), self.side)
    }

    /// The same position with a hash that may be wrong.
    pub fn with_hash(self, hash: u64) -> Position {
        Position { hash, ..self }
    }

    /// The free squares that complete a line for the owner of `taken`.
    fn winning_squares(&self, taken: u16) -> u16 {
        squares(self.free()).filter(|square| has_line(taken | 1 << square)).fold(0, |all, square| all | 1 << square)
    }
}

fn has_line(taken: u16) -> bool {
    LINES.iter().any(|line| taken & line == *line)
}

fn squares(set: u16) -> impl Iterator<Item = Square> {
    (0..9).filter(move |square| set >> square & 1 != 0)
}

/// A random number for each piece on each square, and for the side to move.
fn key(index: usize) -> u64 {
    zobrist::key(index as u64)
}

const SIDE_KEY: usize = 18;

fn piece_key(side: Side, square: Square) -> u64 {
    key(side as usize * 9 + usize::from(square))
}

impl Game for TicTacToe {
    type Position = Position;
    type Move = Square;

    fn start() -> Position {
        Position::new([0, 0], Side::First)
    }

    fn side_to_move(position: &Position) -> Side {
        position.side
    }

    fn moves(position: &Position, each: impl FnMut(Square)) {
        if Self::decided(position).is_none() {
            squares(position.free()).for_each(each);
        }
    }

    fn play(position: &Position, mv: Square) -> Position {
        let mut taken = position.taken;
        taken[position.side as usize] |= 1 << mv;
        let hash = position.hash ^ piece_key(position.side, mv) ^ key(SIDE_KEY);
        Position { taken, side: !position.side, hash }
    }

    fn hash(position: &Position) -> u64 {
        position.hash
    }

    fn decided(position: &Position) -> Option<Outcome> {
        if has_line(position.enemy()) { Some(Outcome::Loss) } else { has_line(position.own()).then_some(Outcome::Win) }
    }

    fn stuck(_position: &Position) -> Outcome {
        Outcome::Draw
    }

    fn hash_afresh(position: &Position) -> u64 {
        let pieces = [Side::First, Side::Second]
            .into_iter()
            .flat_map(|side| squares(position.taken[side as usize]).map(move |square| piece_key(side, square)))
            .fold(0, |hash, key| hash ^ key);
        if position.side == Side::First { pieces } else { pieces ^ key(SIDE_KEY) }
    }

    fn move_code(mv: Square) -> u16 {
        u16::from(mv) + 1
    }

    const MOVE_INDICES: usize = 9;

    fn move_index(_position: &Position, mv: Square) -> usize {
        mv.into()
    }

    const MOVE_CLASSES: usize = 3;

    /// The centre, a corner, an edge.
    fn move_class(_position: &Position, mv: Square) -> usize {
        match mv {
            4 => 0,
            0 | 2 | 6 | 8 => 1,
            _ => 2,
        }
    }

    /// Winning comes first, then not losing.
    fn tactical_value(position: &Position, mv: Square) -> Option<i32> {
        let threatens = |taken: u16| position.winning_squares(taken) >> mv & 1 != 0;
        if threatens(position.own()) { Some(2) } else { threatens(position.enemy()).then_some(1) }
    }

    fn in_check(position: &Position) -> bool {
        Self::decided(position).is_none() && position.winning_squares(position.enemy()) != 0
    }

    fn null_move(position: &Position) -> Option<Position> {
        let is_allowed = Self::outcome(position).is_none() && !Self::in_check(position);
        is_allowed.then(|| Position { side: !position.side, hash: position.hash ^ key(SIDE_KEY), ..position.clone() })
    }

    fn is_irreversible(_position: &Position, _mv: Square) -> bool {
        true
    }

    fn move_traits(_position: &Position, _mv: Square, after: &Position, _previous: Option<Square>) -> MoveTraits {
        MoveTraits { gives_check: Self::in_check(after), ..MoveTraits::default() }
    }
}

impl Notation for TicTacToe {
    const NAME: &'static str = "tic-tac-toe";
    const TITLE: &'static str = "Tic-tac-toe";

    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [board, side] = words[..] else {
            return Err(NotationError::new(format!("a position has two fields, not {}", words.len())));
        };
        let side = match side {
            "x" => Side::First,
            "o" => Side::Second,
            _ => return Err(NotationError::new("the side to move must be 'x' or 'o'")),
        };
        let position = Position::new(parse_board(board)?, side);
        if position.taken.map(has_line) == [true, true] {
            return Err(NotationError::new("both sides have a line"));
        }
        Ok(position)
    }

    fn write_position(position: &Position) -> String {
        let rows: Vec<String> =
            (0..3).rev().map(|row| (0..3).map(|file| letter(position, row * 3 + file)).collect()).collect();
        format!("{} {}", rows.join("/"), if position.side == Side::First { 'x' } else { 'o' })
    }

    fn parse_move(position: &Position, text: &str) -> Result<Square, NotationError> {
        let square = match text.as_bytes() {
            [file @ b'a'..=b'c', rank @ b'1'..=b'3'] => (rank - b'1') * 3 + (file - b'a'),
            _ => return Err(NotationError::new("a move is a square from a1 to c3")),
        };
        if Self::decided(position).is_some() {
            return Err(NotationError::new("the game is over"));
        }
        if position.free() >> square & 1 == 0 {
            return Err(NotationError::new(format!("{text} is taken")));
        }
        Ok(square)
    }

    fn write_move(_position: &Position, mv: Square) -> String {
        let letter = |first: u8, index: u8| char::from(first + index);
        [letter(b'a', mv % 3), letter(b'1', mv / 3)].iter().collect()
    }

    fn draw(position: &Position) -> String {
        Self::write_position(position).replace(['/', ' '], "\n") + " to move\n"
    }
}

fn letter(position: &Position, square: Square) -> char {
    match position.taken.map(|taken| taken >> square & 1) {
        [1, _] => 'x',
        [_, 1] => 'o',
        _ => '.',
    }
}

/// The squares of both sides, unless one has moved more often than turns allow.
fn parse_board(text: &str) -> Result<[u16; 2], NotationError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 3 || rows.iter().any(|row| row.chars().count() != 3) {
        return Err(NotationError::new("the board must be three rows of three squares"));
    }
    let mut taken = [0u16; 2];
    for (square, letter) in rows.iter().rev().flat_map(|row| row.chars()).enumerate() {
        match letter {
            'x' => taken[0] |= 1 << square,
            'o' => taken[1] |= 1 << square,
            '.' => {}
            _ => return Err(NotationError::new("a square must be 'x', 'o' or '.'")),
        }
    }
    if taken[0].count_ones().abs_diff(taken[1].count_ones()) > 1 {
        return Err(NotationError::new("one side has moved too often"));
    }
    Ok(taken)
}

/// Counts the lines that are still open to each side.
#[derive(Clone)]
pub struct OpenLines;

impl Evaluate<TicTacToe> for OpenLines {
    fn evaluate(&mut self, position: &Position) -> Score {
        let open = |enemy: u16| LINES.iter().filter(|line| enemy & *line == 0).count() as Score;
        open(position.enemy()) - open(position.own())
    }
}
