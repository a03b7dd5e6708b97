//! The position.

use crate::cells::{BOARD, CELLS, Cell};
use crate::moves::Move;
use crate::notation;
use plywise_game::{Side, zobrist};
use std::fmt;

/// The marbles that each side begins with.
pub const MARBLES: u32 = 14;

/// A player who has lost this many marbles has lost the game.
pub const LOST_TO_LOSE: u8 = 6;

/// After this many plies without an ejection the game is drawn.
///
/// The game's own rules know no such limit; without one, two careful players in the middle of the board never end. In
/// games of this program against itself, 99 of a hundred ejections come within 98 plies of the one before.
pub const PLIES_TO_DRAW: u8 = 100;

/// A position: the marbles of both sides, how many each has lost, whose turn it is, how many plies ago the last marble
/// was ejected, and the hash of all that but the last.
///
/// Black is [`Side::First`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    marbles: [u64; 2],
    hash: u64,
    lost: [u8; 2],
    quiet_plies: u8,
    side: Side,
}

impl Position {
    /// The usual start: Black at the bottom, White at the top.
    pub const STANDARD: Position = start("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb");

    /// The Belgian daisy, with which tournaments begin: two flowers of seven marbles for each side, in the corners.
    pub const BELGIAN_DAISY: Position = start("ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww");

    /// The German daisy: the flowers of the Belgian one, a row closer to the middle.
    pub const GERMAN_DAISY: Position = start("5/ww2bb/www1bbb/1ww2bb1/9/1bb2ww1/bbb1www/bb2ww/5");

    /// A position from the bitboards of both sides. A cell that both claim is Black's.
    pub(crate) const fn new(marbles: [u64; 2], lost: [u8; 2], side: Side, quiet_plies: u8) -> Position {
        let marbles = [marbles[0] & BOARD, marbles[1] & BOARD & !marbles[0]];
        let position = Position { marbles, hash: 0, lost, quiet_plies, side };
        Position { hash: position.hash_afresh(), ..position }
    }

    /// The marbles of a side as a bitboard: see [`Cell::index`](crate::Cell::index) for its order.
    pub const fn marbles(&self, side: Side) -> u64 {
        self.marbles[side as usize]
    }

    /// The marbles of the side to move.
    #[inline]
    pub const fn own(&self) -> u64 {
        self.side.own_first(self.marbles)[0]
    }

    /// The marbles of the other side.
    #[inline]
    pub const fn enemy(&self) -> u64 {
        self.side.own_first(self.marbles)[1]
    }

    /// The cells without a marble.
    pub const fn empty(&self) -> u64 {
        BOARD & !(self.marbles[0] | self.marbles[1])
    }

    /// How many marbles a side has lost.
    pub const fn lost(&self, side: Side) -> u8 {
        self.lost[side as usize]
    }

    /// Plies since the last marble was ejected, [`PLIES_TO_DRAW`] at most.
    pub const fn quiet_plies(&self) -> u8 {
        self.quiet_plies
    }

    /// Whose turn it is.
    pub const fn side_to_move(&self) -> Side {
        self.side
    }

    /// The hash, kept up to date move by move.
    pub(crate) const fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash computed from the board alone.
    pub(crate) const fn hash_afresh(&self) -> u64 {
        let mut hash = match self.side {
            Side::First => 0,
            Side::Second => SIDE_KEY,
        };
        let mut side = 0;
        while side < 2 {
            let mut cell = 0;
            while cell < CELLS {
                if self.marbles[side] >> cell & 1 != 0 {
                    hash ^= MARBLE_KEYS[side][cell];
                }
                cell += 1;
            }
            let mut lost = 0;
            while lost < self.lost[side] {
                hash ^= LOST_KEYS[side][lost as usize];
                lost += 1;
            }
            side += 1;
        }
        hash
    }

    /// The same marbles with the other side to move.
    #[inline]
    pub(crate) fn with_turn_passed(self) -> Position {
        Position { hash: self.hash ^ SIDE_KEY, side: !self.side, ..self }
    }

    /// The position after a legal move.
    #[inline]
    pub(crate) fn with_move_played(&self, mv: Move) -> Position {
        let [own_keys, enemy_keys] = self.side.own_first([&MARBLE_KEYS[0], &MARBLE_KEYS[1]]);
        let (mut own, mut enemy) = (Toggled::new(own_keys), Toggled::new(enemy_keys));
        match mv.line() {
            None => {
                // The last marble of the line goes to its front, and so does the first enemy marble that is pushed.
                let front = mv.from().ahead(mv.direction(), mv.marbles());
                own.toggle(mv.from());
                own.toggle(front);
                if mv.pushed() > 0 {
                    enemy.toggle(front);
                    if !mv.ejects() {
                        enemy.toggle(front.ahead(mv.direction(), mv.pushed()));
                    }
                }
            }
            Some(line) => {
                for i in 0..mv.marbles() {
                    let cell = mv.from().ahead(line, i);
                    own.toggle(cell);
                    own.toggle(cell.ahead(mv.direction(), 1));
                }
            }
        }
        let moved = Position {
            marbles: self.side.own_first([self.own() ^ own.cells, self.enemy() ^ enemy.cells]),
            hash: self.hash ^ own.hash ^ enemy.hash ^ SIDE_KEY,
            lost: self.lost,
            quiet_plies: if self.quiet_plies < PLIES_TO_DRAW { self.quiet_plies + 1 } else { PLIES_TO_DRAW },
            side: !self.side,
        };
        if mv.ejects() { moved.with_marble_lost() } else { moved }
    }

    /// The same, but the side to move has lost one more marble.
    fn with_marble_lost(mut self) -> Position {
        let lost = &mut self.lost[self.side as usize];
        self.hash ^= LOST_KEYS[self.side as usize][*lost as usize];
        *lost += 1;
        self.quiet_plies = 0;
        self
    }

    /// The marbles of both sides exchanged and the turn with them: the same position seen by the other colour.
    pub fn colours_swapped(&self) -> Position {
        let Position { marbles: [black, white], lost: [lost_black, lost_white], .. } = *self;
        Position::new([white, black], [lost_white, lost_black], !self.side, self.quiet_plies)
    }
}

/// Cells of one side that a move fills or empties, and what that does to the hash.
struct Toggled {
    keys: &'static [u64; CELLS],
    cells: u64,
    hash: u64,
}

impl Toggled {
    #[inline(always)]
    fn new(keys: &'static [u64; CELLS]) -> Toggled {
        Toggled { keys, cells: 0, hash: 0 }
    }

    #[inline(always)]
    fn toggle(&mut self, cell: Cell) {
        self.cells ^= cell.bit();
        self.hash ^= self.keys[cell.index()];
    }
}

/// A start with Black to move, from a board that is known to be right.
const fn start(board: &str) -> Position {
    match notation::board(board.as_bytes()) {
        Ok(marbles) => Position::new(marbles, [0, 0], Side::First, 0),
        Err(_) => panic!("a start is misspelt"),
    }
}

/// Zobrist keys of each side's marbles.
static MARBLE_KEYS: [[u64; CELLS]; 2] = {
    let mut keys = [[0; CELLS]; 2];
    let mut i = 0;
    while i < 2 * CELLS {
        keys[i / CELLS][i % CELLS] = zobrist::key(i as u64 + 1);
        i += 1;
    }
    keys
};

/// Zobrist keys of the first, the second and every further marble that each side has lost.
const LOST_KEYS: [[u64; LOST_TO_LOSE as usize]; 2] = {
    let mut keys = [[0; LOST_TO_LOSE as usize]; 2];
    let mut i = 0;
    while i < 2 * LOST_TO_LOSE as usize {
        keys[i / LOST_TO_LOSE as usize][i % LOST_TO_LOSE as usize] = zobrist::key((i + 1 + 2 * CELLS) as u64);
        i += 1;
    }
    keys
};

/// The Zobrist key of White's turn.
const SIDE_KEY: u64 = zobrist::key(0);

impl fmt::Debug for Position {
    /// The one-line notation, which says more than bitboards.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&notation::write_position(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small() {
        assert_eq!(size_of::<Position>(), 32);
    }

    #[test]
    fn starts_have_all_marbles() {
        for start in [Position::STANDARD, Position::BELGIAN_DAISY, Position::GERMAN_DAISY] {
            assert_eq!([start.own().count_ones(), start.enemy().count_ones()], [MARBLES; 2]);
        }
    }
}
