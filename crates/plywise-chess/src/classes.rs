//! Move classes for realization probabilities: moves of one class are about equally likely to be played.
//!
//! The idea is Tsuruoka, Yokoyama and Chikayama's ("Game-tree Search Algorithm based on Realization Probability", 2002);
//! Winands and Björnsson ("Enhanced Realization Probability Search", 2008) give classes for Lines of Action and leave
//! chess open. These are ours. A class is a family and the features that matter in it, mixed-radix coded:
//!
//! | family | features | classes |
//! | --- | --- | --- |
//! | castling | side | 2 |
//! | promotion | queen: captures, exchange loses; other piece | 5 |
//! | capture | moving piece, captured piece, exchange loses, is about even or wins, gives check | 180 |
//! | quiet check | moving piece, exchange loses | 12 |
//! | pawn move | rank reached, passed, centre or wing, exchange loses | 40 |
//! | piece move | moving piece, forward, sideways or back, target's zone, exchange loses | 90 |
//!
//! The zone of a target is: close to the enemy king, else in the centre, else elsewhere.

use crate::bits::{king_distance, passed_span, rank_index};
use crate::exchange::exchange_value;
use crate::moves::{captured_piece, gives_check, is_castling};
use cozy_chess::{BitBoard, Board, File, Move, Piece, Square};
use std::cmp::Ordering;

const CASTLING: usize = 0;
const PROMOTION: usize = CASTLING + 2;
const CAPTURE: usize = PROMOTION + 5;
const CHECK: usize = CAPTURE + Piece::NUM * VICTIMS * 3 * 2;
const PAWN: usize = CHECK + Piece::NUM * 2;
const PIECE: usize = PAWN + PAWN_RANKS * 2 * 2 * 2;

/// The number of classes.
pub(crate) const COUNT: usize = PIECE + PIECES * 3 * 3 * 2;

/// Half a pawn: a knight for a bishop is even.
const ABOUT_EVEN: i32 = 50;
/// Everything but the king can be captured.
const VICTIMS: usize = 5;
/// A pawn that does not promote reaches its third to seventh rank.
const PAWN_RANKS: usize = 5;
/// Everything but the pawn.
const PIECES: usize = 5;

/// The class of a legal move, below [`COUNT`].
pub(crate) fn class_of(board: &Board, mv: Move) -> usize {
    if is_castling(board, mv) {
        return CASTLING + usize::from(mv.to.file() < mv.from.file());
    }
    let mover = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let victim = captured_piece(board, mv);
    match mv.promotion {
        Some(Piece::Queen) => {
            return PROMOTION + usize::from(victim.is_some()) * 2 + usize::from(exchange_value(board, mv) < 0);
        }
        Some(_) => return PROMOTION + 4,
        None => {}
    }
    let exchange = exchange_value(board, mv);
    let check = gives_check(board, mv);
    if let Some(victim) = victim {
        let sign = if exchange.abs() <= ABOUT_EVEN { 1 } else { usize::from(exchange > 0) * 2 };
        return CAPTURE + ((mover as usize * VICTIMS + victim as usize) * 3 + sign) * 2 + usize::from(check);
    }
    let loses = usize::from(exchange < 0);
    if check {
        return CHECK + mover as usize * 2 + loses;
    }
    let class = match mover {
        Piece::Pawn => PAWN + pawn_class(board, mv) * 2,
        _ => PIECE + piece_class(board, mover, mv) * 2,
    };
    class + loses
}

fn pawn_class(board: &Board, mv: Move) -> usize {
    const CENTRE_FILES: [File; 4] = [File::C, File::D, File::E, File::F];
    let color = board.side_to_move();
    // The rank reached lies between the third and the seventh; the bounds keep a corrupt move inside the family.
    let rank = rank_index(color, mv.to).saturating_sub(2).min(PAWN_RANKS - 1);
    let passed = passed_span(color, mv.to).is_disjoint(board.colored_pieces(!color, Piece::Pawn));
    let centre = CENTRE_FILES.contains(&mv.to.file());
    (rank * 2 + usize::from(passed)) * 2 + usize::from(centre)
}

fn piece_class(board: &Board, mover: Piece, mv: Move) -> usize {
    let color = board.side_to_move();
    let direction = match rank_index(color, mv.to).cmp(&rank_index(color, mv.from)) {
        Ordering::Greater => 0,
        Ordering::Equal => 1,
        Ordering::Less => 2,
    };
    let piece = (mover as usize).saturating_sub(1);
    (piece * 3 + direction) * 3 + zone(mv.to, board.king(!color))
}

fn zone(target: Square, enemy_king: Square) -> usize {
    /// From c3 to f6.
    const CENTRE: BitBoard = BitBoard(0x0000_3c3c_3c3c_0000);
    if king_distance(target, enemy_king) <= 2 {
        0
    } else if CENTRE.has(target) {
        1
    } else {
        2
    }
}
