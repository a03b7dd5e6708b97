//! Moves, and their generation for all marbles at once.
//!
//! A line of one to three marbles moves one step, either along itself (inline) or sideways (broadside). An inline move
//! is named by its last marble and the direction: the line goes from there to the first cell that is not its own, and
//! all of it moves. So every move has one name, and no two moves have the same effect.

use crate::board::Position;
use crate::cells::{CELLS, Cell, Direction, for_each_cell, for_each_direction};

/// The longest line that may move.
pub(crate) const LONGEST_LINE: usize = 3;

/// A move: which marbles, in which direction, and what they push.
///
/// From the lowest bit: the cell (6 bits), the direction (3), the number of marbles (2), the axis of a broadside line
/// plus one or 0 (2), the number of marbles pushed (2), and whether one of them is ejected (1).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    #[inline(always)]
    pub(crate) const fn inline(from: Cell, direction: Direction, marbles: usize, pushed: usize, ejects: bool) -> Move {
        let shape = from.index() | (direction as usize) << 6 | marbles << 9;
        Move((shape | pushed << 13 | (ejects as usize) << 15) as u16)
    }

    /// The marbles on `from` and further along `axis`, one of [`Direction::AXES`], step sideways.
    #[inline(always)]
    pub(crate) const fn broadside(from: Cell, axis: Direction, marbles: usize, direction: Direction) -> Move {
        Move((from.index() | (direction as usize) << 6 | marbles << 9 | (axis as usize + 1) << 11) as u16)
    }

    /// A number of its own for each move, never 0: at least one marble moves.
    pub(crate) const fn code(self) -> u16 {
        self.0
    }

    /// The last marble of an inline move; of a broadside move, the end of the line that has the lowest row, and in a
    /// row the lowest diagonal.
    pub const fn from(self) -> Cell {
        Cell::from_index(self.0 as u32 & 63)
    }

    /// The direction in which all marbles move.
    pub const fn direction(self) -> Direction {
        Direction::ALL[(self.0 >> 6 & 7) as usize % 6]
    }

    /// How many own marbles move, 1 to 3.
    pub const fn marbles(self) -> usize {
        (self.0 >> 9 & 3) as usize
    }

    /// The direction of the line from [`from`](Move::from) on, if it moves broadside.
    pub const fn line(self) -> Option<Direction> {
        match self.0 >> 11 & 3 {
            0 => None,
            axis => Some(Direction::AXES[axis as usize - 1]),
        }
    }

    /// How many enemy marbles are pushed.
    pub const fn pushed(self) -> usize {
        (self.0 >> 13 & 3) as usize
    }

    /// Whether an enemy marble is pushed off the board.
    pub const fn ejects(self) -> bool {
        self.0 >> 15 != 0
    }

    /// The end of the line opposite to [`from`](Move::from), before the move.
    pub(crate) const fn end(self) -> Cell {
        let along = match self.line() {
            None => self.direction(),
            Some(line) => line,
        };
        self.from().ahead(along, self.marbles() - 1)
    }
}

impl std::fmt::Debug for Move {
    /// As players write it.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&crate::notation::write_move(*self))
    }
}

/// Calls `each` for every move, direction by direction, even if the game is over.
#[inline]
pub(crate) fn all_moves(position: &Position, mut each: impl FnMut(Move)) {
    let (own, enemy, empty) = (position.own(), position.enemy(), position.empty());
    for_each_direction!(|D| {
        let open = D.before(empty);
        let one = own & open;
        let two = own & D.before(one);
        let three = own & D.before(two);
        for_each_cell(one, |from| each(Move::inline(from, D, 1, 0, false)));
        for_each_cell(two, |from| each(Move::inline(from, D, 2, 0, false)));
        for_each_cell(three, |from| each(Move::inline(from, D, 3, 0, false)));
        pushes(D, own, enemy, enemy & (open | D.rim()), &mut each);
        for turn in [1, 2] {
            let axis = axis_of(D.turned(turn));
            let pairs = one & axis.before(one);
            let triples = pairs & axis.before(pairs);
            for_each_cell(pairs, |from| each(Move::broadside(from, axis, 2, D)));
            for_each_cell(triples, |from| each(Move::broadside(from, axis, 3, D)));
        }
    });
}

/// Calls `each` for every move that ejects a marble, in the order of [`all_moves`].
#[inline]
pub(crate) fn ejections(position: &Position, mut each: impl FnMut(Move)) {
    let (own, enemy) = (position.own(), position.enemy());
    for_each_direction!(|D| {
        pushes(D, own, enemy, enemy & D.rim(), &mut each);
    });
}

/// The one of [`Direction::AXES`] that is parallel to a direction.
const fn axis_of(direction: Direction) -> Direction {
    Direction::AXES[direction as usize % 3]
}

/// Calls `each` for every push in one direction. `last` are the enemy marbles that may give way: the last of each line
/// that is pushed.
#[inline(always)]
fn pushes(direction: Direction, own: u64, enemy: u64, last: u64, each: &mut impl FnMut(Move)) {
    let Pushers { one_by_two, one_by_three, two_by_three } = pushers(direction, own, enemy, last);
    if one_by_two | two_by_three == 0 {
        return;
    }
    for (cells, marbles, pushed) in [(one_by_two, 2, 1), (one_by_three, 3, 1), (two_by_three, 3, 2)] {
        for_each_cell(cells, |from| {
            let victim = from.ahead(direction, marbles + pushed - 1);
            each(Move::inline(from, direction, marbles, pushed, direction.rim() & victim.bit() != 0));
        });
    }
}

/// The last marbles of the lines that can push, by the number pushed and the number pushing.
pub(crate) struct Pushers {
    pub(crate) one_by_two: u64,
    pub(crate) one_by_three: u64,
    pub(crate) two_by_three: u64,
}

/// The marbles that can push enemies in one direction where `last`, if nothing but own marbles stands behind it, gives
/// way.
#[inline(always)]
pub(crate) fn pushers(direction: Direction, own: u64, enemy: u64, last: u64) -> Pushers {
    let before_last = direction.before(last);
    let one_by_two = own & direction.before(own & before_last);
    let one_by_three = own & direction.before(one_by_two);
    let facing_two = own & direction.before(enemy & before_last);
    let two_by_three = own & direction.before(own & direction.before(facing_two));
    Pushers { one_by_two, one_by_three, two_by_three }
}

/// The number of moves, even if the game is over.
#[inline]
pub(crate) fn count(position: &Position) -> usize {
    let (own, enemy, empty) = (position.own(), position.enemy(), position.empty());
    let mut count = 0;
    for_each_direction!(|D| {
        let open = D.before(empty);
        let one = own & open;
        let before_last = D.before(enemy & (open | D.rim()));
        let two = own & D.before(one | own & before_last);
        let facing_two = own & D.before(enemy & before_last);
        let three = own & D.before(two | own & D.before(facing_two));
        // A marble is the last of at most one line: the three sets share no cell.
        count += (one | two | three).count_ones();
        for turn in [1, 2] {
            let axis = axis_of(D.turned(turn));
            let pairs = one & axis.before(one);
            count += pairs.count_ones() + (pairs & axis.before(pairs)).count_ones();
        }
    });
    count as usize
}

/// Why marbles cannot make a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// The cell holds no marble of the side to move.
    NoMarble(Cell),
    /// The cells are not neighbours.
    NotNeighbours(Cell, Cell),
    /// More than three own marbles stand in the line.
    TooLong(usize),
    /// An own marble would leave the board.
    OffTheBoard(Cell),
    /// The enemy line is as long as the own one, or longer.
    Outnumbered {
        /// The own marbles.
        own: usize,
        /// The enemy marbles.
        enemy: usize,
    },
    /// The marbles pushed have an own marble behind them.
    Blocked(Cell),
    /// The cells are not the ends of a line of two or three.
    NotALine(Cell, Cell),
    /// The line would move along itself: its last marble, and where that goes.
    Along(Cell, Cell),
    /// A marble would step onto another.
    Occupied(Cell),
}

/// The inline move of the line that begins with the marble on `from`, if it is legal.
pub(crate) fn inline_move(position: &Position, from: Cell, direction: Direction) -> Result<Move, Obstacle> {
    let marbles = length_of_row(position.own(), from, direction);
    if marbles == 0 {
        return Err(Obstacle::NoMarble(from));
    }
    if marbles > LONGEST_LINE {
        return Err(Obstacle::TooLong(marbles));
    }
    let front = from.ahead(direction, marbles - 1);
    let faced = front.neighbour(direction).ok_or(Obstacle::OffTheBoard(front))?;
    let pushed = length_of_row(position.enemy(), faced, direction);
    if pushed >= marbles {
        return Err(Obstacle::Outnumbered { own: marbles, enemy: pushed });
    }
    let behind = front.ahead(direction, pushed).neighbour(direction);
    match behind.filter(|cell| position.own() & cell.bit() != 0) {
        Some(blocker) => Err(Obstacle::Blocked(blocker)),
        None => Ok(Move::inline(from, direction, marbles, pushed, behind.is_none())),
    }
}

/// How many of `marbles` stand in an unbroken row from one cell on.
fn length_of_row(marbles: u64, from: Cell, direction: Direction) -> usize {
    let row = std::iter::successors(Some(from), |cell| cell.neighbour(direction));
    row.take_while(|cell| marbles & cell.bit() != 0).count()
}

/// The broadside move of the marbles from `from` on along `axis`, one of [`Direction::AXES`], if it is legal.
pub(crate) fn broadside_move(
    position: &Position,
    from: Cell,
    axis: Direction,
    marbles: usize,
    direction: Direction,
) -> Result<Move, Obstacle> {
    let mut next = Some(from);
    for _ in 0..marbles {
        let Some(cell) = next else { return Err(Obstacle::NoMarble(from)) };
        if position.own() & cell.bit() == 0 {
            return Err(Obstacle::NoMarble(cell));
        }
        let target = cell.neighbour(direction).ok_or(Obstacle::OffTheBoard(cell))?;
        if position.empty() & target.bit() == 0 {
            return Err(Obstacle::Occupied(target));
        }
        next = cell.neighbour(axis);
    }
    Ok(Move::broadside(from, axis, marbles, direction))
}

/// The legal move that has this code, if there is one.
pub(crate) fn from_code(position: &Position, code: u16) -> Option<Move> {
    let claimed = Move(code);
    let is_sound = usize::from(code & 63) < CELLS && code >> 6 & 7 < 6 && claimed.marbles() > 0;
    if !is_sound {
        return None;
    }
    let (from, direction, marbles) = (claimed.from(), claimed.direction(), claimed.marbles());
    let legal = match claimed.line() {
        None => inline_move(position, from, direction),
        Some(axis) if axis == axis_of(direction) || marbles == 1 => return None,
        Some(axis) => broadside_move(position, from, axis, marbles, direction),
    };
    legal.ok().filter(|&mv| mv == claimed)
}
