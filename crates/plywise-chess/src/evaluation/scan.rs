//! Counts every feature but those of the pawn structure.

use super::sink::TermSink;
use super::weights::Term;
use super::{endings, optional};
use crate::bits::{ahead, beside, fill_files, fill_forward, forward, king_distance, pawn_attacks, rank_index, rank_of};
use crate::sliders::{bishop_moves, rook_moves};
use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, get_king_moves, get_knight_moves};

/// Counts the features of both sides; `passed` are their passed pawns.
#[inline(always)]
pub(super) fn scan(board: &Board, passed: [BitBoard; Color::NUM], sink: &mut impl TermSink) {
    let views = Color::ALL.map(|color| SideView::new(board, color));
    let attacks = [views[0].pieces(sink), views[1].pieces(sink)];
    for color in Color::ALL {
        let (side, own, enemy) = (&views[color as usize], &attacks[color as usize], &attacks[!color as usize]);
        side.king(sink);
        side.passed_pawns(passed[color as usize], enemy, sink);
        side.threats(own, enemy, sink);
        side.checks(own, enemy, sink);
        side.space(enemy, sink);
    }
    if sink.wants_optional() {
        optional::scan(board, passed, sink);
    }
    endings::add_mating(board, sink);
    sink.add(board.side_to_move(), Term::Tempo, 0, 1);
}

/// The squares that one side attacks, by the kind of piece.
struct Attacks {
    pawns: BitBoard,
    knights: BitBoard,
    bishops: BitBoard,
    rooks: BitBoard,
    queens: BitBoard,
    all: BitBoard,
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
    fn pieces(&self, sink: &mut impl TermSink) -> Attacks {
        let (board, color, occupied) = (self.board, self.color, self.occupied);
        let [mut knights, mut bishops, mut rooks, mut queens] = [BitBoard::EMPTY; 4];
        let mut attackers = 0;

        for square in board.colored_pieces(color, Piece::Knight) {
            sink.place(color, Piece::Knight, square);
            let attacks = get_knight_moves(square);
            knights |= attacks;
            sink.add(color, Term::KnightMobility, self.mobility(attacks), 1);
            attackers += self.press(attacks, 0, sink);
        }
        for square in board.colored_pieces(color, Piece::Bishop) {
            sink.place(color, Piece::Bishop, square);
            let attacks = bishop_moves(square, occupied);
            bishops |= attacks;
            sink.add(color, Term::BishopMobility, self.mobility(attacks), 1);
            attackers += self.press(attacks, 1, sink);
        }
        for square in board.colored_pieces(color, Piece::Rook) {
            sink.place(color, Piece::Rook, square);
            let attacks = rook_moves(square, occupied);
            rooks |= attacks;
            sink.add(color, Term::RookMobility, self.mobility(attacks), 1);
            attackers += self.press(attacks, 2, sink);
        }
        for square in board.colored_pieces(color, Piece::Queen) {
            sink.place(color, Piece::Queen, square);
            let attacks = bishop_moves(square, occupied) | rook_moves(square, occupied);
            queens |= attacks;
            sink.add(color, Term::QueenMobility, self.mobility(attacks), 1);
            attackers += self.press(attacks, 3, sink);
        }
        // What is done to the king counts for the king's side, so that the weights read as that side's misfortune.
        sink.add(!color, Term::KingAttackers, attackers.min(7), 1);

        self.bishops(sink);
        self.rooks(sink);
        self.outposts(sink);
        let pawns = pawn_attacks(color, self.own_pawns);
        let all = pawns | knights | bishops | rooks | queens | get_king_moves(board.king(color));
        Attacks { pawns, knights, bishops, rooks, queens, all }
    }

    #[inline(always)]
    fn mobility(&self, attacks: BitBoard) -> usize {
        (attacks & self.mobility_area).len() as usize
    }

    /// Counts attacks on the squares round the enemy king; 1 if there is any.
    #[inline(always)]
    fn press(&self, attacks: BitBoard, kind: usize, sink: &mut impl TermSink) -> usize {
        let squares = (attacks & self.enemy_king_zone).len() as i32;
        sink.add(!self.color, Term::KingZone, kind, squares);
        usize::from(squares > 0)
    }

    #[inline(always)]
    fn bishops(&self, sink: &mut impl TermSink) {
        let bishops = self.board.colored_pieces(self.color, Piece::Bishop);
        sink.add(self.color, Term::BishopPair, 0, i32::from(bishops.len() >= 2));
        for shade in [BitBoard::DARK_SQUARES, BitBoard::LIGHT_SQUARES] {
            let hindered = (bishops & shade).len() * (self.own_pawns & shade).len();
            sink.add(self.color, Term::BishopPawns, 0, hindered as i32);
        }
    }

    #[inline(always)]
    fn rooks(&self, sink: &mut impl TermSink) {
        let rooks = self.board.colored_pieces(self.color, Piece::Rook);
        if rooks.is_empty() {
            return;
        }
        let no_own = rooks & !fill_files(self.own_pawns);
        let open = no_own & !fill_files(self.enemy_pawns);
        sink.add(self.color, Term::RookFile, 0, (no_own & !open).len() as i32);
        sink.add(self.color, Term::RookFile, 1, open.len() as i32);

        let seventh = rank_of(self.color, Rank::Seventh);
        let eighth = rank_of(self.color, Rank::Eighth);
        if !(self.enemy_pawns & seventh).is_empty() || eighth.has(self.board.king(!self.color)) {
            sink.add(self.color, Term::RookOnSeventh, 0, (rooks & seventh).len() as i32);
        }
    }

    #[inline(always)]
    fn outposts(&self, sink: &mut impl TermSink) {
        let color = self.color;
        let reach = rank_of(color, Rank::Fourth) | rank_of(color, Rank::Fifth) | rank_of(color, Rank::Sixth);
        let attackable = beside(ahead(!color, self.enemy_pawns));
        let posts = reach & pawn_attacks(color, self.own_pawns) & !attackable;
        sink.add(color, Term::Outpost, 0, (posts & self.board.colored_pieces(color, Piece::Knight)).len() as i32);
        sink.add(color, Term::Outpost, 1, (posts & self.board.colored_pieces(color, Piece::Bishop)).len() as i32);
    }

    /// The king's place, the pawns before it and the files that lead to it.
    #[inline(always)]
    fn king(&self, sink: &mut impl TermSink) {
        let color = self.color;
        let king = self.board.king(color);
        sink.place(color, Piece::King, king);

        let three = king.bitboard() | beside(king.bitboard());
        let first = forward(color, three);
        let second = forward(color, first);
        sink.add(color, Term::KingShelter, 0, (first & self.own_pawns).len() as i32);
        sink.add(color, Term::KingShelter, 1, (second & self.own_pawns).len() as i32);

        let no_own = three & !fill_files(self.own_pawns);
        let open = no_own & !fill_files(self.enemy_pawns);
        sink.add(color, Term::KingFile, 0, (no_own & !open).len() as i32);
        sink.add(color, Term::KingFile, 1, open.len() as i32);

        for pawn in fill_forward(color, three) & self.enemy_pawns {
            let ranks = rank_index(color, pawn) - rank_index(color, king);
            sink.add(color, Term::KingStorm, ranks, 1);
        }
    }

    /// Enemy men that are attacked and could be lost.
    #[inline(always)]
    fn threats(&self, own: &Attacks, enemy: &Attacks, sink: &mut impl TermSink) {
        let (board, color) = (self.board, self.color);
        let targets = board.colors(!color) & !board.pieces(Piece::King);
        let minors = targets & (board.pieces(Piece::Knight) | board.pieces(Piece::Bishop));
        let (rooks, queens) = (targets & board.pieces(Piece::Rook), targets & board.pieces(Piece::Queen));
        let unguarded_minors = minors & !enemy.pawns;
        let mut count = |term, index, attacked: BitBoard| sink.add(color, term, index, attacked.len() as i32);
        count(Term::PawnThreat, 0, own.pawns & minors);
        count(Term::PawnThreat, 1, own.pawns & (rooks | queens));
        let by_minors = own.knights | own.bishops;
        count(Term::MinorThreat, 0, by_minors & unguarded_minors);
        count(Term::MinorThreat, 1, by_minors & rooks);
        count(Term::MinorThreat, 2, by_minors & queens);
        count(Term::RookThreat, 0, own.rooks & unguarded_minors);
        count(Term::RookThreat, 1, own.rooks & queens);
        let hanging = targets & own.all & !enemy.all;
        count(Term::Hanging, 0, hanging & self.enemy_pawns);
        count(Term::Hanging, 1, hanging & !self.enemy_pawns);
    }

    /// Where the enemy king can be checked from; as with attacks, it counts for the king's side.
    #[inline(always)]
    fn checks(&self, own: &Attacks, enemy: &Attacks, sink: &mut impl TermSink) {
        let king = self.board.king(!self.color);
        let safe = !self.board.colors(self.color) & !enemy.all;
        let diagonals = bishop_moves(king, self.occupied) & safe;
        let lines = rook_moves(king, self.occupied) & safe;
        let mut count = |index, from: BitBoard| sink.add(!self.color, Term::SafeCheck, index, from.len() as i32);
        count(0, get_knight_moves(king) & safe & own.knights);
        count(1, diagonals & own.bishops);
        count(2, lines & own.rooks);
        count(3, (diagonals | lines) & own.queens);
    }

    #[inline(always)]
    fn space(&self, enemy: &Attacks, sink: &mut impl TermSink) {
        let color = self.color;
        let files = File::C.bitboard() | File::D.bitboard() | File::E.bitboard() | File::F.bitboard();
        let ranks = rank_of(color, Rank::Second) | rank_of(color, Rank::Third) | rank_of(color, Rank::Fourth);
        let behind = fill_forward(!color, self.own_pawns);
        let area = files & ranks & behind & !self.own_pawns & !enemy.pawns;
        sink.add(color, Term::Space, 0, area.len() as i32);
    }

    /// What passed pawns meet on their way.
    #[inline(always)]
    fn passed_pawns(&self, passed: BitBoard, enemy: &Attacks, sink: &mut impl TermSink) {
        let color = self.color;
        let (own_king, enemy_king) = (self.board.king(color), self.board.king(!color));
        for square in passed {
            let next = forward(color, square.bitboard());
            if !(next & self.occupied).is_empty() {
                sink.add(color, Term::BlockedPassedPawn, rank_index(color, square), 1);
            }
            if (ahead(color, square.bitboard()) & (self.occupied | enemy.all)).is_empty() {
                sink.add(color, Term::FreePassedPawn, rank_index(color, square), 1);
            }
            if let Some(next) = next.next_square() {
                sink.add(color, Term::PassedPawnOwnKing, 0, king_distance(own_king, next));
                sink.add(color, Term::PassedPawnEnemyKing, 0, king_distance(enemy_king, next));
            }
        }
    }
}
