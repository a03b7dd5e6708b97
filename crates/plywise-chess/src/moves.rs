//! What can be said about a legal move without playing it.

use crate::Chess;
use crate::bits::{passed_span, rank_index};
use crate::sliders::{bishop_moves, rook_moves};
use cozy_chess::{
    BitBoard, Board, Move, Piece, Rank, Square, get_bishop_rays, get_knight_moves, get_line_rays, get_pawn_attacks,
    get_rook_rays,
};
use plywise_game::Game;

/// Whether a legal move castles: cozy-chess writes it as the king taking its own rook.
#[inline]
pub fn is_castling(board: &Board, mv: Move) -> bool {
    board.colors(board.side_to_move()).has(mv.to)
}

/// The piece that a legal move takes, en passant included.
#[inline]
pub fn captured_piece(board: &Board, mv: Move) -> Option<Piece> {
    if board.colors(!board.side_to_move()).has(mv.to) {
        board.piece_on(mv.to)
    } else if mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from) {
        Some(Piece::Pawn)
    } else {
        None
    }
}

/// Whether a legal move gives check, seen without playing it.
pub fn gives_check(board: &Board, mv: Move) -> bool {
    let color = board.side_to_move();
    let their_king = board.king(!color);
    let ours = board.colors(color);
    let Some(mover) = board.piece_on(mv.from) else { return false };
    if is_castling(board, mv) || en_passant_square(board) == Some(mv.to) && mover == Piece::Pawn {
        // Rare, and more than one line may open: play it.
        return !Chess::play(board, mv).checkers().is_empty();
    }
    let occupied = board.occupied() ^ mv.from.bitboard() | mv.to.bitboard();
    let direct = match mv.promotion.unwrap_or(mover) {
        Piece::Pawn => get_pawn_attacks(mv.to, color).has(their_king),
        Piece::Knight => get_knight_moves(mv.to).has(their_king),
        Piece::Bishop => slides_to(get_bishop_rays, bishop_moves, mv.to, their_king, occupied),
        Piece::Rook => slides_to(get_rook_rays, rook_moves, mv.to, their_king, occupied),
        Piece::Queen => {
            slides_to(get_bishop_rays, bishop_moves, mv.to, their_king, occupied)
                || slides_to(get_rook_rays, rook_moves, mv.to, their_king, occupied)
        }
        Piece::King => false,
    };
    // A check is discovered where the piece leaves the line between one of its own sliders and their king.
    direct
        || !get_line_rays(their_king, mv.from).is_empty() && {
            let queens = board.pieces(Piece::Queen);
            let diagonal = ours & (board.pieces(Piece::Bishop) | queens) & !mv.from.bitboard();
            let straight = ours & (board.pieces(Piece::Rook) | queens) & !mv.from.bitboard();
            !(get_bishop_rays(their_king) & diagonal).is_empty()
                && !(bishop_moves(their_king, occupied) & diagonal).is_empty()
                || !(get_rook_rays(their_king) & straight).is_empty()
                    && !(rook_moves(their_king, occupied) & straight).is_empty()
        }
}

/// Whether a slider on `from` reaches `to`; the empty-board rays settle most cases without a lookup.
#[inline(always)]
fn slides_to(
    rays: impl Fn(Square) -> BitBoard,
    moves: impl Fn(Square, BitBoard) -> BitBoard,
    from: Square,
    to: Square,
    occupied: BitBoard,
) -> bool {
    rays(from).has(to) && moves(from, occupied).has(to)
}

/// The square behind the pawn that has just made a double step.
#[inline]
pub(crate) fn en_passant_square(board: &Board) -> Option<Square> {
    board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(board.side_to_move())))
}

/// Whether a legal move pushes a passed pawn to its sixth or seventh rank.
#[inline]
pub(crate) fn advances_passed_pawn(board: &Board, mv: Move) -> bool {
    let color = board.side_to_move();
    board.pieces(Piece::Pawn).has(mv.from)
        && matches!(rank_index(color, mv.to), 5 | 6)
        && passed_span(color, mv.to).is_disjoint(board.colored_pieces(!color, Piece::Pawn))
}

/// Whether `previous`, the move that led to `board`, was a capture. The halfmove clock tells: it is reset by captures
/// and pawn moves alone, and a pawn captures where it changes its file.
#[inline]
pub(crate) fn was_capture(board: &Board, previous: Move) -> bool {
    if previous.promotion.is_some() || board.pieces(Piece::Pawn).has(previous.to) {
        previous.from.file() != previous.to.file()
    } else {
        board.halfmove_clock() == 0
    }
}

/// Whether a legal move gives up a right to castle.
#[inline]
pub(crate) fn loses_castling_right(board: &Board, mv: Move) -> bool {
    let color = board.side_to_move();
    let rights = board.castle_rights(color);
    if rights.short.is_none() && rights.long.is_none() {
        return false;
    }
    board.pieces(Piece::King).has(mv.from)
        || mv.from.rank() == Rank::First.relative_to(color)
            && (rights.short == Some(mv.from.file()) || rights.long == Some(mv.from.file()))
}
