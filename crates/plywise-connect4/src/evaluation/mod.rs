//! An evaluation by threats.
//!
//! A threat is a free place that completes a line of four. Near the end of the game both players fill the board from below
//! and keep away from the places under the other's threats, until one of them must play there. Who that is, is a matter of
//! rows: the first player puts discs into odd rows and the second into even ones if the columns are filled one by one, so
//! a threat of the first player is worth more in an odd row, and one of the second in an even row (Allis, "A
//! knowledge-based approach of Connect-Four", 1988). Beside counting threats by rows, the evaluation plays such a
//! [`filling`] out.
//!
//! The value is linear in the [`Weights`]. One code path names each weight and its amount; it either adds up the value or
//! writes the amounts down, so that explanations ([`Linear`]) and tuners cannot disagree with
//! [`evaluate`](Evaluate::evaluate).

mod weights;

use crate::board::{BOARD, BOTTOM, COLUMNS, HEIGHT, reachable};
use crate::lines::{completing, open_lines};
use crate::{Connect4, Position, Solver};
use plywise_game::linear::{Owner, Sum, Terms};
use plywise_game::{Depth, Evaluate, Game, Linear, Phase, Score, Side, Window};
pub use weights::*;

/// The solver is asked where a search would come within this many plies of a full board: it is faster then. Twenty-one
/// random positions with sixteen discs took 0.61 s with 4, 0.33 s with 8, 0.14 s with 12, 0.07 s with 16 and 0.06 s with
/// 20, and 0.91 s without the solver.
const SOLVER_LEAD: i32 = 16;

/// The size of the solver's table.
const SOLVER_MEGABYTES: usize = 8;

/// The rows that people call odd: 1, 3 and 5.
const ODD_ROWS: u64 = BOTTOM * 0b01_0101;

/// The columns in pairs, from the middle one outwards, without the outermost.
const COLUMN_PAIRS: [u64; 3] = {
    const COLUMN: u64 = (1 << HEIGHT) - 1;
    let mut pairs = [0; 3];
    let mut column = 1;
    while column < COLUMNS - 1 {
        pairs[column.abs_diff(COLUMNS / 2) as usize] |= COLUMN << (HEIGHT * column);
        column += 1;
    }
    pairs
};

/// Evaluates positions of Connect Four with given weights, and solves them where few places are free.
#[derive(Clone, Debug)]
pub struct Evaluator {
    weights: Weights,
    solver: Solver,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new(Weights::DEFAULT)
    }
}

impl Evaluator {
    /// An evaluator with these weights.
    pub fn new(weights: Weights) -> Evaluator {
        Evaluator { weights, solver: Solver::new(SOLVER_MEGABYTES) }
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

impl Linear<Connect4> for Weights {
    const UNIT: i32 = 1;

    #[inline(always)]
    fn add_terms(position: &Position, terms: &mut impl Terms<Weights>) {
        let sides = [position.own(), position.enemy()];
        for (pair, columns) in COLUMN_PAIRS.into_iter().enumerate() {
            terms.add_both(|w| &mut w.discs.columns[pair], 1, sides.map(|discs| count(discs & columns)));
        }
        let lines = [open_lines(sides[0], sides[1]), open_lines(sides[1], sides[0])];
        for discs in 0..3 {
            terms.add_both(|w| &mut w.lines.discs[discs], 1, lines.map(|lines| lines[discs]));
        }
        add_threats(position, terms);
        terms.add(Owner::Mover, |w| &mut w.turn.bonus, 1);
    }
}

#[inline(always)]
fn add_threats(position: &Position, terms: &mut impl Terms<Weights>) {
    let threats = [position.own(), position.enemy()].map(|discs| completing(discs) & !position.occupied());
    let open = [threats[0] & !above(threats[1]), threats[1] & !above(threats[0])];
    let [odd, even] = [open.map(|places| count(places & ODD_ROWS)), open.map(|places| count(places & !ODD_ROWS))];
    let (first, second) = match position.side_to_move() {
        Side::First => (Owner::Mover, Owner::Opponent),
        Side::Second => (Owner::Opponent, Owner::Mover),
    };
    for (row, counts) in [odd, even].into_iter().enumerate() {
        terms.add(first, |w| &mut w.threats.first[row], counts[first as usize]);
        terms.add(second, |w| &mut w.threats.second[row], counts[second as usize]);
    }
    if let Some(owner) = filling(position) {
        let is_late = usize::from(Connect4::phase(position) == Phase::Endgame);
        terms.add(owner, |w| &mut w.zugzwang.favours[is_late], 1);
    }
}

#[inline(always)]
fn count(bits: u64) -> i32 {
    bits.count_ones() as i32
}

/// All places above these, each in its column.
#[inline(always)]
fn above(places: u64) -> u64 {
    const fn rows(number: u32) -> u64 {
        BOTTOM * ((1 << number) - 1)
    }
    let mut found = (places & rows(5)) << 1;
    found |= (found & rows(5)) << 1;
    found |= (found & rows(4)) << 2;
    found | (found & rows(2)) << 4
}

/// Who wins if both players complete lines where they can, block where they must, and otherwise fill the columns without
/// making new lines: first where that neither gives the opponent a line nor gives up one of their own. `None` if neither
/// does.
pub fn filling(position: &Position) -> Option<Owner> {
    let mut occupied = position.occupied();
    let [mut own, mut enemy] = [position.own(), position.enemy()].map(|discs| completing(discs) & !occupied);
    let [mut owner, mut other] = [Owner::Mover, Owner::Opponent];
    if own | enemy == 0 {
        return None;
    }
    while occupied != BOARD {
        let (free, next) = (BOARD & !occupied, reachable(occupied));
        if next & own != 0 {
            return Some(owner);
        }
        // What both fill before anything happens: all that is not under a threat, or above such a place.
        let under = ((own | enemy) & free) >> 1 & BOARD;
        let quiet = free & !(under | above(under));
        let forced = next & enemy;
        let safe = next & !(enemy >> 1);
        let filled = match () {
            // A second place that must be blocked shows with the next move.
            _ if forced != 0 => forced & forced.wrapping_neg(),
            _ if quiet != 0 => quiet,
            _ if safe != 0 => given_up(safe, own, enemy),
            _ => return Some(other),
        };
        occupied |= filled;
        if filled.count_ones() % 2 != 0 {
            (own, enemy) = (enemy, own);
            (owner, other) = (other, owner);
        }
    }
    None
}

/// The one of these places, all under threats of the side to move, that it gives up first. Columns that look alike are
/// alike, so the choice between them does not tell left from right.
fn given_up(places: u64, own: u64, enemy: u64) -> u64 {
    const COLUMN: u64 = (1 << HEIGHT) - 1;
    let look = |column: &u8| [places, own, enemy].map(|bits| bits >> (HEIGHT * column) & COLUMN);
    let columns = (0..COLUMNS).filter(|column| look(column)[0] != 0);
    columns.min_by_key(look).map_or(0, |column| places & COLUMN << (HEIGHT * column))
}

impl Evaluate<Connect4> for Evaluator {
    #[inline(always)]
    fn evaluate(&mut self, position: &Position) -> Score {
        let mut sum = Sum::new(&mut self.weights);
        Weights::add_terms(position, &mut sum);
        sum.total()
    }

    fn solve(
        &mut self,
        position: &Position,
        depth: Depth,
        window: Window,
        spend: &mut dyn FnMut(u64) -> u64,
    ) -> Option<Score> {
        let free = (BOARD & !position.occupied()).count_ones() as i32;
        if free > depth.whole_plies() + SOLVER_LEAD {
            return None;
        }
        self.solver.solve(position, window, spend)
    }

    fn forget(&mut self) {
        self.solver.clear();
    }
}
