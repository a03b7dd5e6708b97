//! Moves, and their generation for all pieces at once.

use crate::board::Position;
use crate::lines::{Counts, Direction, RAYS};
use plywise_game::bitboard::{Square, squares};

/// A move: where from, where to, and whether it captures; or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    /// The move of a player who has no other.
    pub const PASS: Move = Move(0x0fff);

    const CAPTURE: u16 = 1 << 12;

    pub(crate) const fn new(from: Square, to: Square, captures: bool) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6 | if captures { Move::CAPTURE } else { 0 })
    }

    /// The move that has this code, legal or not.
    pub(crate) const fn from_code(code: u16) -> Move {
        Move(code)
    }

    /// A number of its own for each move, never 0 for a move that goes anywhere, nor for the pass.
    pub(crate) const fn code(self) -> u16 {
        self.0
    }

    /// Whether this is the pass.
    pub const fn is_pass(self) -> bool {
        self.0 == Move::PASS.0
    }

    /// The square that the piece leaves. The pass has h8 here.
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as u32)
    }

    /// The square that the piece lands on. The pass has h8 here.
    pub const fn to(self) -> Square {
        Square::from_index(self.0 as u32 >> 6)
    }

    /// Whether it takes an enemy piece.
    pub const fn captures(self) -> bool {
        self.0 & Move::CAPTURE != 0
    }
}

impl std::fmt::Debug for Move {
    /// As players write it.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&crate::notation::write_move(*self))
    }
}

/// Calls `each` for the number of steps and the squares where the side to move can land, in one direction.
///
/// All pieces walk together, one square at a time. A square is reached by one piece at most in a given direction and
/// distance, and that piece stops there if the count of their common line says so. Those that meet an enemy go no
/// further.
#[inline(always)]
fn walk(direction: Direction, counts: Counts, own: u64, enemy: u64, mut each: impl FnMut(u32, u64)) {
    let mut walking = own;
    for steps in 1..8 {
        walking = direction.shift(walking, 1);
        each(steps, walking & counts.equal_to(steps) & !own);
        walking &= !enemy;
    }
}

/// Runs an expression for both directions of each of the four axes. The directions are constants, so every shift
/// and mask is one too.
macro_rules! for_each_axis {
    ($occupied:expr, |$counts:ident, $direction:ident| $body:expr) => {
        for_each_axis!(@axis East West, $occupied, $counts, $direction, $body);
        for_each_axis!(@axis NorthEast SouthWest, $occupied, $counts, $direction, $body);
        for_each_axis!(@axis North South, $occupied, $counts, $direction, $body);
        for_each_axis!(@axis NorthWest SouthEast, $occupied, $counts, $direction, $body);
    };
    (@axis $forth:ident $back:ident, $occupied:expr, $counts:ident, $direction:ident, $body:expr) => {{
        let $counts = Counts::along(Direction::$forth, $occupied);
        { const $direction: Direction = Direction::$forth; $body }
        { const $direction: Direction = Direction::$back; $body }
    }};
}

/// Calls `each` for every move of a piece that lands on one of `targets`, direction by direction, even if the game is
/// over.
#[inline(always)]
pub(crate) fn piece_moves(position: &Position, targets: u64, mut each: impl FnMut(Move)) {
    let (own, enemy) = (position.own(), position.enemy());
    for_each_axis!(own | enemy, |counts, DIRECTION| {
        walk(DIRECTION, counts, own, enemy, |steps, landing| {
            for to in squares(landing & targets) {
                let from = Square::from_index((to.index() as i32 - steps as i32 * DIRECTION.delta()) as u32);
                each(Move::new(from, to, enemy & to.bit() != 0));
            }
        })
    });
}

/// The number of moves of `own` pieces, a pass not counted.
#[inline]
pub(crate) fn piece_move_count(own: u64, enemy: u64) -> usize {
    let mut count = 0;
    for_each_axis!(own | enemy, |counts, DIRECTION| {
        // Each square belongs to one line, and so is landed on at one distance: the union loses nothing.
        let mut landings = 0;
        walk(DIRECTION, counts, own, enemy, |_, landing| landings |= landing);
        count += landings.count_ones() as usize
    });
    count
}

/// For every square, the number of moves that land there, one bitboard for each binary digit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Landings([u64; 4]);

impl Landings {
    #[inline(always)]
    fn add(&mut self, mut landings: u64) {
        for digit in &mut self.0 {
            let carry = *digit & landings;
            *digit ^= landings;
            landings = carry;
        }
    }

    /// The number of moves that land on one of these squares.
    #[inline(always)]
    pub(crate) fn count_within(&self, squares: u64) -> i32 {
        let mut count = 0;
        for (i, digit) in self.0.iter().enumerate() {
            count += ((digit & squares).count_ones() << i) as i32;
        }
        count
    }
}

/// Where the moves of both sides land, as if each were to move. Within a larger function it would run out of registers.
#[inline(never)]
pub(crate) fn landings(first: u64, second: u64) -> [Landings; 2] {
    let mut both = [Landings::default(); 2];
    for_each_axis!(first | second, |counts, DIRECTION| {
        for (landings, own, enemy) in [(0, first, second), (1, second, first)] {
            let mut union = 0;
            walk(DIRECTION, counts, own, enemy, |_, landing| union |= landing);
            both[landings].add(union);
        }
    });
    both
}

/// Why a piece cannot make a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// The square to leave holds no piece of the side to move.
    NoPiece,
    /// The squares do not lie on a common line.
    NotInLine,
    /// The move is not as long as its line has pieces.
    WrongDistance {
        /// The pieces on the line.
        pieces: u32,
        /// The squares that the move would travel.
        steps: u32,
    },
    /// An own piece stands on the target.
    OwnPieceOnTarget,
    /// An enemy piece stands in between.
    EnemyBetween(Square),
}

/// The move from one square to another, if a piece of the side to move can make it.
pub(crate) fn piece_move(position: &Position, from: Square, to: Square) -> Result<Move, Obstacle> {
    if position.own() & from.bit() == 0 {
        return Err(Obstacle::NoPiece);
    }
    let files = i32::from(to.file()) - i32::from(from.file());
    let ranks = i32::from(to.rank()) - i32::from(from.rank());
    if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
        return Err(Obstacle::NotInLine);
    }
    let direction = Direction::from_step(files.signum(), ranks.signum()).ok_or(Obstacle::NotInLine)?;
    let (forth, back) = (direction as usize, direction.opposite() as usize);
    let line = RAYS[forth][from.index()] | RAYS[back][from.index()] | from.bit();
    let pieces = (position.occupied() & line).count_ones();
    let steps = u32::from(from.distance(to));
    if pieces != steps {
        return Err(Obstacle::WrongDistance { pieces, steps });
    }
    if position.own() & to.bit() != 0 {
        return Err(Obstacle::OwnPieceOnTarget);
    }
    let between = RAYS[forth][from.index()] & RAYS[back][to.index()];
    match squares(between & position.enemy()).next() {
        Some(blocker) => Err(Obstacle::EnemyBetween(blocker)),
        None => Ok(Move::new(from, to, position.enemy() & to.bit() != 0)),
    }
}
