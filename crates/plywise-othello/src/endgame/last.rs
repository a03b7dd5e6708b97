//! The last few empty squares: most of a solver's nodes are here, so nothing is sorted, stored or allocated.
//!
//! All these searches ask one question: is the value above `alpha`? Values are even, and so is `alpha`; for the
//! opponent the question is whether the value is above `-alpha - 2`. An answer above `alpha` is a lower bound of the
//! value, any other an upper bound.

use super::parity::Parity;
use crate::board::final_score;
use crate::flips::{flips, last_flip_count};
use plywise_game::for_each_level;

/// The most empty squares that [`few`] takes.
pub(super) const FEW: u32 = 7;

/// The most nodes that [`few`] can visit: every node has a move to each empty square.
pub(super) const NODES_OF_FEW: u64 = {
    let (mut nodes, mut empty) = (1, 1);
    while empty < FEW as u64 {
        empty += 1;
        nodes = 1 + empty * nodes;
    }
    nodes
};

/// The value of a board without a move: less than every value.
const NONE: i32 = -65;

for_each_level! {
    /// Whether the value of a position with at most [`FEW`] empty squares is above `alpha`.
    pub(super) fn few(own: u64, enemy: u64, alpha: i32, nodes: &mut u64) -> i32 {
        let board = Board { own, enemy };
        let parity = Parity::of(board.empty());
        match board.empty().count_ones() {
            0 => {
                *nodes += 1;
                final_score(own, enemy)
            }
            1 => one(board, alpha, nodes),
            2 => two(board, parity, alpha, nodes),
            3 => three(board, parity, alpha, nodes),
            4 => four(board, parity, alpha, nodes),
            5 => five(board, parity, alpha, nodes),
            6 => six(board, parity, alpha, nodes),
            count => {
                debug_assert!(count == FEW);
                seven(board, parity, alpha, nodes)
            }
        }
    }

    // One function for each number of empty squares, so that the processor learns the habits of each.

    #[inline(never)]
    fn seven(board: Board, parity: Parity, alpha: i32, nodes: &mut u64) -> i32 {
        search(board, parity, alpha, nodes, |board, parity, alpha, nodes| six(board, parity, alpha, nodes))
    }

    #[inline(never)]
    fn six(board: Board, parity: Parity, alpha: i32, nodes: &mut u64) -> i32 {
        search(board, parity, alpha, nodes, |board, parity, alpha, nodes| five(board, parity, alpha, nodes))
    }

    #[inline(never)]
    fn five(board: Board, parity: Parity, alpha: i32, nodes: &mut u64) -> i32 {
        search(board, parity, alpha, nodes, |board, parity, alpha, nodes| four(board, parity, alpha, nodes))
    }

    #[inline(never)]
    fn four(board: Board, parity: Parity, alpha: i32, nodes: &mut u64) -> i32 {
        search(board, parity, alpha, nodes, |board, parity, alpha, nodes| three(board, parity, alpha, nodes))
    }

    #[inline(never)]
    fn three(board: Board, parity: Parity, alpha: i32, nodes: &mut u64) -> i32 {
        search(board, parity, alpha, nodes, |board, parity, alpha, nodes| two(board, parity, alpha, nodes))
    }

    /// Two empty squares: who plays where is all there is, and parity says nothing.
    #[inline(never)]
    fn two(board: Board, _parity: Parity, alpha: i32, nodes: &mut u64) -> i32 {
        *nodes += 1;
        let best = best_of_two(board, alpha, nodes);
        if best != NONE {
            return best;
        }
        match best_of_two(board.after_pass(), -alpha - 2, nodes) {
            NONE => final_score(board.own, board.enemy),
            reply => -reply,
        }
    }
}

/// The discs of the side to move and of the other: two words, which travel in registers.
#[derive(Clone, Copy)]
struct Board {
    own: u64,
    enemy: u64,
}

impl Board {
    #[inline(always)]
    fn empty(self) -> u64 {
        !(self.own | self.enemy)
    }

    /// The board after a move, seen by the opponent; `None` where the move is illegal.
    #[inline(always)]
    fn after(self, square: u32) -> Option<Board> {
        if NEIGHBOURS[square as usize % 64] & self.enemy == 0 {
            return None;
        }
        let flips = flips(square as usize, self.own, self.enemy);
        (flips != 0).then(|| Board { own: self.enemy ^ flips, enemy: self.own ^ flips ^ 1 << (square % 64) })
    }

    #[inline(always)]
    fn after_pass(self) -> Board {
        Board { own: self.enemy, enemy: self.own }
    }
}

/// The squares round each square: without an enemy there, a move cannot turn anything over.
const NEIGHBOURS: [u64; 64] = {
    let mut neighbours = [0; 64];
    let mut i: usize = 0;
    while i < 64 * 64 {
        let (a, b) = (i / 64, i % 64);
        if a != b && (a % 8).abs_diff(b % 8) <= 1 && (a / 8).abs_diff(b / 8) <= 1 {
            neighbours[a] |= 1 << b;
        }
        i += 1;
    }
    neighbours
};

/// Tries all moves, also those of the opponent if there are none; `next` searches what they lead to.
#[inline(always)]
fn search(
    board: Board,
    parity: Parity,
    alpha: i32,
    nodes: &mut u64,
    next: impl Fn(Board, Parity, i32, &mut u64) -> i32,
) -> i32 {
    *nodes += 1;
    let best = best_move(board, parity, alpha, nodes, &next);
    if best != NONE {
        return best;
    }
    match best_move(board.after_pass(), parity, -alpha - 2, nodes, &next) {
        NONE => final_score(board.own, board.enemy),
        reply => -reply,
    }
}

/// The value of the best move, or [`NONE`]. Moves in odd quarters are tried first.
#[inline(always)]
fn best_move(
    board: Board,
    parity: Parity,
    alpha: i32,
    nodes: &mut u64,
    next: impl Fn(Board, Parity, i32, &mut u64) -> i32,
) -> i32 {
    let (empty, odd) = (board.empty(), parity.odd_squares());
    let mut best = NONE;
    for mut squares in [empty & odd, empty & !odd] {
        while squares != 0 {
            let square = squares.trailing_zeros();
            squares &= squares - 1;
            if let Some(after) = board.after(square) {
                best = best.max(-next(after, parity.after(square), -alpha - 2, nodes));
                if best > alpha {
                    return best;
                }
            }
        }
    }
    best
}

#[inline(always)]
fn best_of_two(board: Board, alpha: i32, nodes: &mut u64) -> i32 {
    let empty = board.empty();
    let mut best = NONE;
    for square in [empty.trailing_zeros(), 63 - empty.leading_zeros()] {
        if let Some(after) = board.after(square) {
            best = best.max(-one(after, -alpha - 2, nodes));
            if best > alpha {
                return best;
            }
        }
    }
    best
}

/// One empty square: the discs that turn over are counted, not turned.
#[inline(always)]
fn one(board: Board, alpha: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let square = board.empty().trailing_zeros() as usize;
    let own = board.own.count_ones() as i32;
    let gained = last_flip_count(square, board.own) as i32;
    if gained > 0 {
        return 2 * (own + gained + 1) - 64;
    }
    // The opponent moves there, or neither can: then the square goes to the winner.
    let if_nobody = if own >= 32 { 2 * own - 62 } else { 2 * own - 64 };
    if if_nobody <= alpha {
        return if_nobody;
    }
    match last_flip_count(square, board.enemy) as i32 {
        0 => if_nobody,
        lost => 2 * (own - lost) - 64,
    }
}
