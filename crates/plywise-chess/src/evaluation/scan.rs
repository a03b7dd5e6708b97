//! Counts every feature but those of the pawn structure.

use super::tally::Tally;
use super::weights::Term;
use crate::bits::{ahead, beside, fill_files, forward, king_distance, pawn_attacks, rank_index, rank_of};
use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};

/// Counts the features of both sides; `passed` are their passed pawns.
#[inline(always)]
pub(super) fn scan(board: &Board, passed: [BitBoard; Color::NUM], tally: &mut impl Tally) {
    for color in Color::ALL {
        let side = SideView::new(board, color);
        side.pieces(tally);
        side.king(tally);
        side.passed_pawns(passed[color as usize], tally);
    }
    tally.add(board.side_to_move(), Term::Tempo, 0, 1);
}

/// The board as one side sees it.
struct SideView<'a> {
    board: &'a Board,
    color: Color,
    occupied: BitBoard,
    own_pawns: BitBoard,
    enemy_pawns: BitBoard,
    /// Where pieces may safely go: not on their own, not where an enemy pawn takes them.
    mobility_area: BitBoard,
    /// The squares round the enemy king, one rank deeper towards us.
    enemy_king_zone: BitBoard,
}

impl<'a> SideView<'a> {
    #[inline(always)]
    fn new(board: &'a Board, color: Color) -> SideView<'a> {
        let own_pawns = board.colored_pieces(color, Piece::Pawn);
        let enemy_pawns = board.colored_pieces(!color, Piece::Pawn);
        let enemy_king = board.king(!color);
        let ring = get_king_moves(enemy_king) | enemy_king.bitboard();
        SideView {
            board,
            color,
            occupied: board.occupied(),
            own_pawns,
            enemy_pawns,
            mobility_area: !board.colors(color) & !pawn_attacks(!color, enemy_pawns),
            enemy_king_zone: ring | forward(!color, ring),
        }
    }

    /// Knights, bishops, rooks and queens: their places, mobility, files, outposts, and how they press on the king.
    #[inline(always)]
    fn pieces(&self, tally: &mut impl Tally) {
        let (board, color, occupied) = (self.board, self.color, self.occupied);
        let mut attackers = 0;

        for square in board.colored_pieces(color, Piece::Knight) {
            tally.place(color, Piece::Knight, square);
            let attacks = get_knight_moves(square);
            tally.add(color, Term::KnightMobility, self.mobility(attacks), 1);
            attackers += self.press(attacks, 0, tally);
        }
        for square in board.colored_pieces(color, Piece::Bishop) {
            tally.place(color, Piece::Bishop, square);
            let attacks = get_bishop_moves(square, occupied);
            tally.add(color, Term::BishopMobility, self.mobility(attacks), 1);
            attackers += self.press(attacks, 1, tally);
        }
        for square in board.colored_pieces(color, Piece::Rook) {
            tally.place(color, Piece::Rook, square);
            let attacks = get_rook_moves(square, occupied);
            tally.add(color, Term::RookMobility, self.mobility(attacks), 1);
            attackers += self.press(attacks, 2, tally);
        }
        for square in board.colored_pieces(color, Piece::Queen) {
            tally.place(color, Piece::Queen, square);
            let attacks = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
            tally.add(color, Term::QueenMobility, self.mobility(attacks), 1);
            attackers += self.press(attacks, 3, tally);
        }
        // What is done to the king counts for the king's side, so that the weights read as that side's misfortune.
        tally.add(!color, Term::KingAttackers, attackers.min(7), 1);

        let bishops = board.colored_pieces(color, Piece::Bishop);
        tally.add(color, Term::BishopPair, 0, i32::from(bishops.len() >= 2));
        self.rooks(tally);
        self.outposts(tally);
    }

    #[inline(always)]
    fn mobility(&self, attacks: BitBoard) -> usize {
        (attacks & self.mobility_area).len() as usize
    }

    /// Counts attacks on the squares round the enemy king; 1 if there is any.
    #[inline(always)]
    fn press(&self, attacks: BitBoard, kind: usize, tally: &mut impl Tally) -> usize {
        let squares = (attacks & self.enemy_king_zone).len() as i32;
        tally.add(!self.color, Term::KingZone, kind, squares);
        usize::from(squares > 0)
    }

    #[inline(always)]
    fn rooks(&self, tally: &mut impl Tally) {
        let rooks = self.board.colored_pieces(self.color, Piece::Rook);
        if rooks.is_empty() {
            return;
        }
        let no_own = rooks & !fill_files(self.own_pawns);
        let open = no_own & !fill_files(self.enemy_pawns);
        tally.add(self.color, Term::RookFile, 0, (no_own & !open).len() as i32);
        tally.add(self.color, Term::RookFile, 1, open.len() as i32);

        let seventh = rank_of(self.color, Rank::Seventh);
        let eighth = rank_of(self.color, Rank::Eighth);
        if !(self.enemy_pawns & seventh).is_empty() || eighth.has(self.board.king(!self.color)) {
            tally.add(self.color, Term::RookOnSeventh, 0, (rooks & seventh).len() as i32);
        }
    }

    #[inline(always)]
    fn outposts(&self, tally: &mut impl Tally) {
        let color = self.color;
        let reach = rank_of(color, Rank::Fourth) | rank_of(color, Rank::Fifth) | rank_of(color, Rank::Sixth);
        let attackable = beside(ahead(!color, self.enemy_pawns));
        let posts = reach & pawn_attacks(color, self.own_pawns) & !attackable;
        tally.add(color, Term::Outpost, 0, (posts & self.board.colored_pieces(color, Piece::Knight)).len() as i32);
        tally.add(color, Term::Outpost, 1, (posts & self.board.colored_pieces(color, Piece::Bishop)).len() as i32);
    }

    /// The king's place, the pawns before it and the files that lead to it.
    #[inline(always)]
    fn king(&self, tally: &mut impl Tally) {
        let color = self.color;
        let king = self.board.king(color);
        tally.place(color, Piece::King, king);

        let three = king.bitboard() | beside(king.bitboard());
        let first = forward(color, three);
        let second = forward(color, first);
        tally.add(color, Term::KingShelter, 0, (first & self.own_pawns).len() as i32);
        tally.add(color, Term::KingShelter, 1, (second & self.own_pawns).len() as i32);

        let no_own = three & !fill_files(self.own_pawns);
        let open = no_own & !fill_files(self.enemy_pawns);
        tally.add(color, Term::KingFile, 0, (no_own & !open).len() as i32);
        tally.add(color, Term::KingFile, 1, open.len() as i32);
    }

    /// What passed pawns meet on their way.
    #[inline(always)]
    fn passed_pawns(&self, passed: BitBoard, tally: &mut impl Tally) {
        let color = self.color;
        let (own_king, enemy_king) = (self.board.king(color), self.board.king(!color));
        for square in passed {
            let next = forward(color, square.bitboard());
            if !(next & self.occupied).is_empty() {
                tally.add(color, Term::BlockedPassedPawn, rank_index(color, square), 1);
            }
            if let Some(next) = next.next_square() {
                tally.add(color, Term::PassedPawnOwnKing, 0, king_distance(own_king, next));
                tally.add(color, Term::PassedPawnEnemyKing, 0, king_distance(enemy_king, next));
            }
        }
    }
}
