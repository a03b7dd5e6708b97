//! The endgame solver: the exact value of a position, in discs, with perfect play by both sides.
//!
//! It is an alpha-beta search made for one purpose. Near the root, moves are sorted: those the table remembers, those
//! that leave few replies, and, where somebody gives it a [`Guide`], those that an evaluation likes. Near the leaves,
//! where most nodes are, moves are sorted by parity alone, and the last disc is not even put. Discs that no move can
//! turn over again bound the value of a position. Twenty empty squares take about a second, two more make that three.
//!
//! The ideas are well known: principal variation search (Marsland & Campbell, "Parallel search of strongly ordered game
//! trees", 1982), mobility and stable discs (Rosenbloom, "A world-championship-level Othello program", 1982), enhanced
//! transposition cutoffs (Plaat, Schaeffer, Pijls & de Bruin, "Exploiting graph properties of game trees", 1996), and
//! parity, which every player knows.
//!
//! ```
//! use plywise_game::{Notation, Window};
//! use plywise_othello::Othello;
//! use plywise_othello::endgame::{Solver, Unguided};
//!
//! let text = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
//! let position = Othello::parse_position(text).unwrap();
//! let mut solver = Solver::new(1);
//! let solution = solver.solution(&position, &mut Unguided, &mut |_| u64::MAX).unwrap();
//! assert_eq!(solution.score, 6);
//! assert_eq!(Othello::write_move(&position, solution.line[0]), "h5");
//! // Whether it wins by ten is answered with less work: it does not.
//! let score = solver.solve(&position, Window::reaching(10), &mut Unguided, &mut |_| u64::MAX);
//! assert!(score.unwrap() < 10);
//! ```

mod last;
mod order;
mod parity;
mod search;
mod stability;
mod table;

use crate::{Move, Position};
use plywise_game::{Score, Window};
use search::Search;
use stability::RimTable;
use table::Memory;

/// Values lie within ± this.
const MOST: Score = 64;

/// Finds the exact values of positions. It owns its table: what it has found helps it with the next position.
#[derive(Clone, Debug)]
pub struct Solver {
    memory: Memory,
    rims: RimTable,
}

/// The value of a position, and how the game goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The difference in discs for the side to move.
    pub score: Score,
    /// Best moves of both sides up to the end of the game. None where the game is over.
    pub line: Vec<Move>,
}

/// Tells the solver which positions look good, so that it tries good moves first. The values that the solver finds do
/// not depend on it, only the time that it takes.
///
/// Every closure from positions to numbers is a guide.
pub trait Guide {
    /// Whether there is anything to ask.
    const PRESENT: bool = true;

    /// What the side to move may expect, in hundredths of a disc.
    fn value(&mut self, position: &Position) -> i32;
}

impl<F: FnMut(&Position) -> i32> Guide for F {
    fn value(&mut self, position: &Position) -> i32 {
        self(position)
    }
}

/// No guide: the solver relies on its own rules of thumb, at no cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unguided;

impl Guide for Unguided {
    const PRESENT: bool = false;

    fn value(&mut self, _position: &Position) -> i32 {
        0
    }
}

impl Solver {
    /// A solver whose table has at most this many mebibytes, rounded down to a power of two. It takes up the memory
    /// with its first solve, and half a mebibyte more.
    pub fn new(megabytes: usize) -> Solver {
        Solver { memory: Memory::new(megabytes << 20), rims: RimTable::new() }
    }

    /// Forgets everything, so that the next solve takes as many nodes as the first.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// The value of a position. Inside the window it is exact, outside it is a bound, as alpha-beta gives: the true
    /// value is not above one at or below `alpha`, and not below one at or above `beta`.
    ///
    /// `spend` is called before the first node and every few thousand nodes, with the number of nodes since the last
    /// call; it answers how many may follow before the next one. Once that is none, the answer is `None`. No more nodes
    /// are visited than it allows.
    pub fn solve(
        &mut self,
        position: &Position,
        window: Window,
        guide: &mut impl Guide,
        spend: &mut dyn FnMut(u64) -> u64,
    ) -> Option<Score> {
        // Values are even: an odd bound says as much as the even one beyond it.
        let alpha = window.alpha.clamp(-MOST - 2, MOST) & !1;
        let beta = (window.beta.clamp(-MOST, MOST + 2) + 1) & !1;
        if alpha == MOST || beta == -MOST {
            return Some(beta.clamp(-MOST, MOST));
        }
        let mut search = Search::new(&mut self.memory, &self.rims, guide, spend);
        let value = search.value_near_guess(position.own(), position.enemy(), alpha, beta).ok()?;
        search.settle();
        Some(value)
    }

    /// The value of a position and best moves up to the end; `None` once `spend`, which is called as by
    /// [`solve`](Solver::solve), allows no more nodes.
    pub fn solution(
        &mut self,
        position: &Position,
        guide: &mut impl Guide,
        spend: &mut dyn FnMut(u64) -> u64,
    ) -> Option<Solution> {
        let (own, enemy) = (position.own(), position.enemy());
        let mut search = Search::new(&mut self.memory, &self.rims, guide, spend);
        let score = search.value_near_guess(own, enemy, -MOST - 2, MOST + 2).ok()?;
        let line = search.line(own, enemy, score).ok()?;
        search.settle();
        Some(Solution { score, line })
    }
}
