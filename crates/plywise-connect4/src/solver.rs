//! The solver: the exact value of a position, with perfect play by both sides.
//!
//! It is an alpha-beta search made for this game alone. Moves after which the opponent wins at once are never tried, moves
//! that make the most threats come first, and a series of questions with yes or no as their answer closes in on the value.
//! The ideas are those of Tromp's Fhourstones (1996) and of Pons, "Solving Connect 4: how to build a perfect AI" (2015).
//!
//! ```
//! use plywise_connect4::{Connect4, Solver};
//! use plywise_game::{Notation, Window, score};
//!
//! let position = Connect4::parse_position("5455174361263362").unwrap();
//! let value = Solver::new(1).solve(&position, Window::FULL, &mut |_| u64::MAX);
//! assert_eq!(value.map(score::plies_to_end), Some(Some(-26)));
//! ```

use crate::board::{PLACES, Position, reachable};
use crate::game::{Connect4, from_the_middle};
use crate::lines::completing;
use plywise_game::score::{self, DRAW, WIN_THRESHOLD};
use plywise_game::{Game, Score, Window};

/// Finds the exact values of positions. It owns its table: what it has found helps it with the next position.
#[derive(Clone)]
pub struct Solver {
    table: Vec<u64>,
    size: usize,
}

impl Solver {
    /// A solver with a table of this many mebibytes, which it takes up with its first solve.
    pub fn new(megabytes: usize) -> Solver {
        Solver { table: Vec::new(), size: (megabytes << 20) / size_of::<u64>() }
    }

    /// Forgets everything, so that the next solve takes as many nodes as the first.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The value of a position. Inside the window it is exact, outside it is a bound, as alpha-beta gives: the true
    /// value is not above one at or below `alpha`, and not below one at or above `beta`.
    ///
    /// `spend` is called before the first node and every few thousand nodes, with the number of nodes since the last
    /// call; it answers how many may follow before the next one. Once that is none, the answer is `None`. No more nodes
    /// are visited than it allows.
    pub fn solve(&mut self, position: &Position, window: Window, spend: &mut dyn FnMut(u64) -> u64) -> Option<Score> {
        let granted = spend(0);
        if granted == 0 {
            return None;
        }
        if let Some(outcome) = Connect4::outcome(position) {
            return Some(score::of_outcome(outcome, 0));
        }
        if completing(position.own()) & position.reachable() != 0 {
            return Some(score::win_in(1));
        }
        self.table.resize(self.size, 0);
        let mut search = Search { table: &mut self.table, spend, granted, used: 0 };
        let value = search.close_in(position, window);
        (search.spend)(search.used);
        value.map(|value| score_of(value, position.count()))
    }
}

impl std::fmt::Debug for Solver {
    /// The size: the contents say nothing to a reader.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Solver({} entries)", self.size)
    }
}

/// The value of a game for the side to move: 0 for a draw; for a win, one more than the places that are free when the game
/// ends; for a loss, the same below 0. It is the same however far a search has come, so a table can hold it.
type Value = i32;

/// The value of a game that the side to move wins with the disc that makes `discs`.
const fn win_with(discs: u32) -> Value {
    PLACES as Value + 1 - discs as Value
}

/// The score of a value, seen from a position with this many discs.
fn score_of(value: Value, discs: u32) -> Score {
    let plies = PLACES as Value + 1 - value.abs() - discs as Value;
    match value {
        1.. => score::win_in(plies as usize),
        0 => DRAW,
        _ => score::loss_in(plies as usize),
    }
}

/// The greatest value whose score is not above this one, seen from a position with this many discs.
fn floor(score: Score, discs: u32) -> Value {
    match score {
        _ if score > WIN_THRESHOLD => (win_with(discs) - (score::WIN - score)).max(0),
        0.. => 0,
        _ => -ceiling(-score, discs),
    }
}

/// The least value whose score is not below this one.
fn ceiling(score: Score, discs: u32) -> Value {
    match score {
        _ if score > WIN_THRESHOLD => (win_with(discs) - (score::WIN - score)).max(1),
        1.. => 1,
        _ => -floor(-score, discs),
    }
}

/// A search, and what it may still spend.
struct Search<'a> {
    table: &'a mut [u64],
    spend: &'a mut dyn FnMut(u64) -> u64,
    /// The nodes that may be visited before the next question.
    granted: u64,
    /// The nodes visited since the last one.
    used: u64,
}

impl Search<'_> {
    /// The value of a position whose side to move cannot win at once. Short wins are asked for first: such questions are
    /// cheap, and the table then knows more for the dear ones.
    fn close_in(&mut self, position: &Position, window: Window) -> Option<Value> {
        let discs = position.count();
        let (alpha, beta) = (floor(window.alpha, discs), ceiling(window.beta, discs));
        // The earliest wins: three plies from now for the side to move, two for the other.
        let (mut least, mut most) = (-win_with(discs + 2).max(0), win_with(discs + 3).max(0));
        while least < most && least < beta && alpha < most {
            let middle = least.midpoint(most);
            let shorter = if middle <= 0 { middle.min(least / 2) } else { middle.max(most / 2) };
            let asked = shorter.clamp(alpha.max(least), (beta - 1).min(most - 1));
            let value = self.value(position, asked)?;
            if value > asked {
                least = value;
            } else {
                most = value;
            }
        }
        Some(if least >= beta { least } else { most })
    }

    /// The value of a position whose side to move cannot win at once: one above `asked` is a lower bound, one that is not
    /// is an upper bound. `None` once nothing may be spent any more.
    fn value(&mut self, position: &Position, asked: Value) -> Option<Value> {
        self.count_node()?;
        let discs = position.count();
        let candidates = candidates(position);
        if candidates == 0 {
            return Some(-win_with(discs + 2));
        }
        if discs + 2 >= PLACES {
            return Some(0);
        }
        // Neither player wins with the next disc.
        let (least, most) = (-win_with(discs + 4).max(0), win_with(discs + 3).max(0));
        if least > asked {
            return Some(least);
        }
        if most <= asked {
            return Some(most);
        }
        let key = position.key();
        if let Some((value, bound)) = self.recall(key)
            && (bound == Bound::Lower) == (value > asked)
        {
            return Some(value);
        }
        let mut best = least;
        for &bit in sorted(position, candidates).iter().take_while(|bit| **bit != 0) {
            best = best.max(-self.value(&position.with_disc_on(bit), -asked - 1)?);
            if best > asked {
                self.remember(key, best, Bound::Lower);
                return Some(best);
            }
        }
        self.remember(key, best, Bound::Upper);
        Some(best)
    }

    #[inline]
    fn count_node(&mut self) -> Option<()> {
        if self.used == self.granted {
            self.granted = (self.spend)(std::mem::take(&mut self.used));
            if self.granted == 0 {
                return None;
            }
        }
        self.used += 1;
        Some(())
    }
}

/// The places where the side to move does not lose at once: where the opponent threatens to win, that place alone.
#[inline]
fn candidates(position: &Position) -> u64 {
    let free = reachable(position.occupied());
    let lost = completing(position.enemy());
    let forced = free & lost;
    let choice = match forced {
        0 => free,
        _ if forced & (forced - 1) == 0 => forced,
        _ => 0,
    };
    choice & !(lost >> 1)
}

/// The bits of these moves: those that make the most threats first, then those in the middle. What follows is 0.
#[inline]
fn sorted(position: &Position, candidates: u64) -> [u64; 8] {
    let mut sorted = [0; 8];
    let mut threats = [0; 8];
    let mut length = 0;
    from_the_middle(candidates, |place| {
        let bit = place.bit();
        let number = (completing(position.own() | bit) & !position.occupied()).count_ones();
        let mut at = length;
        while at > 0 && threats[at - 1] < number {
            (sorted[at], threats[at]) = (sorted[at - 1], threats[at - 1]);
            at -= 1;
        }
        (sorted[at], threats[at]) = (bit, number);
        length += 1;
    });
    sorted
}

/// What a value in the table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    /// The true value is not below it.
    Lower,
    /// The true value is not above it.
    Upper,
}

/// An entry is the key above its lowest byte, which holds twice the value, and the bound: odd for a lower one. A newer
/// position takes the place of an older one.
impl Search<'_> {
    #[inline]
    fn slot(&mut self, key: u64) -> Option<&mut u64> {
        // Fibonacci hashing: the upper bits of the product depend on all of the key.
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = ((u128::from(hash) * self.table.len() as u128) >> 64) as usize;
        self.table.get_mut(index)
    }

    #[inline]
    fn recall(&mut self, key: u64) -> Option<(Value, Bound)> {
        let entry = *self.slot(key)?;
        let low = Value::from(entry as i8);
        let bound = if low & 1 != 0 { Bound::Lower } else { Bound::Upper };
        (entry >> 8 == key && key != 0).then_some((low >> 1, bound))
    }

    #[inline]
    fn remember(&mut self, key: u64, value: Value, bound: Bound) {
        let low = value << 1 | Value::from(bound == Bound::Lower);
        if let Some(slot) = self.slot(key) {
            *slot = key << 8 | u64::from(low as u8);
        }
    }
}
