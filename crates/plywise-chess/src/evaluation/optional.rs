//! Terms that our own weights leave at 0: they are counted only where a weight asks for them.
//!
//! They are those of the evaluation that David-Tabibi and his colleagues let evolve (2008 to 2010) which ours did not have.

use super::pawns::{backward, isolated};
use super::sink::TermSink;
use super::weights::Term;
use crate::bits::{ahead, beside, fill_files, fill_forward, pawn_attacks, rank_of};
use crate::sliders::rook_moves;
use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank};

/// The terms that are counted here.
pub(super) const TERMS: [Term; 6] = [
    Term::WeakSquare,
    Term::RookNearKing,
    Term::ConnectedRooks,
    Term::RookBehindPassedPawn,
    Term::RookAtWeakPawn,
    Term::KingBareFile,
];

/// Counts the features of both sides; `passed` are their passed pawns.
#[inline(never)]
pub(super) fn scan(board: &Board, passed: [BitBoard; Color::NUM], sink: &mut impl TermSink) {
    for color in Color::ALL {
        let own = board.colored_pieces(color, Piece::Pawn);
        let enemy = board.colored_pieces(!color, Piece::Pawn);
        let ranks = rank_of(color, Rank::Third) | rank_of(color, Rank::Fourth);
        let guarded = fill_forward(color, pawn_attacks(color, own));
        sink.add(color, Term::WeakSquare, 0, (ranks & !guarded).len() as i32);
        king(board, color, own, enemy, sink);
        rooks(board, color, passed[color as usize], sink);
    }
}

fn king(board: &Board, color: Color, own: BitBoard, enemy: BitBoard, sink: &mut impl TermSink) {
    let king = board.king(color).bitboard();
    let mut count = |index, files: BitBoard| sink.add(color, Term::KingBareFile, index, files.len() as i32);
    count(0, king & !fill_files(own));
    count(1, beside(king) & !fill_files(own));
    count(2, king & !fill_files(enemy));
    count(3, beside(king) & !fill_files(enemy));
}

fn rooks(board: &Board, color: Color, passed: BitBoard, sink: &mut impl TermSink) {
    let rooks = board.colored_pieces(color, Piece::Rook);
    if rooks.is_empty() {
        return;
    }
    let king_file = fill_files(board.king(!color).bitboard());
    let outer =
        [File::A, File::B, File::G, File::H].into_iter().fold(BitBoard::EMPTY, |all, file| all | file.bitboard());
    let own = board.colored_pieces(color, Piece::Pawn);
    let enemy = board.colored_pieces(!color, Piece::Pawn);
    let mut count = |term, index, rooks: BitBoard| sink.add(color, term, index, rooks.len() as i32);
    count(Term::RookNearKing, 0, rooks & king_file);
    count(Term::RookNearKing, 1, rooks & beside(king_file));
    count(Term::RookNearKing, 2, rooks & beside(king_file) & outer);
    count(Term::RookBehindPassedPawn, 0, rooks & ahead(!color, passed));
    count(
        Term::RookAtWeakPawn,
        0,
        rooks & !fill_files(own) & fill_files(isolated(enemy) | backward(!color, enemy, own)),
    );
    sink.add(color, Term::ConnectedRooks, 0, i32::from(are_connected(board, rooks)));
}

fn are_connected(board: &Board, rooks: BitBoard) -> bool {
    rooks.into_iter().any(|rook| !(rook_moves(rook, board.occupied()) & rooks).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chess, Weights};
    use plywise_game::Linear;
    use plywise_game::linear::Owner;
    use plywise_game::parameters::Parameters;

    /// How much of a middlegame feature White has, who is to move.
    #[track_caller]
    fn check(fen: &str, path: &str, expected: i32) {
        let board: Board = fen.parse().unwrap();
        let amounts = <Weights as Linear<Chess>>::record(&board).amounts_of(Owner::Mover);
        let [middlegame, endgame] = ["middlegame", "endgame"].map(|stage| {
            let (term, index) = path.split_once('.').map_or((path, String::new()), |(t, i)| (t, format!(".{i}")));
            amounts[Weights::default().place(&format!("{term}.{stage}{index}")).unwrap()]
        });
        assert_eq!(middlegame + endgame, expected * super::super::UNIT, "{path} in {fen}");
    }

    #[test]
    fn features_are_counted() {
        let fen = "6k1/5p2/3p4/8/1P6/8/3R1PPP/1R4K1 w - - 0 1";
        check(fen, "rook_behind_passed_pawn", 1);
        check(fen, "rook_at_weak_pawn", 1);
        check(fen, "connected_rooks", 0);
        check(fen, "king_bare_file.0", 0);
        check(fen, "king_bare_file.2", 1);
        check(fen, "king_bare_file.3", 1);
        // Guarded or to be guarded: a3 and c3 no more, but a5; e3 to h3 and e4 to h4.
        check(fen, "weak_square", 8);
        let fen = "r5k1/5ppp/8/8/8/8/5PPP/3R1RK1 w - - 0 1";
        check(fen, "connected_rooks", 1);
        check(fen, "rook_near_king.0", 0);
        check(fen, "rook_near_king.1", 1);
        check(fen, "rook_near_king.2", 0);
        check("6k1/5ppp/8/8/8/8/5PP1/6KR w - - 0 1", "rook_near_king.2", 1);
    }
}
