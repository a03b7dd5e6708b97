//! Static exchange evaluation: what a move wins once both sides have taken back on its target as often as it pays.
//!
//! The swap algorithm: the least valuable attacker captures first, sliders behind it join in, and the result is the
//! minimax over "take or stop" (Fritz Reul, "Static Exchange Evaluation with αβ-Approach", ICGA Journal, 2010, describes
//! it and its place in a search). Pins are ignored; the king never captures into an attack.

use crate::moves::{captured_piece, is_castling};
use crate::sliders::{bishop_moves, rook_moves};
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_king_moves, get_knight_moves, get_pawn_attacks,
};

/// What each piece counts in exchanges and in capture ordering, in centipawns. The king's value only has to exceed
/// what a whole exchange can win.
pub(crate) const PIECE_VALUES: [i32; Piece::NUM] = [100, 320, 330, 500, 950, 20_000];

/// What a pawn gains by becoming `piece`.
#[inline]
pub(crate) const fn promotion_gain(piece: Piece) -> i32 {
    PIECE_VALUES[piece as usize] - PIECE_VALUES[Piece::Pawn as usize]
}

/// No exchange is longer: there are at most 32 pieces.
const MAX_CAPTURES: usize = 32;

/// The least and the most that [`exchange_value`] can be: what moves is lost, or is not.
pub(crate) fn exchange_bounds(board: &Board, mv: Move) -> (i32, i32) {
    if is_castling(board, mv) {
        return (0, 0);
    }
    let victim = captured_piece(board, mv).map_or(0, |piece| PIECE_VALUES[piece as usize]);
    let most = victim + mv.promotion.map_or(0, promotion_gain);
    let at_risk = PIECE_VALUES[mv.promotion.or_else(|| board.piece_on(mv.from)).map_or(0, |piece| piece as usize)];
    // A pawn that takes back on its last rank becomes a queen as well.
    let promotes = mv.to.rank() == Rank::First.relative_to(board.side_to_move());
    (most - at_risk - if promotes { promotion_gain(Piece::Queen) } else { 0 }, most)
}

/// What `mv` wins, in centipawns, after the best sequence of captures on its target square.
pub(crate) fn exchange_value(board: &Board, mv: Move) -> i32 {
    if is_castling(board, mv) {
        return 0;
    }
    let Some(mover) = board.piece_on(mv.from) else { return 0 };
    let victim = captured_piece(board, mv);
    let mut occupied = board.occupied() ^ mv.from.bitboard();
    if victim.is_some() && !occupied.has(mv.to) {
        // En passant: the captured pawn stands beside, not on the target.
        occupied ^= Square::new(mv.to.file(), mv.from.rank()).bitboard();
    }

    // gains[n] is what the side that makes capture n has won by then if the exchange stops there.
    let mut gains = [0; MAX_CAPTURES];
    gains[0] = victim.map_or(0, |piece| PIECE_VALUES[piece as usize]) + mv.promotion.map_or(0, promotion_gain);
    let mut at_risk = PIECE_VALUES[mv.promotion.unwrap_or(mover) as usize];
    let mut side = !board.side_to_move();
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut attackers = attackers_of(board, mv.to, occupied) & occupied;
    let mut last = 0;

    while last + 1 < MAX_CAPTURES {
        let ours = attackers & board.colors(side);
        let Some((piece, from)) = least_valuable(board, ours) else { break };
        if piece == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            break;
        }
        let promotes = piece == Piece::Pawn && mv.to.rank() == Rank::Eighth.relative_to(side);
        let becomes = if promotes { Piece::Queen } else { piece };
        last += 1;
        gains[last] = at_risk - gains[last - 1] + if promotes { promotion_gain(Piece::Queen) } else { 0 };
        at_risk = PIECE_VALUES[becomes as usize];

        occupied ^= from.bitboard();
        // A piece behind the capturer on its line attacks now.
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= bishop_moves(mv.to, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= rook_moves(mv.to, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;
    }

    // From the last capture back, each side takes only if that is better than having stopped.
    while last > 0 {
        gains[last - 1] = -gains[last].max(-gains[last - 1]);
        last -= 1;
    }
    gains[0]
}

/// The pieces of both sides that attack `square` when `occupied` blocks the lines.
fn attackers_of(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let white_pawns = board.colored_pieces(Color::White, Piece::Pawn);
    let black_pawns = board.colored_pieces(Color::Black, Piece::Pawn);
    (bishop_moves(square, occupied) & diagonal)
        | (rook_moves(square, occupied) & straight)
        | (get_knight_moves(square) & board.pieces(Piece::Knight))
        | (get_king_moves(square) & board.pieces(Piece::King))
        | (get_pawn_attacks(square, Color::Black) & white_pawns)
        | (get_pawn_attacks(square, Color::White) & black_pawns)
}

fn least_valuable(board: &Board, set: BitBoard) -> Option<(Piece, Square)> {
    if set.is_empty() {
        return None;
    }
    Piece::ALL.into_iter().find_map(|piece| Some((piece, (set & board.pieces(piece)).next_square()?)))
}
