//! Endings in which material misleads: how much of it counts, and how a bare king is mated.

use super::sink::TermSink;
use super::weights::Term;
use crate::bits::king_distance;
use cozy_chess::{BitBoard, Board, Color, Piece, Square};

/// The endgame's value counts in full.
pub(super) const FULL_SCALE: i32 = 64;
/// Bishops of opposite colours and pawns are often drawn.
const OPPOSITE_BISHOPS: i32 = 34;
/// With other pieces beside them, less often.
const OPPOSITE_BISHOPS_AND_PIECES: i32 = 54;
/// Without pawns, a small advantage in pieces seldom wins.
const NO_PAWNS: i32 = 12;

/// How much of the endgame's value counts, in parts of [`FULL_SCALE`], by the material alone.
#[inline]
pub(super) fn scale(board: &Board) -> i32 {
    let pawns = board.pieces(Piece::Pawn);
    let bishops = board.pieces(Piece::Bishop);
    let has_pawns = Color::ALL.map(|color| !(pawns & board.colors(color)).is_empty());
    if has_pawns == [true; 2] && bishops.len() != 2 {
        return FULL_SCALE;
    }
    let values = Color::ALL.map(|color| pieces_value(board, color));
    let strong = if values[0] == values[1] { usize::from(!has_pawns[0]) } else { usize::from(values[0] < values[1]) };
    if !has_pawns[strong] && values[strong] - values[1 - strong] <= MINOR {
        return if values[strong] <= MINOR { 0 } else { NO_PAWNS };
    }
    let only_knights = board.colored_pieces(Color::ALL[strong], Piece::Knight).len() == 2;
    if !has_pawns[strong] && only_knights && values[strong] == 2 * MINOR {
        return 0;
    }
    match are_opposite(board, bishops) {
        true if values == [MINOR; 2] => OPPOSITE_BISHOPS,
        true => OPPOSITE_BISHOPS_AND_PIECES,
        false => FULL_SCALE,
    }
}

const MINOR: u32 = 3;

/// The usual values of a side's pieces without the pawns.
fn pieces_value(board: &Board, color: Color) -> u32 {
    let count = |piece| board.colored_pieces(color, piece).len();
    MINOR * (count(Piece::Knight) + count(Piece::Bishop)) + 5 * count(Piece::Rook) + 9 * count(Piece::Queen)
}

/// One bishop each, on squares of different colours.
fn are_opposite(board: &Board, bishops: BitBoard) -> bool {
    let one_each = Color::ALL.iter().all(|color| (bishops & board.colors(*color)).len() == 1);
    one_each && (bishops & BitBoard::DARK_SQUARES).len() == 1
}

/// Counts what drives a bare king into a corner.
#[inline]
pub(super) fn add_mating(board: &Board, sink: &mut impl TermSink) {
    for color in Color::ALL {
        if board.colors(!color).len() > 1 || !board.pieces(Piece::Pawn).is_empty() {
            continue;
        }
        let (king, bare) = (board.king(color), board.king(!color));
        sink.add(color, Term::Mating, 0, from_middle(bare));
        sink.add(color, Term::Mating, 1, 7 - king_distance(king, bare));
        let (bishops, knights) = (board.pieces(Piece::Bishop), board.pieces(Piece::Knight));
        if board.colors(color).len() == 3 && bishops.len() == 1 && knights.len() == 1 {
            let dark = !(bishops & BitBoard::DARK_SQUARES).is_empty();
            let corners = if dark { [Square::A1, Square::H8] } else { [Square::A8, Square::H1] };
            let nearest = corners.map(|corner| king_distance(bare, corner)).into_iter().min().unwrap_or(7);
            sink.add(color, Term::Mating, 2, 7 - nearest);
        }
    }
}

/// The steps along the file and the rank from the nearest of the four squares in the middle.
fn from_middle(square: Square) -> i32 {
    let off = |index: i32| (3 - index).max(index - 4);
    off(square.file() as i32) + off(square.rank() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluator;
    use plywise_game::Evaluate;

    #[track_caller]
    fn check_scale(fen: &str, expected: i32) {
        let board: Board = fen.parse().unwrap();
        assert_eq!(scale(&board), expected, "{fen}");
    }

    #[test]
    fn drawish_endings_count_less() {
        check_scale("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", FULL_SCALE);
        check_scale("4k3/8/8/8/8/8/8/3BK3 w - - 0 1", 0);
        check_scale("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1", 0);
        check_scale("4k3/8/8/8/8/8/8/2BNK3 w - - 0 1", FULL_SCALE);
        check_scale("4k3/4n3/8/8/8/8/8/R3K3 w - - 0 1", NO_PAWNS);
        check_scale("4k3/4r3/8/8/8/8/8/Q3K3 w - - 0 1", FULL_SCALE);
        check_scale("4k3/4n1p1/8/8/8/8/8/R3K3 w - - 0 1", NO_PAWNS);
        check_scale("4k3/4b1p1/8/8/8/8/4B1P1/4K3 w - - 0 1", OPPOSITE_BISHOPS);
        check_scale("4k3/3b2p1/8/8/8/8/4B1P1/4K3 w - - 0 1", FULL_SCALE);
        check_scale("r3k3/4b1p1/8/8/8/8/4B1P1/R3K3 w - - 0 1", OPPOSITE_BISHOPS_AND_PIECES);
        check_scale("4k3/6p1/8/8/8/8/6P1/4K3 w - - 0 1", FULL_SCALE);
        check_scale("4k3/8/8/8/8/8/6P1/4K3 b - - 0 1", FULL_SCALE);
    }

    #[test]
    fn a_bare_king_is_better_mated_in_a_corner() {
        let mut evaluation = Evaluator::default();
        let mut value = |fen: &str| evaluation.evaluate(&fen.parse::<Board>().unwrap());
        assert!(value("k7/8/2K5/8/8/8/8/7R w - - 0 1") > value("8/8/8/3k4/8/2K5/8/7R w - - 0 1"));
        let (wrong, right) = (value("k7/8/1K6/8/8/8/8/2B1N3 w - - 0 1"), value("7k/8/6K1/8/8/8/8/2B1N3 w - - 0 1"));
        assert!(right > wrong, "the bishop moves on dark squares, as h8 is: {right} {wrong}");
    }
}
